#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <new>

namespace wgradcheck::targets::onednn {

/// Memory whose end touches an inaccessible page, aligned to 64 bytes.
class Guarded {
 public:
  explicit Guarded(std::size_t bytes) : bytes_(bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t room = (bytes + page - 1) / page * page;
    mapped_ = room + page;
    pages_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages_ == MAP_FAILED) throw std::bad_alloc();
    mprotect(static_cast<std::byte*>(pages_) + room, page, PROT_NONE);
    data_ = static_cast<std::byte*>(pages_) + (room - bytes) / 64 * 64;
  }
  ~Guarded() { munmap(pages_, mapped_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  void* data() const { return data_; }
  /// Fills it with NaN of every type.
  void poison() const { std::memset(data_, 0xff, bytes_); }

 private:
  std::size_t bytes_, mapped_ = 0;
  void* pages_ = nullptr;
  std::byte* data_ = nullptr;
};

}  // namespace wgradcheck::targets::onednn
