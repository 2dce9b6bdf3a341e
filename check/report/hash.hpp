#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace wgradcheck::check {

/// 64-bit FNV-1a of texts, told apart by their ends.
class Hash {
 public:
  void add(std::string_view part);
  /// 16 hexadecimal digits.
  std::string text() const;

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace wgradcheck::check
