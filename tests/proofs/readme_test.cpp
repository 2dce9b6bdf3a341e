#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "proofs/report.hpp"

/// What README says of the proofs is what they are.
namespace wgradcheck::proofs {
namespace {

std::string readme() {
  std::ifstream file(WGRADCHECK_SOURCE "/README.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Readme, HasTheTableThatProveListPrints) {
  EXPECT_NE(readme().find(listing(subjects())), std::string::npos)
      << "README is stale: put in its table what `wgradcheck prove --list` prints";
}

TEST(Readme, CountsTheObligations) {
  std::size_t all = 0, proved = 0;
  for (const Subject& subject : subjects()) {
    all += subject.obligations.size();
    proved += static_cast<std::size_t>(
        std::ranges::count(subject.obligations, Verdict::proved, &Obligation::expected));
  }
  const std::string line =
      fmt::format("{} obligations: {} proved, {} refuted, all as expected", all, proved, all - proved);
  EXPECT_NE(readme().find(line), std::string::npos) << "README is stale: " << line;
}

TEST(Readme, ATableThatLacksARowIsStale) {
  auto fewer = subjects();
  const std::string whole = listing(fewer);
  fewer.back().obligations.pop_back();
  fewer.front().obligations.front().sentence += "?";
  EXPECT_EQ(whole.find(listing(fewer)), std::string::npos);
}

}  // namespace
}  // namespace wgradcheck::proofs
