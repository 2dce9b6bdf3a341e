#include "check/judge/altered.hpp"

namespace wgradcheck::check::altered {
namespace {

bool within(std::int64_t at, std::int64_t end) { return at >= 0 && at < end; }

std::int64_t offset_in_x(const Shape& s, const Pixel& p) {
  return spec::channels_last(s.depth.input, s.height.input, s.width.input, s.in_channels, p.n, p.d, p.h, p.w,
                             p.c);
}

std::int64_t offset_in_dy(const Shape& s, const Pixel& p) {
  return spec::channels_last(s.depth.output, s.height.output, s.width.output, s.out_channels, p.n, p.d, p.h,
                             p.w, p.c);
}

}  // namespace

Prediction evaluate(const Case& c, const Data& data, const Formula& f, const Shape& read) {
  const Shape& s = c.shape;
  const std::int64_t elems = spec::dw_elems(s), xs = spec::x_elems(s), dys = spec::dy_elems(s);
  std::vector<double> dw;
  for (std::int64_t i = 0; i < elems; ++i) {
    std::int64_t sum = data.dw[static_cast<std::size_t>(i)];
    if (c.bias == Bias::column) sum += data.bias[static_cast<std::size_t>(i % (elems / s.out_channels))];
    Place p{spec::element_at(s, i), 0, 0, 0, 0};
    const std::int64_t out = p.e.g * spec::out_per_group(s) + p.e.co;
    const std::int64_t in = p.e.g * spec::in_per_group(s) + p.e.ci;
    for (p.n = 0; p.n < s.batch; ++p.n)
      for (p.od = 0; p.od < s.depth.output; ++p.od) {
        const std::int64_t z = spec::input_at(read.depth, p.od, p.e.kd);
        if (!(f.has_plane ? f.has_plane(s, z) : within(z, s.depth.input))) continue;
        for (p.oh = 0; p.oh < s.height.output; ++p.oh)
          for (p.ow = 0; p.ow < s.width.output; ++p.ow) {
            std::int64_t y = spec::input_at(read.height, p.oh, p.e.kh);
            std::int64_t x = spec::input_at(read.width, p.ow, p.e.kw);
            if (f.move) f.move(read, p, y, x);
            if (f.skip && f.skip(s, p)) continue;
            if (!(f.inside ? f.inside(s, y, x) : within(y, s.height.input) && within(x, s.width.input)))
              continue;
            const Pixel of_x{p.n, z, y, x, f.x_channel ? f.x_channel(s, p) : in};
            const Pixel of_dy{p.n, p.od, p.oh, p.ow, f.dy_channel ? f.dy_channel(s, p) : out};
            const std::int64_t from_x = f.x_at ? f.x_at(s, of_x) : offset_in_x(s, of_x);
            const std::int64_t from_dy = f.dy_at ? f.dy_at(s, of_dy) : offset_in_dy(s, of_dy);
            if (!within(from_x, xs) || !within(from_dy, dys)) return {};
            sum += (f.times ? f.times(s, p) : 1) * data.dy[static_cast<std::size_t>(from_dy)] *
                   data.x[static_cast<std::size_t>(from_x)];
          }
      }
    dw.push_back(rounded(c.dw_type(), static_cast<double>(sum)));
  }
  return dw;
}

Prediction relocated(const Case& c, const Data& data,
                     const std::function<std::int64_t(const Shape&, const spec::Element&)>& place) {
  // In float, where the sums are exact: they are rounded once, with the old value of their new place.
  Case wide = c;
  wide.dtype = DType::f32;
  const Prediction plain = evaluate(wide, data, {}, c.shape);
  if (!plain) return {};
  std::vector<double> dw(data.dw.begin(), data.dw.end());
  for (std::size_t i = 0; i < dw.size(); ++i) {
    const std::int64_t to = place(c.shape, spec::element_at(c.shape, static_cast<std::int64_t>(i)));
    if (to < 0 || to >= std::ssize(dw)) return {};
    dw[static_cast<std::size_t>(to)] += (*plain)[i] - data.dw[i];
  }
  for (double& value : dw) value = rounded(c.dw_type(), value);
  return dw;
}

}  // namespace wgradcheck::check::altered
