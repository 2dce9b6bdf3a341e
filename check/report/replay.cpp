#include "check/report/replay.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/report/markup.hpp"
#include "check/report/words.hpp"
#include "check/run/conv_param.hpp"
#include "check/search/domain.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

/// By printf, whose format has a number for each byte. Newlines at the end are set apart: `$()` drops them.
std::string printed(const std::string& word) {
  const std::size_t end = word.find_last_not_of('\n') + 1;
  std::string out = "\"$(printf -- '";
  for (const char c : word.substr(0, end)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte > 0x20 && byte < 0x7f && c != '\'' && c != '\\' && c != '%';
    out += plain ? std::string(1, c) : fmt::format("\\{:03o}", byte);
  }
  out += "')\"";
  if (end < word.size()) out += "'" + word.substr(end) + "'";
  return out;
}

/// The options of a call by conv_grad_filter.h.
template <class Add>
void add_machine_options(const Case& c, Add add) {
  Case usual = c;
  usual.buffer = 0;
  if (c.buffer != std::max(kUsualBuffer, spec::buffer_limit(call_of(usual))))
    add("--buffer", fmt::format("{}", c.buffer));
  if (c.workspace != spec::documented_workspace(call_of(c)))
    add("--workspace", fmt::format("{}", c.workspace));
  if (c.core_mask != 1) add("--core-mask", fmt::format("{:#x}", c.core_mask));
}

}  // namespace

std::string quoted(const std::string& word) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  if (printable(word) != word || word.find_first_of("\t\n\r") != std::string::npos) return printed(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string command_of(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) command += (command.empty() ? "" : " ") + quoted(word);
  return command;
}

std::string replay_command(const Invocation& how, const Trial& trial) {
  if (how.whole) return command_of(how.rerun);
  const Case& c = trial.test;
  std::vector<std::string> words{how.program, "check"};
  words.insert(words.end(), how.kernel.begin(), how.kernel.end());
  words.insert(words.end(), how.options.begin(), how.options.end());
  const auto add = [&words](const char* option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(value);
  };
  add("--shape", spec::to_line(c.shape));
  add("--seed", fmt::format("{}", c.seed));
  if (c.ascend) {
    if (c.cores() > 1) add("--cores", fmt::format("{}", c.cores()));
    if (c.implementation != 0) add("--implementation", fmt::format("{}", c.implementation));
  } else if (c.host) {
    add("--threads", fmt::format("{}", c.cores()));
    if (c.implementation != 0) add("--implementation", fmt::format("{}", c.implementation));
  } else {
    add_machine_options(c, add);
  }
  if (c.bias != Bias::none) add("--bias", bias_name(c.bias));
  // What was promised is among the options already, and an element's own alignment needs no word.
  const bool promised =
      std::ranges::any_of(how.options, [](const auto& o) { return o.starts_with("align="); });
  if (c.align > size_of(c.dtype) && !promised) add("--align", fmt::format("{}", c.align));
  for (std::size_t i = 0; i < kParamFields.size(); ++i)
    if (c.tamper.has(i)) add("--param", fmt::format("{}={}", kParamFields[i], c.tamper.values[i]));
  if (c.magnitude) add("--magnitude", fmt::format("{}", c.magnitude));
  if (trial.fill.non_finite) words.emplace_back("--nonfinite");
  if (trial.fill.subnormal) words.emplace_back("--subnormal");
  if (trial.fill.masked)
    add("--masked", fmt::format("{}", trial.fill.masked));
  else if (trial.fill.rounds)
    words.emplace_back("--rounding");
  if (trial.fill.exact_bits != Fill().exact_bits)
    add("--exact-bits", fmt::format("{}", trial.fill.exact_bits));
  // At least one of these options says that the case is given in full.
  const bool given = c.bias != Bias::none || c.tamper.any() || c.magnitude || trial.fill.non_finite ||
                     trial.fill.subnormal || trial.fill.rounds;
  if (c.placement != Placement::flush_end || !given) add("--placement", placement_name(c.placement));
  return command_of(words);
}

}  // namespace wgradcheck::check
