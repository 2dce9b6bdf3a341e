#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "check/kernel.hpp"
#include "check/program/commands.hpp"
#include "check/report/other_tools.hpp"
#include "check/report/words.hpp"
#include "check/search/onnx_model.hpp"
#include "check/search/problem.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

struct Options {
  std::vector<std::string> what, dims;
  std::string to, dtype;
  std::optional<std::int64_t> batch;
};

/// Where a problem was found, to begin a sentence with.
std::string place_of(const ListedShape& one) {
  return one.file.empty() ? one.line : fmt::format("{}:{}: {}", one.file, one.line_number, one.line);
}

/// The problems that the words name: files, or problem lines and commands of other testers. A line that is
/// none is a mistake; of a model, what is unknown of one node says nothing of the others.
std::vector<ListedShape> problems_of(const Options& o) {
  std::vector<ListedShape> all;
  for (const std::string& word : o.what) {
    const std::string file = word == "-" ? "/dev/stdin" : word;
    std::vector<ListedShape> some{read_listed(word, o.batch)};
    if (is_model(file) || std::filesystem::exists(file))
      some = read_list(file, o.batch, is_model(file) ? o.dims : std::vector<std::string>());
    all.insert(all.end(), some.begin(), some.end());
  }
  for (const ListedShape& one : all)
    if (const auto* refusal = std::get_if<spec::Refusal>(&one.shape); refusal && !is_model(one.file))
      throw BadInput{fmt::format("{}: {}", place_of(one), refusal->reason)};
  if (all.empty()) throw BadInput{fmt::format("{} holds no problem", o.what.front())};
  if (!o.dims.empty() && std::ranges::none_of(o.what, is_model))
    throw BadInput{"--dim means nothing without an ONNX model"};
  return all;
}

/// The problem as the tool takes it.
ToolLine line_for(const std::string& to, const spec::Shape& shape, DType dtype) {
  if (to == "line") return {"a problem line", spec::to_line(shape), ""};
  const auto tools = other_tools(shape, dtype);
  return tools[to == "benchdnn" ? 0 : to == "miopen" ? 1 : 2];
}

int convert(const Options& o) {
  const auto problems = problems_of(o);
  std::int64_t skipped = 0;
  const auto skip = [&](const ListedShape& one, const std::string& why) {
    fmt::print(stderr, "wgradcheck: {}: {}\n", place_of(one), why);
    ++skipped;
  };
  for (const ListedShape& one : problems) {
    if (const auto* refusal = std::get_if<spec::Refusal>(&one.shape)) {
      skip(one, refusal->reason);
      continue;
    }
    const ToolLine tool = line_for(o.to, std::get<spec::Shape>(one.shape),
                                   dtype_named(o.dtype).value_or(one.dtype.value_or(DType::f32)));
    if (tool.line.empty())
      skip(one, fmt::format("{} cannot run it: {}", tool.tool, tool.why_not));
    else
      fmt::print("{}\n", tool.line);
  }
  if (skipped)
    fmt::print(stderr, "wgradcheck: {} of {} problems skipped\n", grouped(skipped),
               grouped(std::ssize(problems)));
  return skipped ? 3 : 0;
}

}  // namespace

void add_convert(CLI::App& app, int& status) {
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "convert", "Write problems as another tester takes them; exit status 3 when it cannot run some");
  command
      ->add_option(
          "WHAT", o->what,
          "Problem lines, commands of benchdnn, MIOpenDriver or cutlass_profiler (one argument each), "
          "files of such lines, ONNX models; - for standard input")
      ->required();
  command->add_option("--to", o->to, "Whose words to write; line: bare problem lines")
      ->check(CLI::IsMember({"benchdnn", "miopen", "cutlass", "line"}))
      ->required();
  command->add_option("--dtype", o->dtype, "Element type; by default the command's own, or f32")
      ->check(CLI::IsMember({"f32", "f16", "bf16"}));
  command->add_option("--mb", o->batch, "Batch of every problem")->check(is_positive);
  command->add_option("--dim", o->dims, "NAME=N: a symbolic dimension of the ONNX model; repeatable");
  command->callback([o, &status] { status = convert(*o); });
}

}  // namespace wgradcheck::check
