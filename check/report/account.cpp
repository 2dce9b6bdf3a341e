#include "check/report/account.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/report/words.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::size_t kLabel = 11;

std::string neighbours_in_words(std::int64_t count) {
  return count == 0   ? ""
         : count == 1 ? "; the one smaller neighbour passes"
                      : fmt::format("; all {} smaller neighbours pass", count);
}

}  // namespace

Account account_of(const Counterexample& found, const Invocation& how) {
  const Case& c = found.trial.test;
  const Finding& f = found.finding;
  Account a;
  a.property = name_of(f.property);
  a.detail = f.detail;
  a.shape = spec::to_line(c.shape);
  a.call = call_in_words(c);
  for (const std::string& more : {found.implementation, found.folder})
    if (!more.empty()) a.call += ", " + more;
  if (f.element) {
    a.element = describe(*f.element, c.shape);
    a.got = number(f.got);
    a.expected = number(f.expected);
  }
  if (f.property == Property::formula) a.diagnosis = in_words(found.diagnosis, c.shape);
  a.where = found.when;
  if (found.first.shape != c.shape)
    a.first = spec::to_line(found.first.shape) + ", then shrunk" + neighbours_in_words(found.neighbours);
  a.replay = replay_command(how, found.trial);
  a.tools = other_tools(c.shape, c.dtype);
  return a;
}

std::string rounding_in_words(const Verdict& v) {
  return fmt::format("worst error {:.2f} of the bound, at {}", v.rounding.worst,
                     spec::to_line(v.rounding.shape));
}

std::string limits_in_words(bool fresh_seed, const std::vector<std::string>& channels_skipped) {
  const bool whole = std::ranges::find(channels_skipped, "formula") == channels_skipped.end();
  return std::string(fresh_seed && whole
                         ? "In each run the chance of having missed a wrong element was below 2^-60. "
                         : "") +
         "Shapes not run are not covered.";
}

std::string field(const char* label, const std::string& text, std::size_t columns) {
  return fmt::format("  {:<9}{}\n", label, wrapped(text, columns - kLabel, kLabel));
}

std::string in_text(const Account& a, std::size_t columns) {
  std::string out = wrapped(fmt::format("FAIL  {}: {}", a.property, a.detail), columns - 6, 6) + "\n\n";
  out += field("shape", a.shape, columns);
  out += field("call", a.call, columns);
  if (!a.element.empty())
    out += field("element", fmt::format("{}: got {}, expected {}", a.element, a.got, a.expected), columns);
  if (!a.diagnosis.empty()) out += "\n";
  for (const std::string& line : a.diagnosis) out += "  " + wrapped(line, columns - 2, 2) + "\n";
  if (!a.where.empty()) out += "  " + wrapped(a.where, columns - 2, 2) + "\n";
  if (!a.first.empty()) out += "\n" + field("first", a.first, columns);
  return out + "\n";
}

std::string runs_in_words(const Verdict& v) {
  const std::string counts =
      v.cores == v.least_cores ? fmt::format("{}", v.cores) : fmt::format("{} to {}", v.least_cores, v.cores);
  return fmt::format("{} {} {} {}{}, seed {}", grouped(v.run), v.host ? "in" : "on", counts,
                     v.host ? "thread" : "core", v.cores == 1 ? "" : "s", v.seed);
}

std::vector<std::string> unseen_by(const Capabilities& can) {
  std::vector<std::string> unseen;
  if (!can.memory)
    unseen = {"memory: stray reads and writes, and the use of the workspace",
              "rules: whether dy, x, bias and the parameters are left as they were"};
  if (!can.repeats)
    unseen.emplace_back(
        "rules: whether the same call gives the same bits again, and whether it depends on earlier calls");
  return unseen;
}

std::string last_command(const Verdict& v, const Invocation& how) {
  return v.counterexamples.empty() ? command_of(how.rerun)
                                   : replay_command(how, v.counterexamples.back().trial);
}

}  // namespace wgradcheck::check
