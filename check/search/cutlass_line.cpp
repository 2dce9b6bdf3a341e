#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "check/report/words.hpp"
#include "check/search/flags.hpp"

namespace wgradcheck::check {
namespace {

/// An argument of the profiler that makes the shape, its other name, the problem line's field, and what it is
/// when missing, in 2D and in 3D. Source: the profiler's Conv2d and Conv3d operations.
struct Argument {
  const char *name, *other, *field;
  int in_2d, in_3d;
};

constexpr int kNone = -1;      ///< not an argument of that operation
constexpr int kComputed = -2;  ///< follows from the rest

constexpr std::array kArguments = std::to_array<Argument>({{"g", "groups", "g", 1, kNone},
                                                           {"n", "input_n", "mb", 1, 1},
                                                           {"c", "input_c", "ic", 64, 32},
                                                           {"k", "filter_k", "oc", 64, 32},
                                                           {"d", "input_d", "id", kNone, 8},
                                                           {"h", "input_h", "ih", 16, 14},
                                                           {"w", "input_w", "iw", 16, 14},
                                                           {"t", "filter_t", "kd", kNone, 3},
                                                           {"r", "filter_r", "kh", 3, 3},
                                                           {"s", "filter_s", "kw", 3, 3},
                                                           {"z", "output_z", "od", kNone, kComputed},
                                                           {"p", "output_p", "oh", kComputed, kComputed},
                                                           {"q", "output_q", "ow", kComputed, kComputed},
                                                           {"pad_d", "", "pd", kNone, 1},
                                                           {"pad_h", "", "ph", 1, 1},
                                                           {"pad_w", "", "pw", 1, 1},
                                                           {"stride_d", "", "sd", kNone, 1},
                                                           {"stride_h", "", "sh", 1, 1},
                                                           {"stride_w", "", "sw", 1, 1},
                                                           {"dilation_d", "", "dd", kNone, 1},
                                                           {"dilation_h", "", "dh", 1, 1},
                                                           {"dilation_w", "", "dw", 1, 1}});

/// Those that leave the shape as it is.
constexpr std::array kOthers = std::to_array<std::string_view>({"operation",
                                                                "function",
                                                                "conv_kind",
                                                                "Activation",
                                                                "Filter",
                                                                "Output",
                                                                "conv_mode",
                                                                "iterator_algorithm",
                                                                "iterator_algo",
                                                                "alpha",
                                                                "epilogue::alpha",
                                                                "beta",
                                                                "epilogue::beta",
                                                                "split_k_mode",
                                                                "split-k-mode",
                                                                "split_k_slices",
                                                                "split-k-slices",
                                                                "eq_gemm_provider",
                                                                "eq-gemm-provider",
                                                                "accumulator-type",
                                                                "accum",
                                                                "op_class",
                                                                "opcode-class",
                                                                "cta_m",
                                                                "cta_n",
                                                                "cta_k",
                                                                "cluster_m",
                                                                "cluster_n",
                                                                "cluster_k",
                                                                "stages",
                                                                "warps_m",
                                                                "warps_n",
                                                                "warps_k",
                                                                "inst_m",
                                                                "inst_n",
                                                                "inst_k",
                                                                "min_cc",
                                                                "max_cc",
                                                                "mode",
                                                                "operation_names",
                                                                "kernels",
                                                                "kernels-file",
                                                                "ignore-kernels",
                                                                "device",
                                                                "devices",
                                                                "compute-capability",
                                                                "llc-capacity",
                                                                "sm-count",
                                                                "initialization",
                                                                "initialization-enabled",
                                                                "initialization-provider",
                                                                "dist",
                                                                "seed",
                                                                "library-algo-mode",
                                                                "library-algos",
                                                                "workspace-count",
                                                                "warmup-iterations",
                                                                "profiling-iterations",
                                                                "sleep-duration",
                                                                "profiling-enabled",
                                                                "profiling-duration",
                                                                "min-iterations",
                                                                "use-cuda-graphs",
                                                                "providers",
                                                                "verification-enabled",
                                                                "verification-required",
                                                                "epsilon",
                                                                "nonzero-floor",
                                                                "save-workspace",
                                                                "verification-providers",
                                                                "append",
                                                                "output",
                                                                "junit-output",
                                                                "report-not-run",
                                                                "tags",
                                                                "verbose",
                                                                "print-kernel-before-running",
                                                                "sort-results"});

int otherwise(const Argument& a, bool deep) { return deep ? a.in_3d : a.in_2d; }

std::string name_of_argument(const std::string& name) {
  const auto found = std::ranges::find_if(
      kArguments, [&](const Argument& a) { return name == a.name || (!name.empty() && name == a.other); });
  if (found != kArguments.end()) return found->name;
  if (std::ranges::find(kOthers, name) != kOthers.end()) return name;
  throw spec::Refusal{name, fmt::format("--{} is no argument of cutlass_profiler's convolutions", name)};
}

Flags flags_of(std::span<const std::string> words) {
  Flags flags;
  for (const std::string& word : words) {
    if (!word.starts_with("--"))
      throw spec::Refusal{word,
                          fmt::format("{} is no argument of cutlass_profiler, which begins with --", word)};
    const std::size_t sign = std::min(word.find('='), word.size());
    flags.add(name_of_argument(word.substr(2, sign - 2)), word.substr(0, sign),
              word.substr(std::min(sign + 1, word.size())));
  }
  return flags;
}

/// Whether the operation is Conv3d, else Conv2d.
bool is_deep(const Flags& flags) {
  const std::string name = flags.has("operation") ? "operation" : "function";
  if (!flags.has(name)) throw spec::Refusal{name, "--operation is missing; Conv2d and Conv3d are read"};
  std::string operation = flags.text(name, "");
  std::ranges::transform(operation, operation.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (operation != "conv2d" && operation != "conv3d")
    flags.refuse(name, "which is neither Conv2d nor Conv3d");
  return operation == "conv3d";
}

std::optional<DType> dtype_of(const Flags& flags) {
  const std::string type = flags.text("Activation", "");
  return dtype_named(type.substr(0, type.find(':')));
}

}  // namespace

Problem read_cutlass(std::span<const std::string> words) {
  const Flags flags = flags_of(words);
  const bool deep = is_deep(flags);
  std::vector<std::pair<std::string, std::int64_t>> fields;
  for (const Argument& a : kArguments) {
    const int missing = otherwise(a, deep);
    if (missing == kNone && flags.has(a.name))
      flags.refuse(a.name, deep ? "which Conv3d does not have" : "which Conv2d does not have");
    if (missing == kNone || (missing == kComputed && !flags.has(a.name))) continue;
    const std::string field = a.field;
    const bool dilation = field[0] == 'd';
    fields.emplace_back(field, flags.number(a.name, missing) - (dilation ? 1 : 0));
  }
  return {shape_of(fields), dtype_of(flags)};
}

}  // namespace wgradcheck::check
