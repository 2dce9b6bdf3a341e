#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "check/abi.hpp"
#include "check/remote/board_case.hpp"

namespace wgradcheck::check {

/// What a program for a board is made of.
struct BoardProgram {
  const Abi* abi = nullptr;
  MemoryMap memory;
  std::vector<BoardCase> cases;
  std::string comment{};        ///< for who reads it
  std::int64_t full = 1 << 16;  ///< bytes of a dW that is returned whole where it is not what is expected
};

/// A number that the records of a program begin with, so that those of another are not taken for them; of its
/// calls' keys.
std::uint32_t id_of(std::span<const std::uint64_t> keys);

/// A freestanding C89 program that makes the calls on one core, each at least twice with different bytes
/// around its buffers, and writes records as board_records.c says; transcript.hpp reads them.
std::string to_c(const BoardProgram&);

}  // namespace wgradcheck::check
