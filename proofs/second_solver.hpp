#pragma once
#include <string>

#include "proofs/judge.hpp"

namespace wgradcheck::proofs {

/// Whether cvc5 can be run.
bool has_cvc5();

/// Puts a query to cvc5, which has 10 seconds to answer it. Throws std::system_error where it cannot be run.
Answer ask_cvc5(const Query&);

/// Puts a query to cvc5 too, and notes in the result whether it gives the same answer as before.
void ask_again(Result&, const std::string& name, const Query&, Answer before);

}  // namespace wgradcheck::proofs
