#include <gtest/gtest.h>

#include "tests/check/defects.hpp"

namespace wgradcheck::check {
namespace {

TEST(Defects, AreAllFoundEveryTimeUpTo50176Terms) {
  for (const auto& [batch, extent] : {std::pair{2, 14}, {8, 56}, {16, 56}})
    for (const DType t : {DType::f32, DType::f16, DType::bf16})
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        EXPECT_FALSE(is_blamed(Defect::none, padded_3x3(batch, extent), t, seed));
        for (const auto& [defect, name] : kDefects)
          EXPECT_TRUE(is_blamed(defect, padded_3x3(batch, extent), t, seed)) << name << ", seed " << seed;
      }
}

}  // namespace
}  // namespace wgradcheck::check
