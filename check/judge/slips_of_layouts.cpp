#include "check/judge/altered.hpp"
#include "check/judge/slips.hpp"

namespace wgradcheck::check {
namespace {

using namespace altered;
using std::int64_t;

/// Offsets within one tensor that counts its channels before its planes.
int64_t planar(int64_t channels, int64_t rows, int64_t columns, int64_t n, int64_t h, int64_t w, int64_t c) {
  return ((n * channels + c) * rows + h) * columns + w;
}

constexpr Slip kSlips[]{
    {"taps_transposed", "dW were laid out [kw][kh] instead of [kh][kw]",
     [](const Case& c, const Data& d) {
       return relocated(c, d, [](const Shape& s, const spec::Element& e) {
         const int64_t first = spec::dw_offset<int64_t>(s, e.g, e.co, 0, 0, 0, e.ci);
         return first + (e.kw * s.height.kernel + e.kh) * spec::in_per_group(s);
       });
     }},
    {"taps_flipped", "the filter were rotated by 180 degrees (convolution instead of correlation)",
     [](const Case& c, const Data& d) {
       return relocated(c, d, [](const Shape& s, const spec::Element& e) {
         return spec::dw_offset<int64_t>(s, e.g, e.co, 0, s.height.kernel - 1 - e.kh,
                                         s.width.kernel - 1 - e.kw, e.ci);
       });
     }},
    {"dw_channels_before_taps", "dW were laid out [G][Co'][Ci'][Kh][Kw]",
     [](const Case& c, const Data& d) {
       return relocated(c, d, [](const Shape& s, const spec::Element& e) {
         return (((e.g * spec::out_per_group(s) + e.co) * spec::in_per_group(s) + e.ci) * s.height.kernel +
                 e.kh) *
                    s.width.kernel +
                e.kw;
       });
     }},
    {"dw_outputs_last", "dW were laid out [Kh][Kw][Ci'][Cout]",
     [](const Case& c, const Data& d) {
       return relocated(c, d, [](const Shape& s, const spec::Element& e) {
         return ((e.kh * s.width.kernel + e.kw) * spec::in_per_group(s) + e.ci) * s.out_channels +
                e.g * spec::out_per_group(s) + e.co;
       });
     }},
    {"x_channels_first", "x were laid out NCHW",
     [](const Case& c, const Data& d) {
       Formula f;
       f.x_at = [](const Shape& s, int64_t n, int64_t h, int64_t w, int64_t channel) {
         return planar(s.in_channels, s.height.input, s.width.input, n, h, w, channel);
       };
       return with_formula(c, d, f);
     }},
    {"dy_channels_first", "dy were laid out NCHW",
     [](const Case& c, const Data& d) {
       Formula f;
       f.dy_at = [](const Shape& s, int64_t n, int64_t h, int64_t w, int64_t channel) {
         return planar(s.out_channels, s.height.output, s.width.output, n, h, w, channel);
       };
       return with_formula(c, d, f);
     }},
    {"x_transposed", "x were laid out [N][W][H][C]",
     [](const Case& c, const Data& d) {
       Formula f;
       f.x_at = [](const Shape& s, int64_t n, int64_t h, int64_t w, int64_t channel) {
         return ((n * s.width.input + w) * s.height.input + h) * s.in_channels + channel;
       };
       return with_formula(c, d, f);
     }},
    {"dy_transposed", "dy were laid out [N][W][H][C]",
     [](const Case& c, const Data& d) {
       Formula f;
       f.dy_at = [](const Shape& s, int64_t n, int64_t h, int64_t w, int64_t channel) {
         return ((n * s.width.output + w) * s.height.output + h) * s.out_channels + channel;
       };
       return with_formula(c, d, f);
     }},
    {"group_offset", "channels left out the group: co and ci instead of g*Co' + co and g*Ci' + ci",
     [](const Case& c, const Data& d) {
       Formula f;
       f.dy_channel = [](const Shape&, const Place& p) { return p.e.co; };
       f.x_channel = [](const Shape&, const Place& p) { return p.e.ci; };
       return with_formula(c, d, f);
     }},
    {"groups_interleaved_x", "x's groups were interleaved: channel ci*G + g",
     [](const Case& c, const Data& d) {
       Formula f;
       f.x_channel = [](const Shape& s, const Place& p) { return p.e.ci * s.groups + p.e.g; };
       return with_formula(c, d, f);
     }},
    {"groups_interleaved_dy", "dy's groups were interleaved: channel co*G + g",
     [](const Case& c, const Data& d) {
       Formula f;
       f.dy_channel = [](const Shape& s, const Place& p) { return p.e.co * s.groups + p.e.g; };
       return with_formula(c, d, f);
     }},
    {"multiplier_ignored", "output channel n had the input of group n mod G, as without a multiplier",
     [](const Case& c, const Data& d) {
       Formula f;
       f.x_channel = [](const Shape& s, const Place& p) {
         return (p.e.g * spec::out_per_group(s) + p.e.co) % s.groups * spec::in_per_group(s) + p.e.ci;
       };
       return with_formula(c, d, f);
     }},
};

}  // namespace

std::span<const Slip> slips_of_layouts() { return kSlips; }

}  // namespace wgradcheck::check
