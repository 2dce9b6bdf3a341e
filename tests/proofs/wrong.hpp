#pragma once
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "proofs/host/obligations.hpp"
#include "proofs/samples.hpp"

/// What tests of wrong schedules ask of their obligations.
namespace wgradcheck::proofs::host {

/// One obligation of a schedule. Throws std::invalid_argument where it has none of that name.
template <class Schedule>
Obligation obligation_of(const Schedule& schedule, const std::string& name) {
  for (const Obligation& obligation : Obligations(schedule).made())
    if (obligation.name == name) return obligation;
  throw std::invalid_argument("no obligation " + name);
}

/// The first claim of an obligation that some values inside its assumptions break; empty when none do.
inline std::string broken_claim(const Obligation& obligation) {
  Statement<Sym> statement;
  obligation.symbols(statement);
  const auto inside = samples(obligation, statement.variables().size());
  EXPECT_FALSE(inside.empty()) << obligation.name;
  for (const Values& values : inside)
    if (const Reading reading = read(obligation, values); !reading.broken.empty()) return reading.broken;
  return "";
}

}  // namespace wgradcheck::proofs::host
