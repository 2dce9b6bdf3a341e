#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <variant>

#include "check/kernel.hpp"
#include "check/run/arena.hpp"

namespace wgradcheck::check {

/// A kernel loaded into this process.
class Entry {
 public:
  /// None yet.
  Entry() = default;
  /// Loads the kernel's library for good, or says why it does not load.
  static std::variant<Entry, std::string> load(const Kernel&);

  /// Calls it on the buffers as the core of that rank; returns what a host kernel returns, else 0.
  int call(const Layout&, bool has_bias, std::uint32_t core_mask, int rank) const;
  /// The workspace, in bytes, that a host kernel asks for; what it says goes into the text.
  std::int64_t ask(const wgrad_problem&, std::array<char, WGRAD_TEXT>& text) const;
  /// Where the system put the library.
  std::uintptr_t base() const { return base_; }

 private:
  void *entry_ = nullptr, *query_ = nullptr;
  bool takes_mask_ = false, takes_tiling_ = false;
  std::uintptr_t base_ = 0;
};

}  // namespace wgradcheck::check
