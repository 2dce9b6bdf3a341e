#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "check/report/words.hpp"
#include "check/search/flags.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

/// Options of benchdnn and its convolution driver that leave the shape as it is.
constexpr std::array kOptions = std::to_array<std::string_view>({"conv",
                                                                 "dir",
                                                                 "dt",
                                                                 "cfg",
                                                                 "stag",
                                                                 "wtag",
                                                                 "dtag",
                                                                 "alg",
                                                                 "mode",
                                                                 "mode-modifier",
                                                                 "engine",
                                                                 "verbose",
                                                                 "skip-impl",
                                                                 "impl",
                                                                 "match",
                                                                 "reset",
                                                                 "cpu-isa-hints",
                                                                 "fast-ref",
                                                                 "fast-ref-gpu",
                                                                 "fix-times-per-prb",
                                                                 "max-ms-per-prb",
                                                                 "num-streams",
                                                                 "repeats-per-prb",
                                                                 "allow-enum-tags-only",
                                                                 "canonical",
                                                                 "mem-check",
                                                                 "memory-kind",
                                                                 "start",
                                                                 "strides",
                                                                 "inplace",
                                                                 "stag-strides",
                                                                 "perf-template",
                                                                 "summary",
                                                                 "test-start",
                                                                 "ctx-init",
                                                                 "ctx-exe",
                                                                 "global-impl",
                                                                 "execution-mode",
                                                                 "buffer-prefix",
                                                                 "batch"});

bool is_option(const std::string& name) {
  return name.starts_with("attr-") || std::ranges::find(kOptions, name) != kOptions.end();
}

}  // namespace

Problem read_benchdnn(std::span<const std::string> words) {
  Flags flags;
  std::vector<std::string> lines;
  for (const std::string& word : words) {
    if (!word.starts_with("--")) {
      lines.push_back(word);
      continue;
    }
    const std::size_t sign = std::min(word.find('='), word.size());
    const std::string name = word.substr(2, sign - 2);
    if (name != "mb" && !is_option(name))
      throw spec::Refusal{name, fmt::format("--{} is no option of benchdnn's --conv", name)};
    flags.add(name, "--" + name, word.substr(std::min(sign + 1, word.size())));
  }
  if (!flags.has("conv"))
    throw spec::Refusal{"conv", "--conv is missing; no other driver of benchdnn is read"};
  if (flags.has("batch"))
    flags.refuse("batch", "but a command is read as one problem; name the file instead");
  if (lines.size() != 1)
    throw spec::Refusal{"", fmt::format("it has {} problem lines; a command is read as one", lines.size())};
  const auto parsed = spec::parse_line(lines.front());
  if (const auto* refusal = std::get_if<spec::Refusal>(&parsed)) throw *refusal;
  Problem problem{std::get<spec::Shape>(parsed), dtype_named(flags.text("dt", ""))};
  // 0 leaves the line's own.
  if (const std::int64_t batch = flags.number("mb", 0); batch != 0) problem.shape.batch = batch;
  if (const auto refusal = spec::refuse(problem.shape)) throw *refusal;
  return problem;
}

}  // namespace wgradcheck::check
