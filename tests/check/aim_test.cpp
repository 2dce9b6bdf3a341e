#include <gtest/gtest.h>

#include <set>

#include "check/kernel.hpp"
#include "check/search/classes.hpp"
#include "check/search/generate.hpp"
#include "check/search/where.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

const Abi kAbi{"test", "test", DType::f32, false};

/// The first `count` cases of the domain.
std::vector<Case> generated(const std::string& text, std::int64_t count) {
  const Where where = Where::parse(text);
  Domain domain;
  domain.abi = &kAbi;
  domain.where = where;
  const auto gen = cases(domain, where.aims());
  std::vector<Case> out;
  for (std::int64_t i = 0; i < count; ++i) out.push_back(nth_case(gen, 1, i));
  return out;
}

class NarrowDomain : public testing::TestWithParam<const char*> {};

TEST_P(NarrowDomain, IsFilled) {
  const Where where = Where::parse(GetParam());
  std::set<std::string> lines;
  for (const Case& c : generated(GetParam(), 500)) {
    ASSERT_TRUE(where(c.shape)) << spec::to_line(c.shape);
    ASSERT_FALSE(spec::refuse(c.shape)) << spec::to_line(c.shape);
    lines.insert(spec::to_line(c.shape));
  }
  EXPECT_GT(lines.size(), 50U);
}

INSTANTIATE_TEST_SUITE_P(
    Where, NarrowDomain,
    testing::Values(
        "ic%8==0", "ic%8==0 && oc%8==0 && g>1", "g==ic && ic==oc && ic%16==0", "kh==3 && kw==3", "ic>=100",
        "ih>=64 && iw>=64 && ih<128", "g==4 && ic%64==0", "mb%4==0 && oc==32",
        "ih==iw && oh==ow && kh==kw && sh==sw && ph==pw && dh==dw",
        "kh==1 && kw==1 && sh==1 && sw==1 && dh==0 && dw==0 && ph==0 && pw==0 && ih==oh && iw==ow",
        "sh==kh && sw==kw && ph==0 && pw==0", "dh==2 && dw==2 && kh>=2 && kw>=2", "oh==13 || oh==17"));

TEST(Aims, BothSidesOfAnAlternativeAreReached) {
  std::int64_t first = 0, second = 0;
  for (const Case& c : generated("ic==64 || ic==128", 200)) ++(c.shape.in_channels == 64 ? first : second);
  EXPECT_GT(first, 10);
  EXPECT_GT(second, 10);
}

TEST(Aims, EveryStructuralClassKeepsItsShare) {
  const auto all = generated("ic%8==0", 1000);
  for (const ShapeClass& shape_class : shape_classes(*find_abi("mt7004_fp32_p")).first(5)) {
    const auto share = std::count_if(all.begin(), all.end(), shape_class.contains);
    EXPECT_GT(share, 20) << shape_class.name;
  }
}

TEST(Aims, AnEmptyDomainIsSaid) {
  EXPECT_THROW(generated("ic<0", 1), BadInput);
  EXPECT_THROW(generated("g==0", 1), BadInput);
  EXPECT_THROW(generated("ic==9223372036854775807 && oc%(ic*2)==0", 1), BadInput);
}

}  // namespace
}  // namespace wgradcheck::check
