#include "check/judge/slips.hpp"

#include <utility>

#include "check/judge/altered.hpp"
#include "check/search/domain.hpp"

namespace wgradcheck::check {
namespace {

using namespace altered;

/// Input channels, counted over all groups, that fill no whole vector are left out.
Prediction without_tail(const Case& c, const Data& d, std::int64_t lanes) {
  return with_formula(c, d, &Formula::skip, [lanes](const Shape& s, const Place& p) {
    return p.e.g * spec::in_per_group(s) + p.e.ci >= s.in_channels / lanes * lanes;
  });
}

/// The bias is added so often.
Prediction with_bias(const Case& c, const Data& data, std::int64_t times) {
  Data more = data;
  for (auto& value : more.bias) value = static_cast<std::int16_t>(value * times);
  return evaluate(c, more, {}, c.shape);
}

constexpr Slip kSlips[]{
    {"dilation_h_ignored", "dilation_h were 1: y = oh*stride_h + kh - pad_u",
     [](const Case& c, const Data& d) { return with_shape(c, d, [](Shape& s) { s.height.dilation = 1; }); }},
    {"dilation_w_ignored", "dilation_w were 1: x = ow*stride_w + kw - pad_l",
     [](const Case& c, const Data& d) { return with_shape(c, d, [](Shape& s) { s.width.dilation = 1; }); }},
    {"dilation_ignored", "both dilations were 1",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) { s.height.dilation = s.width.dilation = 1; });
     }},
    {"dilations_swapped", "dilation_h and dilation_w were exchanged",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) { std::swap(s.height.dilation, s.width.dilation); });
     }},
    {"stride_h_ignored", "stride_h were 1: y = oh + kh*dilation_h - pad_u",
     [](const Case& c, const Data& d) { return with_shape(c, d, [](Shape& s) { s.height.stride = 1; }); }},
    {"stride_w_ignored", "stride_w were 1: x = ow + kw*dilation_w - pad_l",
     [](const Case& c, const Data& d) { return with_shape(c, d, [](Shape& s) { s.width.stride = 1; }); }},
    {"stride_ignored", "both strides were 1",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) { s.height.stride = s.width.stride = 1; });
     }},
    {"strides_swapped", "stride_h and stride_w were exchanged",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) { std::swap(s.height.stride, s.width.stride); });
     }},
    {"stride_dilation_swapped", "stride and dilation were exchanged on both axes",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) {
         std::swap(s.height.stride, s.height.dilation);
         std::swap(s.width.stride, s.width.dilation);
       });
     }},
    {"pad_u_ignored", "pad_u were 0: y = oh*stride_h + kh*dilation_h",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) { s.height.pad_before = 0; });
     }},
    {"pad_l_ignored", "pad_l were 0: x = ow*stride_w + kw*dilation_w",
     [](const Case& c, const Data& d) { return with_shape(c, d, [](Shape& s) { s.width.pad_before = 0; }); }},
    {"pads_ignored", "both pads were 0",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) { s.height.pad_before = s.width.pad_before = 0; });
     }},
    {"pads_swapped", "pad_u and pad_l were exchanged",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) { std::swap(s.height.pad_before, s.width.pad_before); });
     }},
    {"row_wrap", "x were tested against no row's end: a column outside reads the neighbouring row",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::inside, [](const Shape& s, std::int64_t y, std::int64_t) {
         return y >= 0 && y < s.height.input;
       });
     }},
    {"bottom_bound", "the last input row lay outside: y < input_h - 1",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::inside, [](const Shape& s, std::int64_t y, std::int64_t x) {
         return y >= 0 && y < s.height.input - 1 && x >= 0 && x < s.width.input;
       });
     }},
    {"right_bound", "the last input column lay outside: x < input_w - 1",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::inside, [](const Shape& s, std::int64_t y, std::int64_t x) {
         return y >= 0 && y < s.height.input && x >= 0 && x < s.width.input - 1;
       });
     }},
    {"top_bound", "the first input row lay outside: y > 0",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::inside, [](const Shape& s, std::int64_t y, std::int64_t x) {
         return y > 0 && y < s.height.input && x >= 0 && x < s.width.input;
       });
     }},
    {"left_bound", "the first input column lay outside: x > 0",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::inside, [](const Shape& s, std::int64_t y, std::int64_t x) {
         return y >= 0 && y < s.height.input && x > 0 && x < s.width.input;
       });
     }},
    {"bounds_swapped", "y were tested against input_w and x against input_h",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::inside, [](const Shape& s, std::int64_t y, std::int64_t x) {
         return y >= 0 && y < s.width.input && x >= 0 && x < s.height.input;
       });
     }},
    {"last_row_dropped", "the sum ended at oh = output_h - 2",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::skip,
                           [](const Shape& s, const Place& p) { return p.oh == s.height.output - 1; });
     }},
    {"last_column_dropped", "the sum ended at ow = output_w - 2",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::skip,
                           [](const Shape& s, const Place& p) { return p.ow == s.width.output - 1; });
     }},
    {"last_image_dropped", "the sum ended at n = batch - 2",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::skip,
                           [](const Shape& s, const Place& p) { return p.n == s.batch - 1; });
     }},
    {"first_image_only", "the sum covered the first image alone",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::skip, [](const Shape&, const Place& p) { return p.n > 0; });
     }},
    {"odd_batch_dropped", "images went in pairs, and the last of an odd batch were left out",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::skip, [](const Shape& s, const Place& p) {
         return s.batch % 2 == 1 && p.n == s.batch - 1;
       });
     }},
    {"last_chunk_dropped", "positions that do not fill a chunk were left out",
     [](const Case& c, const Data& d) {
       if (c.host) return Prediction();
       return with_formula(c, d, &Formula::skip,
                           [chunk = spec::chunk(call_of(c))](const Shape& s, const Place& p) {
                             const std::int64_t plane = s.height.output * s.width.output;
                             return p.oh * s.width.output + p.ow >= plane / chunk * chunk;
                           });
     }},
    {"last_chunk_doubled", "the last chunk of each image were added twice",
     [](const Case& c, const Data& d) {
       if (c.host) return Prediction();
       return with_formula(c, d, &Formula::times,
                           [chunk = spec::chunk(call_of(c))](const Shape& s, const Place& p) {
                             const std::int64_t plane = s.height.output * s.width.output;
                             return p.oh * s.width.output + p.ow >= (plane - 1) / chunk * chunk ? 2 : 1;
                           });
     }},
    {"first_chunk_only", "only the first chunk of each image were added",
     [](const Case& c, const Data& d) {
       if (c.host) return Prediction();
       return with_formula(c, d, &Formula::skip,
                           [chunk = spec::chunk(call_of(c))](const Shape& s, const Place& p) {
                             return p.oh * s.width.output + p.ow >= chunk;
                           });
     }},
    {"group_offset_x", "x's channel left out the group: ci instead of g*Ci' + ci",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::x_channel, [](const Shape&, const Place& p) { return p.e.ci; });
     }},
    {"group_offset_dy", "dy's channel left out the group: co instead of g*Co' + co",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::dy_channel, [](const Shape&, const Place& p) { return p.e.co; });
     }},
    {"channel_tail", "input channels went in eights, and a rest were left out",
     [](const Case& c, const Data& d) { return without_tail(c, d, 8); }},
    {"channel_tail_4", "input channels went in fours, and a rest were left out",
     [](const Case& c, const Data& d) { return without_tail(c, d, 4); }},
    {"channel_tail_16", "input channels went in sixteens, and a rest were left out",
     [](const Case& c, const Data& d) { return without_tail(c, d, 16); }},
    {"overwrite", "dW were overwritten instead of added to",
     [](const Case& c, const Data& d) {
       Data cleared = d;
       cleared.dw.assign(d.dw.size(), 0);
       return evaluate(c, cleared, {}, c.shape);
     }},
    {"nothing_written", "nothing were computed: dW is as it was before the call",
     [](const Case&, const Data& d) { return Prediction(std::vector<double>(d.dw.begin(), d.dw.end())); },
     true},
    {"accumulated", "the sum were added to dW instead of stored over it",
     [](const Case& c, const Data& d) { return evaluate(c, d, {}, c.shape); }, true},
    {"bias_dropped", "the bias were not added",
     [](const Case& c, const Data& d) {
       Case without = c;
       without.bias = Bias::none;
       return evaluate(without, d, {}, c.shape);
     }},
    {"bias_per_image", "the bias were added for every image",
     [](const Case& c, const Data& d) { return with_bias(c, d, c.shape.batch); }},
    {"bias_per_core", "the bias were added by every core",
     [](const Case& c, const Data& d) { return with_bias(c, d, c.cores()); }},
    {"pointwise_with_stride", "a 1x1 filter read x contiguously whatever the stride",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) {
         if (s.height.kernel * s.width.kernel == 1) s.height.stride = s.width.stride = 1;
       });
     }},
    {"depthwise_with_dilation", "a depthwise filter had no dilation",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) {
         if (s.groups == s.in_channels && s.groups == s.out_channels)
           s.height.dilation = s.width.dilation = 1;
       });
     }},
};

}  // namespace

std::span<const Slip> slips() {
  static const std::vector<Slip> all = [] {
    std::vector<Slip> list(std::begin(kSlips), std::end(kSlips));
    for (const auto& more :
         {slips_of_pads(), slips_of_axes(), slips_of_layouts(), slips_of_loops(), slips_of_depth()})
      list.insert(list.end(), more.begin(), more.end());
    return list;
  }();
  return all;
}

}  // namespace wgradcheck::check
