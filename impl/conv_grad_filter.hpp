#pragma once
#include <cstdint>
#include <functional>

#include "impl/half.hpp"
#include "spec/rules.hpp"

/// Conv2DBackpropFilterFusion on the host. Every function requires !spec::refuse(call).
namespace wgradcheck::impl {

/// A call's tensors, T being float or Half; bias is null or row_elems(call) elements.
template <class T>
struct Tensors {
  const T* dy;
  const T* x;
  T* dw;
  const T* bias;
};

/// How the general path packs: whole im2col rows, as the document says it, or panels of a few columns, which
/// make a chunk deeper and leave the sums in the cache.
enum class Packing { rows, panels };

/// One core in private memory: adds the gradient to dw. Uses workspace within 4 * buffer_size bytes: packed
/// positions in the first half, for Half the sums of a block of dW in the second.
template <class T>
void run_private(const spec::Call<std::int64_t>& call, const Tensors<T>& tensors, float* workspace,
                 Packing packing = Packing::panels);

/// The part of core `id` of call.core_num, to be called on each of them: sums a share of the batch into a
/// partial of its own, at spec::partial_offset in workspace, then adds a share of the elements' partials, in
/// ascending order of cores, to dw. barrier() returns once every core has called it; scratch is private to
/// the core.
template <class T>
void run_shared(const spec::Call<std::int64_t>& call, const Tensors<T>& tensors, float* workspace,
                std::int64_t id, const std::function<void()>& barrier, Packing packing = Packing::panels);

}  // namespace wgradcheck::impl
