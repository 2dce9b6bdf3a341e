#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>
#include <span>
#include <vector>

namespace wgradcheck {

/// A copy of some elements that ends where an inaccessible page begins: reading past it ends the test.
template <class T>
class Guarded {
 public:
  explicit Guarded(const std::vector<T>& from) : size_(from.size()) {
    const auto page = static_cast<std::size_t>(getpagesize());
    const std::size_t bytes = from.size() * sizeof(T);
    const std::size_t body = (bytes + page - 1) / page * page;
    mapped_ = body + page;
    void* base = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<char*>(base);
    mprotect(base_ + body, page, PROT_NONE);
    data_ = reinterpret_cast<T*>(base_ + body - bytes);
    std::copy(from.begin(), from.end(), data_);
  }
  ~Guarded() { munmap(base_, mapped_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  T* data() const { return data_; }
  std::vector<T> copy() const { return std::vector<T>(data_, data_ + size_); }

 private:
  std::size_t size_, mapped_ = 0;
  char* base_ = nullptr;
  T* data_ = nullptr;
};

}  // namespace wgradcheck
