#include "check/search/shard.hpp"

#include <fmt/format.h>

#include "check/kernel.hpp"
#include "check/text.hpp"

namespace wgradcheck::check {

Shard shard_of(const std::string& text) {
  constexpr std::int64_t kMost = 1'000'000;
  const auto parts = split(text, '/');
  const auto index = whole_number<std::int64_t>(parts.front()),
             count = whole_number<std::int64_t>(parts.back());
  if (parts.size() != 2 || !index || !count || *count > kMost || *index < 1 || *index > *count)
    throw BadInput{fmt::format("--shard is {}; it must be i/n with i from 1 to n, as 3/8", text)};
  return {*index - 1, *count};
}

}  // namespace wgradcheck::check
