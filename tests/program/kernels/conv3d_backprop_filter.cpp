// A kernel as the document writes it: blocks of output rows, (n, do) shared by the cores, GradWeight added
// atomically. A macro named like a mistake makes it.
#include "lib/conv_backprop/conv3d_bp_filter_api.h"

#ifndef TYPE
#define TYPE half
#endif
#ifndef DILATION_D_LEFT_OUT
#define DILATION_D_LEFT_OUT 0
#endif
#ifndef START_ROW_LEFT_OUT
#define START_ROW_LEFT_OUT 0
#endif
#ifndef NOT_ARMED_AGAIN
#define NOT_ARMED_AGAIN 0
#endif
#ifndef CHANNELS_NOT_PADDED
#define CHANNELS_NOT_PADDED 0
#endif
#ifndef LAST_IMAGE_TWICE_ON_TWO_CORES
#define LAST_IMAGE_TWICE_ON_TWO_CORES 0
#endif
#ifndef READS_ONE_ROW_MORE
#define READS_ONE_ROW_MORE 0
#endif

using inputType =
    ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, ConvCommonApi::ConvFormat::NDC1HWC0, TYPE>;
using weightSizeType =
    ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, ConvCommonApi::ConvFormat::ND, int32_t>;
using gradOutputType =
    ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, ConvCommonApi::ConvFormat::NDC1HWC0, TYPE>;
using gradWeightType =
    ConvBackpropApi::ConvType<ConvCommonApi::TPosition::GM, ConvCommonApi::ConvFormat::FRACTAL_Z_3D, float>;

extern "C" void conv3d_backprop_filter(const void* x, const void* dy, float* dw,
                                       const Conv3DBackpropFilterTilingData* tilingData, int core,
                                       int cores) {
  const TConv3DBpFilterTiling& t = tilingData->dwTiling;
  AscendC::GlobalTensor<TYPE> inputGm_, gradOutputGm_;
  AscendC::GlobalTensor<float> gradWeightGm_;
  inputGm_.SetGlobalBuffer((__gm__ TYPE*)x);
  gradOutputGm_.SetGlobalBuffer((__gm__ TYPE*)dy);
  gradWeightGm_.SetGlobalBuffer((__gm__ float*)dw);

  ConvBackpropApi::Conv3DBackpropFilter<inputType, weightSizeType, gradOutputType, gradWeightType> gradWeight_;
  gradWeight_.Init(&(tilingData->dwTiling));

  const int64_t m = CHANNELS_NOT_PADDED ? t.cout : t.cout1G * 16, n = int64_t(t.cin1G) * t.hk * t.wk * 16;
  int64_t rows = tilingData->basicBlockTiling.singleCoreK / t.wo;
  rows = rows < 1 ? 1 : rows > t.ho ? t.ho : rows;
  for (int64_t i = core; i < int64_t(t.batch) * t.dout; i += cores)
    for (int64_t kd = 0; kd < t.dk; ++kd)
      for (int64_t hoStartIdx_ = 0; hoStartIdx_ < t.ho; hoStartIdx_ += rows) {
        const int64_t batch = i / t.dout, od = i % t.dout;
        const int64_t di = od * t.strideD + kd * (DILATION_D_LEFT_OUT ? 1 : t.dilationD) - t.padFront;
        if (di < 0 || di >= t.di) continue;
        int64_t hi = hoStartIdx_ * t.strideH - t.padUp;
        if (hi < 0) hi = 0;
        const int64_t clamped = t.ho - hoStartIdx_ < rows ? t.ho - hoStartIdx_ : rows;
        const int64_t offsetA_ = (i * t.cout1G * t.ho + hoStartIdx_) * t.wo * 16;
        const int64_t offsetB_ = ((batch * t.di + di) * t.cin1G * t.hi + hi) * t.wi * 16;
        const int64_t offsetC_ = kd * n * t.cout1G * 16;
        gradWeight_.SetGradOutput(gradOutputGm_[offsetA_ + (READS_ONE_ROW_MORE ? t.wo * 16 : 0)]);
        gradWeight_.SetInput(inputGm_[offsetB_]);
        gradWeight_.SetSingleShape(m, n, clamped * t.wo);
        gradWeight_.SetStartPosition(START_ROW_LEFT_OUT ? 0 : hoStartIdx_);
        if (!NOT_ARMED_AGAIN) gradWeight_.ctx.isFirstIter_ = true;
        while (gradWeight_.Iterate()) {
          gradWeight_.GetTensorC(gradWeightGm_[offsetC_]);
        }
        const bool last = batch == t.batch - 1;
        if (LAST_IMAGE_TWICE_ON_TWO_CORES && last && cores > 1) {
          gradWeight_.ctx.isFirstIter_ = true;
          while (gradWeight_.Iterate()) gradWeight_.GetTensorC(gradWeightGm_[offsetC_]);
        }
      }
  gradWeight_.End();
}
