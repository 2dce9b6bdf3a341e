#include "proofs/digits.hpp"
#include "proofs/host/picked.hpp"
#include "proofs/obligation.hpp"

/// The nonlinear facts that all proofs rest on. Each is proved from those before it; the first from nothing.
namespace wgradcheck::proofs::obligations {
namespace {

template <class Reading>
host::Window<IntOf<Reading>> given_window(Reading& p) {
  const auto axis = given_axis(p);
  const auto first = p.integer("first"), last = p.integer("last"), tap = p.integer("first tap"),
             end = p.integer("last tap");
  return {axis, {first, last}, {tap, end}};
}

/// The steps that show an output to be one of those that a tap touches, or not.
template <class Reading>
void use_touches(Reading& p, const spec::Axis<IntOf<Reading>>& axis, const IntOf<Reading>& output,
                 const IntOf<Reading>& tap) {
  const auto before = axis.pad_before - tap * axis.dilation;
  p.use(quotient(0 - output, 0 - before, axis.stride));
  p.use(quotient(0 - output, 0 - (axis.input + before), axis.stride));
}

}  // namespace

std::vector<Obligation> lemmas() {
  Obligation first =
      holds("product", "The product of numbers that are not negative is not negative.", [](auto& p) {
        p.claim("it is", p.subject([&] { return product(p.integer("a"), p.integer("b")).truth; }));
      });
  first.products = Products::multiplied;
  return {
      first,
      holds("positive", "The product of numbers that are at least 1 is at least 1.",
            [](auto& p) {
              const auto a = p.integer("a"), b = p.integer("b");
              p.use(product(a - 1, b - 1));
              p.claim("it is", p.subject([&] { return positive(a, b).truth; }));
            }),
      holds("monotone", "A product grows with its factor.",
            [](auto& p) {
              const auto a = p.integer("a"), b = p.integer("b"), factor = p.integer("factor");
              p.use(product(b - a, factor));
              p.claim("it does", p.subject([&] { return monotone(a, b, factor).truth; }));
            }),
      holds("times", "Equals times equals are equal.",
            [](auto& p) {
              const auto a = p.integer("a"), b = p.integer("b"), factor = p.integer("factor");
              p.use(product(b - a, factor));
              p.use(product(a - b, factor));
              p.use(product(b - a, 0 - factor));
              p.use(product(a - b, 0 - factor));
              p.claim("they are", p.subject([&] { return times(a, b, factor).truth; }));
            }),
      holds("digits", "high * radix + low lies below highs * radix when high < highs and low < radix.",
            [](auto& p) {
              const auto high = p.integer("high"), highs = p.integer("highs"), low = p.integer("low"),
                         radix = p.integer("radix");
              p.use(product(high, radix));
              p.use(product(highs - high - 1, radix));
              p.claim("it does", p.subject([&] { return digits(high, highs, low, radix).truth; }));
            }),
      holds("same_digits", "A number is written in one way as high * radix + low with low < radix.",
            [](auto& p) {
              const auto high = p.integer("high"), low = p.integer("low"), high2 = p.integer("high2"),
                         low2 = p.integer("low2"), radix = p.integer("radix");
              p.use(product(high - high2 - 1, radix));
              p.use(product(high2 - high - 1, radix));
              p.use(times(high, high2, radix));
              p.claim("it is", p.subject([&] { return same_digits(high, low, high2, low2, radix).truth; }));
            }),
      holds("quotient", "p * b <= a exactly where p <= floor(a / b).",
            [](auto& p) {
              const auto a = p.integer("a"), b = p.integer("b"), q = p.integer("p");
              p.use(monotone(q, spec::floor_div(a, b), b));
              p.use(monotone(spec::floor_div(a, b) + 1, q, b));
              p.claim("so it is", p.subject([&] { return quotient(q, a, b).truth; }));
            }),
      holds("picks_inputs", "Each pixel that is picked to be staged lies in the input.",
            [](auto& p) {
              const auto w = given_window(p);
              const auto i = p.integer("i");
              const auto lemma = p.subject([&] { return host::picks_inputs(w, i).truth; });
              const auto pick = impl::picked(w.axis, w.outputs, w.taps);
              const auto met = impl::meet(impl::touched(w.axis, w.taps.first), w.outputs);
              use_touches(p, w.axis, met.first + i, w.taps.first);
              p.use(times(pick.step, IntOf<decltype(p)>(1), i));
              p.use(times(pick.step, w.axis.stride, i));
              p.claim("it does", lemma);
            }),
      holds("picks_what_is_read",
            "What an output reads through a tap is one of the pixels that are staged for both.",
            [](auto& p) {
              using Int = IntOf<decltype(p)>;
              const auto w = given_window(p);
              const auto output = p.integer("p"), i = p.integer("i"), tap = p.integer("tap"),
                         a = p.integer("a");
              const auto lemma =
                  p.subject([&] { return host::picks_what_is_read(w, output, i, tap, a).truth; });
              const auto& [axis, outputs, taps] = w;
              const Int one = 1, q = output + i, r = tap + a;
              const auto pick = impl::picked(axis, outputs, taps);
              const auto met = impl::meet(impl::touched(axis, taps.first), outputs);
              // One tap: as many outputs further as it is pixels.
              p.use(times(r, taps.first, axis.dilation));
              p.use(times(a, Int(0), axis.dilation));
              use_touches(p, axis, q, taps.first);
              const auto right = spec::floor_div(axis.stride, pick.step),
                         down = spec::floor_div(axis.dilation, pick.step);
              const auto from = spec::input_at(axis, output, tap) - pick.first;
              for (const Int& to : {Int(output - met.first), from}) {
                p.use(quotient(to, from, pick.step));
                p.use(quotient(to + 1, from, pick.step));
                p.use(times(pick.step, axis.stride, to));
                p.use(times(pick.step, one, to));
              }
              for (const Int& to : {one, axis.stride}) {
                p.use(quotient(to, axis.stride, pick.step));
                p.use(quotient(to + 1, axis.stride, pick.step));
                p.use(times(pick.step, one, to));
                p.use(times(right, to, i));
              }
              p.use(quotient(axis.dilation, axis.dilation, pick.step));
              p.use(quotient(axis.dilation + 1, axis.dilation, pick.step));
              p.use(times(pick.step, one, axis.dilation));
              p.use(times(down, axis.dilation, a));
              p.use(times(a, Int(0), down));
              const auto at = host::staged_from(w, output, i, tap, a);
              const Int outputs_further = q - met.first,
                        pixels_further = from + i * axis.stride + a * axis.dilation;
              p.use(times(at, outputs_further, pick.step));
              p.use(times(pick.step, axis.stride, outputs_further));
              p.use(times(at, pixels_further, pick.step));
              p.use(times(pick.step, one, pixels_further));
              // Several taps: between the first output through the first tap and the last through the last.
              p.use(product(q - outputs.first, axis.stride));
              p.use(product(outputs.last - 1 - q, axis.stride));
              p.use(product(r - taps.first, axis.dilation));
              p.use(product(taps.last - 1 - r, axis.dilation));
              p.claim("it is", lemma);
            }),
  };
}

}  // namespace wgradcheck::proofs::obligations
