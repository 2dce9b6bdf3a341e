#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

/// The machine that the documents' programs run on: cores that share one memory and own another each.
namespace wgradcheck::check {

inline constexpr int kMostCores = 32;  ///< the bits of a core mask

/// A memory at the address that programs use for it: bytes [base, base + size). A private one exists once a
/// core.
struct Memory {
  const char* name;
  std::uint64_t base;
  std::int64_t size;
  bool is_private;

  bool holds(std::uint64_t address) const {
    return address >= base && address - base < static_cast<std::uint64_t>(size);
  }
};

/// The memory that each core has to itself; its size is that of a related processor, FT-M7032.
inline constexpr Memory kAm{"AM", 0x10000000, std::int64_t{768} << 10, true};
/// The memory that the cores share: the documents' addresses 0x8x000000.
inline constexpr Memory kDdr{"DDR", 0x80000000, std::int64_t{256} << 20, false};
inline constexpr std::array<Memory, 2> kMemories{kAm, kDdr};

/// Where an address outside all memories lies: "0x90000010, 16 bytes past the end of DDR (0x80000000 to
/// 0x8fffffff)".
std::string nearest(std::uint64_t address);

/// The memories of all cores, zeroed. Throws std::system_error.
class Memories {
 public:
  explicit Memories(int cores);
  ~Memories();
  Memories(const Memories&) = delete;
  Memories& operator=(const Memories&) = delete;

  /// Bytes [address, address + count) as a core sees them, here. Throws BadInput unless one memory holds them
  /// all.
  std::span<std::byte> at(int core, std::uint64_t address, std::int64_t count) const;
  /// Maps the memories of one core at their addresses, in the process that plays it. Throws
  /// std::system_error.
  void map(int core) const;

 private:
  int file_ = -1;
  std::int64_t size_ = 0;
  std::byte* data_ = nullptr;
};

}  // namespace wgradcheck::check
