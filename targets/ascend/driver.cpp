#include "targets/ascend/driver.hpp"

#include <algorithm>
#include <future>
#include <vector>

#include "impl/loops.hpp"
#include "impl/schedule/cube_blocks.hpp"
#include "targets/ascend/cube.hpp"
#include "targets/ascend/include/lib/conv_backprop/conv3d_bp_filter_api.h"
#include "targets/ascend/limits.hpp"

namespace wgradcheck::targets::ascend {
namespace {

using Int = std::int64_t;
using Block = impl::cube::Block<Int>;
using Job = impl::cube::Job<Int>;
using ConvBackpropApi::ConvFormat;
using ConvBackpropApi::ConvType;
using ConvBackpropApi::TPosition;

template <class T>
using Filter =
    ConvBackpropApi::Conv3DBackpropFilter<ConvType<TPosition::GM, ConvFormat::NDC1HWC0, T>,
                                          ConvType<TPosition::GM, ConvFormat::ND, std::int32_t>,
                                          ConvType<TPosition::GM, ConvFormat::NDC1HWC0, T>,
                                          ConvType<TPosition::GM, ConvFormat::FRACTAL_Z_3D, float>>;

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
        rows_(std::clamp<Int>(tiling.basicBlockTiling.singleCoreK / t_.wo, 1, t_.ho)),
        block_(tiling.basicBlockTiling),
        x_(tensor(const_cast<T*>(x))),
        dy_(tensor(const_cast<T*>(dy))),
        dw_(tensor(dw)) {
    filter_.Init(&t_);
  }
  ~Core() { filter_.End(); }
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  /// All blocks in one list, of which each core takes a stretch.
  void add_atomically(Int core, Int cores) {
    const Job job{shape_of(t_), rows_, block_.singleCoreM, block_.singleCoreN};
    impl::Loops loops;
    impl::cube::each_shared_block(loops, job, cores, core, [&](const Block& b) {
      begin(job, b);
      while (filter_.Iterate()) filter_.GetTensorC(dw_[at(impl::cube::dw_base(job, b))]);
    });
  }

  /// The list holds tiles of dW; a core adds all that belongs to its own, images and depths ascending.
  void add_owned(Int core, Int cores) {
    const Job job{shape_of(t_), rows_, t_.baseM, block_.singleCoreN};
    impl::Loops loops;
    impl::cube::each_owned_block(loops, job, cores, core, [&](const Block& b) {
      begin(job, b);
      add_tiles(b, impl::cube::dw_base(job, b));
    });
  }

 private:
  static std::uint64_t at(Int offset) { return static_cast<std::uint64_t>(offset); }

  /// Hands a block over.
  void begin(const Job& job, const Block& b) {
    filter_.SetGradOutput(dy_[at(impl::cube::dy_base(job, b))]);
    filter_.SetInput(x_[at(impl::cube::x_base(job, b))]);
    filter_.SetSingleShape(at(impl::length(b.channels)), at(impl::length(b.columns)),
                           at(impl::length(b.rows)) * t_.wo);
    filter_.SetStartPosition(static_cast<std::int32_t>(b.rows.first));
    filter_.ctx.isFirstIter_ = true;
  }

  /// Adds a block of one tile of channels; its tiles of columns come one after the other.
  void add_tiles(const Block& b, Int dw) {
    const auto sixteens = [](Int elems) { return elems / spec::kC0; };
    const impl::cube::Grid<Int> grid{sixteens(impl::length(b.channels)),
                                     sixteens(impl::length(b.columns)),
                                     sixteens(t_.baseM),
                                     sixteens(t_.baseN),
                                     t_.stepM,
                                     t_.stepN,
                                     t_.iterateOrder};
    scratch_.resize(std::size_t{t_.baseM} * t_.baseN);
    for (Int j = 0; filter_.Iterate(); ++j) {
      filter_.GetTensorC(tensor(scratch_.data()), 0, true);
      const auto tile = impl::cube::tile_at<Int>(grid, 0, j, impl::length(b.rows) * t_.wo);
      move_tile(tile, scratch_.data(), impl::cube::in_sequence(grid), dw_.GetPhyAddr(at(dw)),
                impl::cube::in_fractals<Int>(tile, t_.cout1G), Adding::alone);
    }
  }

  TConv3DBpFilterTiling t_;
  Int rows_;
  TConv3DBpFilterBasicBlockTiling block_;
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
