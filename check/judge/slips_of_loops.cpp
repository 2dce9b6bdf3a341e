#include "check/judge/altered.hpp"
#include "check/judge/slips.hpp"

namespace wgradcheck::check {
namespace {

using namespace altered;
using std::int64_t;

/// What a plane's positions, counted over images or not, come to in whole blocks.
template <int64_t kBlock>
Prediction without_last_positions(const Case& c, const Data& d) {
  return with_formula(c, d, &Formula::skip, [](const Shape& s, const Place& p) {
    const int64_t plane = s.depth.output * s.height.output * s.width.output;
    return (p.od * s.height.output + p.oh) * s.width.output + p.ow >= plane / kBlock * kBlock;
  });
}

template <int64_t kBlock>
Prediction without_last_columns(const Case& c, const Data& d) {
  return with_formula(c, d, &Formula::skip, [](const Shape& s, const Place& p) {
    return p.ow >= s.width.output / kBlock * kBlock;
  });
}

/// Output channels, counted over all groups, that fill no whole vector are left out.
template <int64_t kLanes>
Prediction without_last_outputs(const Case& c, const Data& d) {
  return with_formula(c, d, &Formula::skip, [](const Shape& s, const Place& p) {
    return p.e.g * spec::out_per_group(s) + p.e.co >= s.out_channels / kLanes * kLanes;
  });
}

/// The same within each group.
template <int64_t kLanes>
Prediction without_last_of_group(const Case& c, const Data& d) {
  return with_formula(c, d, &Formula::skip, [](const Shape& s, const Place& p) {
    return p.e.ci >= spec::in_per_group(s) / kLanes * kLanes;
  });
}

/// dW where the sum is divided: nothing where the quotient would round.
Prediction divided(const Case& c, const Data& d, int64_t by) {
  Data none = d;
  none.dw.assign(d.dw.size(), 0);
  Case wide = c;
  wide.dtype = DType::f32;
  const Prediction sums = evaluate(wide, none, {}, c.shape);
  if (!sums) return {};
  std::vector<double> dw;
  for (std::size_t i = 0; i < sums->size(); ++i) {
    if (static_cast<int64_t>((*sums)[i]) % by != 0) return {};
    dw.push_back(rounded(c.dw_type(), d.dw[i] + (*sums)[i] / static_cast<double>(by)));
  }
  return dw;
}

constexpr Slip kSlips[]{
    {"output_tail_2", "output channels went in twos, and a rest were left out", without_last_outputs<2>},
    {"output_tail_4", "output channels went in fours, and a rest were left out", without_last_outputs<4>},
    {"output_tail_8", "output channels went in eights, and a rest were left out", without_last_outputs<8>},
    {"group_tail_2", "a group's input channels went in twos, and a rest were left out",
     without_last_of_group<2>},
    {"group_tail_4", "a group's input channels went in fours, and a rest were left out",
     without_last_of_group<4>},
    {"group_tail_8", "a group's input channels went in eights, and a rest were left out",
     without_last_of_group<8>},
    {"group_tail_16", "a group's input channels went in sixteens, and a rest were left out",
     without_last_of_group<16>},
    {"position_tail_2", "positions of a plane went in twos, and a rest were left out",
     without_last_positions<2>},
    {"position_tail_4", "positions of a plane went in fours, and a rest were left out",
     without_last_positions<4>},
    {"position_tail_8", "positions of a plane went in eights, and a rest were left out",
     without_last_positions<8>},
    {"column_tail_2", "output columns went in twos, and a rest were left out", without_last_columns<2>},
    {"column_tail_4", "output columns went in fours, and a rest were left out", without_last_columns<4>},
    {"column_tail_8", "output columns went in eights, and a rest were left out", without_last_columns<8>},
    {"last_tap_h_dropped", "the last filter row were left out",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::skip,
                           [](const Shape& s, const Place& p) { return p.e.kh == s.height.kernel - 1; });
     }},
    {"last_tap_w_dropped", "the last filter column were left out",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::skip,
                           [](const Shape& s, const Place& p) { return p.e.kw == s.width.kernel - 1; });
     }},
    {"kernel_w_for_h", "kernel_h were kernel_w: filter rows from there on are left out",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::skip,
                           [](const Shape& s, const Place& p) { return p.e.kh >= s.width.kernel; });
     }},
    {"kernel_h_for_w", "kernel_w were kernel_h: filter columns from there on are left out",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::skip,
                           [](const Shape& s, const Place& p) { return p.e.kw >= s.height.kernel; });
     }},
    {"sign_flipped", "the sum were subtracted from dW",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::times, [](const Shape&, const Place&) { return -1; });
     }},
    {"sum_doubled", "the sum were added to dW twice",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::times, [](const Shape&, const Place&) { return 2; });
     }},
    {"sum_per_core", "every core added the whole sum",
     [](const Case& c, const Data& d) {
       return with_formula(c, d, &Formula::times, [n = c.cores()](const Shape&, const Place&) { return n; });
     }},
    {"dw_per_image", "the old dW were added again for every image",
     [](const Case& c, const Data& d) {
       Data more = d;
       for (auto& value : more.dw) value = static_cast<std::int16_t>(value * (1 + c.shape.batch));
       return evaluate(c, more, {}, c.shape);
     }},
    {"mean_over_batch", "the sum were divided by the batch",
     [](const Case& c, const Data& d) { return divided(c, d, c.shape.batch); }},
    {"mean_over_positions", "the sum were divided by the positions of a plane",
     [](const Case& c, const Data& d) {
       return divided(c, d, c.shape.depth.output * c.shape.height.output * c.shape.width.output);
     }},
    {"pointwise_with_pads", "a 1x1 filter read x from its first pixel whatever the pads",
     [](const Case& c, const Data& d) {
       return with_shape(c, d, [](Shape& s) {
         if (s.height.kernel * s.width.kernel == 1) s.height.pad_before = s.width.pad_before = 0;
       });
     }},
};

}  // namespace

std::span<const Slip> slips_of_loops() { return kSlips; }

}  // namespace wgradcheck::check
