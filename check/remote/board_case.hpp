#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/judge/court.hpp"
#include "check/remote/memory_map.hpp"

namespace wgradcheck::check {

/// The bits of one element.
struct Bits {
  std::int64_t index = 0;
  std::uint32_t bits = 0;
};

/// The bits of element i of a tensor.
std::uint32_t bits_at(DType, std::span<const std::byte> tensor, std::int64_t i);

/// Writes them.
void set_bits(DType, std::span<std::byte> tensor, std::int64_t i, std::uint32_t bits);

/// How a program on a board makes a tensor: drawn integers times 2^-scale, some elements apart.
struct BoardTensor {
  Draw draw;  ///< of magnitude 0: all elements are 0
  int scale = 0;
  std::vector<Bits> others{};  ///< what elements hold instead, sorted
};

/// A call that a program on a board makes.
struct BoardCase {
  Case test;
  CallImage image;
  Spots spots;
  std::array<BoardTensor, 4> tensors;       ///< dy, x, dw, bias
  std::int64_t keep_every = 1;              ///< pixels of dy: the others are zeros
  std::optional<Fill> fill{};               ///< whose numbers these are; nothing for numbers given one by one
  std::optional<std::uint64_t> expected{};  ///< digest_of the dW that is right, where there is but one
  std::vector<std::byte> dw{};              ///< that dW, until the call is remembered for a program
  bool whole = false;                       ///< dW is returned whatever it is
  std::uint64_t key = 0;                    ///< tells it from every other call
};

/// 64 bits that tell one dW from another: h = elements; for each element h = scrambled(h, its bits).
std::uint64_t digest_of(DType, std::span<const std::byte> dw);

/// A number that the call and the bytes of its tensors determine.
std::uint64_t key_of(const CallImage&, const Case&, const Tensors&);

/// The fill that gives these tensors, as those of a search do; nothing where none does.
std::optional<Fill> fill_of(const Case&, const Tensors&);

/// What dW must hold after the call on these tensors, where that is one sequence of bits: on exact data
/// without Inf and NaN.
std::optional<std::vector<std::byte>> expected_bytes(const Case&, const Fill&, const Promises&,
                                                     const Tensors&);

/// The call on these tensors.
BoardCase board_case(const CallImage&, const Spots&, const Promises&, const Case&, const Tensors&);

}  // namespace wgradcheck::check
