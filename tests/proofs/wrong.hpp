#pragma once
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "proofs/samples.hpp"
#include "tests/optional.hpp"

/// What tests of wrong schedules ask of their obligations.
namespace wgradcheck::proofs {

/// Tests that take minutes under sanitizers.
class Long : public testing::Test {
 protected:
  void SetUp() override { WGRADCHECK_LONG(); }
};

/// Throws std::invalid_argument where there is none of that name.
inline Obligation named_in(const std::vector<Obligation>& all, const std::string& name) {
  for (const Obligation& obligation : all)
    if (obligation.name == name) return obligation;
  throw std::invalid_argument("no obligation " + name);
}

/// One obligation of a schedule.
template <template <class> class Obligations, class Schedule>
Obligation obligation_of(const Schedule& schedule, const std::string& name) {
  return named_in(Obligations<Schedule>(schedule).made(), name);
}

/// Values inside an obligation's assumptions.
inline std::vector<Values> values_inside(const Obligation& obligation) {
  Statement<Sym> statement;
  obligation.symbols(statement);
  return samples(obligation, statement.variables().size());
}

/// The first claim of an obligation that some values inside its assumptions break; empty when none do.
inline std::string broken_claim(const Obligation& obligation) {
  const auto inside = values_inside(obligation);
  EXPECT_FALSE(inside.empty()) << obligation.name;
  for (const Values& values : inside)
    if (const Reading reading = read(obligation, values); !reading.broken.empty()) return reading.broken;
  return "";
}

}  // namespace wgradcheck::proofs
