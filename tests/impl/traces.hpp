#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "impl/partition.hpp"
#include "impl/schedule/blocks.hpp"
#include "impl/schedule/chunked.hpp"
#include "impl/schedule/depthwise.hpp"
#include "impl/schedule/pointwise.hpp"
#include "impl/trace.hpp"
#include "spec/problem_line.hpp"
#include "spec/rules.hpp"
#include "spec/wgrad.hpp"

/// What schedules do, as the offsets of every product, against the definition.
namespace wgradcheck::impl {

using Int = std::int64_t;

/// Numbers drawn from a seed: the same on every machine.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  Int between(Int least, Int most) {
    return least + static_cast<Int>(engine_() % static_cast<std::uint64_t>(most - least + 1));
  }

 private:
  std::mt19937_64 engine_;
};

/// Every product of the sum once, in order.
inline std::vector<Product> defined(const spec::Shape& s) {
  std::vector<Product> all;
  for (Int e = 0; e < spec::dw_elems(s); ++e)
    spec::each_product(s, spec::element_at(s, e), [&](Int dy, Int x) { all.push_back({e, dy, x}); });
  std::ranges::sort(all);
  return all;
}

/// Calls visit(piece) for consecutive pieces of [0, extent).
template <class Visit>
void cut(Draw& draw, Int extent, const Visit& visit) {
  for (Int first = 0; first < extent;) {
    const Int last = draw.between(first + 1, extent);
    visit(Range<Int>{first, last});
    first = last;
  }
}

/// What a schedule does to all of dW, cut into blocks at random, in order; or how it strays.
template <class Env, class Schedule>
std::vector<Product> done(const spec::Call<Int>& c, Draw draw, const Schedule& schedule) {
  std::vector<Product> all;
  const Extents<Int> e = extents_of(c);
  const Int mood = draw.between(0, 2);
  const Trace::Machine machine{draw.between(1, 5), draw.between(1, 3),
                               [&] { return mood == 2 ? draw.between(0, 1) == 0 : mood == 0; }};
  for (Int g = 0; g < e.groups; ++g)
    cut(draw, e.rows, [&](const Range<Int>& rows) {
      cut(draw, e.cols, [&](const Range<Int>& cols) {
        cut(draw, c.output_batch, [&](const Range<Int>& images) {
          const Block<Int> block{g, rows, cols, images};
          Env env(c, block, machine);
          schedule(env, c, block);
          all.insert(all.end(), env.products().begin(), env.products().end());
        });
      });
    });
  std::ranges::sort(all);
  return all;
}

/// What the cores of a call do together, each for its part of the batch, to blocks of a size.
template <class Schedule>
std::vector<Product> done_by_cores(const spec::Call<Int>& c, Draw draw, const Schedule& schedule) {
  std::vector<Product> all;
  const Extents<Int> e = extents_of(c);
  const Int cols = draw.between(1, e.cols), rows = block_rows(e, draw.between(cols, e.rows * e.cols), cols);
  for (Int id = 0; id < c.core_num; ++id) {
    Loops loops;
    each_block(loops, e, rows, cols, part(c.output_batch, c.core_num, id), [&](const Block<Int>& block) {
      Trace trace(c, block, {2, 2, [] { return true; }});
      schedule(trace, c, block);
      all.insert(all.end(), trace.products().begin(), trace.products().end());
    });
  }
  std::ranges::sort(all);
  return all;
}

/// The schedules as what can be handed on.
struct Chunked {
  template <class Env, class Integer>
  void operator()(Env& env, const spec::Call<Integer>& c, const Block<Integer>& b) const {
    chunked(env, c, b);
  }
};
struct Depthwise {
  template <class Env, class Integer>
  void operator()(Env& env, const spec::Call<Integer>& c, const Block<Integer>& b) const {
    depthwise(env, c, b);
  }
};
struct Pointwise {
  template <class Env, class Integer>
  void operator()(Env& env, const spec::Call<Integer>& c, const Block<Integer>& b) const {
    pointwise(env, c, b);
  }
};

/// The call of a shape with a buffer at its limit or a little above it.
inline spec::Call<Int> call_with_some_buffer(const spec::Shape& s, Draw& draw) {
  const Int elem = draw.between(1, 2) * 2;
  const Int limit = spec::buffer_limit(spec::call_of(s, elem, 1, 0));
  return spec::call_of(s, elem, 1, limit + (draw.between(0, 1) == 0 ? 0 : draw.between(0, 2 * limit)));
}

/// Whether a schedule adds exactly the products of the sum, each once, inside everything that it is given.
template <class Env = Trace, class Schedule>
testing::AssertionResult is_the_sum(const spec::Shape& s, std::uint64_t seed, const Schedule& schedule) {
  Draw draw(seed);
  const auto call = call_with_some_buffer(s, draw);
  const auto failed = [&](const std::string& why) {
    return testing::AssertionFailure() << spec::to_line(s) << " buffer " << call.buffer_size << ": " << why;
  };
  if (const auto refusal = spec::refuse(call)) return failed(refusal->field + " " + refusal->reason);
  try {
    return done<Env>(call, draw, schedule) == defined(s) ? testing::AssertionSuccess()
                                                         : failed("other products than the sum's");
  } catch (const Stray& stray) {
    return failed(stray.what());
  }
}

/// Every schedule that may compute a shape.
inline testing::AssertionResult every_schedule_is_the_sum(const spec::Shape& s, std::uint64_t seed) {
  const auto call = spec::call_of(s, 4, 1, 0);
  auto result = spec::is_depthwise(call) ? is_the_sum(s, seed, Depthwise{}) : is_the_sum(s, seed, Chunked{});
  if (result && spec::is_pointwise(call) && !spec::is_depthwise(call))
    result = is_the_sum(s, seed, Pointwise{});
  return result;
}

/// A small shape of one of the paths.
inline spec::Shape some_shape(Draw& draw) {
  const auto axis = [&]() -> spec::Axis<Int> {
    return {draw.between(1, 6), draw.between(1, 4), draw.between(1, 3),
            draw.between(1, 3), draw.between(1, 3), draw.between(0, 3)};
  };
  const Int groups = draw.between(1, 3);
  spec::Shape s{draw.between(1, 3),
                groups,
                groups * draw.between(1, 3),
                groups * draw.between(1, 3),
                spec::kNoAxis,
                axis(),
                axis()};
  switch (draw.between(0, 3)) {
    case 0:
      s.groups = s.in_channels = s.out_channels = draw.between(1, 9);
      s.height.dilation = s.width.dilation = 1;
      break;
    case 1:
      s.groups = 1;
      for (auto* a : {&s.height, &s.width}) *a = {a->input, a->input, 1, 1, 1, 0};
      break;
    default:
      break;
  }
  return s;
}

}  // namespace wgradcheck::impl
