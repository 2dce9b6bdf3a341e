#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "check/executor.hpp"
#include "check/run/conv_param.hpp"

namespace wgradcheck::check {

/// Bytes of address space that nobody may touch between two buffers, at least; a far access past one buffer
/// is then not taken for an access to the next, not even one that an index of 16 bits wraps to.
inline constexpr std::int64_t kGap = 1 << 20;

/// One buffer in guarded memory: `bytes` from `data`, inside whole pages of its own. The rest of the pages,
/// its slack, carries the pattern; outside them lie at least kGap inaccessible bytes.
struct Place {
  std::byte* pages = nullptr;
  std::int64_t page_bytes = 0;
  std::byte* data = nullptr;
  std::int64_t bytes = 0;

  std::span<std::byte> span() const { return {data, static_cast<std::size_t>(bytes)}; }
};

/// The buffers of one case, in BufferId's order.
struct Layout {
  std::array<Place, kBuffers> places;

  const Place& operator[](BufferId id) const { return places[static_cast<std::size_t>(id)]; }
  Tensors tensors() const;
};

/// The alignment that a buffer must have, bytes.
std::int64_t alignment_of(BufferId, const Case&);

/// Bytes from the start of a buffer's pages to where the case's placement puts it, `room` bytes being wanted
/// from there on.
std::int64_t offset_in_pages(std::int64_t pages, std::int64_t room, BufferId, const Case&);

/// Bytes of the whole pages in which each buffer has its room where the case's placement puts it, at least
/// one page each.
Sizes pages_for(const Sizes& room, const Case&);

/// Bytes of address space that buffers with these pages take, gaps included.
std::int64_t extent_of(const Sizes& pages);

/// Why buffers with so much room are more than this machine should hold, or nothing. Their numbers are held
/// twice more outside of the arena.
std::optional<std::string> too_large(const Sizes& room);

/// Places a case's buffers in pages of the given sizes from `base` on, which is page-aligned, as the case
/// asks. They start on a multiple of their element's size, the parameter of 8, the workspace of 4 or, for a
/// host kernel, of kWorkspaceAlignment.
Layout lay_out(std::byte* base, const Sizes& pages, const CallImage&, const Case&);

/// Fills [data, data + bytes) with the 16-bit pattern 0xffe7, a NaN in f32, f16 and bf16. data is even.
void poison(std::byte* data, std::int64_t bytes);

/// Poisons every slack and the workspace.
void poison_around(const Layout&);

/// The byte nearest to its buffer where a slack no longer carries the pattern, or nothing.
std::optional<Stray> damage(const Layout&);

/// Bytes from the start to the last one that no longer carries the pattern.
std::int64_t used(const Place&);

/// An access told relative to the buffer nearest to it.
Stray locate(const Layout&, const std::byte* address, bool write);

/// Completes an outcome with what the memory shows: damage to a slack unless a stray access is known already,
/// the parameter's first changed field, the use of the workspace.
void inspect(const Layout&, const CallImage& given, Outcome&);

/// Zeroed memory that this process shares with those forked later, at one address. Pages take space once
/// touched. Throws std::bad_alloc.
class SharedMemory {
 public:
  /// The memory of an open file, made that long, where one is given.
  explicit SharedMemory(std::int64_t bytes, int file = -1);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::byte* data() const { return data_; }
  std::int64_t size() const { return bytes_; }
  bool holds(const std::byte* address) const { return address >= data_ && address < data_ + bytes_; }

 private:
  std::byte* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

}  // namespace wgradcheck::check
