#include "check/program/call_options.hpp"

#include <fmt/format.h>

#include <vector>

#include "check/kernel.hpp"
#include "check/text.hpp"

namespace wgradcheck::check {
namespace {

/// The lowest bits of a mask.
std::uint32_t lowest(int bits) { return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1); }

/// Masks for every count of cores up to `most`: the lowest bits, and a mask with gaps.
std::vector<std::uint32_t> masks_up_to(int most) {
  std::vector<std::uint32_t> masks;
  for (int n = 1; n <= most; ++n) {
    masks.push_back(lowest(n));
    if (n > 1 && n <= 16) {
      std::uint32_t gaps = 0;
      for (int i = 0; i < n; ++i) gaps |= 2u << (2 * i);
      masks.push_back(gaps);
    }
  }
  return masks;
}

/// Masks whose bits count the threads of a host kernel, or the cores of one of Ascend.
std::vector<std::uint32_t> threads_of(const CallOptions& o) {
  if (o.threads != 0) return {lowest(o.threads)};
  std::vector<std::uint32_t> masks;
  for (int n = 1; n <= (o.cores ? o.cores : 4); ++n) masks.push_back(lowest(n));
  return masks;
}

std::vector<std::uint32_t> masks_of(const CallOptions& o, const Abi& abi) {
  if (abi.host) return threads_of(o);
  if (o.core_mask.empty()) return masks_up_to(abi.shared ? (o.cores ? o.cores : 4) : 1);
  const int base = o.core_mask.starts_with("0b") ? 2 : o.core_mask.starts_with("0x") ? 16 : 10;
  const std::uint32_t mask =
      whole_number<std::uint32_t>(o.core_mask.substr(base == 10 ? 0 : 2), base).value_or(0);
  if (mask == 0)
    throw BadInput{fmt::format("--core-mask is {}; it must be a number from 1 to 0xffffffff", o.core_mask)};
  if (!abi.shared && mask != 1)
    throw BadInput{fmt::format("--core-mask is {}, but {} is called on one core", o.core_mask, abi.name)};
  return {mask};
}

WorkspaceSize workspace_of(const std::string& text) {
  if (text == "documented") return {WorkspaceSize::Kind::documented, 0};
  if (text == "safe") return {WorkspaceSize::Kind::safe, 0};
  const auto bytes = whole_number<std::int64_t>(text);
  if (bytes && *bytes >= 0) return {WorkspaceSize::Kind::bytes, *bytes};
  throw BadInput{fmt::format("--workspace is {}; it must be documented, safe or a number of bytes", text)};
}

}  // namespace

void CallOptions::add_to(CLI::App& command) {
  command
      .add_option("--cores", cores, "Every count of cores or threads from 1 to N (shared and host kernels)")
      ->check(CLI::Range(1, 32));
  command.add_option("--core-mask", core_mask, "This mask of cores alone, such as 0b1010 or 0xa");
  command.add_option("--threads", threads, "So many threads alone (host kernels; else 1 to 4)")
      ->check(CLI::Range(1, 32));
  command
      .add_option("--implementation", implementation,
                  "This implementation alone, or cut of an Ascend tiling; else 0 to 3")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 31));
  command.add_option("--buffer", buffer, "buffer_size_ of every case, bytes")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{0x7fffffff}));
  command.add_option("--workspace", workspace, "documented, safe or a number of bytes")
      ->capture_default_str();
}

void CallOptions::require_meaning(const Abi& abi) const {
  const auto refuse = [&abi](const char* option, bool given) {
    if (given) throw BadInput{fmt::format("{} means nothing to the convention {}", option, abi.name)};
  };
  refuse("--cores", !abi.host && !abi.shared && cores > 1);
  refuse("--core-mask", abi.host && !core_mask.empty());
  refuse("--buffer", abi.host && buffer);
  refuse("--workspace", abi.host && workspace != "documented");
  refuse("--threads", !has_query(abi) && threads != 0);
  refuse("--implementation", !abi.host && implementation);
}

void CallOptions::set(Domain& domain) const {
  domain.buffer = buffer;
  domain.workspace = workspace_of(workspace);
  domain.core_masks = masks_of(*this, *domain.abi);
  if (domain.abi->host) domain.implementations = {0, 0, 1, 2, 3};
  if (implementation) domain.implementations = {*implementation};
}

}  // namespace wgradcheck::check
