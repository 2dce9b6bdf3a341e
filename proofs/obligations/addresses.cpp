#include <initializer_list>
#include <span>

#include "proofs/given.hpp"
#include "proofs/obligation.hpp"

/// Every address that a term of the sum has lies in its tensor, for 2D as depth 1 and for 3D.
namespace wgradcheck::proofs::obligations {
namespace {

/// The input coordinate that a touched output of an axis reads.
template <class Reading>
auto read_coordinate(Reading& p, const spec::Axis<IntOf<Reading>>& axis, std::string_view name) {
  const auto output = index_below(p, {"o", name}, axis.output),
             tap = index_below(p, {"k", name}, axis.kernel);
  p.assume({"the tap touches axis ", name}, spec::touches(axis, output, tap));
  return spec::input_at(axis, output, tap);
}

/// A digit of a mixed-radix number and its radix.
template <class Int>
struct Digit {
  Int value, radix;
};

/// The steps that show a number inside, digit after digit, given that a number of the digits before is below
/// their bound.
template <class Reading, class Int>
void use_digits(Reading& p, const Int& number, const Int& bound, std::span<const Digit<Int>> rest) {
  if (rest.empty()) return;
  const auto& [value, radix] = rest.front();
  p.use(digits(number, bound, value, radix));
  use_digits(p, number * radix + value, bound * radix, rest.subspan(1));
}

/// The steps that show a number inside where each of its digits, highest first, is below its radix.
template <class Reading>
void use_digits(Reading& p, std::initializer_list<Digit<IntOf<Reading>>> all) {
  const std::span<const Digit<IntOf<Reading>>> span(all.begin(), all.size());
  use_digits(p, span.front().value, span.front().radix, span.subspan(1));
}

}  // namespace

std::vector<Obligation> addresses() {
  return {
      holds("x", "Every x address of a term lies in x.",
            [](auto& p) {
              const auto s = given_shape(p);
              const auto n = index_below(p, "n", s.batch), g = index_below(p, "g", s.groups),
                         ci = index_below(p, "ci", in_per_group(s));
              const auto d = read_coordinate(p, s.depth, "d"), h = read_coordinate(p, s.height, "h"),
                         w = read_coordinate(p, s.width, "w");
              const auto offset = p.subject([&] { return spec::x_offset(s, n, d, h, w, g, ci); });
              p.use(digits(g, s.groups, ci, in_per_group(s)));
              use_digits(p, {{n, s.batch},
                             {d, s.depth.input},
                             {h, s.height.input},
                             {w, s.width.input},
                             {g * in_per_group(s) + ci, s.in_channels}});
              p.claim("inside", 0 <= offset && offset < x_elems(s));
            }),
      holds("dy", "Every dy address of a term lies in dy.",
            [](auto& p) {
              const auto s = given_shape(p);
              const auto n = index_below(p, "n", s.batch), d = index_below(p, "od", s.depth.output),
                         h = index_below(p, "oh", s.height.output), w = index_below(p, "ow", s.width.output),
                         g = index_below(p, "g", s.groups), co = index_below(p, "co", out_per_group(s));
              const auto offset = p.subject([&] { return spec::dy_offset(s, n, d, h, w, g, co); });
              p.use(digits(g, s.groups, co, out_per_group(s)));
              use_digits(p, {{n, s.batch},
                             {d, s.depth.output},
                             {h, s.height.output},
                             {w, s.width.output},
                             {g * out_per_group(s) + co, s.out_channels}});
              p.claim("inside", 0 <= offset && offset < dy_elems(s));
            }),
      holds("dw", "Every dW address lies in dW.",
            [](auto& p) {
              const auto s = given_shape(p);
              const auto g = index_below(p, "g", s.groups), co = index_below(p, "co", out_per_group(s)),
                         kd = index_below(p, "kd", s.depth.kernel),
                         kh = index_below(p, "kh", s.height.kernel),
                         kw = index_below(p, "kw", s.width.kernel),
                         ci = index_below(p, "ci", in_per_group(s));
              const auto offset = p.subject([&] { return spec::dw_offset(s, g, co, kd, kh, kw, ci); });
              p.use(digits(g, s.groups, co, out_per_group(s)));
              use_digits(p, {{g * out_per_group(s) + co, s.out_channels},
                             {kd, s.depth.kernel},
                             {kh, s.height.kernel},
                             {kw, s.width.kernel},
                             {ci, in_per_group(s)}});
              p.claim("inside", 0 <= offset && offset < dw_elems(s));
            }),
  };
}

}  // namespace wgradcheck::proofs::obligations
