#include "check/judge/identity.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "check/judge/oracle.hpp"
#include "check/search/generate.hpp"

namespace wgradcheck::check {
namespace {

Domain fp32_private() {
  Domain domain;
  domain.abi = find_abi("mt7004_fp32_p");
  return domain;
}

RC_GTEST_PROP(Identity, AcceptsTheTrueSums, ()) {
  const Case c = *cases(fp32_private());
  const Data d = make_data(c, {});
  RC_ASSERT(are_exact_sums(c.shape, d.dy, d.x, exact_sums(c.shape, d.dy, d.x)));
}

RC_GTEST_PROP(Identity, RejectsOneWrongElementWhereverItIs, ()) {
  const Case c = *cases(fp32_private());
  const Data d = make_data(c, {});
  auto sums = exact_sums(c.shape, d.dy, d.x);
  const auto at = *rc::gen::inRange<std::size_t>(0, sums.size());
  sums[at] += *rc::gen::element(-16777216, -4096, -1, 1, 2, 65536, 16777216);
  RC_ASSERT(!are_exact_sums(c.shape, d.dy, d.x, sums));
}

RC_GTEST_PROP(Identity, RejectsTwoErrorsThatCancelInTheSum, ()) {
  const Case c = *cases(fp32_private());
  const Data d = make_data(c, {});
  auto sums = exact_sums(c.shape, d.dy, d.x);
  if (sums.size() < 2) return;
  ++sums.front();
  --sums.back();
  RC_ASSERT(!are_exact_sums(c.shape, d.dy, d.x, sums));
}

TEST(Identity, HoldsInThreeDimensionsAndGroups) {
  Case c;
  c.shape = {2, 2, 6, 4, {5, 3, 3, 1, 1, 0}, {6, 3, 2, 2, 2, 1}, {4, 4, 3, 1, 1, 1}};
  c.seed = 5;
  const Data d = make_data(c, {});
  auto sums = exact_sums(c.shape, d.dy, d.x);
  EXPECT_TRUE(are_exact_sums(c.shape, d.dy, d.x, sums));
  ++sums[sums.size() / 2];
  EXPECT_FALSE(are_exact_sums(c.shape, d.dy, d.x, sums));
}

TEST(Identity, RejectsSumsTooLargeToBeTrue) {
  Case c;
  c.shape = {1, 1, 1, 1, spec::kNoAxis, {2, 2, 1, 1, 1, 0}, {2, 2, 1, 1, 1, 0}};
  const Data d = make_data(c, {});
  auto sums = exact_sums(c.shape, d.dy, d.x);
  sums[0] = 0x7fffffff;
  EXPECT_FALSE(are_exact_sums(c.shape, d.dy, d.x, sums));
}

}  // namespace
}  // namespace wgradcheck::check
