#include "impl/ranges.hpp"

#include "proofs/given.hpp"
#include "proofs/obligation.hpp"

/// The shortcut touched() against the definition touches().
namespace wgradcheck::proofs::obligations {

std::vector<Obligation> ranges() {
  return {
      holds("equals_touches", "The range of a tap holds exactly the outputs that the tap touches.",
            [](auto& p) {
              const auto axis = given_axis(p);
              const auto output = index_below(p, "p", axis.output), tap = p.integer("r");
              const auto range = p.subject([&] { return impl::touched(axis, tap); });
              const auto before = axis.pad_before - tap * axis.dilation;
              p.use(quotient(0 - output, 0 - before, axis.stride));
              p.use(quotient(0 - output, 0 - (axis.input + before), axis.stride));
              p.claim("the same outputs",
                      iff(impl::contains(range, output), spec::touches(axis, output, tap)));
              p.claim("no end passes the output", range.first <= axis.output && range.last <= axis.output);
            }),
      holds("inside_output", "The range of a tap lies in the output: 0 <= first <= last <= output.",
            [](auto& p) {
              const auto axis = given_axis(p);
              const auto output = index_below(p, "p", axis.output), tap = p.integer("r");
              const auto range = p.subject([&] { return impl::touched(axis, tap); });
              const auto before = axis.pad_before - tap * axis.dilation;
              p.use(quotient(0 - output, 0 - before, axis.stride));
              p.use(quotient(0 - output, 0 - (axis.input + before), axis.stride));
              p.use(
                  quotient(spec::floor_div(0 - (axis.input + before), axis.stride), 0 - before, axis.stride));
              p.claim("inside", 0 <= range.first && range.last <= axis.output);
              p.claim("in order", range.first <= range.last);
              p.claim("no output that the tap does not touch",
                      implies(impl::contains(range, output), spec::touches(axis, output, tap)));
            }),
  };
}

}  // namespace wgradcheck::proofs::obligations
