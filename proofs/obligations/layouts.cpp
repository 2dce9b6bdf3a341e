#include <array>

#include "proofs/digits.hpp"
#include "proofs/given.hpp"
#include "proofs/obligation.hpp"
#include "spec/fractal.hpp"

/// Different elements of a tensor have different offsets.
namespace wgradcheck::proofs::obligations {
namespace {

/// Claims, from the last coordinate to the first, that two coordinates agree where two offsets do. The first
/// coordinate has no radix: nothing bounds it.
template <class Reading, class Truth, class Int>
void claim_same(Reading& p, const Truth& same_offset, std::span<const std::array<Int, 3>> digits) {
  const auto number = [&digits](std::size_t count, std::size_t which, auto self) -> Int {
    const auto& digit = digits[count - 1];
    return count == 1 ? digit[which] : self(count - 1, which, self) * digit[2] + digit[which];
  };
  for (std::size_t count = digits.size(); count > 1; --count) {
    const auto& [left, right, radix] = digits[count - 1];
    p.use(same_digits(number(count - 1, 0, number), left, number(count - 1, 1, number), right, radix));
    p.claim({"coordinate ", std::to_string(count)}, implies(same_offset, left == right));
  }
  p.claim("coordinate 1", implies(same_offset, digits[0][0] == digits[0][1]));
}

/// Claims that an offset is that of the left or the right coordinates, 0 or 1.
template <class Reading, class Int>
void claim_place_of(Reading& p, const Int& offset, std::size_t which,
                    std::span<const std::array<Int, 3>> digits) {
  std::vector<Digit<Int>> all;
  for (const auto& digit : digits) all.push_back({digit[which], digit[2]});
  p.claim("the sum of its coordinates times their strides",
          offset == place_of(std::span<const Digit<Int>>(all)));
}

template <class Reading, class Int>
void claim_same(Reading& p, const Int& left, const Int& right,
                std::initializer_list<std::array<Int, 3>> digits) {
  const std::span<const std::array<Int, 3>> span(digits.begin(), digits.size());
  claim_place_of(p, left, 0, span);
  claim_place_of(p, right, 1, span);
  claim_same(p, left == right, span);
}

/// The group and the channel inside it agree where the channels of two elements do.
template <class Reading, class Int>
void claim_same_channel(Reading& p, const Int& left, const Int& right, const Int& g, const Int& g2,
                        const Int& c, const Int& c2, const Int& radix) {
  p.use(same_digits(g, c, g2, c2, radix));
  p.claim("group and channel", implies(left == right, g == g2 && c == c2));
}

/// Any shape of one group, which is all that Ascend's layouts know.
template <class Reading>
auto given_one_group(Reading& p) {
  auto s = given_shape(p);
  p.assume("one group", s.groups == 1);
  return s;
}

/// Any coordinates of an element in x or dy.
template <class Int>
struct At {
  Int n, d, h, w, c;
};

template <class Reading, class Int>
At<Int> given_pixel(Reading& p, const spec::BasicShape<Int>& s, bool input, std::string_view prime = "") {
  const auto of = [input](const auto& axis) { return input ? axis.input : axis.output; };
  const auto n = index_below(p, {"n", prime}, s.batch), d = index_below(p, {"d", prime}, of(s.depth)),
             h = index_below(p, {"h", prime}, of(s.height)), w = index_below(p, {"w", prime}, of(s.width)),
             c = index_below(p, {"c", prime}, input ? s.in_channels : s.out_channels);
  return {n, d, h, w, c};
}

/// Any coordinates of an element of dW.
template <class Int>
struct Weight {
  Int co, kd, kh, kw, ci;
};

template <class Reading, class Int>
Weight<Int> given_weight(Reading& p, const spec::BasicShape<Int>& s, std::string_view prime = "") {
  const auto co = index_below(p, {"co", prime}, s.out_channels),
             kd = index_below(p, {"kd", prime}, s.depth.kernel),
             kh = index_below(p, {"kh", prime}, s.height.kernel),
             kw = index_below(p, {"kw", prime}, s.width.kernel),
             ci = index_below(p, {"ci", prime}, s.in_channels);
  return {co, kd, kh, kw, ci};
}

template <class Int>
Int offset_of(const spec::BasicShape<Int>& s, bool input, const At<Int>& a) {
  return input ? spec::packed_x_offset(s, a.n, a.d, a.h, a.w, a.c)
               : spec::packed_dy_offset(s, a.n, a.d, a.h, a.w, a.c);
}

template <class Int>
Int offset_of(const spec::BasicShape<Int>& s, const Weight<Int>& a) {
  return spec::packed_dw_offset(s, a.co, a.kd, a.kh, a.kw, a.ci);
}

/// Obligations of x and dy as NDC1HWC0 and of dW as FRACTAL_Z_3D.
std::vector<Obligation> packed_layouts() {
  const auto apart = [](auto& p, bool input) {
    const auto s = given_one_group(p);
    const auto of = [input](const auto& axis) { return input ? axis.input : axis.output; };
    const auto a = given_pixel(p, s, input), b = given_pixel(p, s, input, "'");
    const auto [left, right] =
        p.subject([&] { return std::pair(offset_of(s, input, a), offset_of(s, input, b)); });
    const IntOf<decltype(p)> lanes = spec::kC0;
    const auto c = spec::lane_of(a.c), c2 = spec::lane_of(b.c);
    claim_same(p, left, right,
               {{a.n, b.n, s.batch},
                {a.d, b.d, of(s.depth)},
                {c.block, c2.block, spec::channel_blocks(input ? s.in_channels : s.out_channels)},
                {a.h, b.h, of(s.height)},
                {a.w, b.w, of(s.width)},
                {c.lane, c2.lane, lanes}});
    p.claim("channel", implies(left == right, a.c == b.c));
  };
  const auto inside = [](auto& p, bool input) {
    const auto s = given_one_group(p);
    const auto of = [input](const auto& axis) { return input ? axis.input : axis.output; };
    const auto a = given_pixel(p, s, input);
    const auto offset = p.subject([&] { return offset_of(s, input, a); });
    const IntOf<decltype(p)> lanes = spec::kC0;
    const auto c = spec::lane_of(a.c);
    use_digits(p, {{a.n, s.batch},
                   {a.d, of(s.depth)},
                   {c.block, spec::channel_blocks(input ? s.in_channels : s.out_channels)},
                   {a.h, of(s.height)},
                   {a.w, of(s.width)},
                   {c.lane, lanes}});
    claim_place(p, offset,
                {{a.n, s.batch},
                 {a.d, of(s.depth)},
                 {c.block, spec::channel_blocks(input ? s.in_channels : s.out_channels)},
                 {a.h, of(s.height)},
                 {a.w, of(s.width)},
                 {c.lane, lanes}});
    p.claim("inside", 0 <= offset && offset < (input ? spec::packed_x_elems(s) : spec::packed_dy_elems(s)));
  };
  return {
      holds("packed_x", "Different elements of x as NDC1HWC0 have different offsets.",
            [apart](auto& p) { apart(p, true); }),
      holds("packed_dy", "Different elements of dy as NDC1HWC0 have different offsets.",
            [apart](auto& p) { apart(p, false); }),
      holds("packed_dw", "Different elements of dW as FRACTAL_Z_3D have different offsets.",
            [](auto& p) {
              const auto s = given_one_group(p);
              const auto a = given_weight(p, s), b = given_weight(p, s, "'");
              const auto [left, right] =
                  p.subject([&] { return std::pair(offset_of(s, a), offset_of(s, b)); });
              const IntOf<decltype(p)> lanes = spec::kC0;
              const auto c = spec::lane_of(a.ci), c2 = spec::lane_of(b.ci);
              claim_same(p, left, right,
                         {{a.kd, b.kd, s.depth.kernel},
                          {c.block, c2.block, spec::channel_blocks(s.in_channels)},
                          {a.kh, b.kh, s.height.kernel},
                          {a.kw, b.kw, s.width.kernel},
                          {a.co, b.co, spec::padded_channels(s.out_channels)},
                          {c.lane, c2.lane, lanes}});
              p.claim("input channel", implies(left == right, a.ci == b.ci));
            }),
      holds("packed_x_inside", "Every element of x as NDC1HWC0 lies in the tensor.",
            [inside](auto& p) { inside(p, true); }),
      holds("packed_dy_inside", "Every element of dy as NDC1HWC0 lies in the tensor.",
            [inside](auto& p) { inside(p, false); }),
      holds("packed_dw_inside", "Every element of dW as FRACTAL_Z_3D lies in the tensor.",
            [](auto& p) {
              const auto s = given_one_group(p);
              const auto a = given_weight(p, s);
              const auto offset = p.subject([&] { return offset_of(s, a); });
              const IntOf<decltype(p)> lanes = spec::kC0;
              const auto c = spec::lane_of(a.ci);
              use_digits(p, {{a.kd, s.depth.kernel},
                             {c.block, spec::channel_blocks(s.in_channels)},
                             {a.kh, s.height.kernel},
                             {a.kw, s.width.kernel},
                             {a.co, spec::padded_channels(s.out_channels)},
                             {c.lane, lanes}});
              claim_place(p, offset,
                          {{a.kd, s.depth.kernel},
                           {c.block, spec::channel_blocks(s.in_channels)},
                           {a.kh, s.height.kernel},
                           {a.kw, s.width.kernel},
                           {a.co, spec::padded_channels(s.out_channels)},
                           {c.lane, lanes}});
              p.claim("inside", 0 <= offset && offset < spec::packed_dw_elems(s));
            }),
  };
}

}  // namespace

std::vector<Obligation> layouts() {
  const auto channels_last = [](auto& p, bool input) {
    const auto s = given_shape(p);
    const auto pick = [&](const auto& axis) { return input ? axis.input : axis.output; };
    const auto depth = pick(s.depth), height = pick(s.height), width = pick(s.width);
    const auto per_group = input ? in_per_group(s) : out_per_group(s);
    const auto n = index_below(p, "n", s.batch), n2 = index_below(p, "n'", s.batch);
    const auto d = index_below(p, "d", depth), d2 = index_below(p, "d'", depth);
    const auto h = index_below(p, "h", height), h2 = index_below(p, "h'", height);
    const auto w = index_below(p, "w", width), w2 = index_below(p, "w'", width);
    const auto g = index_below(p, "g", s.groups), g2 = index_below(p, "g'", s.groups);
    const auto c = index_below(p, "c", per_group), c2 = index_below(p, "c'", per_group);
    const auto offset = [&](const auto&... at) {
      return p.subject([&] { return input ? spec::x_offset(s, at...) : spec::dy_offset(s, at...); });
    };
    const auto left = offset(n, d, h, w, g, c), right = offset(n2, d2, h2, w2, g2, c2);
    p.use(digits(g, s.groups, c, per_group));
    p.use(digits(g2, s.groups, c2, per_group));
    claim_same(p, left, right,
               {{n, n2, s.batch},
                {d, d2, depth},
                {h, h2, height},
                {w, w2, width},
                {g * per_group + c, g2 * per_group + c2, input ? s.in_channels : s.out_channels}});
    claim_same_channel(p, left, right, g, g2, c, c2, per_group);
  };
  std::vector<Obligation> all{
      holds("x", "Different elements of x have different offsets.",
            [channels_last](auto& p) { channels_last(p, true); }),
      holds("dy", "Different elements of dy have different offsets.",
            [channels_last](auto& p) { channels_last(p, false); }),
      holds("dw", "Different elements of dW have different offsets.",
            [](auto& p) {
              const auto s = given_shape(p);
              const auto ins = in_per_group(s), outs = out_per_group(s);
              const auto g = index_below(p, "g", s.groups), g2 = index_below(p, "g'", s.groups);
              const auto co = index_below(p, "co", outs), co2 = index_below(p, "co'", outs);
              const auto kd = index_below(p, "kd", s.depth.kernel),
                         kd2 = index_below(p, "kd'", s.depth.kernel);
              const auto kh = index_below(p, "kh", s.height.kernel),
                         kh2 = index_below(p, "kh'", s.height.kernel);
              const auto kw = index_below(p, "kw", s.width.kernel),
                         kw2 = index_below(p, "kw'", s.width.kernel);
              const auto ci = index_below(p, "ci", ins), ci2 = index_below(p, "ci'", ins);
              const auto left = p.subject([&] { return spec::dw_offset(s, g, co, kd, kh, kw, ci); });
              const auto right = p.subject([&] { return spec::dw_offset(s, g2, co2, kd2, kh2, kw2, ci2); });
              claim_same(p, left, right,
                         {{g, g2, s.groups},
                          {co, co2, outs},
                          {kd, kd2, s.depth.kernel},
                          {kh, kh2, s.height.kernel},
                          {kw, kw2, s.width.kernel},
                          {ci, ci2, ins}});
            }),
  };
  for (Obligation& one : packed_layouts()) all.push_back(std::move(one));
  return all;
}

}  // namespace wgradcheck::proofs::obligations
