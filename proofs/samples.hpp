#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "proofs/obligation.hpp"

namespace wgradcheck::proofs {

/// What a statement says of some values.
struct Reading {
  bool inside = false;  ///< every assumption holds and 64 bits do
  int assumed = 0;      ///< how many assumptions hold before the first that does not
  std::string broken;   ///< the first claim that is false; empty when there is none
};

using Site = Mutation::Site;

/// Reads an obligation with numbers; the altered operation of the formula under proof errs, -1 for none.
/// `met` gets the operations that are met.
Reading read(const Obligation&, const Values&, Site altered = -1, std::set<Site>* met = nullptr);

/// Values inside the assumptions, varied from those given if any; empty when none are found. Always the same.
std::vector<Values> samples(const Obligation&, std::size_t variables, const Values& start = {});

/// Mutants of the formula under proof, one an operation, and those that a sample refutes.
struct Mutants {
  std::set<Site> all, refuted;

  /// Takes in what another statement about the same formula refutes.
  void merge(const Mutants& other) {
    all.insert(other.all.begin(), other.all.end());
    refuted.insert(other.refuted.begin(), other.refuted.end());
  }
};

Mutants mutants(const Obligation&, const std::vector<Values>& samples);

}  // namespace wgradcheck::proofs
