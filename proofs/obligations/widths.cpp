#include "proofs/given.hpp"
#include "proofs/obligation.hpp"
#include "proofs/traced.hpp"

/// Which values a formula forms on its way, and whether they fit. The largest int is a symbol.
namespace wgradcheck::proofs::obligations {
namespace {

/// The largest value of an int of 32 bits.
constexpr std::int64_t kMaxInt = 2147483647;

/// A formula's values, each named by its place.
template <class Reading, class Int>
void claim_fit(Reading& p, const std::vector<Int>& values, const Int& most) {
  for (std::size_t i = 0; i < values.size(); ++i)
    p.claim({"operation ", std::to_string(i)}, 0 - most - 1 <= values[i] && values[i] <= most);
}

template <class Int>
spec::Call<Traced<Int>> traced(const spec::Call<Int>& c, std::vector<Int>& trace) {
  const auto t = [&trace](const Int& value) { return Traced<Int>(value, trace); };
  return {t(c.output_batch), t(c.input_batch),   t(c.input_h),        t(c.input_w),    t(c.output_h),
          t(c.output_w),     t(c.input_channel), t(c.output_channel), t(c.kernel_h),   t(c.kernel_w),
          t(c.group),        t(c.pad_l),         t(c.pad_u),          t(c.dilation_h), t(c.dilation_w),
          t(c.stride_h),     t(c.stride_w),      t(c.buffer_size),    t(c.pad_d),      t(c.pad_r),
          t(c.elem_bytes),   t(c.core_num),      t(c.limit)};
}

}  // namespace

std::vector<Obligation> widths() {
  return {
      holds("ceil_div", "ceil_div forms nothing larger than its dividend.",
            [](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto most = at_least(p, 0, "most"), b = at_least(p, 1, "b"), a = p.integer("a");
              p.assume("a fits", 0 - most <= a && a <= most);
              std::vector<Int> trace;
              const auto quotient_up = p.subject([&] {
                                          return spec::ceil_div(Traced<Int>(a, trace), Traced<Int>(b, trace));
                                        }).value();
              p.use(product(a, b - 1));
              p.use(product(0 - a, b - 1));
              for (const auto& q : {Int(0), Int(1), 0 - a}) p.use(quotient(q, 0 - a, b));
              p.use(quotient(1 - a, 0 - a, b));
              claim_fit(p, trace, most);
              p.claim("the quotient rounded up", (quotient_up - 1) * b < a && a <= quotient_up * b);
            }),
      fails("rounding_up_by_adding", "(a + b - 1) / b forms nothing larger than its operands.",
            [](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto most = at_least(p, 1, "most"), b = at_least(p, 1, "b"), a = at_least(p, 0, "a");
              p.assume("a and b fit", a <= most && b <= most);
              std::vector<Int> trace;
              const Traced<Int> dividend(a, trace), divisor(b, trace);
              p.subject([&] { return spec::floor_div(dividend + divisor - 1, divisor); });
              claim_fit(p, trace, most);
            }),
      holds("partials", "The size of the partials of a valid call forms nothing larger than the limit.",
            [](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto c = valid_call(p);
              std::vector<Int> trace;
              const auto bytes = p.subject([&] { return spec::partial_workspace(traced(c, trace)); }).value();
              const auto taps = c.kernel_h * c.kernel_w,
                         per_group = spec::floor_div(c.input_channel, c.group);
              p.use(product(0 - per_group, c.group));
              p.use(positive(c.kernel_h, c.kernel_w));
              p.use(positive(taps, per_group));
              p.use(positive(c.output_channel, spec::row_elems(c)));
              p.use(product(spec::dw_elems(c), c.core_num - 1));
              p.use(product(spec::row_elems(c), c.output_channel - 1));
              p.use(product(taps, per_group - 1));
              p.use(product(per_group, taps - 1));
              claim_fit(p, trace, c.limit);
              p.claim("a float for each sum of each core",
                      bytes == c.core_num * spec::dw_elems(c) * Int(spec::kFloatBytes));
            }),
      fails("buffer_times_4", "buffer_size_*4 fits 32 bits where buffer_size_ does.",
            [](auto& p) {
              const auto c = valid_call(p);
              p.assume("the field fits", c.buffer_size <= kMaxInt);
              p.claim("fits", p.subject([&] { return spec::chunk_workspace(c); }) <= kMaxInt);
            }),
      fails("x_offset",
            "An x offset that a term reads fits 32 bits where the fields do, for a dW of one element.",
            [](auto& p) {
              const auto c = valid_call(p);
              const auto s = shape_of(c);
              const IntOf<decltype(p)> zero = 0;
              p.assume("one element of dW",
                       c.kernel_h == 1 && c.kernel_w == 1 && c.input_channel == 1 && c.output_channel == 1);
              p.assume("the fields fit", c.input_h <= kMaxInt && c.input_w <= kMaxInt &&
                                             c.stride_h <= kMaxInt && c.stride_w <= kMaxInt);
              const auto oh = index_below(p, "oh", c.output_h), ow = index_below(p, "ow", c.output_w);
              p.assume("a term", touches(s.height, oh, zero) && touches(s.width, ow, zero));
              p.claim("fits", p.subject([&] {
                return x_offset(s, zero, zero, input_at(s.height, oh, zero), input_at(s.width, ow, zero),
                                zero, zero);
              }) <= kMaxInt);
            }),
      fails("cores_times_dw", "core_num*dw_elems fits 32 bits where dw_elems does.",
            [](auto& p) {
              const auto c = valid_call(p);
              p.assume("one partial's elements fit", spec::dw_elems(c) <= kMaxInt);
              p.claim("fits", p.subject([&] { return c.core_num * spec::dw_elems(c); }) <= kMaxInt);
            }),
  };
}

}  // namespace wgradcheck::proofs::obligations
