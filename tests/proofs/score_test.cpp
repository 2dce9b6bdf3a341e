#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "optional.hpp"
#include "proofs/prove.hpp"
#include "proofs/report.hpp"

/// How many altered formulas the obligations tell from right ones.
namespace wgradcheck::proofs {
namespace {

using testing::HasSubstr;

std::string readme() {
  std::ifstream file(WGRADCHECK_SOURCE "/README.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(AlteredFormulas, ThatAreNotEqualAreRefuted19In20AsReadmeCounts) {
  WGRADCHECK_LONG();
  const auto results = prove(subjects(), {.pattern = "", .smt2 = {}, .seconds = 1000, .done = {}});
  EXPECT_EQ(status_of(results), 0) << summary(results);
  const Score score = score_of(results);
  EXPECT_GE(100 * score.refuted, 95 * (score.all - score.equal)) << survivors(results);
  const std::string end = summary(results), count = end.substr(end.find("Of "));
  EXPECT_THAT(readme(), HasSubstr(count.substr(0, count.find('\n')))) << "README is stale";
}

TEST(AlteredFormulas, ThatAreNotRefutedAreToldWithWhatIsKnownOfThem) {
  Result one;
  one.name = "s.a";
  one.mutants = {{1, 2, 3, 4}, {1}, {2}, {3}, {{2, "- for + in a and b"}, {3, "+ for *"}, {4, "< for <="}}};
  EXPECT_EQ(survivors(std::vector{one}),
            "s.a: differs on a sample, where all claims hold\n    - for + in a and b\n"
            "s.a: equal\n    + for *\n"
            "s.a: not proved equal; no sample tells it apart\n    < for <=\n");
  EXPECT_THAT(summary(std::vector{one}), HasSubstr("Of 4 altered formulas 1 are equal, 1 of the other 3"));
}

}  // namespace
}  // namespace wgradcheck::proofs
