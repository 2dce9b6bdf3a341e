#include "check/machine/memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "check/kernel.hpp"

namespace wgradcheck::check {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Bytes between an address and the memory, 0 when it is inside.
std::uint64_t distance(const Memory& m, std::uint64_t address) {
  if (address < m.base) return m.base - address;
  return m.holds(address) ? 0 : address - m.base - static_cast<std::uint64_t>(m.size) + 1;
}

/// Where the file that backs the memories holds this core's: DDR first, then each core's AM.
std::int64_t offset(int core, const Memory& m) { return m.is_private ? kDdr.size + core * m.size : 0; }

}  // namespace

std::string nearest(std::uint64_t address) {
  const Memory* near = &kMemories[0];
  for (const Memory& m : kMemories)
    if (distance(m, address) < distance(*near, address)) near = &m;
  const std::uint64_t end = near->base + static_cast<std::uint64_t>(near->size);
  return address < near->base ? fmt::format("{:#x}, {} bytes before the start of {} ({:#x} to {:#x})",
                                            address, near->base - address, near->name, near->base, end - 1)
                              : fmt::format("{:#x}, {} bytes past the end of {} ({:#x} to {:#x})", address,
                                            address - end, near->name, near->base, end - 1);
}

Memories::Memories(int cores) : size_(offset(cores, kAm)) {
  file_ = memfd_create("memories", MFD_CLOEXEC);
  if (file_ < 0 || ftruncate(file_, size_) != 0) fail("the machine's memories cannot be made");
  void* const data = mmap(nullptr, static_cast<std::size_t>(size_), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_NORESERVE, file_, 0);
  if (data == MAP_FAILED) fail("the machine's memories cannot be mapped");
  data_ = static_cast<std::byte*>(data);
}

Memories::~Memories() {
  munmap(data_, static_cast<std::size_t>(size_));
  close(file_);
}

std::span<std::byte> Memories::at(int core, std::uint64_t address, std::int64_t count) const {
  for (const Memory& m : kMemories) {
    if (!m.holds(address)) continue;
    const auto within = static_cast<std::int64_t>(address - m.base);
    if (count > m.size - within)
      throw BadInput{fmt::format("{} bytes at {:#x} end past {}, which ends at {:#x}", count, address, m.name,
                                 m.base + static_cast<std::uint64_t>(m.size) - 1)};
    return {data_ + offset(core, m) + within, static_cast<std::size_t>(count)};
  }
  throw BadInput{"no memory of the machine holds " + nearest(address)};
}

void Memories::map(int core) const {
  for (const Memory& m : kMemories) {
    void* const wanted = reinterpret_cast<void*>(m.base);
    const void* const got = mmap(wanted, static_cast<std::size_t>(m.size), PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, file_, offset(core, m));
    if (got != wanted) fail(fmt::format("{} cannot be mapped at {:#x} in this process", m.name, m.base));
  }
}

}  // namespace wgradcheck::check
