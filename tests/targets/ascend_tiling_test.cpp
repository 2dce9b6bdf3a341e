#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "impl/tiling.hpp"
#include "spec/fractal.hpp"
#include "targets/ascend/include/lib/conv_backprop/conv3d_bp_filter_tiling.h"
#include "targets/ascend/tiles.hpp"

namespace wgradcheck::targets::ascend {
namespace {

using ConvBackpropApi::Conv3dBpFilterTiling;
using ConvBackpropApi::ConvDtype;
using ConvBackpropApi::ConvFormat;
using ConvBackpropApi::PlatformInfo;
using ConvBackpropApi::TPosition;
using Int = std::int64_t;

/// A row of published tilings: n ci di hi wi co do ho wo kd kh kw sd sh sw dh dw, then M N K.
using Row = std::array<Int, 20>;

Conv3dBpFilterTiling tiling_of_row(const Row& r, const PlatformInfo& platform = {}) {
  Conv3dBpFilterTiling t(platform);
  t.SetWeightShape(r[5], r[1], r[9], r[10], r[11]);
  t.SetInputShape(r[0], r[1], r[2], r[3], r[4]);
  t.SetGradOutputShape(r[0], r[5], r[6], r[7], r[8]);
  t.SetWeightType(TPosition::GM, ConvFormat::FRACTAL_Z_3D, ConvDtype::FLOAT32);
  t.SetInputType(TPosition::GM, ConvFormat::NDC1HWC0, ConvDtype::FLOAT16);
  t.SetGradOutputType(TPosition::GM, ConvFormat::NDC1HWC0, ConvDtype::FLOAT16);
  t.SetStride(r[12], r[13], r[14]);
  t.SetDilation(1, r[15], r[16]);
  return t;
}

void expect_row(const Row& r) {
  Conv3DBackpropFilterTilingData data{};
  ASSERT_EQ(tiling_of_row(r).GetTiling(data), 0);
  EXPECT_EQ(data.basicBlockTiling.singleCoreM, r[17]);
  EXPECT_EQ(data.basicBlockTiling.singleCoreN, r[18]);
  EXPECT_EQ(data.basicBlockTiling.singleCoreK, r[19]);
}

TEST(AscendTiling, EqualsPublishedTilings) {
  for (const Row& row : {Row{1, 128, 17, 257, 257, 128, 17, 128, 128, 1, 3, 3, 1, 2, 2, 1, 1, 128, 1152, 512},
                         Row{1, 3, 16, 240, 240, 240, 10, 122, 122, 4, 4, 4, 2, 2, 2, 1, 1, 240, 256, 14896},
                         Row{1, 4, 96, 20, 28, 1152, 96, 10, 14, 1, 2, 2, 1, 2, 2, 1, 1, 256, 64, 144},
                         Row{21, 56, 150, 2, 753, 64, 75, 1, 753, 2, 1, 1, 2, 2, 1, 1, 1, 64, 64, 768}})
    expect_row(row);
}

TEST(AscendTiling, EqualsEveryRowOfTheSharedTable) {
  const std::filesystem::path table = std::filesystem::path(WGRADCHECK_SHARED) / "cases/ascend_tiling.tsv";
  if (!std::filesystem::exists(table)) GTEST_SKIP() << "not run: " << table << " is not there";
  std::ifstream file(table);
  std::string line;
  std::getline(file, line);
  int rows = 0;
  for (; std::getline(file, line); ++rows) {
    SCOPED_TRACE(line);
    std::istringstream numbers(line);
    Row row{};
    for (Int& number : row) ASSERT_TRUE(numbers >> number);
    expect_row(row);
  }
  EXPECT_GE(rows, 8);
}

constexpr Row kUsual{2, 20, 3, 14, 14, 40, 3, 14, 14, 3, 3, 3, 1, 1, 1, 1, 1, 0, 0, 0};

TEST(AscendTiling, FillsEveryFieldOfTheStruct) {
  Conv3dBpFilterTiling t = tiling_of_row(kUsual);
  t.SetPadding(1, 2, 3, 4, 5, 6);
  t.SetDilation(7, 1, 2);
  Conv3DBackpropFilterTilingData data{};
  ASSERT_EQ(t.GetTiling(data), 0);
  const TConv3DBpFilterTiling& d = data.dwTiling;
  const std::vector<Int> given{
      d.batch,     d.cin,       d.cout,      d.cin1G,       d.cout1G, d.dout,    d.ho,      d.wo,
      d.di,        d.hi,        d.wi,        d.dk,          d.hk,     d.wk,      d.group,   d.strideD,
      d.strideH,   d.strideW,   d.padFront,  d.padBack,     d.padUp,  d.padDown, d.padLeft, d.padRight,
      d.dilationD, d.dilationH, d.dilationW, d.channelSize, d.m0,     d.k0,      d.n0};
  EXPECT_EQ(given, (std::vector<Int>{2, 20, 40, 2, 3, 3, 14, 14, 3, 14, 14, 3,  3,  3,  1, 1,
                                     1, 1,  1,  2, 3, 4, 5,  6,  7, 1,  2,  16, 16, 16, 16}));
  EXPECT_EQ(data.params.totalL1Size, 524288U);
  EXPECT_EQ(d.singleCoreCout, data.basicBlockTiling.singleCoreM);
  EXPECT_EQ(d.singleCoreHo * 14, data.basicBlockTiling.singleCoreK);
  EXPECT_EQ(d.singleCoreCin * 9, data.basicBlockTiling.singleCoreN);
  EXPECT_EQ(d.iterateOrder, 0U);
}

TEST(AscendTiling, TheLaterSetterOfASizeWins) {
  Conv3dBpFilterTiling t = tiling_of_row(kUsual);
  t.SetInputShape(5, 33, 3, 14, 14);
  Conv3DBackpropFilterTilingData data{};
  ASSERT_EQ(t.GetTiling(data), 0);
  EXPECT_EQ(data.dwTiling.batch, 5U);
  EXPECT_EQ(data.dwTiling.cin, 33U);
  t.SetWeightShape(17, 16, 3, 3, 3);
  ASSERT_EQ(t.GetTiling(data), 0);
  EXPECT_EQ(data.dwTiling.cin1G, 1U);
  EXPECT_EQ(data.dwTiling.cout1G, 2U);
}

TEST(AscendTiling, RefusesWhatTheDocumentRefusesAndLeavesTheStructAlone) {
  const auto refusal = [](auto change) {
    Conv3dBpFilterTiling t = tiling_of_row(kUsual);
    change(t);
    Conv3DBackpropFilterTilingData data{};
    data.dwTiling.baseM = 77;
    const Int result = t.GetTiling(data);
    EXPECT_EQ(data.dwTiling.baseM == 77, result == -1);
    EXPECT_EQ(result == 0, t.Refusal().empty());
    return t.Refusal();
  };
  using T = Conv3dBpFilterTiling;
  EXPECT_EQ(refusal([](T&) {}), "");
  EXPECT_EQ(refusal([](T& t) { t.SetPadding(0, 0, 255, 255, 255, 255); }), "");
  EXPECT_EQ(refusal([](T& t) { t.SetPadding(999, 0, 0, 0, 0, 0); }), "");
  EXPECT_EQ(refusal([](T& t) { t.SetPadding(0, 0, 0, -1, 0, 0); }), "padDown is -1, under 0");
  EXPECT_EQ(refusal([](T& t) { t.SetPadding(0, 0, 0, 0, 0, 256); }), "padRight is 256, over 255");
  EXPECT_EQ(refusal([](T& t) { t.SetStride(1, 0, 1); }), "strideH is 0, under 1");
  EXPECT_EQ(refusal([](T& t) { t.SetStride(64, 63, 63); }), "");
  EXPECT_EQ(refusal([](T& t) { t.SetStride(1, 1, 64); }), "strideW is 64, over 63");
  EXPECT_EQ(refusal([](T& t) { t.SetDilation(1, 256, 1); }), "dilationH is 256, over 255");
  EXPECT_EQ(refusal([](T& t) { t.SetWeightShape(40, 20, 3, 3, 33); }), "wk is 33, over 32");
  EXPECT_EQ(refusal([](T& t) { t.SetWeightShape(40, 20, 3, 512, 1); }), "hk is 512, over 511");
  EXPECT_EQ(refusal([](T& t) { t.SetInputShape(2, 0, 3, 14, 14); }), "cin is 0, under 1");
  EXPECT_EQ(refusal([](T& t) { t.SetGradOutputShape(2, 40, 3, 14, Int{1} << 31); }),
            "wo is 2147483648, over 2147483647");
  EXPECT_EQ(refusal([](T& t) { t.SetWeightType(TPosition::GM, ConvFormat::ND, ConvDtype::FLOAT32); }),
            "the format of Weight is not FRACTAL_Z_3D");
  EXPECT_EQ(refusal([](T& t) { t.SetInputType(TPosition::GM, ConvFormat::NCDHW, ConvDtype::BF16); }),
            "the format of Input is not NDC1HWC0");
  EXPECT_EQ(refusal([](T& t) { t.SetInputShape(2, 20, 3, 14, 1 << 20); }),
            "no tiles of the problem fit the buffers");
}

/// Any row, of extents that make every branch of the search: short and long planes, wide inputs, large taps.
rc::Gen<Row> any_row() {
  return rc::gen::exec([] {
    const auto of = [](Int least, Int most) { return *rc::gen::inRange<Int>(least, most + 1); };
    const Int wide = of(0, 4) == 0 ? 5000 : 200, taps = of(0, 4) == 0 ? 32 : 4;
    Row r{};
    r[0] = of(1, 4), r[1] = of(1, of(0, 3) == 0 ? 3000 : 90), r[2] = of(1, 5), r[3] = of(1, 200);
    r[4] = of(1, wide), r[5] = of(1, of(0, 3) == 0 ? 5000 : 300), r[6] = of(1, 5), r[7] = of(1, 200);
    r[8] = of(1, wide), r[9] = of(1, 4), r[10] = of(1, taps), r[11] = of(1, taps), r[12] = of(1, 3);
    r[13] = of(1, taps), r[14] = of(1, 4), r[15] = of(1, taps), r[16] = of(1, 4);
    return r;
  });
}

Tiles tiles_in(const Conv3DBackpropFilterTilingData& data) {
  const TConv3DBpFilterTiling& t = data.dwTiling;
  return {.base_m = t.baseM,
          .base_n = t.baseN,
          .base_k = t.baseK,
          .step_m = t.stepM,
          .step_n = t.stepN,
          .step_ka = t.stepKa,
          .step_kb = t.stepKb,
          .buffers_a = t.al1Pbuffer,
          .buffers_b = t.bl1Pbuffer,
          .buffers_c = t.cl0Pbuffer,
          .b_bound = t.bl1Bound};
}

RC_GTEST_PROP(AscendTiling, TilesNeverExceedABuffer, ()) {
  const Row row = *any_row();
  const PlatformInfo platform{.l1Size = *rc::gen::element<Int>(524288, 524288, 262144, 65536)};
  Conv3DBackpropFilterTilingData data{};
  const bool tiled = tiling_of_row(row, platform).GetTiling(data) == 0;
  RC_TAG(tiled ? "tiled" : "refused");
  if (!tiled) return;
  const TConv3DBpFilterTiling& t = data.dwTiling;
  RC_TAG(t.al1Pbuffer == 1 && t.bl1Pbuffer == 1 ? "single buffers" : "double buffers");
  // Of the struct's fields alone, in bytes: two buffers each of A and B in L0.
  const Int a = Int{t.baseM} * t.baseK, b = Int{t.baseN} * t.baseK;
  RC_ASSERT(a * 2 * t.al0Pbuffer <= platform.l0ASize);
  RC_ASSERT(b * 2 * t.bl0Pbuffer <= platform.l0BSize);
  RC_ASSERT(Int{t.baseM} * t.baseN * 4 * t.cl0Pbuffer <= platform.l0CSize);
  RC_ASSERT(t.stepM * t.stepKa * a * 2 * t.al1Pbuffer + Int{t.bl1Bound} * 2 * t.bl1Pbuffer <=
            platform.l1Size);
  for (const Int base : {t.baseM, t.baseN, t.baseK}) RC_ASSERT(base >= 16 && base % 16 == 0);
  for (const Int step : {t.stepM, t.stepN, t.stepKa, t.stepKb}) RC_ASSERT(step >= 1);
  RC_ASSERT(footprint(tiles_in(data)).l0a == a * 2 * t.al0Pbuffer);
}

RC_GTEST_PROP(AscendTiling, BlocksAreWholeAndCoverTheProductOnce, ()) {
  const Row row = *any_row();
  Conv3DBackpropFilterTilingData data{};
  RC_PRE(tiling_of_row(row).GetTiling(data) == 0);
  const auto& block = data.basicBlockTiling;
  const TConv3DBpFilterTiling& t = data.dwTiling;
  const Int taps = Int{t.hk} * t.wk, m = Int{t.cout1G} * 16, n = Int{t.cin1G} * 16 * taps;
  RC_ASSERT(block.singleCoreM % 16 == 0);
  RC_ASSERT(block.singleCoreN % (16 * taps) == 0);
  const Int rows = std::clamp<Int>(block.singleCoreK / t.wo, 1, t.ho);
  for (const auto& [total, size] :
       {std::pair<Int, Int>{m, block.singleCoreM}, {n, block.singleCoreN}, {Int{t.ho}, rows}}) {
    Int covered = 0;
    for (Int i = 0; i < impl::tiles_of(total, size); ++i) {
      const auto range = impl::tile_range(total, size, i);
      RC_ASSERT(range.first == covered);
      RC_ASSERT(range.first < range.last);
      covered = range.last;
    }
    RC_ASSERT(covered == total);
  }
}

}  // namespace
}  // namespace wgradcheck::targets::ascend
