#include "proofs/obligation.hpp"

/// The nonlinear facts that all proofs rest on. Each is proved from those before it; the first from nothing.
namespace wgradcheck::proofs::obligations {

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
  };
}

}  // namespace wgradcheck::proofs::obligations
