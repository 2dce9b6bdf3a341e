#include "check/judge/altered.hpp"
#include "check/judge/slips.hpp"

namespace wgradcheck::check {
namespace {

using namespace altered;
using Axis = spec::Axis<std::int64_t>;

/// Height and width, one of which is given what is due to the other.
template <auto Field>
constexpr auto kWidthForHeight = taken_from<&Shape::height, &Shape::width, Field>;
template <auto Field>
constexpr auto kHeightForWidth = taken_from<&Shape::width, &Shape::height, Field>;

constexpr Slip kSlips[]{
    {"stride_w_for_h", "stride_h were stride_w: y = oh*stride_w + kh*dilation_h - pad_u",
     kWidthForHeight<&Axis::stride>},
    {"stride_h_for_w", "stride_w were stride_h: x = ow*stride_h + kw*dilation_w - pad_l",
     kHeightForWidth<&Axis::stride>},
    {"dilation_w_for_h", "dilation_h were dilation_w: y = oh*stride_h + kh*dilation_w - pad_u",
     kWidthForHeight<&Axis::dilation>},
    {"dilation_h_for_w", "dilation_w were dilation_h: x = ow*stride_w + kw*dilation_h - pad_l",
     kHeightForWidth<&Axis::dilation>},
    {"pad_l_for_u", "pad_u were pad_l: y = oh*stride_h + kh*dilation_h - pad_l",
     kWidthForHeight<&Axis::pad_before>},
    {"pad_u_for_l", "pad_l were pad_u: x = ow*stride_w + kw*dilation_w - pad_u",
     kHeightForWidth<&Axis::pad_before>},
};

}  // namespace

std::span<const Slip> slips_of_axes() { return kSlips; }

}  // namespace wgradcheck::check
