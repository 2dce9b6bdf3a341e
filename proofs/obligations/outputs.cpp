#include "proofs/given.hpp"
#include "proofs/obligation.hpp"

/// The documents' equation for the output size and the padding after the input that follows from it.
namespace wgradcheck::proofs::obligations {
namespace {

/// Claims that a padding after the input gives back the axis's own output.
template <class Reading, class Int>
void claim_output(Reading& p, const spec::Axis<Int>& axis, const Int& after) {
  const auto output = p.subject([&] { return spec::output_for(axis, after); });
  const Int room = axis.input + axis.pad_before + after - spec::span(axis);
  p.use(quotient(axis.output - 1, room, axis.stride));
  p.use(quotient(axis.output, room, axis.stride));
  p.claim("the same output", output == axis.output);
}

}  // namespace

std::vector<Obligation> outputs() {
  return {
      holds("from_their_padding", "The padding that follows from an output size gives that output size.",
            [](auto& p) {
              const auto axis = given_axis(p);
              claim_output(p, axis, spec::pad_after(axis));
            }),
      holds("from_no_padding", "0 in place of a negative padding above -stride gives the same output size.",
            [](auto& p) {
              const auto axis = given_axis(p);
              p.assume("above -stride", 0 - axis.stride < spec::pad_after(axis));
              claim_output(p, axis, spec::max(spec::pad_after(axis), IntOf<decltype(p)>(0)));
            }),
      fails("from_any_negative_padding", "0 in place of any negative padding gives the same output size.",
            [](auto& p) {
              const auto axis = given_axis(p);
              claim_output(p, axis, spec::max(spec::pad_after(axis), IntOf<decltype(p)>(0)));
            }),
  };
}

}  // namespace wgradcheck::proofs::obligations
