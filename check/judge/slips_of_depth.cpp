#include "check/judge/altered.hpp"
#include "check/judge/slips.hpp"

namespace wgradcheck::check {
namespace {

using namespace altered;
using std::int64_t;

using Axis = spec::Axis<int64_t>;

/// One axis, the depth on either side, is given what is due to another.
template <auto Field>
constexpr auto kHeightForDepth = taken_from<&Shape::depth, &Shape::height, Field>;
template <auto Field>
constexpr auto kWidthForDepth = taken_from<&Shape::depth, &Shape::width, Field>;
template <auto Field>
constexpr auto kDepthForHeight = taken_from<&Shape::height, &Shape::depth, Field>;
template <auto Field>
constexpr auto kDepthForWidth = taken_from<&Shape::width, &Shape::depth, Field>;

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
    {"stride_h_for_d", "the depth's stride were stride_h: z = od*stride_h + kd*dilation_d - pad_front",
     kHeightForDepth<&Axis::stride>},
    {"stride_w_for_d", "the depth's stride were stride_w: z = od*stride_w + kd*dilation_d - pad_front",
     kWidthForDepth<&Axis::stride>},
    {"stride_d_for_h", "stride_h were the depth's: y = oh*stride_d + kh*dilation_h - pad_u",
     kDepthForHeight<&Axis::stride>},
    {"stride_d_for_w", "stride_w were the depth's: x = ow*stride_d + kw*dilation_w - pad_l",
     kDepthForWidth<&Axis::stride>},
    {"dilation_h_for_d", "the depth's dilation were dilation_h: z = od*stride_d + kd*dilation_h - pad_front",
     kHeightForDepth<&Axis::dilation>},
    {"dilation_w_for_d", "the depth's dilation were dilation_w: z = od*stride_d + kd*dilation_w - pad_front",
     kWidthForDepth<&Axis::dilation>},
    {"dilation_d_for_h", "dilation_h were the depth's: y = oh*stride_h + kh*dilation_d - pad_u",
     kDepthForHeight<&Axis::dilation>},
    {"dilation_d_for_w", "dilation_w were the depth's: x = ow*stride_w + kw*dilation_d - pad_l",
     kDepthForWidth<&Axis::dilation>},
    {"pad_u_for_front", "the depth's pad were pad_u: z = od*stride_d + kd*dilation_d - pad_u",
     kHeightForDepth<&Axis::pad_before>},
    {"pad_l_for_front", "the depth's pad were pad_l: z = od*stride_d + kd*dilation_d - pad_l",
     kWidthForDepth<&Axis::pad_before>},
    {"pad_front_for_u", "pad_u were the depth's: y = oh*stride_h + kh*dilation_h - pad_front",
     kDepthForHeight<&Axis::pad_before>},
    {"pad_front_for_l", "pad_l were the depth's: x = ow*stride_w + kw*dilation_w - pad_front",
     kDepthForWidth<&Axis::pad_before>},
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
