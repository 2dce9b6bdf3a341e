#include <gtest/gtest.h>

#include <functional>

#include "targets/ascend/include/lib/conv_backprop/conv3d_bp_filter_api.h"
#include "tests/targets/ascend.hpp"

namespace wgradcheck::targets::ascend {
namespace {

using inputType =
    ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, ConvCommonApi::ConvFormat::NDC1HWC0, half>;
using weightSizeType =
    ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, ConvCommonApi::ConvFormat::ND, std::int32_t>;
using gradOutputType =
    ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, ConvCommonApi::ConvFormat::NDC1HWC0, half>;
using gradWeightType =
    ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, ConvCommonApi::ConvFormat::FRACTAL_Z_3D, float>;

/// One plane of 48 -> 48 channels, 3x3 taps, cut into tiles of 32 channels by 48 columns.
class AscendKernel : public testing::Test {
 protected:
  AscendKernel() {
    tiling.baseM = 32, tiling.baseN = 48;
    inputGm_.SetGlobalBuffer(x.data(), static_cast<std::uint64_t>(spec::packed_x_elems(shape)));
    gradOutputGm_.SetGlobalBuffer(dy.data());
    gradWeightGm_.SetGlobalBuffer(dw.data());
  }
  void set_up() {
    gradWeight_.Init(&tiling);
    gradWeight_.SetGradOutput(gradOutputGm_[0]);
    gradWeight_.SetInput(inputGm_[0]);
    gradWeight_.SetSingleShape(48, 9 * 48, 30);
    gradWeight_.SetStartPosition(0);
  }
  /// What() of the refusal, or nothing.
  static std::string refusal(const std::function<void()>& call) {
    try {
      call();
    } catch (const ConvBackpropApi::Refused& refused) {
      return refused.what();
    }
    return {};
  }

  spec::Shape shape{1, 1, 48, 48, spec::kNoAxis, {6, 6, 3, 1, 1, 1}, {5, 5, 3, 1, 1, 1}};
  Packed<half> p{shape, 11};
  Guarded<half> x = p.packed_x(), dy = p.packed_dy();
  Guarded<float> dw = p.packed_dw(0);
  TConv3DBpFilterTiling tiling = tiled(shape).dwTiling;
  AscendC::GlobalTensor<half> inputGm_, gradOutputGm_;
  AscendC::GlobalTensor<float> gradWeightGm_;
  ConvBackpropApi::Conv3DBackpropFilter<inputType, weightSizeType, gradOutputType, gradWeightType>
      gradWeight_;
};

TEST_F(AscendKernel, TheDocumentsSequenceComputesTheGradient) {
  set_up();
  while (gradWeight_.Iterate()) {
    gradWeight_.GetTensorC(gradWeightGm_[0]);
  }
  gradWeight_.End();
  EXPECT_EQ(p.unpacked(dw), p.expected());
}

TEST_F(AscendKernel, TilesComeInTheOrderOfTheirGroupsInL1) {
  // 2 tiles of M and 9 of N; the sequential write tells a tile by its first row and columns.
  const auto places = [this](std::uint32_t order) {
    tiling.iterateOrder = order, tiling.stepM = 1, tiling.stepN = 2;
    set_up();
    while (gradWeight_.Iterate()) gradWeight_.GetTensorC(gradWeightGm_[0], 0);
    gradWeight_.ctx.isFirstIter_ = true;
    std::vector<std::pair<int, int>> seen;
    std::vector<float> tile(48 * 48);
    AscendC::GlobalTensor<float> out;
    out.SetGlobalBuffer(tile.data());
    while (gradWeight_.Iterate<true>()) {
      gradWeight_.GetTensorC<true>(out, 0, true);
      for (int m = 0; m < 2; ++m)
        for (int n = 0; n < 9; ++n)
          if (std::equal(tile.begin(), tile.begin() + 16, dw.data() + (n * 3 * 48 + m * 32) * 16))
            seen.emplace_back(m, n);
    }
    gradWeight_.End();
    return seen;
  };
  std::vector<std::pair<int, int>> order_m, order_n;
  for (int m = 0; m < 2; ++m)
    for (int n = 0; n < 9; ++n) order_m.emplace_back(m, n);
  for (int group = 0; group < 9; group += 2)
    for (int m = 0; m < 2; ++m)
      for (int n = group; n < std::min(9, group + 2); ++n) order_n.emplace_back(m, n);
  EXPECT_EQ(places(0), order_m);
  EXPECT_EQ(places(1), order_n);
}

TEST_F(AscendKernel, OnlyAnAtomicFlagOf1Adds) {
  set_up();
  const auto run = [this](std::uint8_t atomic) {
    gradWeight_.ctx.isFirstIter_ = true;
    while (gradWeight_.Iterate()) gradWeight_.GetTensorC(gradWeightGm_, atomic);
    return p.unpacked(dw);
  };
  const std::vector<float> once = p.expected();
  std::vector<float> twice;
  for (const float f : once) twice.push_back(2 * f);
  EXPECT_EQ(run(1), once);
  EXPECT_EQ(run(1), twice);
  EXPECT_EQ(run(2), once);
  EXPECT_EQ(run(0), once);
}

TEST_F(AscendKernel, TheSequentialWriteLeavesNothingToReadBehindAShortTile) {
  set_up();
  std::vector<float> tile(3 * 32 * 16, 7);
  AscendC::GlobalTensor<float> out;
  out.SetGlobalBuffer(tile.data());
  while (gradWeight_.Iterate()) gradWeight_.GetTensorC(out, 0, true);
  // The last tile has 16 of 32 rows.
  for (std::size_t i = 0; i < tile.size(); ++i) EXPECT_EQ(std::isnan(tile[i]), i / 16 % 32 >= 16) << i;
}

TEST_F(AscendKernel, TheStartPositionTellsPaddingAndMovesNoPointer) {
  set_up();
  const auto half_plane = [this](int row, bool moved) {
    const auto at = static_cast<std::uint64_t>(row * 5 * 16);
    const auto above = static_cast<std::uint64_t>(std::max(row - 1, 0) * 5 * 16);
    gradWeight_.SetSingleShape(48, 9 * 48, 15);
    gradWeight_.SetStartPosition(row);
    gradWeight_.SetGradOutput(gradOutputGm_[moved ? at : 0]);
    gradWeight_.SetInput(inputGm_[moved ? above : 0]);
    gradWeight_.ctx.isFirstIter_ = true;
    while (gradWeight_.Iterate()) gradWeight_.GetTensorC(gradWeightGm_);
  };
  half_plane(0, true);
  half_plane(3, true);
  EXPECT_EQ(p.unpacked(dw), p.expected());
  std::fill_n(dw.data(), spec::packed_dw_elems(shape), 0.0f);
  half_plane(0, true);
  half_plane(3, false);
  EXPECT_NE(p.unpacked(dw), p.expected());
}

TEST_F(AscendKernel, WhatADeviceGetsWrongIsRefusedWithAReason) {
  auto& g = gradWeight_;
  EXPECT_EQ(refusal([&] { g.SetSingleShape(16, 144, 5); }), "SetSingleShape: Init was not called");
  EXPECT_EQ(refusal([&] { g.Iterate(); }), "Iterate: Init was not called");
  EXPECT_EQ(refusal([&] { g.End(); }), "End: Init was not called");
  EXPECT_EQ(refusal([&] { g.Init(nullptr); }), "Init: the tiling is NULL");
  g.Init(&tiling);
  EXPECT_EQ(refusal([&] { g.Init(&tiling); }), "Init: called again without End");
  EXPECT_EQ(refusal([&] { g.Iterate(); }), "Iterate: SetInput was not called");
  EXPECT_EQ(refusal([&] { g.SetInput({}); }), "SetInput: the tensor has no buffer");
  g.SetInput(inputGm_);
  EXPECT_EQ(refusal([&] { g.Iterate(); }), "Iterate: SetGradOutput was not called");
  g.SetGradOutput(gradOutputGm_);
  EXPECT_EQ(refusal([&] { g.Iterate(); }), "Iterate: SetSingleShape was not called");
  EXPECT_EQ(refusal([&] { g.SetSingleShape(40, 144, 5); }),
            "SetSingleShape: M is 40, no positive multiple of 16");
  EXPECT_EQ(refusal([&] { g.SetSingleShape(64, 144, 5); }), "SetSingleShape: M is 64, over 48");
  EXPECT_EQ(refusal([&] { g.SetSingleShape(48, 16, 5); }),
            "SetSingleShape: N is 16, no positive multiple of 144");
  EXPECT_EQ(refusal([&] { g.SetSingleShape(48, 144, 7); }),
            "SetSingleShape: K is 7, no positive multiple of 5");
  EXPECT_EQ(refusal([&] { g.SetSingleShape(48, 144, 0); }),
            "SetSingleShape: K is 0, no positive multiple of 5");
  g.SetSingleShape(48, 144, 15);
  EXPECT_EQ(refusal([&] { g.Iterate(); }),
            "Iterate: SetStartPosition was not called, so that the padding is unknown");
  EXPECT_EQ(refusal([&] { g.SetStartPosition(6); }), "SetStartPosition: row 6 is none of the plane's 6");
  g.SetStartPosition(4);
  EXPECT_EQ(refusal([&] { g.Iterate(); }), "Iterate: rows 4 to 7 pass the plane's 6");
  g.SetStartPosition(0);
  EXPECT_EQ(refusal([&] { g.GetTensorC(gradWeightGm_); }),
            "GetTensorC: there is no tile; Iterate has not returned true since the last one");
  ASSERT_TRUE(g.Iterate());
  g.GetTensorC(gradWeightGm_);
  EXPECT_EQ(refusal([&] { g.GetTensorC(gradWeightGm_); }),
            "GetTensorC: there is no tile; Iterate has not returned true since the last one");
  while (g.Iterate()) g.GetTensorC(gradWeightGm_);
  EXPECT_EQ(refusal([&] { g.Iterate(); }),
            "Iterate: the block is over; ctx.isFirstIter_ must be set to true before the next one");
  g.ctx.isFirstIter_ = true;
  ASSERT_TRUE(g.Iterate());
  g.SetStartPosition(1);
  EXPECT_EQ(refusal([&] { g.Iterate(); }),
            "Iterate: a setter was called inside a block; ctx.isFirstIter_ must be set to true");
}

TEST_F(AscendKernel, ATilingThatADeviceGetsWrongIsRefusedByInit) {
  const auto why = [this](auto change) {
    TConv3DBpFilterTiling t = tiling;
    change(t);
    const std::string reason = refusal([&] { gradWeight_.Init(&t); });
    if (reason.empty()) gradWeight_.End();
    return reason;
  };
  using T = TConv3DBpFilterTiling;
  EXPECT_EQ(why([](T&) {}), "");
  EXPECT_EQ(why([](T& t) { t.ho = 9; }), "Init: ho is 9, whose last row begins at row 7 of Input's 6");
  EXPECT_EQ(why([](T& t) { t.baseM = 24; }), "Init: baseM is 24, no multiple of 16");
  EXPECT_EQ(why([](T& t) { t.stepKb = 0; }), "Init: stepKb is 0");
  EXPECT_EQ(why([](T& t) { t.channelSize = 8; }), "Init: channelSize is 8, not 16");
  EXPECT_EQ(why([](T& t) { t.group = 2; }), "Init: group is 2, not 1");
  EXPECT_EQ(why([](T& t) { t.padUp = 3; }), "Init: padUp is 3, not under the dilated kernel's height of 3");
  EXPECT_EQ(why([](T& t) { t.wo = 6; }),
            "Init: wo is 6, but wi, wk, padLeft, padRight, strideW and dilationW make it 5");
  EXPECT_EQ(why([](T& t) { t.baseM = t.baseN = 512; }), "Init: baseM is 512, with baseN more than L0C holds");
}

}  // namespace
}  // namespace wgradcheck::targets::ascend
