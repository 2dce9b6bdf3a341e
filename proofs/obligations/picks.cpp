#include "proofs/digits.hpp"
#include "proofs/host/picked.hpp"
#include "proofs/obligation.hpp"

/// The pixels of an axis that the host library stages, impl::picked. The proofs of its schedules rest on the
/// first two.
namespace wgradcheck::proofs::obligations {
namespace {

template <class Reading>
host::Window<IntOf<Reading>> given_window(Reading& p) {
  const auto input = p.integer("input"), output = p.integer("output"), kernel = p.integer("kernel"),
             stride = p.integer("stride"), dilation = p.integer("dilation"), pad = p.integer("pad_before"),
             first = p.integer("first"), last = p.integer("last"), tap = p.integer("first tap"),
             end = p.integer("last tap");
  const host::Window<IntOf<Reading>> w{
      {input, output, kernel, stride, dilation, pad}, {first, last}, {tap, end}};
  for (const auto& condition : conditions_of(w)) p.assume("a window", condition);
  return w;
}
template <class Reading>
impl::Pick<IntOf<Reading>> given_pick(Reading& p, const host::Window<IntOf<Reading>>& w) {
  return p.subject([&] { return impl::picked(w.axis, w.outputs, w.taps); });
}

/// The outputs of a window that its first tap meets.
template <class Int>
impl::Range<Int> met_by_first(const host::Window<Int>& w) {
  return impl::meet(impl::touched(w.axis, w.taps.first), w.outputs);
}

/// The steps that show an output to be one of those that a tap touches, or not.
template <class Reading>
void use_touches(Reading& p, const spec::Axis<IntOf<Reading>>& axis, const IntOf<Reading>& output,
                 const IntOf<Reading>& tap) {
  const auto before = axis.pad_before - tap * axis.dilation;
  p.use(quotient(0 - output, 0 - before, axis.stride));
  p.use(quotient(0 - output, 0 - (axis.input + before), axis.stride));
}

/// The steps about an output and a tap as places between those of a window.
template <class Reading>
void use_between(Reading& p, const host::Window<IntOf<Reading>>& w, const IntOf<Reading>& output,
                 const IntOf<Reading>& tap) {
  p.use(product(output - w.outputs.first, w.axis.stride));
  p.use(product(w.outputs.last - 1 - output, w.axis.stride));
  p.use(product(tap - w.taps.first, w.axis.dilation));
  p.use(product(w.taps.last - 1 - tap, w.axis.dilation));
}

/// The steps that show floor(a / b) to be what it is where b is 1, or where it is a.
template <class Reading>
void use_division(Reading& p, const IntOf<Reading>& a, const IntOf<Reading>& b) {
  p.use(quotient(a, a, b));
  p.use(quotient(a + 1, a, b));
  p.use(times(b, IntOf<Reading>(1), a));
}

Obligation of_picked(Obligation obligation) {
  obligation.of_one_text = true;
  return obligation;
}

}  // namespace

std::vector<Obligation> picks() {
  return {
      of_picked(holds("inputs", "Each pixel that is picked to be staged lies in the input.",
                      [](auto& p) {
                        using Int = IntOf<decltype(p)>;
                        const auto w = given_window(p);
                        const auto i = p.integer("i");
                        const auto pick = given_pick(p, w);
                        const auto [when, is_input] = host::staged_is_input(w, pick, i);
                        p.assume("a staged pixel", when);
                        use_touches(p, w.axis, met_by_first(w).first + i, w.taps.first);
                        p.use(times(pick.step, Int(1), i));
                        p.use(times(pick.step, w.axis.stride, i));
                        p.claim("an input", is_input);
                      })),
      of_picked(holds("what_is_read",
                      "What an output reads through a tap is one of the pixels that are staged for both.",
                      [](auto& p) {
                        using Int = IntOf<decltype(p)>;
                        const auto w = given_window(p);
                        const auto output = p.integer("p"), i = p.integer("i"), tap = p.integer("tap"),
                                   a = p.integer("a");
                        const auto pick = given_pick(p, w);
                        const auto [when, is_staged] = host::read_is_staged(w, pick, output, i, tap, a);
                        p.assume("an output that the tap touches", when);
                        const auto& axis = w.axis;
                        const Int one = 1, q = output + i, r = tap + a;
                        const auto met = met_by_first(w);
                        // One tap: as many outputs further as it is pixels.
                        p.use(times(r, w.taps.first, axis.dilation));
                        p.use(times(a, Int(0), axis.dilation));
                        use_touches(p, axis, q, w.taps.first);
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
                        use_division(p, axis.dilation, pick.step);
                        p.use(times(down, axis.dilation, a));
                        p.use(times(a, Int(0), down));
                        const auto at = host::staged_from(w, pick, output, i, tap, a);
                        const Int outputs_further = q - met.first,
                                  pixels_further = from + i * axis.stride + a * axis.dilation;
                        p.use(times(at, outputs_further, pick.step));
                        p.use(times(pick.step, axis.stride, outputs_further));
                        p.use(times(at, pixels_further, pick.step));
                        p.use(times(pick.step, one, pixels_further));
                        // Several: between the first output through the first tap and the last through the
                        // last.
                        use_between(p, w, q, r);
                        p.claim("one of them", is_staged);
                      })),
      of_picked(holds(
          "nothing_else",
          "Of one tap no pixel is staged that it does not read; of several none outside of what they "
          "read.",
          [](auto& p) {
            using Int = IntOf<decltype(p)>;
            const auto w = given_window(p);
            const auto i = p.integer("i");
            const auto pick = given_pick(p, w);
            p.assume("a staged pixel", 0 <= i && i < pick.count);
            const auto& axis = w.axis;
            const Int output = met_by_first(w).first + i, input = pick.first + i * pick.step;
            use_touches(p, axis, output, w.taps.first);
            p.use(times(pick.step, axis.stride, i));
            p.use(times(pick.step, Int(1), i));
            p.claim("one tap reads it",
                    implies(w.taps.last - w.taps.first == 1,
                            impl::contains(w.outputs, output) && spec::touches(axis, output, w.taps.first) &&
                                input == spec::input_at(axis, output, w.taps.first)));
            p.claim("several read as far",
                    implies(2 <= w.taps.last - w.taps.first,
                            spec::input_at(axis, w.outputs.first, w.taps.first) <= input &&
                                input <= spec::input_at(axis, w.outputs.last - 1, w.taps.last - 1)));
          })),
  };
}

}  // namespace wgradcheck::proofs::obligations
