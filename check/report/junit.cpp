#include "check/report/junit.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "check/report/account.hpp"
#include "check/report/markup.hpp"
#include "check/report/report.hpp"

namespace wgradcheck::check {
namespace {

/// One case: a property, and the element that says what became of it; none where it passed.
struct Line {
  const char* name;
  enum class Became { passed, failed, error, skipped } became = Became::passed;
  std::string element;
};

using Became = Line::Became;

std::string told(const char* element, const std::string& message, const std::string& text = {}) {
  const std::string head = fmt::format("      <{} message=\"{}\"", element, escaped(message));
  return text.empty() ? head + "/>\n" : fmt::format("{}>{}</{}>\n", head, escaped(text), element);
}

/// A crash and a hang end the search, so that what it did not find by then is not known to hold.
const Counterexample* last_word(const Verdict& v) {
  const auto found = std::ranges::find_if(v.counterexamples, [](const Counterexample& x) {
    return x.finding.property == Property::crash || x.finding.property == Property::hang;
  });
  return found == v.counterexamples.end() ? nullptr : &*found;
}

Line line_of(Property p, const Verdict& v, const Invocation& how) {
  Line line{.name = name_of(p), .element = {}};
  const auto found =
      std::ranges::find(v.counterexamples, p, [](const Counterexample& x) { return x.finding.property; });
  if (found != v.counterexamples.end()) {
    const Account a = account_of(*found, how);
    const std::string where =
        a.element.empty() ? "" : fmt::format("; {}: got {}, expected {}", a.element, a.got, a.expected);
    line.became = Became::failed;
    line.element = fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", a.property,
                               escaped(a.detail + where + ": " + a.shape),
                               escaped(in_text(a) + "replay:\n" + a.replay + "\n"));
  } else if (std::ranges::count(v.channels_skipped, line.name)) {
    line.became = Became::skipped;
    const bool seen = p != Property::memory || v.memory_seen;
    line.element = told("skipped", seen ? "skipped by --skip" : "not seen from here");
  } else if (v.answer == Verdict::Answer::none) {
    line.became = Became::error;
    line.element = told("error", "no verdict: " + headline(v));
  } else if (const Counterexample* end = last_word(v)) {
    line.became = Became::skipped;
    line.element = told("skipped", fmt::format("the search ended at the {}", name_of(end->finding.property)));
  }
  return line;
}

/// The comparison with an old kernel.
Line line_of(const Differences& d, const Invocation& how) {
  Line line{.name = "against", .element = {}};
  if (d.all.runs() == 0) {
    line.became = Became::skipped;
    line.element = told("skipped", "no run was compared");
  }
  if (d.all.beyond == 0) return line;
  line.became = Became::failed;
  line.element = fmt::format("      <failure type=\"against\" message=\"{}\">{}</failure>\n",
                             escaped(headline(d)), escaped(text_of(d, how)));
  return line;
}

std::string property(const char* name, const std::string& value) {
  return fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, escaped(value));
}

}  // namespace

std::string junit_report(const Verdict& v, const Invocation& how) {
  std::vector<Line> lines;
  for (const Property p : kProperties) lines.push_back(line_of(p, v, how));
  if (v.against) lines.push_back(line_of(*v.against, how));
  const auto count = [&](Became became) { return std::ranges::count(lines, became, &Line::became); };
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"", lines.size(),
                  count(Became::failed), count(Became::error), count(Became::skipped), v.seconds);
  // The channels are judged in the same runs: each case that was judged has its share of the time.
  const auto judged = static_cast<double>(std::ssize(lines) - count(Became::skipped));
  const std::time_t started = std::chrono::system_clock::to_time_t(v.started);

  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuites name=\"wgradcheck\" {}>\n", counts);
  out += fmt::format("  <testsuite name=\"{}\" {} timestamp=\"{:%Y-%m-%dT%H:%M:%S}\">\n",
                     escaped("wgradcheck " + v.kernel), counts, fmt::gmtime(started));
  out += "    <properties>\n" + property("version", WGRADCHECK_VERSION) + property("abi", v.abi) +
         property("domain", v.domain) + property("promises", v.promises) +
         property("runs", std::to_string(v.run)) + property("seed", std::to_string(v.seed)) +
         property("replay", last_command(v, how)) + "    </properties>\n";
  for (const Line& line : lines) {
    const double time = line.became == Became::skipped ? 0 : v.seconds / judged;
    out += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", escaped(v.kernel),
                       line.name, time);
    out += line.element.empty() ? "/>\n" : ">\n" + line.element + "    </testcase>\n";
  }
  out += fmt::format("    <system-out>{}</system-out>\n  </testsuite>\n</testsuites>\n",
                     escaped(text_report(v, how)));
  return out;
}

}  // namespace wgradcheck::check
