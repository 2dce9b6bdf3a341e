#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "check/judge/number.hpp"
#include "check/machine/machine.hpp"
#include "check/program/commands.hpp"
#include "check/report/files.hpp"
#include "check/report/npy.hpp"
#include "check/run/build.hpp"
#include "check/run/elf.hpp"
#include "check/text.hpp"

namespace wgradcheck::check {
namespace {

struct Options {
  std::vector<std::string> sources, loads, dumps;
  Compile compile;
  std::string target = "mt7004";
  int cores = 1;
  double timeout = 60;
};

/// An address that a --load or --dump names, on one core or on none in particular.
struct Location {
  std::optional<int> core;
  std::uint64_t address = 0;
};

/// One --load or --dump as it was typed, for refusals.
class Request {
 public:
  Request(const char* option, const std::string& text) : option_(option), rest_(text), text_(text) {}

  BadInput refuse(const std::string& why) const {
    return BadInput{fmt::format("{} {}: {}", option_, text_, why)};
  }
  /// The text up to the next colon, which is consumed; all that is left where there is none.
  std::string next() {
    const std::string part = rest_.substr(0, rest_.find(':'));
    rest_.erase(0, part.size() + 1);
    return part;
  }
  const std::string& rest() const { return rest_; }

  template <class Int>
  Int number(std::string digits) const {
    const bool hex = digits.starts_with("0x");
    if (hex) digits.erase(0, 2);
    const auto value = whole_number<Int>(digits, hex ? 16 : 10);
    if (!value) throw refuse(fmt::format("\"{}\" is not a number", digits));
    return *value;
  }
  Location location(const Machine& machine) {
    const std::string part = next();
    const std::size_t sign = part.find('@');
    Location at{{}, number<std::uint64_t>(part.substr(sign == std::string::npos ? 0 : sign + 1))};
    if (sign != std::string::npos) at.core = number<int>(part.substr(0, sign));
    if (at.core && (*at.core < 0 || *at.core >= machine.cores()))
      throw refuse(fmt::format("there is no core {} among {}", *at.core, machine.cores()));
    return at;
  }
  /// The bytes as a core sees them.
  std::span<std::byte> bytes(const Machine& machine, int core, std::uint64_t address,
                             std::int64_t count) const {
    try {
      return machine.memories().at(core, address, count);
    } catch (const BadInput& bad) {
      throw refuse(bad.sentence);
    }
  }

 private:
  const char* option_;
  std::string rest_, text_;
};

/// ADDR:FILE.npy. A load without a core goes to every core; where they share the memory that is once too
/// often and no harm.
void load(const std::string& text, const Machine& machine) {
  Request request("--load", text);
  const Location at = request.location(machine);
  const Npy array = read_npy(request.rest());
  const int first = at.core.value_or(0);
  const int last = at.core.value_or(machine.cores() - 1);
  for (int core = first; core <= last; ++core)
    std::ranges::copy(std::as_bytes(std::span(array.bytes)),
                      request.bytes(machine, core, at.address, std::ssize(array.bytes)).begin());
}

/// What a --dump asks for.
struct Dump {
  std::uint64_t address;
  std::int64_t count;
  DType dtype;
  std::string file;
  std::span<const std::byte> bytes;
};

/// ADDR:COUNT:f32|f16[:FILE.npy].
Dump dump_of(const std::string& text, const Machine& machine) {
  Request request("--dump", text);
  const Location at = request.location(machine);
  const auto count = request.number<std::int64_t>(request.next());
  const std::string type = request.next();
  if (type != "f32" && type != "f16")
    throw request.refuse(fmt::format("\"{}\" is neither f32 nor f16", type));
  if (count < 1 || count > kDdr.size) throw request.refuse(fmt::format("it asks for {} elements", count));
  const DType dtype = type == "f32" ? DType::f32 : DType::f16;
  if (!request.rest().empty()) require_writable(request.rest());
  return {at.address, count, dtype, request.rest(),
          request.bytes(machine, at.core.value_or(0), at.address, count * size_of(dtype))};
}

void show(const Dump& dump) {
  const char* const type = dump.dtype == DType::f32 ? "f32" : "f16";
  if (!dump.file.empty()) {
    const std::string bytes(reinterpret_cast<const char*>(dump.bytes.data()), dump.bytes.size());
    write_npy(dump.file, {dump.dtype == DType::f32 ? "<f4" : "<f2", {dump.count}, bytes});
    fmt::print("{:#x}: {} {} in {}\n", dump.address, dump.count, type, dump.file);
    return;
  }
  fmt::print("{:#x}: {} {}\n", dump.address, dump.count, type);
  constexpr std::int64_t kPerLine = 8;
  for (std::int64_t i = 0; i < dump.count; ++i)
    fmt::print("{:>13}{}", static_cast<float>(check::load(dump.dtype, dump.bytes, i)),
               i + 1 == dump.count || (i + 1) % kPerLine == 0 ? "\n" : "");
}

/// The shared object of a bundled platform, which exports all its entry points.
std::string library_of(const std::string& platform) {
  const auto kernels = bundled_kernels();
  const auto found = std::ranges::find(kernels, platform + "_fp32_p", &Kernel::name);
  if (found == kernels.end()) throw BadInput{fmt::format("--target is {}, which is no platform", platform)};
  return found->library;
}

int run_program(const Options& o) {
  const ScratchFolder scratch;
  const std::string program = build(o.sources, o.compile, scratch.path());
  if (std::ranges::count(exported_functions(program), "main") == 0)
    throw BadInput{fmt::format("{} defines no main", o.sources.front())};
  Machine machine(o.cores);
  for (const std::string& text : o.loads) load(text, machine);
  std::vector<Dump> dumps;
  for (const std::string& text : o.dumps) dumps.push_back(dump_of(text, machine));
  const auto limit =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(o.timeout));
  if (const auto wrong = machine.run(program, library_of(o.target), limit)) {
    fmt::print(stderr, "wgradcheck: {}\n", *wrong);
    return 1;
  }
  std::ranges::for_each(dumps, show);
  return 0;
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  const auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "run",
      "Run a program written for the machine: its main on every core, with DDR at 0x80000000, AM at "
      "0x10000000 and the documented entry points");
  command->add_option("PROGRAM", o->sources, "C or C++ sources; one defines main")->required();
  command->add_option("--cores", o->cores, "Cores, numbered from 0")
      ->check(CLI::Range(1, kMostCores))
      ->capture_default_str();
  command
      ->add_option("--load", o->loads,
                   "[CORE@]ADDR:FILE.npy, before the start; into AM on every core unless one is named")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--dump", o->dumps,
          "[CORE@]ADDR:COUNT:f32|f16[:FILE.npy], at the end; from the AM of core 0 unless one is named")
      ->allow_extra_args(false);
  command->add_option("--target", o->target, "The platform whose entry points the program calls")
      ->check(CLI::IsMember({"mt7004", "ft78ne"}))
      ->capture_default_str();
  command->add_option("--cc", o->compile.compiler, "Compiler; default cc, for C++ sources c++");
  command->add_option("--cflags", o->compile.flags, "Flags for the compiler");
  command->add_option("--timeout", o->timeout, "Seconds after which the program is given up")
      ->check([](const std::string& text) {
        // A comparison that NaN fails.
        return std::strtod(text.c_str(), nullptr) > 0 ? "" : "must be more than 0 seconds";
      })
      ->capture_default_str();
  command->callback([o, &status] { status = run_program(*o); });
}

}  // namespace wgradcheck::check
