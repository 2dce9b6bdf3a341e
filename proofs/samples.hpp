#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "proofs/obligation.hpp"

namespace wgradcheck::proofs {

/// What a statement says of some values.
struct Reading {
  bool inside = false;   ///< every assumption holds and 64 bits do
  bool divides = true;   ///< the formula under proof divides by nothing that is not positive
  int assumed = 0;       ///< how many assumptions hold before the first that does not
  std::string broken;    ///< the first claim that is false; empty when there is none
  std::set<int> claims;  ///< all that are false, by their order
};

using Site = Mutation::Site;

/// Reads an obligation with numbers; the altered operation of the formula under proof errs, -1 for none.
/// `met` gets the operations that are met, `seen` what the formula yields.
Reading read(const Obligation&, const Values&, Site altered = -1, std::set<Site>* met = nullptr,
             std::vector<std::int64_t>* seen = nullptr);

/// Values inside the assumptions, varied from those given if any; empty when none are found. Always the same.
std::vector<Values> samples(const Obligation&, std::size_t variables, const Values& start = {});

/// A witness against an obligation whose values are together as small as random steps from one bring them.
Values smaller(const Obligation&, Values witness);

/// Mutants of the formula under proof, one an operation.
struct Mutants {
  std::set<Site> all, refuted;         ///< those under which a claim is false on some sample
  std::set<Site> apart;                ///< of the others, those that yield something else on some sample
  std::set<Site> equal;                ///< those that are proved to yield what the formula yields
  std::map<Site, std::string> others;  ///< all that are not refuted, in words
  std::set<int> claims = {};           ///< that some altered formula was seen to break, by their order

  /// Takes in what another statement says about the same formula. What is equal is so for both.
  void merge(const Mutants& other);
};

/// Those that samples refute, and of the others those that yield something else on a sample.
Mutants mutants(const Obligation&, const std::vector<Values>& samples);

}  // namespace wgradcheck::proofs
