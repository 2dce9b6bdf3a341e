#include "proofs/digits.hpp"
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
              claim_place(p, offset,
                          {{n, s.batch},
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
              claim_place(p, offset,
                          {{n, s.batch},
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
              claim_place(p, offset,
                          {{g * out_per_group(s) + co, s.out_channels},
                           {kd, s.depth.kernel},
                           {kh, s.height.kernel},
                           {kw, s.width.kernel},
                           {ci, in_per_group(s)}});
              p.claim("inside", 0 <= offset && offset < dw_elems(s));
            }),
  };
}

}  // namespace wgradcheck::proofs::obligations
