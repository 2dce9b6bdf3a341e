#pragma once
#include "proofs/samples.hpp"
#include "proofs/solver.hpp"

namespace wgradcheck::proofs {

/// The facts that a witness against an obligation satisfies: the assumptions, and that some claim is false.
std::vector<Fact> against(const Statement<Sym>&);

/// Whether an obligation is false for these values when it is read with numbers.
bool is_witness(const Obligation&, const Values&);

/// A smaller witness: by random steps, then each variable in turn is brought as close to 0 as the search
/// allows within 20 seconds, the variables before it staying as small as they are. What it returns is false
/// when read with numbers, as `witness` must be.
Values minimise(const Obligation&, ModelSearch& search, Values witness);

/// Values by their variables' names; where they describe a call, its shape as a problem line and the rest.
std::string to_string(const std::vector<std::string>& variables, const Values&);

}  // namespace wgradcheck::proofs
