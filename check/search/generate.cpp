#include "check/search/generate.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "check/kernel.hpp"
#include "check/search/draw_shape.hpp"
#include "check/search/shrink.hpp"

namespace wgradcheck::check {
namespace {

using Axis = spec::Axis<std::int64_t>;

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
    c.shape = draw_shape(draw, size, *domain.abi);
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
