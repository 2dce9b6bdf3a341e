#ifndef KERNEL_OPERATOR_H
#define KERNEL_OPERATOR_H

#include <cstdint>

// What of Ascend C's kernel_operator.h a kernel of Conv3DBackpropFilter names, for the host: global memory is
// memory. Valid from C++17 on.
#define __gm__
#define __aicore__

/// IEEE binary16 by its bits.
struct half {
  std::uint16_t bits;
};

/// The upper half of an IEEE binary32, by its bits.
struct bfloat16_t {
  std::uint16_t bits;
};

namespace AscendC {

/// A tensor in global memory: an address and, where it was told, a number of elements.
template <typename T>
class GlobalTensor {
 public:
  using PrimType = T;

  void SetGlobalBuffer(T* buffer) { SetGlobalBuffer(buffer, 0); }
  void SetGlobalBuffer(T* buffer, std::uint64_t size) {
    data_ = buffer;
    size_ = size;
  }
  /// The tensor that begins `offset` elements further on.
  GlobalTensor operator[](std::uint64_t offset) const {
    GlobalTensor rest;
    rest.SetGlobalBuffer(data_ + offset, offset < size_ ? size_ - offset : 0);
    return rest;
  }
  T* GetPhyAddr() const { return data_; }
  T* GetPhyAddr(std::uint64_t offset) const { return data_ + offset; }
  T GetValue(std::uint64_t offset) const { return data_[offset]; }
  void SetValue(std::uint64_t offset, T value) { data_[offset] = value; }
  std::uint64_t GetSize() const { return size_; }

 private:
  T* data_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace AscendC

#endif
