#include "check/program/old_kernel.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "check/run/local_executor.hpp"

namespace wgradcheck::check {
namespace {

/// Whether calls of one convention are calls of the other.
bool same_calls(const Abi& a, const Abi& b) {
  return std::string_view(a.symbol) == b.symbol && a.dtype == b.dtype && a.shared == b.shared &&
         a.host == b.host;
}

}  // namespace

void OldKernelOptions::add_to(CLI::App& command) {
  command
      .add_option("--against", what,
                  "An older kernel of the same convention, to compare each run with bit by bit and within "
                  "the bound; repeatable for several sources")
      ->allow_extra_args(false);
}

Kernel OldKernelOptions::open(const Kernel& now, const KernelOptions& options,
                              const std::string& scratch) const {
  const std::string folder = scratch + "/old";
  std::filesystem::create_directories(folder);
  const bool is_name = what.size() == 1 && !std::filesystem::exists(what.front());
  const std::string abi = is_name ? "" : now.abi->name, symbol = is_name ? "" : options.symbol;
  Kernel old = open_kernel(what, abi, symbol, {.compiler = options.compiler, .flags = options.flags}, folder);
  if (!same_calls(*old.abi, *now.abi))
    throw BadInput{fmt::format("--against {} is called as {}, but {} as {}", old.name, old.abi->name,
                               now.name, now.abi->name)};
  return old;
}

void OldKernelOptions::add_to(Invocation& how) const {
  for (const std::string& word : what) how.options.insert(how.options.end(), {"--against", word});
}

OldKernel::OldKernel(const Kernel& kernel, const Promises& promises, double timeout)
    : executor(local_executor(kernel, {.deadline = timeout})),
      against(*executor, promises, *kernel.abi, kernel.name + ": " + kernel.symbol) {}

}  // namespace wgradcheck::check
