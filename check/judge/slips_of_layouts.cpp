#include "check/judge/altered.hpp"
#include "check/judge/pairs.hpp"
#include "check/judge/slips.hpp"

namespace wgradcheck::check {
namespace {

using namespace altered;
using std::int64_t;

/// Offset of a pixel in a tensor that counts channels before planes.
int64_t planar(int64_t channels, int64_t depth, int64_t rows, int64_t columns, const Pixel& p) {
  return (((p.n * channels + p.c) * depth + p.d) * rows + p.h) * columns + p.w;
}

/// The same in one that counts columns before rows.
int64_t transposed(int64_t channels, int64_t depth, int64_t rows, int64_t columns, const Pixel& p) {
  return (((p.n * depth + p.d) * columns + p.w) * rows + p.h) * channels + p.c;
}

/// A filter's taps are counted so.
int64_t tap_of(const Shape& s, const spec::Element& e) {
  return (e.kd * s.height.kernel + e.kh) * s.width.kernel + e.kw;
}

constexpr Slip kSlips[]{
    {"taps_transposed", "dW were laid out [kw][kh] instead of [kh][kw]",
     [](const Case& c, const Data& d) {
       return relocated(c, d, [](const Shape& s, const spec::Element& e) {
         const int64_t first = spec::dw_offset<int64_t>(s, e.g, e.co, e.kd, 0, 0, e.ci);
         return first + (e.kw * s.height.kernel + e.kh) * spec::in_per_group(s);
       });
     }},
    {"taps_flipped", "the filter were rotated by 180 degrees (convolution instead of correlation)",
     [](const Case& c, const Data& d) {
       return relocated(c, d, [](const Shape& s, const spec::Element& e) {
         return spec::dw_offset<int64_t>(s, e.g, e.co, s.depth.kernel - 1 - e.kd, s.height.kernel - 1 - e.kh,
                                         s.width.kernel - 1 - e.kw, e.ci);
       });
     }},
    {"dw_channels_before_taps", "dW were laid out [G][Co'][Ci'][Kh][Kw]",
     [](const Case& c, const Data& d) {
       return relocated(c, d, [](const Shape& s, const spec::Element& e) {
         const int64_t filter = (e.g * spec::out_per_group(s) + e.co) * spec::in_per_group(s) + e.ci;
         return filter * taps_of(s) + tap_of(s, e);
       });
     }},
    {"dw_outputs_last", "dW were laid out [Kh][Kw][Ci'][Cout]",
     [](const Case& c, const Data& d) {
       return relocated(c, d, [](const Shape& s, const spec::Element& e) {
         return (tap_of(s, e) * spec::in_per_group(s) + e.ci) * s.out_channels +
                e.g * spec::out_per_group(s) + e.co;
       });
     }},
    {"x_channels_first", "x were laid out NCHW",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::x_at, [](const Shape& s, const Pixel& p) {
         return planar(s.in_channels, s.depth.input, s.height.input, s.width.input, p);
       });
     }},
    {"dy_channels_first", "dy were laid out NCHW",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::dy_at, [](const Shape& s, const Pixel& p) {
         return planar(s.out_channels, s.depth.output, s.height.output, s.width.output, p);
       });
     }},
    {"x_transposed", "x were laid out [N][W][H][C]",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::x_at, [](const Shape& s, const Pixel& p) {
         return transposed(s.in_channels, s.depth.input, s.height.input, s.width.input, p);
       });
     }},
    {"dy_transposed", "dy were laid out [N][W][H][C]",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::dy_at, [](const Shape& s, const Pixel& p) {
         return transposed(s.out_channels, s.depth.output, s.height.output, s.width.output, p);
       });
     }},
    {"group_offset", "channels left out the group: co and ci instead of g*Co' + co and g*Ci' + ci",
     [](const Case& c, const Data& d) {
       Formula f;
       f.dy_channel = [](const Shape&, const Place& p) { return p.e.co; };
       f.x_channel = [](const Shape&, const Place& p) { return p.e.ci; };
       return evaluate(c, d, f, c.shape);
     }},
    {"groups_interleaved_x", "x's groups were interleaved: channel ci*G + g",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::x_channel,
                           [](const Shape& s, const Place& p) { return p.e.ci * s.groups + p.e.g; });
     }},
    {"groups_interleaved_dy", "dy's groups were interleaved: channel co*G + g",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::dy_channel,
                           [](const Shape& s, const Place& p) { return p.e.co * s.groups + p.e.g; });
     }},
    {"multiplier_ignored", "output channel n had the input of group n mod G, as without a multiplier",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::x_channel, [](const Shape& s, const Place& p) {
         return (p.e.g * spec::out_per_group(s) + p.e.co) % s.groups * spec::in_per_group(s) + p.e.ci;
       });
     }},
};

}  // namespace

std::span<const Slip> slips_of_layouts() { return kSlips; }

}  // namespace wgradcheck::check
