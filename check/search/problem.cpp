#include "check/search/problem.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "check/search/flags.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

struct Tool {
  std::string_view name;
  Problem (*read)(std::span<const std::string>);
};

constexpr std::array<Tool, 3> kTools{
    {{"benchdnn", read_benchdnn}, {"MIOpenDriver", read_miopen}, {"cutlass_profiler", read_cutlass}}};

const Tool* tool_of(std::string_view word) {
  const auto tool = std::ranges::find(kTools, word.substr(word.rfind('/') + 1), &Tool::name);
  return tool == kTools.end() ? nullptr : &*tool;
}

/// A word such as MIOPEN_LOG_LEVEL=5, which a shell takes for the command's environment.
bool is_setting(std::string_view word) {
  const std::size_t sign = word.find('=');
  return sign != std::string_view::npos && sign > 0 &&
         std::ranges::all_of(word.substr(0, sign),
                             [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

/// The place of the tool's name among the words, or their number.
std::size_t command_at(std::span<const std::string> words) {
  const bool logged = !words.empty() && words[0].starts_with("MIOpen(");
  std::size_t at = 0;
  while (at < words.size() && !tool_of(words[at]) && (logged || is_setting(words[at]))) ++at;
  return at < words.size() && tool_of(words[at]) ? at : words.size();
}

/// A word as a shell hands it over.
std::string unquoted(std::string word) {
  for (const char quote : {'"', '\''})
    if (word.size() > 1 && word.front() == quote && word.back() == quote)
      return word.substr(1, word.size() - 2);
  return word;
}

}  // namespace

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> out;
  std::string word;
  bool quoted = false;
  for (const char c : std::string(line) + ' ') {
    const bool blank = c == ' ' || c == '\t' || c == '\r';
    if (blank && !quoted) {
      if (!word.empty()) out.push_back(std::move(word));
      word.clear();
      continue;
    }
    if (c == '#' && word.empty()) break;
    quoted ^= c == '"';
    word += c;
  }
  if (!word.empty()) out.push_back(std::move(word));
  return out;
}

bool is_command(std::string_view line) {
  const auto words = words_of(line);
  return command_at(words) < words.size();
}

std::variant<Problem, spec::Refusal> read_problem(std::string_view line) {
  auto words = words_of(line);
  std::ranges::transform(words, words.begin(), unquoted);
  const std::size_t at = command_at(words);
  if (at < words.size()) try {
      return tool_of(words[at])->read(std::span<const std::string>(words).subspan(at + 1));
    } catch (const spec::Refusal& refusal) {
      return refusal;
    }
  const auto shape = spec::parse_line(line);
  if (const auto* refusal = std::get_if<spec::Refusal>(&shape)) return *refusal;
  return Problem{std::get<spec::Shape>(shape)};
}

}  // namespace wgradcheck::check
