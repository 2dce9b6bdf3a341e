#include "check/judge/finding.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/run/conv_param.hpp"
#include "spec/fractal.hpp"

namespace wgradcheck::check {

const char* name_of(Property p) {
  switch (p) {
    case Property::formula:
      return "formula";
    case Property::memory:
      return "memory";
    case Property::rules:
      return "rules";
    case Property::rounding:
      return "rounding";
    case Property::nonfinite:
      return "nonfinite";
    case Property::crash:
      return "crash";
    case Property::hang:
      return "hang";
  }
  return "";
}

std::optional<Property> property_named(std::string_view name) {
  const auto found = std::ranges::find(kProperties, name, [](Property p) { return name_of(p); });
  if (found == kProperties.end()) return {};
  return *found;
}

std::int64_t bytes_of(const Case& c, BufferId id) {
  switch (id) {
    case BufferId::dy:
    case BufferId::x:
    case BufferId::dw:
      return tensor_bytes(c, id);
    case BufferId::bias:
      return bias_elems(c) * size_of(c.dtype);
    case BufferId::param:
      return parameter_bytes(c);
    case BufferId::workspace:
      return c.workspace;
  }
  return 0;
}

std::string describe(const spec::Element& e, const spec::Shape& s) {
  const std::string depth = s.depth.kernel > 1 ? fmt::format("[kd{}]", e.kd) : "";
  return fmt::format("dW[g{}][co{}]{}[kh{}][kw{}][ci{}]", e.g, e.co, depth, e.kh, e.kw, e.ci);
}

namespace {

/// The pixel of an element in NDC1HWC0, [n][d][blocks][h][w][lanes].
Pixel packed_pixel_at(BufferId id, const spec::Shape& s, std::int64_t index) {
  const auto extent =
      id == BufferId::dy ? &spec::Axis<std::int64_t>::output : &spec::Axis<std::int64_t>::input;
  const std::int64_t plane = s.height.*extent * s.width.*extent * spec::kC0;
  const std::int64_t blocks = spec::channel_blocks(id == BufferId::dy ? s.out_channels : s.in_channels);
  const std::int64_t slab = spec::floor_div(index, plane), rest = index - slab * plane;
  const std::int64_t depth = spec::floor_div(slab, blocks), row = rest / spec::kC0;
  const std::int64_t n = spec::floor_div(depth, s.depth.*extent);
  return {.n = n,
          .d = depth - n * s.depth.*extent,
          .h = row / (s.width.*extent),
          .w = row % (s.width.*extent),
          .c = (slab - depth * blocks) * spec::kC0 + rest % spec::kC0};
}

std::string describe(BufferId id, const spec::Shape& s, const Pixel& p) {
  const std::string depth = s.depth.input > 1 || s.depth.output > 1 ? fmt::format("[d{}]", p.d) : "";
  return fmt::format("{}[n{}]{}[h{}][w{}][c{}]", name_of(id), p.n, depth, p.h, p.w, p.c);
}

}  // namespace

Pixel pixel_at(BufferId id, const spec::Shape& s, std::int64_t index) {
  const auto next = [&index](std::int64_t extent) {
    const std::int64_t rest = spec::floor_div(index, extent);
    const std::int64_t digit = index - rest * extent;
    index = rest;
    return digit;
  };
  const auto extent =
      id == BufferId::dy ? &spec::Axis<std::int64_t>::output : &spec::Axis<std::int64_t>::input;
  Pixel p{};
  p.c = next(id == BufferId::dy ? s.out_channels : s.in_channels);
  p.w = next(s.width.*extent);
  p.h = next(s.height.*extent);
  p.d = next(s.depth.*extent);
  p.n = index;
  return p;
}

std::string describe_pixel(BufferId id, const spec::Shape& s, std::int64_t index) {
  return describe(id, s, pixel_at(id, s, index));
}

std::string describe_input(const Case& c, BufferId id, std::int64_t index) {
  return describe(id, c.shape, c.ascend ? packed_pixel_at(id, c.shape, index) : pixel_at(id, c.shape, index));
}

std::string describe(const Stray& stray, const Case& c) {
  const std::int64_t bytes = bytes_of(c, stray.buffer);
  const std::int64_t index = spec::floor_div(stray.offset, size_of(c.dtype));
  std::string place;
  if (stray.buffer == BufferId::dy || stray.buffer == BufferId::x)
    place = ", where " + describe_input(c, stray.buffer, index) + " would be";
  const char* verb = stray.write ? "wrote" : "read";
  if (stray.offset < 0)
    return fmt::format("{} {} bytes before the start of {}{}", verb, -stray.offset, name_of(stray.buffer),
                       place);
  if (bytes == 0)
    return fmt::format("{} {} bytes behind {}, which is empty", verb, stray.offset, name_of(stray.buffer));
  if (stray.offset >= bytes)
    return fmt::format("{} past the end of {}: at byte {} of {}{}", verb, name_of(stray.buffer), stray.offset,
                       bytes, place);
  return fmt::format("{} {} at byte {} of {}, which faulted", verb, name_of(stray.buffer), stray.offset,
                     bytes);
}

}  // namespace wgradcheck::check
