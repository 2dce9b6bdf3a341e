#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "impl/loops.hpp"
#include "impl/schedule/cube_blocks.hpp"
#include "tests/impl/traces.hpp"

/// What Ascend's schedule does, as the offsets of every product, against the definition. Of each sixteen
/// channels the first and the last stand for all: lanes are worked on together.
namespace wgradcheck::impl::cube {

inline constexpr Int kLanes = spec::kC0;
inline constexpr std::array<Int, 2> kSeen{0, kLanes - 1};

inline bool is_seen(Int index) { return std::ranges::find(kSeen, index % kLanes) != kSeen.end(); }

/// Where a block's operands and its sums begin.
struct Bases {
  Int dy, x, dw;
};
inline Bases bases_of(const Job<Int>& job, const Block<Int>& b) {
  return {dy_base(job, b), x_base(job, b), dw_base(job, b)};
}

/// What the machine chooses and no result may depend on.
struct Machine {
  Int slice_tile;
  std::function<bool()> finite;
};

/// The environment in which a tile tells what it does.
class CubeTrace : public Loops {
 public:
  CubeTrace(const spec::Shape& s, const Bases& bases, const Tile<Int>& t, const Machine& machine)
      : s_(s),
        bases_(bases),
        machine_(machine),
        rows_(length(t.blocks) * kLanes),
        cols_(length(t.sixteens) * kLanes) {
    inside(bases.dy, spec::packed_dy_elems(s), "dy");
    inside(bases.x, spec::packed_x_elems(s), "x");
    inside(bases.dw, spec::packed_dw_elems(s), "dw");
    const Int deepest = std::min(machine.slice_tile, t.positions);
    a_.assign(static_cast<std::size_t>(deepest * rows_), kUnwritten);
    b_.assign(static_cast<std::size_t>(deepest * cols_), kUnwritten);
  }

  Int slice_tile() const { return machine_.slice_tile; }
  void clear_sums(Int rows, Int cols) {
    if (rows != rows_ || cols != cols_) throw Stray("sums are left as they are");
    sums_.assign(static_cast<std::size_t>(rows * cols), {});
  }
  void stage_dy(Int count, Int from, Int at, Int step) {
    nonempty({count});
    // Nothing is kept from the slice before.
    if (at == 0) a_.assign(a_.size(), kUnwritten), b_.assign(b_.size(), kUnwritten);
    for (Int i = 0; i < count; ++i)
      for (const Int l : kSeen)
        put(a_, i * step + inside(at + l, step, "a packed row of dy"),
            inside(bases_.dy + from + i * kLanes + l, spec::packed_dy_elems(s_), "dy"));
  }
  bool finite_panel(Int count, Int rows) {
    for (Int i = 0; i < count; ++i)
      for (Int j = 0; j < rows; ++j)
        if (is_seen(j)) get(a_, i * rows + j);
    return machine_.finite();
  }
  void zero_x(Int count, Int at, Int step) {
    for (Int i = 0; i < count; ++i)
      for (const Int l : kSeen) put(b_, i * step + inside(at + l, step, "a packed row of x"), kZero);
  }
  void stage_x(Int count, Int from, Int from_step, Int row, Int at, Int step) {
    nonempty({count});
    for (Int i = 0; i < count; ++i)
      for (const Int l : kSeen)
        put(b_, (row + i) * step + inside(at + l, step, "a packed row of x"),
            inside(bases_.x + from + i * from_step + l, spec::packed_x_elems(s_), "x"));
  }
  void multiply(Int rows, Int cols, Int depth, Int row, Int at, Int step) {
    nonempty({rows, cols, depth});
    for (Int p = 0; p < depth; ++p)
      for (Int i = 0; i < rows; ++i)
        for (Int j = 0; j < cols; ++j) {
          if (!is_seen(i) || !is_seen(j)) continue;
          const Int dy = get(a_, (row + p) * rows + i), x = get(b_, p * cols + j);
          auto& sum = sums_[static_cast<std::size_t>(
              inside(i * step + inside(at + j, step, "a row of sums"), rows_ * cols_, "sums"))];
          if (x != kZero) sum.push_back({0, dy, x});
        }
  }
  void move(Int rows, Int from, Int step, Int to) {
    for (Int i = 0; i < rows; ++i)
      for (const Int l : kSeen) {
        const Int at = inside(from + i * step + l, static_cast<Int>(sums_.size()), "sums");
        auto& sum = sums_[static_cast<std::size_t>(at)];
        if (in_scratch_) {
          const Int place = inside(to + i * kLanes + l, static_cast<Int>(scratch_.size()), "scratch");
          scratch_[static_cast<std::size_t>(place)] = std::move(sum);
          continue;
        }
        const Int dw = inside(bases_.dw + to + i * kLanes + l, spec::packed_dw_elems(s_), "dw");
        for (const Product& p : sum) products_.push_back({dw, p.dy, p.x});
        sum.clear();
        ++moved_;
      }
  }
  /// What is moved goes to scratch of so many sums, until it is moved from there.
  void into_scratch(Int elems) {
    in_scratch_ = true;
    scratch_.assign(static_cast<std::size_t>(elems), {});
  }
  void from_scratch() {
    in_scratch_ = false;
    sums_ = std::move(scratch_);
  }

  /// The products added to dW, in order. Throws Stray unless every sum was moved.
  const std::vector<Product>& products() const {
    if (moved_ * kLanes * kLanes != rows_ * cols_ * static_cast<Int>(kSeen.size()) * kLanes)
      throw Stray("sums are not moved once each");
    return products_;
  }

 private:
  static constexpr Int kUnwritten = -2, kZero = -1;

  static void nonempty(std::initializer_list<Int> extents) {
    for (const Int extent : extents)
      if (extent < 1) throw Stray("an extent of an operation is " + std::to_string(extent));
  }
  static void put(std::vector<Int>& panel, Int at, Int value) {
    panel[static_cast<std::size_t>(inside(at, static_cast<Int>(panel.size()), "a panel"))] = value;
  }
  static Int get(const std::vector<Int>& panel, Int at) {
    const Int value = panel[static_cast<std::size_t>(inside(at, static_cast<Int>(panel.size()), "a panel"))];
    if (value == kUnwritten) throw Stray("a panel is read before it is written");
    return value;
  }

  spec::Shape s_;
  Bases bases_;
  Machine machine_;
  Int rows_, cols_, moved_ = 0;
  std::vector<Int> a_, b_;  ///< offsets in dy and x, or one of the two marks
  bool in_scratch_ = false;
  std::vector<std::vector<Product>> sums_, scratch_;
  std::vector<Product> products_;
};

/// Blocks of channels on either side and the axes of a gradient.
struct Blocked {
  Int batch, in, out;
  spec::Axis<Int> depth, height, width;
  spec::Shape with(Int lanes) const { return {batch, 1, in * lanes, out * lanes, depth, height, width}; }
};

/// Every product of the sum once, in order, of the lanes that are looked at.
inline std::vector<Product> defined(const Blocked& b) {
  const spec::Shape dense = b.with(kSeen.size()), s = b.with(kLanes);
  const auto lane = [](Int c) { return c / 2 * kLanes + kSeen[static_cast<std::size_t>(c % 2)]; };
  const auto next = [](Int& offset, Int extent) {
    const Int digit = offset % extent;
    offset /= extent;
    return digit;
  };
  std::vector<Product> all = impl::defined(dense);
  for (auto& [dw, dy, x] : all) {
    const spec::Element e = spec::element_at(dense, dw);
    dw = spec::packed_dw_offset(s, lane(e.co), e.kd, e.kh, e.kw, lane(e.ci));
    const auto packed = [&](Int& offset, auto of, Int channels, auto place) {
      const Int c = next(offset, channels), w = next(offset, of(s.width)), h = next(offset, of(s.height)),
                d = next(offset, of(s.depth));
      offset = place(s, offset, d, h, w, lane(c));
    };
    packed(
        dy, [](const auto& a) { return a.output; }, dense.out_channels, spec::packed_dy_offset<Int>);
    packed(
        x, [](const auto& a) { return a.input; }, dense.in_channels, spec::packed_x_offset<Int>);
  }
  std::ranges::sort(all);
  return all;
}

/// How cores share a gradient.
struct Sharing {
  Job<Int> job;
  Grid<Int> tiles;  ///< but for m and n
  Int cores;
  bool owned;
};

/// Any way to share it, drawn.
inline Sharing some_sharing(const Blocked& b, Draw& draw) {
  const bool owned = draw.between(0, 1) == 1;
  const Grid<Int> tiles{0,
                        0,
                        draw.between(1, 2),
                        draw.between(1, 4),
                        draw.between(1, 2),
                        draw.between(1, 2),
                        draw.between(0, 1)};
  const Int channels = owned ? tiles.base_m : draw.between(1, b.out + 1);
  return {{b.with(kLanes), draw.between(1, b.height.output), channels * kLanes,
           draw.between(1, b.in + 1) * kLanes * b.height.kernel * b.width.kernel},
          tiles,
          draw.between(1, 4),
          owned};
}

/// The schedule of a tile as what can be handed on.
struct Product16 {
  void operator()(auto& env, const auto& plane, const auto& tile) const { product(env, plane, tile); }
};

/// What all cores together do, in order.
template <class Env = CubeTrace, class OfTile = Product16>
std::vector<Product> done(const Sharing& how, const Machine& machine, const OfTile& of_tile = {}) {
  std::vector<Product> all;
  Loops loops;
  const spec::Shape& s = how.job.s;
  const auto do_block = [&](const Block<Int>& b) {
    Grid<Int> grid = how.tiles;
    grid.m = length(b.channels) / kLanes, grid.n = length(b.columns) / kLanes;
    const Plane<Int> plane{s.height, s.width, b.rows.first, first_input_row(s.height, b.rows.first)};
    Int count = 0;
    each_tile(loops, grid, [&](Int i, Int j) {
      if (how.owned && (i != 0 || j != count++)) throw Stray("tiles of columns come in another order");
      const Tile<Int> tile = tile_at(grid, i, j, length(b.rows) * s.width.output);
      Env env(s, bases_of(how.job, b), tile, machine);
      of_tile(env, plane, tile);
      if (how.owned) {
        env.into_scratch(grid.base_m * grid.base_n * kLanes * kLanes);
        cube::move(env, tile, in_rows(tile), in_sequence(grid));
        env.from_scratch();
      }
      cube::move(env, tile, how.owned ? in_sequence(grid) : in_rows(tile),
                 in_fractals(tile, spec::channel_blocks(s.out_channels)));
      all.insert(all.end(), env.products().begin(), env.products().end());
    });
  };
  for (Int core = 0; core < how.cores; ++core)
    if (how.owned)
      each_owned_block(loops, how.job, how.cores, core, do_block);
    else
      each_shared_block(loops, how.job, how.cores, core, do_block);
  std::ranges::sort(all);
  return all;
}

/// Whether all cores together add exactly the products of the sum, each once, inside everything that they are
/// given.
template <class Env = CubeTrace, class OfTile = Product16>
testing::AssertionResult is_the_sum(const Blocked& b, std::uint64_t seed, const OfTile& of_tile = {}) {
  Draw draw(seed);
  const Sharing how = some_sharing(b, draw);
  const Int mood = draw.between(0, 2);
  const Machine machine{draw.between(1, 9), [&] { return mood == 2 ? draw.between(0, 1) == 0 : mood == 0; }};
  const auto failed = [&](const std::string& why) {
    return testing::AssertionFailure() << spec::to_line(b.with(kLanes)) << " seed " << seed << ": " << why;
  };
  try {
    return done<Env>(how, machine, of_tile) == defined(b) ? testing::AssertionSuccess()
                                                          : failed("other products than the sum's");
  } catch (const Stray& stray) {
    return failed(stray.what());
  }
}

/// A small shape whose last output row begins inside the input.
inline Blocked some_blocked(Draw& draw) {
  const auto axis = [&]() -> spec::Axis<Int> {
    return {draw.between(1, 6), draw.between(1, 4), draw.between(1, 3),
            draw.between(1, 3), draw.between(1, 3), draw.between(0, 3)};
  };
  Blocked b{draw.between(1, 2), draw.between(1, 3), draw.between(1, 3), axis(), axis(), axis()};
  while (spec::input_at<Int>(b.height, b.height.output - 1, 0) >= b.height.input) b.height = axis();
  return b;
}

}  // namespace wgradcheck::impl::cube
