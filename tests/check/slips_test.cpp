#include "check/judge/slips.hpp"

#include <gtest/gtest.h>

#include "check/judge/compare.hpp"
#include "check/search/generate.hpp"

namespace wgradcheck::check {
namespace {

/// Small cases of 2D calls with a bias on one core and on two, and of 3D problems.
std::vector<Case> small_cases() {
  Domain flat, deep;
  flat.abi = find_abi("mt7004_fp32_s");
  flat.core_masks = {1, 3};
  flat.biases = {Bias::none, Bias::column};
  deep.abi = find_abi("host_f32");
  deep.where = [](const spec::Shape& s) { return s.depth.kernel > 1; };
  std::vector<Case> all = nth_cases(cases(flat), 1, 0, 300);
  for (const Case& c : nth_cases(cases(deep), 1, 0, 100)) all.push_back(c);
  std::erase_if(all, [](const Case& c) { return spec::products(c.shape) > 1 << 14; });
  return all;
}

TEST(Slips, EachComputesAnotherDwThanTheDefinition) {
  const std::vector<Case> all = small_cases();
  ASSERT_GT(all.size(), 200U);
  for (const Slip& slip : slips()) {
    int other = 0;
    for (const Case& c : all) {
      const Data data = make_data(c, {});
      const auto dw = slip.predict(c, data);
      if (!dw) continue;
      ASSERT_EQ(std::ssize(*dw), spec::dw_elems(c.shape)) << slip.id;
      other += *dw != expected_dw(c, data, Promises());
    }
    // Of a kernel that is to store the sum.
    EXPECT_EQ(other == 0, std::string_view(slip.id) == "accumulated") << slip.id;
  }
}

}  // namespace
}  // namespace wgradcheck::check
