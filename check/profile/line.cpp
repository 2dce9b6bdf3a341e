#include "check/profile/line.hpp"

#include <algorithm>

#include "check/kernel.hpp"
#include "spec/problem_line.hpp"
#include "spec/wgrad.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kWide = 16;

spec::Axis<std::int64_t> axis_of(std::int64_t output, std::int64_t kernel, std::int64_t pad) {
  return {output + kernel - 1 - 2 * pad, output, kernel, 1, 1, pad};
}

spec::Shape shape_of(const LineKind& k) {
  std::int64_t images = 1, rows = 1, columns = 1;
  if (k.along == Along::row) columns = k.terms;
  if (k.along == Along::column) rows = k.terms;
  if (k.along == Along::images) images = k.terms;
  if (k.along == Along::all) images = 2, rows = 4, columns = k.terms / 8;
  // One input and one output channel are depthwise by the documents' rules.
  spec::Shape s{images, 1, 2, 1, spec::kNoAxis, {}, {}};
  if (k.path == spec::Path::depthwise) s.groups = s.in_channels = s.out_channels = k.wide ? kWide : 1;
  if (k.path != spec::Path::depthwise && k.wide) s.in_channels = s.out_channels = kWide;
  const std::int64_t taps = k.path == spec::Path::pointwise ? 1 : 2;
  s.height = axis_of(rows, k.square ? 3 : 1, k.square ? 1 : 0);
  s.width = axis_of(columns, k.square ? 3 : taps, k.square ? 1 : 0);
  return s;
}

std::string name_of(const LineKind& k) {
  std::string name = k.along == Along::row      ? "a row"
                     : k.along == Along::column ? "a column"
                     : k.along == Along::images ? "images"
                                                : "rows, columns and images";
  if (k.wide) name += " of 16 channels";
  if (k.square) name += " under 3x3";
  if (k.chunk != 0) name += " in chunks of " + std::to_string(k.chunk);
  return name;
}

}  // namespace

Line line_of(const Probe& probe, const LineKind& kind) {
  Line line{name_of(kind), {.shape = shape_of(kind), .core_mask = kind.core_mask}};
  Case& c = line.test;
  c.dtype = probe.dtype();
  if (kind.chunk != 0) c.buffer = kind.chunk * spec::buffer_limit(call_of(c));
  const auto admitted = probe.admitted(c);
  if (!admitted) throw BadInput{"the convention does not admit " + spec::to_line(c.shape)};
  c = *admitted;
  const std::int64_t middle = kind.square ? 1 : 0;
  line.element = spec::dw_offset<std::int64_t>(c.shape, 0, 0, 0, middle, middle, 0);
  spec::each_product(c.shape, spec::element_at(c.shape, line.element), [&](std::int64_t dy, std::int64_t x) {
    line.dy.push_back(dy / c.shape.out_channels);
    line.x.push_back(x / c.shape.in_channels);
  });
  return line;
}

Question with_products(const Line& line, const std::vector<Factors>& products, double old) {
  const spec::Shape& s = line.test.shape;
  Question q{.test = line.test};
  q.dy.resize(static_cast<std::size_t>(spec::dy_elems(s)));
  q.x.resize(static_cast<std::size_t>(spec::x_elems(s)));
  q.dw.assign(static_cast<std::size_t>(spec::dw_elems(s)), old);
  const auto set = [](std::vector<double>& values, std::int64_t pixel, std::int64_t channels, double value) {
    std::fill_n(values.begin() + pixel * channels, channels, value);
  };
  for (std::size_t k = 0; k < products.size(); ++k) {
    set(q.dy, line.dy[k], s.out_channels, products[k].dy);
    set(q.x, line.x[k], s.in_channels, products[k].x);
  }
  return q;
}

}  // namespace wgradcheck::check
