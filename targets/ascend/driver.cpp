#include "targets/ascend/driver.hpp"

#include <algorithm>
#include <future>
#include <vector>

#include "impl/partition.hpp"
#include "impl/tiling.hpp"
#include "spec/fractal.hpp"
#include "spec/index.hpp"
#include "targets/ascend/include/lib/conv_backprop/conv3d_bp_filter_api.h"
#include "targets/ascend/limits.hpp"

namespace wgradcheck::targets::ascend {
namespace {

using Int = std::int64_t;
using Span = impl::Range<Int>;
using ConvBackpropApi::ConvFormat;
using ConvBackpropApi::ConvType;
using ConvBackpropApi::TPosition;

constexpr Int kLanes = spec::kC0;

template <class T>
using Filter =
    ConvBackpropApi::Conv3DBackpropFilter<ConvType<TPosition::GM, ConvFormat::NDC1HWC0, T>,
                                          ConvType<TPosition::GM, ConvFormat::ND, std::int32_t>,
                                          ConvType<TPosition::GM, ConvFormat::NDC1HWC0, T>,
                                          ConvType<TPosition::GM, ConvFormat::FRACTAL_Z_3D, float>>;

/// The block of one product: output rows, output channels and columns (c1, kh, kw, c0) of one (n, depth, kd).
struct Block {
  Int n, depth, kd;
  Span rows, channels, columns;
};

template <class T>
AscendC::GlobalTensor<T> tensor(T* data) {
  AscendC::GlobalTensor<T> t;
  t.SetGlobalBuffer(data);
  return t;
}

template <class T>
class Core {
 public:
  Core(const T* x, const T* dy, float* dw, const Conv3DBackpropFilterTilingData& tiling)
      : t_(tiling.dwTiling),
        s_(shape_of(t_)),
        columns_(s_.in_channels * s_.height.kernel * s_.width.kernel),
        rows_(std::clamp<Int>(tiling.basicBlockTiling.singleCoreK / t_.wo, 1, t_.ho)),
        block_m_(tiling.basicBlockTiling.singleCoreM),
        block_n_(tiling.basicBlockTiling.singleCoreN),
        x_(tensor(const_cast<T*>(x))),
        dy_(tensor(const_cast<T*>(dy))),
        dw_(tensor(dw)) {
    filter_.Init(&t_);
  }
  ~Core() { filter_.End(); }
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// All products in one list, of which each core takes a stretch.
  void add_atomically(int core, int cores) {
    const impl::Work<Int> counts{rows(),
                                 t_.batch,
                                 t_.dout,
                                 t_.dk,
                                 impl::tiles_of<Int>(s_.out_channels, block_m_),
                                 impl::tiles_of<Int>(columns_, block_n_)};
    const Span mine = impl::part<Int>(
        counts.rows * counts.n * counts.depth * counts.kd * counts.m * counts.cols, cores, core);
    for (Int place = mine.first; place < mine.last; ++place) {
      const impl::Work<Int> w = impl::work_at(counts, place);
      const Block b{w.n,
                    w.depth,
                    w.kd,
                    rows_of(w.rows),
                    impl::tile_range(s_.out_channels, block_m_, w.m),
                    impl::tile_range(columns_, block_n_, w.cols)};
      if (begin(b))
        while (filter_.Iterate()) filter_.GetTensorC(dw_[output(b)]);
    }
  }

  /// The list holds tiles of dW; a core adds all that belongs to its own, images and depths ascending.
  void add_owned(int core, int cores) {
    const impl::Work<Int> counts{1,
                                 1,
                                 1,
                                 t_.dk,
                                 impl::tiles_of<Int>(s_.out_channels, t_.baseM),
                                 impl::tiles_of<Int>(columns_, block_n_)};
    const Span mine = impl::part<Int>(counts.kd * counts.m * counts.cols, cores, core);
    for (Int place = mine.first; place < mine.last; ++place) {
      const impl::Work<Int> w = impl::work_at(counts, place);
      Block b{0,
              0,
              w.kd,
              {},
              impl::tile_range<Int>(s_.out_channels, t_.baseM, w.m),
              impl::tile_range(columns_, block_n_, w.cols)};
      for (b.n = 0; b.n < t_.batch; ++b.n)
        for (b.depth = 0; b.depth < t_.dout; ++b.depth)
          for (Int i = 0; i < rows(); ++i) {
            b.rows = rows_of(i);
            if (begin(b)) add_tiles(b);
          }
    }
  }

 private:
  Int rows() const { return impl::tiles_of<Int>(t_.ho, rows_); }
  Span rows_of(Int i) const { return impl::tile_range<Int>(t_.ho, rows_, i); }

  /// Hands a block over, or tells that it meets padding alone.
  bool begin(const Block& b) {
    if (!spec::touches(s_.depth, b.depth, b.kd)) return false;
    const Int di = spec::input_at(s_.depth, b.depth, b.kd),
              hi = std::max<Int>(0, spec::input_at<Int>(s_.height, b.rows.first, 0));
    const Int grad = spec::packed_dy_offset<Int>(s_, b.n, b.depth, b.rows.first, 0, b.channels.first);
    const Int input = spec::packed_x_offset<Int>(s_, b.n, di, hi, 0, first_channel(b));
    filter_.SetGradOutput(dy_[static_cast<std::uint64_t>(grad)]);
    filter_.SetInput(x_[static_cast<std::uint64_t>(input)]);
    filter_.SetSingleShape(length(b.channels), length(b.columns), length(b.rows) * t_.wo);
    filter_.SetStartPosition(static_cast<std::int32_t>(b.rows.first));
    filter_.ctx.isFirstIter_ = true;
    return true;
  }

  static std::uint64_t length(const Span& s) { return static_cast<std::uint64_t>(s.last - s.first); }
  Int first_channel(const Block& b) const { return b.columns.first / (s_.height.kernel * s_.width.kernel); }
  std::uint64_t output(const Block& b) const {
    return static_cast<std::uint64_t>(
        spec::packed_dw_offset<Int>(s_, b.channels.first, b.kd, 0, 0, first_channel(b)));
  }

  /// Adds a block of one tile of channels; its tiles of columns come one after the other.
  void add_tiles(const Block& b) {
    const Int rows = b.channels.last - b.channels.first;
    scratch_.resize(std::size_t{t_.baseM} * t_.baseN);
    float* to = dw_.GetPhyAddr(output(b));
    for (Int j = b.columns.first; filter_.Iterate(); j += t_.baseN) {
      filter_.GetTensorC(tensor(scratch_.data()), 0, true);
      const Int sixteens = (std::min<Int>(b.columns.last, j + t_.baseN) - j) / kLanes;
      const float* from = scratch_.data();
      for (Int i = 0; i < sixteens; ++i, to += s_.out_channels * kLanes, from += t_.baseM * kLanes)
        for (Int e = 0; e < rows * kLanes; ++e) to[e] += from[e];
    }
  }

  TConv3DBpFilterTiling t_;
  spec::Shape s_;
  Int columns_, rows_, block_m_, block_n_;
  AscendC::GlobalTensor<T> x_, dy_;
  AscendC::GlobalTensor<float> dw_;
  Filter<T> filter_;
  std::vector<float> scratch_;
};

}  // namespace

template <class T>
void add_share(const T* x, const T* dy, float* dw, const Conv3DBackpropFilterTilingData& tiling, int core,
               int cores, Sharing sharing) {
  Core<T> one(x, dy, dw, tiling);
  // A core that is alone shares with nobody, and plain additions cost less.
  if (sharing == Sharing::atomic && cores > 1)
    one.add_atomically(core, cores);
  else
    one.add_owned(core, cores);
}

template <class T>
void gradient(const T* x, const T* dy, float* dw, const Conv3DBackpropFilterTilingData& tiling, int cores,
              Sharing sharing) {
  std::fill_n(dw, spec::packed_dw_elems(shape_of(tiling.dwTiling)), 0.0f);
  std::vector<std::future<void>> shares;
  for (int core = 0; core < cores; ++core)
    shares.push_back(
        std::async(std::launch::async, [=, &tiling] { add_share(x, dy, dw, tiling, core, cores, sharing); }));
  for (std::future<void>& share : shares) share.get();
}

template void add_share(const half*, const half*, float*, const Conv3DBackpropFilterTilingData&, int, int,
                        Sharing);
template void add_share(const bfloat16_t*, const bfloat16_t*, float*, const Conv3DBackpropFilterTilingData&,
                        int, int, Sharing);
template void gradient(const half*, const half*, float*, const Conv3DBackpropFilterTilingData&, int, Sharing);
template void gradient(const bfloat16_t*, const bfloat16_t*, float*, const Conv3DBackpropFilterTilingData&,
                       int, Sharing);

}  // namespace wgradcheck::targets::ascend
