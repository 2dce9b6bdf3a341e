#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "check/run/conv_param.hpp"

namespace wgradcheck::check {

/// Bytes around each buffer whose writing is seen.
inline constexpr std::int64_t kBoardMargin = 512;
/// Bytes that ConvParameter may have there; with pointers of eight it has 88.
inline constexpr std::int64_t kParameterRoom = 96;

/// A part of a device's memory in which a program may place buffers.
struct Memory {
  std::string name{};                   ///< a C identifier
  std::optional<std::uint64_t> base{};  ///< its address, a multiple of 64; nothing: an array of the program's
  std::int64_t bytes = 0;
  std::vector<BufferId> buffers{};  ///< that lie there whatever the convention says
};

/// The memories of a device in the order in which the user named them; at least one.
using MemoryMap = std::vector<Memory>;

/// Reads NAME=BASE:SIZE[:BUFFER+BUFFER...],... such as `AM=0x10000000:768K,DDR=0x80000000:256M`. A base is
/// decimal or hexadecimal, or empty for an array in the program; a size has K, M or G behind it or counts
/// bytes. Throws BadInput that names what cannot be read, overlaps or is beyond 64 bits.
MemoryMap parse_memory_map(const std::string& text);

/// Where a buffer starts: a memory of the map, and bytes from its start.
struct Spot {
  std::size_t memory = 0;
  std::int64_t offset = 0;
};

/// A spot for each buffer, in BufferId's order.
using Spots = std::array<Spot, kBuffers>;

/// Places a case's buffers, 2 * kBoardMargin bytes or more apart, or says what does not fit. Each starts at a
/// multiple of the alignment that the kernel promises to be content with, and of no more; without such a
/// promise at a multiple of 64 bytes. Private kernels work in the first memory, shared ones in the last, as
/// the documents' examples do.
std::variant<Spots, std::string> place(const MemoryMap&, const Abi&, const CallImage&, const Case&);

}  // namespace wgradcheck::check
