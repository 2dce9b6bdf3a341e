#include "check/search/shard.hpp"

#include <fmt/format.h>

#include <charconv>

#include "check/kernel.hpp"

namespace wgradcheck::check {

Shard shard_of(const std::string& text) {
  constexpr std::int64_t kMost = 1'000'000;
  std::int64_t index = 0, count = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, index);
  const bool parted = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const auto second = std::from_chars(parted ? first.ptr + 1 : end, end, count);
  if (second.ec != std::errc() || second.ptr != end || count < 1 || count > kMost || index < 1 ||
      index > count)
    throw BadInput{fmt::format("--shard is {}; it must be i/n with i from 1 to n, as 3/8", text)};
  return {index - 1, count};
}

}  // namespace wgradcheck::check
