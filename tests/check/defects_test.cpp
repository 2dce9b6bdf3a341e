#include "tests/check/defects.hpp"

#include <gtest/gtest.h>

namespace wgradcheck::check {
namespace {

class Defects : public testing::TestWithParam<DType> {};

TEST_P(Defects, AreAllFoundEveryTimeAt392Terms) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const auto& [defect, name] : kDefects)
      EXPECT_TRUE(is_blamed(defect, padded_3x3(2, 14), GetParam(), seed)) << name << ", seed " << seed;
}

TEST_P(Defects, OnePixelInManyAndNarrowPartialsAreFoundAt6272Terms) {
  for (const Defect defect : {Defect::one_pixel_skipped, Defect::one_pixel_doubled,
                              Defect::split_8_partials_f16, Defect::split_8_partials_bf16})
    EXPECT_TRUE(is_blamed(defect, padded_3x3(2, 56), GetParam(), 1));
}

TEST_P(Defects, ARightKernelIsNotBlamed) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    for (const std::int64_t extent : {14, 40})
      EXPECT_FALSE(is_blamed(Defect::none, padded_3x3(2, extent), GetParam(), seed));
}

INSTANTIATE_TEST_SUITE_P(Types, Defects, testing::Values(DType::f32, DType::f16, DType::bf16),
                         [](const auto& param) {
                           return param.param == DType::f32   ? "f32"
                                  : param.param == DType::f16 ? "f16"
                                                              : "bf16";
                         });

}  // namespace
}  // namespace wgradcheck::check
