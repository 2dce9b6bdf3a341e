#pragma once
#include <oneapi/dnnl/dnnl.h>

#include <cstdint>
#include <memory>
#include <string>

#include "targets/include/wgrad_kernel.h"
#include "targets/peers/onednn/guarded.hpp"

namespace wgradcheck::targets::onednn {

/// Destroys one of the library's objects by its own function.
template <auto destroy>
struct Destroyed {
  template <class T>
  void operator()(T* object) const {
    destroy(object);
  }
};
using Engine = std::unique_ptr<dnnl_engine, Destroyed<dnnl_engine_destroy>>;
using Stream = std::unique_ptr<dnnl_stream, Destroyed<dnnl_stream_destroy>>;
using Attributes = std::unique_ptr<dnnl_primitive_attr, Destroyed<dnnl_primitive_attr_destroy>>;
using Iterator =
    std::unique_ptr<dnnl_primitive_desc_iterator, Destroyed<dnnl_primitive_desc_iterator_destroy>>;
using Descriptor = std::unique_ptr<dnnl_primitive_desc, Destroyed<dnnl_primitive_desc_destroy>>;
using Primitive = std::unique_ptr<dnnl_primitive, Destroyed<dnnl_primitive_destroy>>;
using Memory = std::unique_ptr<dnnl_memory, Destroyed<dnnl_memory_destroy>>;

/// Why a problem is not supported, in words.
struct NotSupported {
  std::string reason;
};

/// A convolution's backward pass by weights with the scratchpad in the caller's hands: the library's own
/// choice of layout for diff_weights, then a reorder to the plain one.
class Convolution {
 public:
  /// Throws NotSupported.
  explicit Convolution(const wgrad_problem&);

  /// Bytes of the scratchpad as the library states them.
  std::int64_t scratchpad_bytes() const;
  /// The library's name of the implementation.
  std::string implementation() const;
  /// Whether memory of the peer's own is filled with NaN first, and whether dw is brought to the plain
  /// layout.
  struct Manner {
    bool poison = true, reorder = true;
  };
  /// Computes dw; returns the library's first status that is not success.
  dnnl_status_t run(const void* dy, const void* x, void* dw, void* scratchpad, Manner);

 private:
  dnnl_status_t prepare();

  Engine engine_;
  Stream stream_;
  dnnl_memory_desc_t src_{}, diff_dst_{}, plain_{};
  Descriptor descriptor_;
  Primitive primitive_, reorder_;       ///< made before the first run; no reorder where the layout is plain
  std::unique_ptr<Guarded> reordered_;  ///< diff_weights in the library's layout, where it is not plain
};

}  // namespace wgradcheck::targets::onednn
