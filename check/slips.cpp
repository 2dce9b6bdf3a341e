#include "check/slips.hpp"

#include <functional>
#include <utility>

#include "check/domain.hpp"
#include "check/number.hpp"
#include "spec/index.hpp"

namespace wgradcheck::check {
namespace {

using Axis = spec::Axis<std::int64_t>;
using spec::Shape;
using Prediction = std::optional<std::vector<double>>;

/// The place in the sum where a slip may look: a dW element and an output position.
struct Place {
  spec::Element e;
  std::int64_t n, oh, ow;
};

/// The sum with parts replaced; each part defaults to the definition's.
struct Formula {
  std::function<bool(const Shape&, const Place&)> skip = [](const Shape&, const Place&) { return false; };
  std::function<int(const Shape&, const Place&)> times = [](const Shape&, const Place&) { return 1; };
  std::function<bool(const Shape&, std::int64_t y, std::int64_t x)> inside =
      [](const Shape& s, std::int64_t y, std::int64_t x) {
        return y >= 0 && y < s.height.input && x >= 0 && x < s.width.input;
      };
  std::function<std::int64_t(const Shape&, const Place&)> dy_channel = [](const Shape& s, const Place& p) {
    return p.e.g * spec::out_per_group(s) + p.e.co;
  };
  std::function<std::int64_t(const Shape&, const Place&)> x_channel = [](const Shape& s, const Place& p) {
    return p.e.g * spec::in_per_group(s) + p.e.ci;
  };
};

/// dW by the formula over `read` (the shape a kernel with wrong parameters believes in), laid out as `s`.
Prediction evaluate(const Case& c, const Data& data, const Formula& f, const Shape& read) {
  const Shape& s = c.shape;
  if (s.depth != spec::kNoAxis) return {};
  const std::int64_t elems = spec::dw_elems(s);
  std::vector<double> dw;
  for (std::int64_t i = 0; i < elems; ++i) {
    std::int64_t sum = data.dw[static_cast<std::size_t>(i)];
    if (c.bias == Bias::column) sum += data.bias[static_cast<std::size_t>(i % (elems / s.out_channels))];
    Place p{spec::element_at(s, i), 0, 0, 0};
    for (p.n = 0; p.n < s.batch; ++p.n)
      for (p.oh = 0; p.oh < s.height.output; ++p.oh)
        for (p.ow = 0; p.ow < s.width.output; ++p.ow) {
          const std::int64_t y = spec::input_at(read.height, p.oh, p.e.kh);
          const std::int64_t x = spec::input_at(read.width, p.ow, p.e.kw);
          if (f.skip(s, p) || !f.inside(s, y, x)) continue;
          const std::int64_t none = 0, one = 1;
          const std::int64_t from_x = spec::channels_last(one, s.height.input, s.width.input, s.in_channels,
                                                          p.n, none, y, x, f.x_channel(s, p));
          const std::int64_t from_dy =
              spec::channels_last(one, s.height.output, s.width.output, s.out_channels, p.n, none, p.oh, p.ow,
                                  f.dy_channel(s, p));
          if (from_x < 0 || from_x >= spec::x_elems(s) || from_dy < 0 || from_dy >= spec::dy_elems(s))
            return {};
          sum += f.times(s, p) * data.dy[static_cast<std::size_t>(from_dy)] *
                 data.x[static_cast<std::size_t>(from_x)];
        }
    dw.push_back(rounded(c.dtype, static_cast<double>(sum)));
  }
  return dw;
}

/// The definition over a shape with changed parameters.
template <class Change>
Prediction with_shape(const Case& c, const Data& data, Change change) {
  Shape read = c.shape;
  change(read);
  return evaluate(c, data, {}, read);
}

Prediction with_formula(const Case& c, const Data& data, const Formula& f) {
  return evaluate(c, data, f, c.shape);
}

template <class Swap>
Prediction with_taps(const Case& c, const Data& data, Swap swap) {
  Prediction plain = evaluate(c, data, {}, c.shape);
  if (!plain) return {};
  const Shape& s = c.shape;
  std::vector<double> dw(plain->size());
  for (std::size_t i = 0; i < dw.size(); ++i) {
    const spec::Element e = spec::element_at(s, static_cast<std::int64_t>(i));
    const spec::Element from = swap(s, e);
    const auto j =
        static_cast<std::size_t>(spec::dw_offset(s, from.g, from.co, from.kd, from.kh, from.kw, from.ci));
    dw[i] = rounded(c.dtype, (*plain)[j] - data.dw[j] + data.dw[i]);
  }
  return dw;
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
       Formula f;
       f.inside = [](const Shape& s, std::int64_t y, std::int64_t) { return y >= 0 && y < s.height.input; };
       return with_formula(c, d, f);
     }},
    {"bottom_bound", "the last input row lay outside: y < input_h - 1",
     [](const Case& c, const Data& d) {
       Formula f;
       f.inside = [](const Shape& s, std::int64_t y, std::int64_t x) {
         return y >= 0 && y < s.height.input - 1 && x >= 0 && x < s.width.input;
       };
       return with_formula(c, d, f);
     }},
    {"right_bound", "the last input column lay outside: x < input_w - 1",
     [](const Case& c, const Data& d) {
       Formula f;
       f.inside = [](const Shape& s, std::int64_t y, std::int64_t x) {
         return y >= 0 && y < s.height.input && x >= 0 && x < s.width.input - 1;
       };
       return with_formula(c, d, f);
     }},
    {"top_bound", "the first input row lay outside: y > 0",
     [](const Case& c, const Data& d) {
       Formula f;
       f.inside = [](const Shape& s, std::int64_t y, std::int64_t x) {
         return y > 0 && y < s.height.input && x >= 0 && x < s.width.input;
       };
       return with_formula(c, d, f);
     }},
    {"left_bound", "the first input column lay outside: x > 0",
     [](const Case& c, const Data& d) {
       Formula f;
       f.inside = [](const Shape& s, std::int64_t y, std::int64_t x) {
         return y >= 0 && y < s.height.input && x > 0 && x < s.width.input;
       };
       return with_formula(c, d, f);
     }},
    {"bounds_swapped", "y were tested against input_w and x against input_h",
     [](const Case& c, const Data& d) {
       Formula f;
       f.inside = [](const Shape& s, std::int64_t y, std::int64_t x) {
         return y >= 0 && y < s.width.input && x >= 0 && x < s.height.input;
       };
       return with_formula(c, d, f);
     }},
    {"last_row_dropped", "the sum ended at oh = output_h - 2",
     [](const Case& c, const Data& d) {
       Formula f;
       f.skip = [](const Shape& s, const Place& p) { return p.oh == s.height.output - 1; };
       return with_formula(c, d, f);
     }},
    {"last_column_dropped", "the sum ended at ow = output_w - 2",
     [](const Case& c, const Data& d) {
       Formula f;
       f.skip = [](const Shape& s, const Place& p) { return p.ow == s.width.output - 1; };
       return with_formula(c, d, f);
     }},
    {"last_image_dropped", "the sum ended at n = batch - 2",
     [](const Case& c, const Data& d) {
       Formula f;
       f.skip = [](const Shape& s, const Place& p) { return p.n == s.batch - 1; };
       return with_formula(c, d, f);
     }},
    {"first_image_only", "the sum covered the first image alone",
     [](const Case& c, const Data& d) {
       Formula f;
       f.skip = [](const Shape&, const Place& p) { return p.n > 0; };
       return with_formula(c, d, f);
     }},
    {"odd_batch_dropped", "images went in pairs, and the last of an odd batch were left out",
     [](const Case& c, const Data& d) {
       Formula f;
       f.skip = [](const Shape& s, const Place& p) { return s.batch % 2 == 1 && p.n == s.batch - 1; };
       return with_formula(c, d, f);
     }},
    {"last_chunk_dropped", "positions that do not fill a chunk were left out",
     [](const Case& c, const Data& d) {
       Formula f;
       const std::int64_t chunk = spec::chunk(call_of(c));
       f.skip = [chunk](const Shape& s, const Place& p) {
         const std::int64_t plane = s.height.output * s.width.output;
         return p.oh * s.width.output + p.ow >= plane / chunk * chunk;
       };
       return with_formula(c, d, f);
     }},
    {"last_chunk_doubled", "the last chunk of each image were added twice",
     [](const Case& c, const Data& d) {
       Formula f;
       const std::int64_t chunk = spec::chunk(call_of(c));
       f.times = [chunk](const Shape& s, const Place& p) {
         const std::int64_t plane = s.height.output * s.width.output;
         return p.oh * s.width.output + p.ow >= (plane - 1) / chunk * chunk ? 2 : 1;
       };
       return with_formula(c, d, f);
     }},
    {"first_chunk_only", "only the first chunk of each image were added",
     [](const Case& c, const Data& d) {
       Formula f;
       const std::int64_t chunk = spec::chunk(call_of(c));
       f.skip = [chunk](const Shape& s, const Place& p) { return p.oh * s.width.output + p.ow >= chunk; };
       return with_formula(c, d, f);
     }},
    {"group_offset_x", "x's channel left out the group: ci instead of g*Ci' + ci",
     [](const Case& c, const Data& d) {
       Formula f;
       f.x_channel = [](const Shape&, const Place& p) { return p.e.ci; };
       return with_formula(c, d, f);
     }},
    {"group_offset_dy", "dy's channel left out the group: co instead of g*Co' + co",
     [](const Case& c, const Data& d) {
       Formula f;
       f.dy_channel = [](const Shape&, const Place& p) { return p.e.co; };
       return with_formula(c, d, f);
     }},
    {"taps_transposed", "dW were laid out [kw][kh] instead of [kh][kw]",
     [](const Case& c, const Data& d) {
       return with_taps(c, d, [](const Shape& s, spec::Element e) {
         const std::int64_t tap = e.kh * s.width.kernel + e.kw;
         e.kh = tap % s.height.kernel;
         e.kw = tap / s.height.kernel;
         return e;
       });
     }},
    {"taps_flipped", "the filter were rotated by 180 degrees (convolution instead of correlation)",
     [](const Case& c, const Data& d) {
       return with_taps(c, d, [](const Shape& s, spec::Element e) {
         e.kh = s.height.kernel - 1 - e.kh;
         e.kw = s.width.kernel - 1 - e.kw;
         return e;
       });
     }},
    {"overwrite", "dW were overwritten instead of added to",
     [](const Case& c, const Data& d) {
       Data cleared = d;
       cleared.dw.assign(d.dw.size(), 0);
       return evaluate(c, cleared, {}, c.shape);
     }},
    {"nothing_written", "nothing were computed: dW is as it was before the call",
     [](const Case&, const Data& d) { return Prediction(std::vector<double>(d.dw.begin(), d.dw.end())); }},
    {"bias_dropped", "the bias were not added",
     [](const Case& c, const Data& d) {
       Case without = c;
       without.bias = Bias::none;
       return evaluate(without, d, {}, c.shape);
     }},
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

std::span<const Slip> slips() { return kSlips; }

}  // namespace wgradcheck::check
