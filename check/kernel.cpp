#include "check/kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "check/bundled.hpp"
#include "check/run/build.hpp"
#include "check/run/elf.hpp"

namespace wgradcheck::check {
namespace {

namespace fs = std::filesystem;

/// A kernel that comes with the program; its object is libwgradcheck_<platform>.so.
struct Bundled {
  const char* name;
  const char* platform;
  const char* abi;
  const char* package = nullptr;   ///< without which it is not built
  const char* function = nullptr;  ///< of a peer: what its library must export
};

constexpr std::array<Bundled, 13> kBundled{{
    {"mt7004_fp32_p", "mt7004", "mt7004_fp32_p"},
    {"mt7004_fp32_s", "mt7004", "mt7004_fp32_s"},
    {"mt7004_fp16_p", "mt7004", "mt7004_fp16_p"},
    {"mt7004_fp16_s", "mt7004", "mt7004_fp16_s"},
    {"ft78ne_fp32_p", "ft78ne", "ft78ne_fp32_p"},
    {"ft78ne_fp32_s", "ft78ne", "ft78ne_fp32_s"},
    {"plain_fp32_p", "plain", "mt7004_fp32_p"},
    {"cpu_f32", "host", "host_f32"},
    {"cpu_f16", "host", "host_f16"},
    {"cpu_bf16", "host", "host_bf16"},
    {"ascend_half", "ascend_half", "ascend_half"},
    {"ascend_bf16", "ascend_bf16", "ascend_bf16"},
    {"onednn_f32", "onednn", "host_f32", "libdnnl-dev",
     "dnnl_dilated_convolution_backward_weights_desc_init"},
}};

Kernel kernel_of(const Bundled& b) {
  const Abi* const abi = find_abi(b.abi);
  return {b.name, bundled_library(b.platform), abi->symbol, abi, true, false};
}

const Bundled* find_bundled(const std::string& name) {
  const auto found =
      std::ranges::find(kBundled, name, [](const Bundled& b) { return std::string_view(b.name); });
  return found == kBundled.end() ? nullptr : &*found;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// What to tell of an object that lacks the symbol: the exports that look like a kernel, at most five.
std::string near_misses(const std::vector<std::string>& exports, const std::vector<std::string>& wanted) {
  for (const std::string& name : exports)
    for (const std::string& symbol : wanted)
      if (name.starts_with("_Z") && name.find(symbol) != std::string::npos)
        return fmt::format("it exports {} as a C++ name; declare it extern \"C\"", symbol);
  std::vector<std::string> near;
  for (const std::string& name : exports)
    for (const char* part : {"conv", "grad", "filter"})
      if (near.size() < 5 && lower(name).find(part) != std::string::npos) {
        near.push_back(name);
        break;
      }
  if (near.empty())
    near.assign(exports.begin(), exports.begin() + std::min<std::ptrdiff_t>(std::ssize(exports), 5));
  return near.empty() ? "it exports no function" : fmt::format("it exports {}", fmt::join(near, ", "));
}

/// The convention that --abi names.
const Abi& abi_of(const std::string& name) {
  if (const Abi* const abi = find_abi(name)) return *abi;
  std::vector<std::string> names;
  for (const Abi& a : abis()) names.emplace_back(a.name);
  throw BadInput{
      fmt::format("--abi {} is not a calling convention; known are {}", name, fmt::join(names, ", "))};
}

Kernel choose(const std::string& name, const std::string& library, const std::string& abi_name,
              const std::string& symbol) {
  const Abi* named = nullptr;
  if (!abi_name.empty() || !symbol.empty()) {
    named = abi_name.empty() ? find_abi(symbol) : &abi_of(abi_name);
    if (named == nullptr)
      throw BadInput{
          fmt::format("--symbol {} is not a documented symbol, so --abi must say how it is called", symbol)};
  }
  const auto exports = exported_functions(library);
  std::vector<std::string> wanted;
  for (const Abi& a : abis()) {
    if (named != nullptr && named != &a) continue;
    const std::string entry = symbol.empty() ? a.symbol : symbol;
    if (std::ranges::find(exports, entry) != exports.end()) {
      Kernel kernel{name, library, entry, &a, false, false};
      if (a.ascend) kernel.peer_library = bundled_library("ascend");
      if (has_query(a) && std::ranges::find(exports, query_symbol(kernel)) == exports.end())
        throw BadInput{fmt::format("{} has {} but no {}, which wgrad_kernel.h asks for", name, entry,
                                   query_symbol(kernel))};
      return kernel;
    }
    if (std::ranges::find(wanted, entry) == wanted.end()) wanted.push_back(entry);
  }
  throw BadInput{fmt::format("{} has no function {}; {}", name, fmt::join(wanted, " or "),
                             near_misses(exports, wanted))};
}

/// The bundled target of that name, or a refusal of the name.
Kernel bundled(const std::string& name, const std::string& abi, const std::string& symbol,
               const Compile& compile) {
  const Bundled* const found = find_bundled(name);
  if (found == nullptr) {
    std::vector<std::string_view> names;
    for (const Bundled& b : kBundled) names.emplace_back(b.name);
    throw BadInput{
        fmt::format("{} is neither a file nor a bundled target ({})", name, fmt::join(names, ", "))};
  }
  Kernel kernel = kernel_of(*found);
  if (const std::string why = absence(kernel); !why.empty())
    throw BadInput{fmt::format("the bundled target {} is {}", name, why)};
  if (!abi.empty() && abi != kernel.abi->name)
    throw BadInput{
        fmt::format("--abi {} does not fit the bundled target {}, which is {}", abi, name, kernel.abi->name)};
  if (!symbol.empty() && symbol != kernel.symbol)
    throw BadInput{fmt::format("--symbol {} does not fit the bundled target {}, which is {}", symbol, name,
                               kernel.symbol)};
  if (compile.sanitize) throw BadInput{fmt::format("{} is not a source, so it has no sanitized build", name)};
  return kernel;
}

}  // namespace

std::string bundled_library(const std::string& name) {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const std::string file = fmt::format("libwgradcheck_{}.so", name);
  for (const fs::path& folder : {here, here / "../lib/wgradcheck", here / "../lib"})
    if (fs::exists(folder / file)) return (folder / file).lexically_normal();
  return here / file;
}

std::string program_name() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const bool installed = here.filename() == "bin" && fs::exists(here / "../lib/wgradcheck");
  return installed ? program_invocation_name : "./wgradcheck";
}

Kernel open_kernel(const std::vector<std::string>& what, const std::string& abi, const std::string& symbol,
                   const Compile& compile, const std::string& scratch) {
  if (what.empty()) throw BadInput{"no kernel is named"};
  if (what.size() == 1 && !fs::exists(what.front())) return bundled(what.front(), abi, symbol, compile);
  for (const std::string& path : what) {
    if (!fs::exists(path)) throw BadInput{fmt::format("{} does not exist", path)};
    if (!fs::is_regular_file(path)) throw BadInput{fmt::format("{} is not a file", path)};
    if (is_source(path)) continue;
    if (what.size() > 1)
      throw BadInput{fmt::format("{} is not a C or C++ source; several files are compiled together", path)};
    if (!is_elf(path)) throw BadInput{fmt::format("{} is neither a C or C++ source nor an ELF file", path)};
    if (compile.sanitize)
      throw BadInput{fmt::format("{} is not a source, so it has no sanitized build", path)};
    return choose(path, fs::absolute(path), abi, symbol);
  }
  Kernel kernel = choose(what.front(), build(what, compile, fs::absolute(scratch)), abi, symbol);
  kernel.from_sources = true;
  return kernel;
}

Kernel kernel_elsewhere(const std::string& name, const std::string& abi_name) {
  const Abi& abi = abi_of(abi_name.empty() ? "host_f32" : abi_name);
  if (abi.ascend) throw BadInput{fmt::format("--abi {}: such a kernel is called here alone", abi.name)};
  Kernel kernel{name, "", abi.symbol, &abi, false, false};
  kernel.elsewhere = true;
  return kernel;
}

void use_peer_library(Kernel& kernel, const std::string& path) {
  const Bundled* const peer = kernel.bundled ? find_bundled(kernel.name) : nullptr;
  if (peer == nullptr || peer->function == nullptr)
    throw BadInput{fmt::format("--peer-lib {}: {} calls no library of a peer", path, kernel.name)};
  if (!fs::is_regular_file(path) || !is_elf(path))
    throw BadInput{fmt::format("--peer-lib {} is not an ELF file", path)};
  const auto exports = exported_functions(path);
  if (std::ranges::find(exports, peer->function) == exports.end())
    throw BadInput{
        fmt::format("--peer-lib {} has no function {}, which {} calls", path, peer->function, kernel.name)};
  kernel.peer_library = fs::absolute(path);
}

std::string absence(const Kernel& kernel) {
  if (fs::exists(kernel.library)) return {};
  if (const Bundled* const b = find_bundled(kernel.name); b != nullptr && b->package != nullptr)
    return fmt::format("not built: {} was not installed", b->package);
  return fmt::format("missing: there is no {}", kernel.library);
}

std::vector<Kernel> bundled_kernels() {
  std::vector<Kernel> kernels;
  for (const Bundled& b : kBundled) kernels.push_back(kernel_of(b));
  return kernels;
}

}  // namespace wgradcheck::check
