#include "check/judge/altered.hpp"
#include "check/judge/slips.hpp"

namespace wgradcheck::check {
namespace {

using namespace altered;
using std::int64_t;

constexpr Slip kSlips[]{
    {"dilation_d_ignored", "the depth's dilation were 1: z = od*stride_d + kd - pad_front",
     [](const Case& c, const Data& d) { return with_shape(c, d, [](Shape& s) { s.depth.dilation = 1; }); }},
    {"stride_d_ignored", "the depth's stride were 1: z = od + kd*dilation_d - pad_front",
     [](const Case& c, const Data& d) { return with_shape(c, d, [](Shape& s) { s.depth.stride = 1; }); }},
    {"pad_front_ignored", "the depth's pad were 0: z = od*stride_d + kd*dilation_d",
     [](const Case& c, const Data& d) { return with_shape(c, d, [](Shape& s) { s.depth.pad_before = 0; }); }},
    {"pad_front_added", "the depth's pad were added: z = od*stride_d + kd*dilation_d + pad_front",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) { s.depth.pad_before = -s.depth.pad_before; });
     }},
    {"depth_height_strides_swapped", "the strides of depth and height were exchanged",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) { std::swap(s.depth.stride, s.height.stride); });
     }},
    {"depth_height_dilations_swapped", "the dilations of depth and height were exchanged",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) { std::swap(s.depth.dilation, s.height.dilation); });
     }},
    {"depth_height_pads_swapped", "the pads of depth and height were exchanged",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) { std::swap(s.depth.pad_before, s.height.pad_before); });
     }},
    {"front_bound", "the first input plane lay outside: z > 0",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::has_plane,
                           [](const Shape& s, int64_t z) { return z > 0 && z < s.depth.input; });
     }},
    {"back_bound", "the last input plane lay outside: z < input_d - 1",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::has_plane,
                           [](const Shape& s, int64_t z) { return z >= 0 && z < s.depth.input - 1; });
     }},
    {"last_plane_dropped", "the sum ended at od = output_d - 2",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::skip,
                           [](const Shape& s, const Place& p) { return p.od == s.depth.output - 1; });
     }},
    {"first_plane_only", "the sum covered the first output plane alone",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::skip, [](const Shape&, const Place& p) { return p.od > 0; });
     }},
    {"last_tap_d_dropped", "the last filter plane were left out",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::skip,
                           [](const Shape& s, const Place& p) { return p.e.kd == s.depth.kernel - 1; });
     }},
    {"first_tap_d_only", "only the first filter plane were computed",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::skip, [](const Shape&, const Place& p) { return p.e.kd > 0; });
     }},
};

}  // namespace

std::span<const Slip> slips_of_depth() { return kSlips; }

}  // namespace wgradcheck::check
