#include "check/search/rounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "check/search/generate.hpp"

namespace wgradcheck::check {
namespace {

Domain domain_3d() {
  Domain domain;
  domain.abi = find_abi("host_f32");
  domain.guarded = false;
  return domain;
}

/// A kernel that leaves dilation_h out fails on these.
bool ignores_dilation(const Case& c) {
  return c.shape.height.dilation > 1 && c.shape.height.kernel > 1 && c.shape.height.input > 1;
}

/// Cases that fail need not be neighbours: two of three channels, or none.
bool fails_on_two_channels(const Case& c) { return c.shape.in_channels % 2 == 0 && c.shape.width.output > 2; }

std::vector<Case> failing_cases(bool (*wrong)(const Case&)) {
  const auto generator = cases(domain_3d());
  std::vector<Case> failing;
  for (std::int64_t i = 0; i < 200; ++i)
    if (const Case c = nth_case(generator, 1, i); wrong(c)) failing.push_back(c);
  if (failing.size() < 10) throw std::logic_error("too few cases fail");
  return failing;
}

bool is_minimal(const Case& c, bool (*wrong)(const Case&)) {
  return wrong(c) && std::ranges::none_of(smaller(domain_3d(), c), wrong);
}

bool never() { return false; }

TEST(Rounds, EndWithACaseWhoseSmallerNeighboursAllPass) {
  for (const auto wrong : {ignores_dilation, fails_on_two_channels})
    for (const Case& c : failing_cases(wrong)) {
      int rounds = 0;
      const auto ask = [&](std::span<const Case> some) {
        ++rounds;
        std::vector<Tried> said;
        for (const Case& one : some) said.push_back(wrong(one) ? Tried::fails : Tried::passes);
        return said;
      };
      const Shrunk shrunk = shrink_in_rounds(domain_3d(), c, ask, never);
      EXPECT_TRUE(is_minimal(shrunk.least, wrong));
      EXPECT_EQ(shrunk.neighbours, std::ssize(smaller(domain_3d(), shrunk.least)));
      EXPECT_FALSE(shrunk.open);
      EXPECT_LE(rounds, 12);
    }
}

/// A board: what is asked of it is answered the next time.
class Board {
 public:
  explicit Board(bool (*wrong)(const Case&)) : wrong_(wrong) {}

  std::vector<Tried> ask(std::span<const Case> some) {
    std::vector<Tried> said;
    for (const Case& c : some) {
      const auto known = std::ranges::find(answered_, c);
      if (known == answered_.end()) asked_.push_back(c);
      said.push_back(known == answered_.end() ? Tried::open : wrong_(c) ? Tried::fails : Tried::passes);
    }
    return said;
  }
  void answer() {
    answered_.insert(answered_.end(), asked_.begin(), asked_.end());
    asked_.clear();
  }

 private:
  bool (*wrong_)(const Case&);
  std::vector<Case> asked_, answered_;
};

TEST(Rounds, GoOnFromRunToRunOnABoardFarAway) {
  const std::vector<Case> failing = failing_cases(ignores_dilation);
  for (const Case& c : failing) {
    Board board(ignores_dilation);
    Shrunk shrunk{c, 0, true};
    int rounds = 0;
    for (; shrunk.open && rounds < 20; ++rounds) {
      const Case before = shrunk.least;
      shrunk = shrink_in_rounds(
          domain_3d(), c, [&](std::span<const Case> some) { return board.ask(some); }, never);
      EXPECT_LE(cost(shrunk.least), cost(before));
      EXPECT_TRUE(ignores_dilation(shrunk.least));
      board.answer();
    }
    EXPECT_TRUE(is_minimal(shrunk.least, ignores_dilation));
    EXPECT_LE(rounds, 10);
  }
}

TEST(Rounds, EndWhenAllIsSpentWithTheSmallestFailureKnown) {
  const Case c = failing_cases(ignores_dilation).back();
  int left = 2;
  const auto ask = [&](std::span<const Case> some) {
    --left;
    std::vector<Tried> said;
    for (const Case& one : some) said.push_back(ignores_dilation(one) ? Tried::fails : Tried::passes);
    return said;
  };
  const Shrunk shrunk = shrink_in_rounds(domain_3d(), c, ask, [&] { return left <= 0; });
  EXPECT_EQ(left, 0);
  EXPECT_TRUE(ignores_dilation(shrunk.least));
  EXPECT_LT(cost(shrunk.least), cost(c));
  EXPECT_EQ(shrunk.neighbours, 0);
  EXPECT_FALSE(shrunk.open);
}

TEST(Rounds, AMergeTakesEveryFieldOnceAndSumsWhatInputsShrinkBy) {
  Case from;
  from.shape = {4, 1, 6, 8, spec::kNoAxis, {9, 3, 3, 2, 2, 0}, {5, 5, 1, 1, 1, 0}};
  Case less_batch = from, one_tap = from, one_output = from, two_outputs = from;
  less_batch.shape.batch = 1;
  one_tap.shape.height.kernel = 1;
  one_tap.shape.height.input = 5;
  one_output.shape.height.output = 1;
  one_output.shape.height.input = 5;
  two_outputs.shape.height.output = 2;
  two_outputs.shape.height.input = 7;
  const Case all = merged(from, std::vector<Case>{less_batch, one_tap, one_output, two_outputs});
  EXPECT_EQ(all.shape.batch, 1);
  EXPECT_EQ(all.shape.height.kernel, 1);
  EXPECT_EQ(all.shape.height.output, 1);
  EXPECT_EQ(all.shape.height.input, 1);
  EXPECT_EQ(all.shape.out_channels, 8);
}

}  // namespace
}  // namespace wgradcheck::check
