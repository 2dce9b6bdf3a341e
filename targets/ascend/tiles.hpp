#pragma once
#include <cstdint>
#include <optional>

#include "targets/ascend/include/lib/conv_backprop/conv3d_bp_filter_tiling.h"

namespace wgradcheck::targets::ascend {

/// What of a problem decides its tiles. Sizes in elements; channels padded to blocks.
struct TileProblem {
  std::int64_t m, n, k;  ///< padded Cout; Kh * Kw * padded Cin; Ho * Wo rounded up to 16
  std::int64_t wo, wi, kernel_h, kernel_w, stride_h, stride_w, dilation_h;
};

/// How the product is cut for L0 and L1, by the fields' names in TConv3DBpFilterTiling.
struct Tiles {
  std::int64_t base_m, base_n, base_k;
  std::int64_t step_m = 1, step_n = 1, step_ka = 1, step_kb = 1;
  std::int64_t buffers_a = 2, buffers_b = 2, buffers_c = 2;  ///< al1Pbuffer, bl1Pbuffer, cl0Pbuffer
  std::int64_t b_bound = 0;                                  ///< bl1Bound, elements
  std::int64_t core_m = 0, core_n = 0, core_k = 0;           ///< singleCoreM, N and K
};

/// Bytes that tiles of 16-bit elements take of each buffer.
struct Footprint {
  std::int64_t l0a, l0b, l0c, l1;
};
Footprint footprint(const Tiles&);

/// The tiles that the documents' algorithm chooses, or nothing where none fit the platform.
std::optional<Tiles> choose_tiles(const TileProblem&, const ConvBackpropApi::PlatformInfo&);

}  // namespace wgradcheck::targets::ascend
