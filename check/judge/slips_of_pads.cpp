#include <algorithm>

#include "check/judge/altered.hpp"
#include "check/judge/slips.hpp"

namespace wgradcheck::check {
namespace {

using namespace altered;
using std::int64_t;

Prediction with_moved(const Case& c, const Data& d,
                      void (*move)(const Shape&, const Place&, int64_t& y, int64_t& x)) {
  return with_formula(c, d, &Formula::move, move);
}

constexpr Slip kSlips[]{
    {"dilation_of_dense_0", "a dense filter had dilation 0: y = oh*stride_h + kh*(dilation_h + 1) - pad_u",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) {
         ++s.height.dilation;
         ++s.width.dilation;
       });
     }},
    {"pad_u_added", "pad_u were added: y = oh*stride_h + kh*dilation_h + pad_u",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) { s.height.pad_before = -s.height.pad_before; });
     }},
    {"pad_l_added", "pad_l were added: x = ow*stride_w + kw*dilation_w + pad_l",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) { s.width.pad_before = -s.width.pad_before; });
     }},
    {"pad_d_as_pad_u", "pad_d_ were taken for pad_u_",
     [](const Case& c, const Data& d) {
       return with_shape(
           c, d, [](Shape& s) { s.height.pad_before = std::max<int64_t>(0, spec::pad_after(s.height)); });
     }},
    {"pad_r_as_pad_l", "pad_r_ were taken for pad_l_",
     [](const Case& c, const Data& d) {
       return with_shape(
           c, d, [](Shape& s) { s.width.pad_before = std::max<int64_t>(0, spec::pad_after(s.width)); });
     }},
    {"pad_u_in_outputs", "pad_u counted outputs: y = (oh - pad_u)*stride_h + kh*dilation_h",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) { s.height.pad_before *= s.height.stride; });
     }},
    {"pad_l_in_outputs", "pad_l counted outputs: x = (ow - pad_l)*stride_w + kw*dilation_w",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) { s.width.pad_before *= s.width.stride; });
     }},
    {"padding_replicated", "padding held copies of the input's rim instead of 0",
     [](const Case& c, const Data& d) {
       return with_moved(c, d, [](const Shape& s, const Place&, int64_t& y, int64_t& x) {
         y = std::clamp<int64_t>(y, 0, s.height.input - 1);
         x = std::clamp<int64_t>(x, 0, s.width.input - 1);
       });
     }},
    {"padding_replicated_h", "padding above and below held copies of the input's rows instead of 0",
     [](const Case& c, const Data& d) {
       return with_moved(c, d, [](const Shape& s, const Place&, int64_t& y, int64_t&) {
         y = std::clamp<int64_t>(y, 0, s.height.input - 1);
       });
     }},
    {"padding_replicated_w", "padding left and right held copies of the input's columns instead of 0",
     [](const Case& c, const Data& d) {
       return with_moved(c, d, [](const Shape& s, const Place&, int64_t&, int64_t& x) {
         x = std::clamp<int64_t>(x, 0, s.width.input - 1);
       });
     }},
    {"row_wrap_left", "x were not tested against 0: a column left of a row reads the end of the one before",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::inside, [](const Shape& s, int64_t y, int64_t x) {
         return y >= 0 && y < s.height.input && x < s.width.input;
       });
     }},
    {"row_wrap_right", "x were not tested against input_w: a column right of a row reads the next one",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::inside, [](const Shape& s, int64_t y, int64_t x) {
         return y >= 0 && y < s.height.input && x >= 0;
       });
     }},
};

}  // namespace

std::span<const Slip> slips_of_pads() { return kSlips; }

}  // namespace wgradcheck::check
