#include <fmt/format.h>

#include "check/judge/promises.hpp"
#include "check/kernel.hpp"
#include "check/program/commands.hpp"
#include "check/report/words.hpp"

namespace wgradcheck::check {

constexpr std::size_t kColumns = 79, kIndent = 19;

void add_targets(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("targets", "List the bundled targets and the calling conventions");
  command->callback([&status] {
    fmt::print("Bundled targets, for `check NAME`:\n");
    for (const Kernel& k : bundled_kernels())
      if (const std::string why = absence(k); why.empty())
        fmt::print("  {:<16} {}\n{:19}{}\n", k.name, k.symbol, "",
                   wrapped(Promises::bundled(*k.abi).text(), kColumns - kIndent, kIndent));
      else
        fmt::print("  {:<16} {}\n", k.name, why);
    fmt::print("\nCalling conventions, for --abi:\n");
    for (const Abi& a : abis())
      fmt::print("  {:<15} {:<22} {}, {}\n", a.name, a.symbol,
                 a.dtype == DType::f32   ? "f32"
                 : a.dtype == DType::f16 ? "f16"
                                         : "bf16",
                 a.ascend   ? "on every core, 2D and 3D, packed"
                 : a.host   ? "in threads of its own, 2D and 3D"
                 : a.shared ? "on every core of a mask"
                            : "on one core");
    status = 0;
  });
}

}  // namespace wgradcheck::check
