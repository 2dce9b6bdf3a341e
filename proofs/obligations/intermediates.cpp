#include "impl/ranges.hpp"
#include "proofs/digits.hpp"
#include "proofs/given.hpp"
#include "proofs/obligation.hpp"
#include "proofs/traced.hpp"

/// What the index formulas that schedules are made of form on their way: nothing larger than the tensor that
/// they index, or than the extents that they are given. A valid call's tensors fit the machine's limit.
namespace wgradcheck::proofs::obligations {
namespace {

template <class Int>
spec::Axis<Traced<Int>> traced(const spec::Axis<Int>& a, std::vector<Int>& trace) {
  const auto t = [&trace](const Int& value) { return Traced<Int>(value, trace); };
  return {t(a.input), t(a.output), t(a.kernel), t(a.stride), t(a.dilation), t(a.pad_before)};
}

template <class Int>
spec::BasicShape<Traced<Int>> traced(const spec::BasicShape<Int>& s, std::vector<Int>& trace) {
  const auto t = [&trace](const Int& value) { return Traced<Int>(value, trace); };
  return {t(s.batch),
          t(s.groups),
          t(s.in_channels),
          t(s.out_channels),
          traced(s.depth, trace),
          traced(s.height, trace),
          traced(s.width, trace)};
}

/// The product of the radices, with the steps that show it at least 1.
template <class Reading, class Int>
Int extent_of(Reading& p, std::span<const Digit<Int>> all) {
  if (all.empty()) return 1;
  const Int rest = extent_of(p, all.subspan(1));
  p.use(positive(all.front().radix, rest));
  return all.front().radix * rest;
}

/// The steps that show the number of the first digits, and its extent, no larger than the whole extent.
template <class Reading, class Int>
void use_parts(Reading& p, const Int& number, const Int& extent, std::span<const Digit<Int>> rest) {
  p.use(monotone(Int(1), extent_of(p, rest), extent));
  if (rest.empty()) return;
  const auto& [value, radix] = rest.front();
  p.use(product(number, radix));
  p.use(digits(number, extent, value, radix));
  p.use(positive(extent, radix));
  use_parts(p, number * radix + value, extent * radix, rest.subspan(1));
}
template <class Reading>
void use_parts(Reading& p, std::initializer_list<Digit<IntOf<Reading>>> all) {
  const std::span<const Digit<IntOf<Reading>>> span(all.begin(), all.size());
  use_parts(p, span.front().value, span.front().radix, span.subspan(1));
}

/// Channel c of group g, with the steps that show it and the channels of a group to be among all.
template <class Reading>
IntOf<Reading> channel(Reading& p, const spec::BasicShape<IntOf<Reading>>& s, const IntOf<Reading>& per_group,
                       const IntOf<Reading>& g, const IntOf<Reading>& c) {
  p.use(product(0 - per_group, s.groups));
  p.claim("a group has a channel", 1 <= per_group);
  p.use(monotone(IntOf<Reading>(1), s.groups, per_group));
  p.use(product(g, per_group));
  p.use(digits(g, s.groups, c, per_group));
  return g * per_group + c;
}

}  // namespace

std::vector<Obligation> intermediates() {
  return {
      holds("x", "An x offset is computed by nothing larger than x.",
            [](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto s = given_shape(p);
              const auto n = index_below(p, "n", s.batch), d = index_below(p, "d", s.depth.input),
                         h = index_below(p, "h", s.height.input), w = index_below(p, "w", s.width.input),
                         g = index_below(p, "g", s.groups), ci = index_below(p, "ci", in_per_group(s));
              std::vector<Int> trace;
              const auto t = [&trace](const Int& value) { return Traced<Int>(value, trace); };
              const auto offset =
                  p.subject([&] {
                     return spec::x_offset(traced(s, trace), t(n), t(d), t(h), t(w), t(g), t(ci));
                   }).value();
              const auto c = channel(p, s, in_per_group(s), g, ci);
              use_parts(p, {{n, s.batch},
                            {d, s.depth.input},
                            {h, s.height.input},
                            {w, s.width.input},
                            {c, s.in_channels}});
              claim_place(p, offset,
                          {{n, s.batch},
                           {d, s.depth.input},
                           {h, s.height.input},
                           {w, s.width.input},
                           {c, s.in_channels}});
              p.use(
                  monotone(Int(1), s.batch * s.depth.input * s.height.input * s.width.input, s.in_channels));
              claim_between(p, trace, Int(0), x_elems(s));
            }),
      holds("dy", "A dy offset is computed by nothing larger than dy.",
            [](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto s = given_shape(p);
              const auto n = index_below(p, "n", s.batch), d = index_below(p, "od", s.depth.output),
                         h = index_below(p, "oh", s.height.output), w = index_below(p, "ow", s.width.output),
                         g = index_below(p, "g", s.groups), co = index_below(p, "co", out_per_group(s));
              std::vector<Int> trace;
              const auto t = [&trace](const Int& value) { return Traced<Int>(value, trace); };
              const auto offset =
                  p.subject([&] {
                     return spec::dy_offset(traced(s, trace), t(n), t(d), t(h), t(w), t(g), t(co));
                   }).value();
              const auto c = channel(p, s, out_per_group(s), g, co);
              use_parts(p, {{n, s.batch},
                            {d, s.depth.output},
                            {h, s.height.output},
                            {w, s.width.output},
                            {c, s.out_channels}});
              claim_place(p, offset,
                          {{n, s.batch},
                           {d, s.depth.output},
                           {h, s.height.output},
                           {w, s.width.output},
                           {c, s.out_channels}});
              p.use(monotone(Int(1), s.batch * s.depth.output * s.height.output * s.width.output,
                             s.out_channels));
              claim_between(p, trace, Int(0), dy_elems(s));
            }),
      holds("dw", "A dW offset is computed by nothing larger than dW.",
            [](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto s = given_shape(p);
              const auto g = index_below(p, "g", s.groups), co = index_below(p, "co", out_per_group(s)),
                         kd = index_below(p, "kd", s.depth.kernel),
                         kh = index_below(p, "kh", s.height.kernel),
                         kw = index_below(p, "kw", s.width.kernel),
                         ci = index_below(p, "ci", in_per_group(s));
              std::vector<Int> trace;
              const auto t = [&trace](const Int& value) { return Traced<Int>(value, trace); };
              const auto offset =
                  p.subject([&] {
                     return spec::dw_offset(traced(s, trace), t(g), t(co), t(kd), t(kh), t(kw), t(ci));
                   }).value();
              p.use(product(0 - in_per_group(s), s.groups));
              p.claim("a group has an input channel", 1 <= in_per_group(s));
              const auto c = channel(p, s, out_per_group(s), g, co);
              use_parts(p, {{c, s.out_channels},
                            {kd, s.depth.kernel},
                            {kh, s.height.kernel},
                            {kw, s.width.kernel},
                            {ci, in_per_group(s)}});
              claim_place(p, offset,
                          {{c, s.out_channels},
                           {kd, s.depth.kernel},
                           {kh, s.height.kernel},
                           {kw, s.width.kernel},
                           {ci, in_per_group(s)}});
              p.use(monotone(Int(1), s.out_channels * taps_of(s), in_per_group(s)));
              claim_between(p, trace, Int(0), dw_elems(s));
            }),
      holds("input_at", "What a touched output reads is computed by nothing larger than the padded input.",
            [](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto axis = given_axis(p);
              const auto output = index_below(p, "p", axis.output), tap = index_below(p, "r", axis.kernel);
              p.assume("the tap touches", spec::touches(axis, output, tap));
              std::vector<Int> trace;
              p.subject([&] {
                return spec::input_at(traced(axis, trace), Traced<Int>(output, trace),
                                      Traced<Int>(tap, trace));
              });
              p.use(product(output, axis.stride));
              p.use(product(tap, axis.dilation));
              claim_between(p, trace, Int(0), axis.input + axis.pad_before);
            }),
      holds("touched",
            "The range of a tap is computed by nothing larger than the padded input, the dilated kernel and "
            "the "
            "output.",
            [](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto axis = given_axis(p);
              const auto output = index_below(p, "p", axis.output), tap = index_below(p, "r", axis.kernel);
              std::vector<Int> trace;
              const auto range =
                  p.subject([&] { return impl::touched(traced(axis, trace), Traced<Int>(tap, trace)); });
              const auto before = axis.pad_before - tap * axis.dilation;
              p.use(product(tap, axis.dilation));
              p.use(monotone(tap + 1, axis.kernel, axis.dilation));
              for (const auto& a : {before, axis.input + before}) {
                // A quotient lies between 0 and its dividend, of either sign.
                p.use(product(a, axis.stride - 1));
                p.use(product(0 - a, axis.stride - 1));
                for (const auto& q : {Int(0), Int(1), 0 - a, 1 - a}) p.use(quotient(q, 0 - a, axis.stride));
              }
              // What is bounded is the range of the tap, and no other values.
              const impl::Range<Int> outputs{range.first.value(), range.last.value()};
              p.use(quotient(0 - output, 0 - before, axis.stride));
              p.use(quotient(0 - output, 0 - (axis.input + before), axis.stride));
              p.claim("the same outputs",
                      iff(impl::contains(outputs, output), spec::touches(axis, output, tap)));
              p.claim("inside", 0 <= outputs.first && outputs.first <= axis.output && 0 <= outputs.last &&
                                    outputs.last <= axis.output);
              const auto padded = axis.input + axis.pad_before, dilated = (axis.kernel - 1) * axis.dilation;
              for (std::size_t i = 0; i < trace.size(); ++i)
                p.claim({"operation ", std::to_string(i)},
                        (trace[i] <= padded || trace[i] <= dilated || trace[i] <= axis.output) &&
                            (0 - padded <= trace[i] || 0 - dilated <= trace[i]));
            }),
  };
}

}  // namespace wgradcheck::proofs::obligations
