#include "targets/ascend/driver.hpp"
#include "targets/ascend/include/kernel_operator.h"

/// The bundled kernel of one element type, ASCEND_TYPE: a core's share, added atomically.
extern "C" [[gnu::visibility("default")]] void conv3d_backprop_filter(
    const void* x, const void* dy, float* dw, const Conv3DBackpropFilterTilingData* tiling, int core,
    int cores) {
  namespace ascend = wgradcheck::targets::ascend;
  ascend::add_share(static_cast<const ASCEND_TYPE*>(x), static_cast<const ASCEND_TYPE*>(dy), dw, *tiling,
                    core, cores, ascend::Sharing::atomic);
}
