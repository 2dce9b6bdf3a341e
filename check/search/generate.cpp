#include "check/search/generate.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "check/kernel.hpp"
#include "check/search/shrink.hpp"
#include "spec/fractal.hpp"

namespace wgradcheck::check {
namespace {

using Axis = spec::Axis<std::int64_t>;

/// Draws numbers from one of RapidCheck's random streams.
class Draw {
 public:
  explicit Draw(const rc::Random& random) : random_(random) {}

  /// Uniform in [least, most]; least when the range is empty.
  std::int64_t between(std::int64_t least, std::int64_t most) {
    if (most <= least) return least;
    return least + static_cast<std::int64_t>(random_.next() % static_cast<std::uint64_t>(most - least + 1));
  }
  bool chance(int percent) { return between(0, 99) < percent; }
  template <class List>
  auto one_of(const List& list) {
    return list[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(std::size(list)) - 1))];
  }
  std::uint64_t bits() { return random_.next(); }

 private:
  rc::Random random_;
};

/// Channel counts of a group: mostly small, at times around the width of a vector.
std::int64_t channels(Draw& draw, int size) {
  constexpr std::array kVectorish{7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 64, 65, 128, 130};
  if (draw.chance(size / 4)) return draw.one_of(kVectorish);
  return draw.between(1, 1 + size / 12);
}

Axis axis(Draw& draw, int size) {
  if (draw.chance(8)) return spec::kNoAxis;
  Axis a{};
  a.kernel = draw.between(1, draw.chance(80) ? 3 : 2 + size / 16);
  a.stride = draw.chance(55) ? 1 : draw.between(1, 4);
  a.dilation = draw.chance(60) ? 1 : draw.between(1, 4);
  a.output = draw.between(1, 2 + size / 12);
  const std::int64_t span = spec::span(a);
  a.pad_before = draw.chance(45) ? 0 : draw.between(0, draw.chance(85) ? span - 1 : span + 2);
  // What lies behind the last tap: padding, nothing, or rows that no tap reads.
  const std::int64_t after =
      draw.chance(50) ? draw.between(1 - a.stride, 0) : draw.between(1 - a.stride, span);
  a.input = std::max<std::int64_t>(1, (a.output - 1) * a.stride + span - a.pad_before - after);
  return a;
}

Axis pointwise_axis(Draw& draw, int size) {
  const std::int64_t extent = draw.between(1, 3 + size / 12);
  return {extent, extent, 1, 1, 1, 0};
}

/// The axis of a 1x1 filter that skips pixels, as networks halve their planes.
Axis skipping_axis(Draw& draw, int size) {
  Axis a = pointwise_axis(draw, size);
  a.stride = draw.between(1, 3);
  a.input = (a.output - 1) * a.stride + draw.between(1, a.stride);
  return a;
}

/// Breaks one condition of the 1x1 path.
void miss_pointwise(Draw& draw, spec::Shape& s) {
  Axis& a = draw.chance(50) ? s.height : s.width;
  switch (draw.between(0, 3)) {
    case 0:
      a.pad_before = draw.between(1, 2);
      break;
    case 1:
      a.stride = draw.between(2, 3);
      break;
    case 2:
      a.input += draw.between(1, 2);
      break;
    default:
      // As many pixels in x as in dy, in rows of another length.
      std::swap(s.height.input, s.width.input);
  }
}

/// The structural classes take turns; each leaves everything else to chance.
enum class Kind { dense, pointwise, depthwise, multiplier, grouped, skipping };
constexpr std::array kKinds{Kind::dense,     Kind::dense,      Kind::pointwise,
                            Kind::depthwise, Kind::multiplier, Kind::grouped};
constexpr std::array kAscendKinds{Kind::dense, Kind::dense, Kind::pointwise, Kind::skipping};
constexpr std::array kHostKinds{Kind::dense,      Kind::dense,   Kind::pointwise, Kind::depthwise,
                                Kind::multiplier, Kind::grouped, Kind::skipping};

/// One extent far beyond the usual ones, everything else small: main loops of wide vectors, counters,
/// batches.
void make_long(Draw& draw, spec::Shape& s) {
  const auto few = [&s](std::int64_t channels) { return std::min<std::int64_t>(channels / s.groups, 2); };
  s.in_channels = s.groups * few(s.in_channels);
  s.out_channels = s.groups * few(s.out_channels);
  if (draw.chance(30)) {
    s.batch = draw.between(6, 40);
    return;
  }
  spec::Axis<std::int64_t>& a = draw.chance(50) ? s.height : s.width;
  const std::int64_t more = draw.between(20, draw.chance(80) ? 150 : 700);
  a.output += more;
  a.input += more * a.stride;
}

spec::Shape shape(Draw& draw, int size, const Abi& abi) {
  const Kind kind = abi.ascend ? draw.one_of(kAscendKinds)
                    : abi.host ? draw.one_of(kHostKinds)
                               : draw.one_of(kKinds);
  const bool dense = kind == Kind::dense || kind == Kind::pointwise || kind == Kind::skipping;
  const auto next_axis = [&](int extent) {
    return kind == Kind::pointwise  ? pointwise_axis(draw, extent)
           : kind == Kind::skipping ? skipping_axis(draw, extent)
                                    : axis(draw, extent);
  };
  spec::Shape s{};
  s.batch = draw.between(1, 1 + size / 25);
  s.depth = abi.host && draw.chance(abi.ascend ? 60 : 25) ? next_axis(size / 2) : spec::kNoAxis;
  s.height = next_axis(size);
  s.width = next_axis(size);
  if (kind == Kind::pointwise && draw.chance(25)) miss_pointwise(draw, s);
  s.groups = dense ? 1 : draw.between(2, 3 + size / 16);
  std::int64_t ins = 1, outs = 1;
  if (kind == Kind::multiplier) outs = draw.between(2, 4);
  if (kind == Kind::grouped) ins = draw.between(2, 3 + size / 25), outs = draw.between(1, 3 + size / 25);
  if (dense) ins = channels(draw, size), outs = channels(draw, size);
  if (kind == Kind::depthwise) {
    if (draw.chance(size / 4)) s.groups = channels(draw, size);
    // The document's depthwise path knows no dilation; dilated ones remain as cases of the general path.
    if (draw.chance(70)) s.height.dilation = s.width.dilation = 1;
  }
  s.in_channels = s.groups * ins;
  s.out_channels = s.groups * outs;
  if (abi.ascend && draw.chance(30)) s.in_channels = spec::padded_channels(s.in_channels);
  if (abi.ascend && draw.chance(30)) s.out_channels = spec::padded_channels(s.out_channels);
  if (draw.chance(size / 20)) make_long(draw, s);
  return s;
}

/// The value nearest above or at a field's own that the aim accepts.
std::int64_t aimed(Aim::Kind kind, std::int64_t goal, std::int64_t own) {
  switch (kind) {
    case Aim::Kind::equals:
      return goal;
    case Aim::Kind::multiple:
      return goal < 1 ? own : std::max<std::int64_t>(1, spec::ceil_div(own, goal)) * goal;
    case Aim::Kind::at_least:
      return std::max(own, goal);
    case Aim::Kind::at_most:
      return std::min(own, goal);
  }
  return own;
}

/// Gives an axis's field a value. Where that is not the input, the input grows or shrinks with it.
void set_field(Axis& a, char kind, std::int64_t value) {
  const std::int64_t after = spec::pad_after(a);
  if (kind == 'i') a.input = value;
  if (kind == 'o') a.output = value;
  if (kind == 'k') a.kernel = value;
  if (kind == 's') a.stride = value;
  if (kind == 'p') a.pad_before = value;
  if (kind == 'd') a.dilation = value + 1;
  if (kind != 'i')
    a.input = std::max<std::int64_t>(1, (a.output - 1) * a.stride + spec::span(a) - a.pad_before - after);
}

/// Where every group has one channel of the kind asked for, the groups follow it, so that depthwise shapes
/// stay what they are.
void set_field(spec::Shape& s, const std::string& field, std::int64_t value) {
  const std::int64_t ins = spec::in_per_group(s), outs = spec::out_per_group(s);
  const bool follows = s.groups > 1 && ((field == "ic" && ins == 1) || (field == "oc" && outs == 1));
  if (field == "g" || follows) {
    s.groups = value;
    s.in_channels = value * ins;
    s.out_channels = value * outs;
  } else if (field == "mb") {
    s.batch = value;
  } else if (field == "ic") {
    s.in_channels = value;
  } else if (field == "oc") {
    s.out_channels = value;
  } else {
    set_field(field[1] == 'd' ? s.depth : field[1] == 'h' ? s.height : s.width, field[0], value);
  }
}

/// Bends a shape towards the aims: all of them with the given chance, else some. An aim may speak of a field
/// that a later one changes, and the inputs follow the other fields, so inputs come last and all of it twice.
void aim_shape(const std::vector<Aim>& aims, Draw& draw, int percent, spec::Shape& s) {
  constexpr std::int64_t kLargest = 1 << 24;
  const std::uint64_t chosen = draw.chance(percent) ? ~std::uint64_t{0} : draw.bits();
  for (const bool inputs : {false, true, false, true})
    for (std::size_t i = 0; i < aims.size(); ++i) {
      const std::string& field = aims[i].field;
      const bool is_channels = field == "ic" || field == "oc";
      auto goal = evaluate(aims[i].value, s);
      if ((field[0] == 'i' && !is_channels) != inputs || !goal || *goal > kLargest ||
          (chosen >> (i % 64) & 1) == 0)
        continue;
      const std::int64_t own = field_value(s, *field_index(field));
      if (aims[i].kind == Aim::Kind::multiple && is_channels && own != s.groups)
        goal = std::lcm(*goal, s.groups);
      const std::int64_t next = aimed(aims[i].kind, *goal, own);
      const std::int64_t least = field[0] == 'p' || field[0] == 'd' ? 0 : 1;
      if (next != own && next >= least && next <= kLargest) set_field(s, field, next);
    }
}

/// Buffers around the limit, where chunks are few positions, and at times the usual one.
std::int64_t buffer(Draw& draw, const Case& c) {
  const std::int64_t limit = spec::buffer_limit(call_of(c));
  if (draw.chance(10)) return 0;
  return limit * draw.between(1, 6) + draw.between(0, 3);
}

Case draw_case(const Domain& domain, const std::vector<Aim>& aims, const rc::Random& random, int size) {
  Draw draw(random);
  std::string refused;
  for (int attempt = 0; attempt < 1000; ++attempt) {
    Case c;
    c.dtype = domain.abi->dtype;
    c.shape = shape(draw, size, *domain.abi);
    aim_shape(aims, draw, 50, c.shape);
    c.core_mask = draw.one_of(domain.core_masks);
    c.bias = draw.one_of(domain.biases);
    c.placement = draw.one_of(kPlacements);
    c.seed = draw.bits() >> 1;
    if (spec::refuse(c.shape)) continue;
    if (domain.abi->host)
      c.implementation = draw.one_of(domain.implementations);
    else
      c.buffer = buffer(draw, c);
    if (auto why = admit(domain, c))
      refused = *why;
    else
      return c;
  }
  throw BadInput{"no shape of 1000 drawn lies in the domain; the last was refused because " + refused};
}

}  // namespace

rc::Gen<Case> cases(const Domain& domain, const std::vector<Aim>& aims) {
  return [domain, aims](const rc::Random& random, int size) {
    return rc::shrinkable::shrinkRecur(draw_case(domain, aims, random, size), [domain](const Case& c) {
      return rc::seq::fromContainer(smaller(domain, c));
    });
  };
}

Case nth_case(const rc::Gen<Case>& gen, std::uint64_t seed, std::int64_t i) {
  // The seed and the index make the stream, so that no case depends on those before it.
  const rc::Random random(seed * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(i));
  return gen(random, static_cast<int>(i % 101)).value();
}

std::vector<Case> nth_cases(const rc::Gen<Case>& gen, std::uint64_t seed, std::int64_t first,
                            std::int64_t count) {
  std::vector<Case> some;
  for (std::int64_t i = 0; i < count; ++i) some.push_back(nth_case(gen, seed, first + i));
  return some;
}

}  // namespace wgradcheck::check
