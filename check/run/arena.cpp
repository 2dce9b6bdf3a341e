#include "check/run/arena.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <numeric>
#include <utility>

#include "spec/arith.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kBlock = 4096;
constexpr std::int64_t kLine = 64;  ///< of a cache, bytes

constexpr auto kPattern = [] {
  std::array<std::byte, kBlock + 1> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = i % 2 == 0 ? std::byte{0xe7} : std::byte{0xff};
  return bytes;
}();

/// The pattern as it reads from an address on, which depends on whether that is even.
const std::byte* pattern_at(const std::byte* address) {
  return kPattern.data() + reinterpret_cast<std::uintptr_t>(address) % 2;
}

/// Calls visit(start, bytes) for pieces of at most kBlock bytes until it returns true.
template <class Visit>
void each_block(std::byte* data, std::int64_t bytes, Visit visit) {
  for (std::int64_t at = 0; at < bytes; at += kBlock)
    if (visit(data + at, static_cast<std::size_t>(std::min(kBlock, bytes - at)))) return;
}

bool differs(const std::byte* data, std::size_t bytes) {
  return std::memcmp(data, pattern_at(data), bytes) != 0;
}

/// First byte of the range without the pattern, or null.
const std::byte* first_change(std::byte* data, std::int64_t bytes) {
  const std::byte* found = nullptr;
  each_block(data, bytes, [&found](const std::byte* block, std::size_t n) {
    if (differs(block, n)) found = std::mismatch(block, block + n, pattern_at(block)).first;
    return found != nullptr;
  });
  return found;
}

/// Last byte of the range without the pattern, or null. Looks from the end, where most ranges are intact.
const std::byte* last_change(const std::byte* data, std::int64_t bytes) {
  for (std::int64_t at = (bytes - 1) / kBlock * kBlock; at >= 0 && bytes > 0; at -= kBlock) {
    const std::byte* block = data + at;
    const auto n = static_cast<std::size_t>(std::min(kBlock, bytes - at));
    if (!differs(block, n)) continue;
    std::size_t i = n - 1;
    while (block[i] == pattern_at(block)[i]) --i;
    return block + i;
  }
  return nullptr;
}

std::int64_t page_size() {
  static const std::int64_t size = sysconf(_SC_PAGESIZE);
  return size;
}

std::int64_t gap_after(std::int64_t pages) { return std::max(kGap, pages); }

std::int64_t whole_pages(std::int64_t bytes) { return spec::ceil_div(bytes, page_size()) * page_size(); }

std::int64_t distance(const Place& p, const std::byte* address) {
  if (address < p.data) return p.data - address;
  return address < p.data + p.bytes ? 0 : address - (p.data + p.bytes) + 1;
}

}  // namespace

std::int64_t alignment_of(BufferId id, const Case& c) {
  const std::int64_t own = id == BufferId::param       ? std::int64_t{alignof(ConvParam)}
                           : id == BufferId::dw        ? size_of(c.dw_type())
                           : id != BufferId::workspace ? size_of(c.dtype)
                           : c.host                    ? kWorkspaceAlignment
                                                       : 4;
  return std::max(own, c.align);
}

Tensors Layout::tensors() const {
  const Layout& l = *this;
  return {l[BufferId::dy].span(), l[BufferId::x].span(), l[BufferId::dw].span(), l[BufferId::bias].span()};
}

std::int64_t offset_in_pages(std::int64_t pages, std::int64_t room, BufferId id, const Case& c) {
  const std::int64_t alignment = alignment_of(id, c), free = pages - room;
  switch (c.placement) {
    case Placement::flush_start:
      return 0;
    case Placement::flush_end:
      return spec::floor_div(free, alignment) * alignment;
    case Placement::aligned:
      return spec::floor_div(free, std::max(alignment, kLine)) * std::max(alignment, kLine);
    case Placement::least: {
      const std::int64_t step = std::max(2 * alignment, kLine);
      return spec::floor_div(free - alignment, step) * step + alignment;
    }
  }
  return 0;
}

Sizes pages_for(const Sizes& room, const Case& c) {
  Sizes pages{};
  for (std::size_t i = 0; i < room.size(); ++i) {
    const std::int64_t before =
        c.placement == Placement::least ? alignment_of(static_cast<BufferId>(i), c) : 0;
    pages[i] = whole_pages(std::max<std::int64_t>(room[i] + before, 1));
  }
  return pages;
}

std::int64_t extent_of(const Sizes& pages) {
  std::int64_t extent = kGap;
  for (const std::int64_t bytes : pages) extent += bytes + gap_after(bytes);
  return extent;
}

std::optional<std::string> too_large(const Sizes& room) {
  static const std::int64_t most = sysconf(_SC_PHYS_PAGES) / 4 * page_size();
  // A size that no shape can have is refused before, so that their sum does not overflow.
  const auto bytes = std::accumulate(room.begin(), room.end(), std::int64_t{0});
  if (bytes <= most) return {};
  return fmt::format("its buffers have {:.1f} GiB, more than a quarter of this machine's memory",
                     std::ldexp(static_cast<double>(bytes), -30));
}

Layout lay_out(std::byte* base, const Sizes& pages, const CallImage& image, const Case& c) {
  Layout layout;
  std::byte* at = base + kGap;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    std::byte* const data = at + offset_in_pages(pages[i], image.room[i], static_cast<BufferId>(i), c);
    layout.places[i] = {at, pages[i], data, image.sizes[i]};
    at += pages[i] + gap_after(pages[i]);
  }
  return layout;
}

void poison(std::byte* data, std::int64_t bytes) {
  each_block(data, bytes, [](std::byte* block, std::size_t n) {
    std::memcpy(block, pattern_at(block), n);
    return false;
  });
}

void poison_around(const Layout& layout) {
  for (const Place& p : layout.places) {
    poison(p.pages, p.data - p.pages);
    poison(p.data + p.bytes, p.pages + p.page_bytes - (p.data + p.bytes));
  }
  const Place& workspace = layout[BufferId::workspace];
  poison(workspace.data, workspace.bytes);
}

std::optional<Stray> damage(const Layout& layout) {
  std::optional<Stray> nearest;
  const auto consider = [&](const std::byte* address) {
    if (address == nullptr) return;
    const Stray stray = locate(layout, address, true);
    const auto far = [&](const Stray& s) {
      return s.offset < 0 ? -s.offset : s.offset - layout[s.buffer].bytes;
    };
    if (!nearest || far(stray) < far(*nearest)) nearest = stray;
  };
  for (const Place& p : layout.places) {
    std::byte* const end = p.data + p.bytes;
    consider(first_change(end, p.pages + p.page_bytes - end));
    consider(last_change(p.pages, p.data - p.pages));
  }
  return nearest;
}

std::int64_t used(const Place& place) {
  const std::byte* last = last_change(place.data, place.bytes);
  return last == nullptr ? 0 : last + 1 - place.data;
}

Stray locate(const Layout& layout, const std::byte* address, bool write) {
  const auto nearest =
      std::ranges::min_element(layout.places, {}, [address](const Place& p) { return distance(p, address); });
  return {static_cast<BufferId>(nearest - layout.places.begin()), address - nearest->data, write};
}

void inspect(const Layout& layout, const CallImage& given, Outcome& outcome) {
  if (!outcome.stray) outcome.stray = damage(layout);
  outcome.param_changed = changed_field(given, layout[BufferId::param].data);
  outcome.workspace_used = used(layout[BufferId::workspace]);
}

SharedMemory::SharedMemory(std::int64_t bytes, int file) : bytes_(bytes) {
  if (file >= 0 && ftruncate(file, bytes) != 0) throw std::bad_alloc();
  const int flags = MAP_SHARED | MAP_NORESERVE | (file < 0 ? MAP_ANONYMOUS : 0);
  void* const mapped = mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, flags, file, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(mapped);
}

SharedMemory::~SharedMemory() { munmap(data_, static_cast<std::size_t>(bytes_)); }

}  // namespace wgradcheck::check
