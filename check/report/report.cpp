#include "check/report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/run/conv_param.hpp"
#include "check/search/domain.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::size_t kColumns = 80, kLabel = 11;

std::string field(const char* label, const std::string& text) {
  return fmt::format("  {:<9}{}\n", label, wrapped(text, kColumns - kLabel, kLabel));
}

const char* path_name(spec::Path p) {
  return p == spec::Path::general ? "general" : p == spec::Path::depthwise ? "depthwise" : "pointwise";
}

const char* placement_name(Placement p) {
  return p == Placement::flush_end ? "end" : p == Placement::flush_start ? "start" : "aligned";
}

const char* bias_name(Bias b) { return b == Bias::none ? "none" : b == Bias::column ? "column" : "cout"; }

/// Quotes a word for a POSIX shell where it needs it.
std::string quoted(const std::string& word) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// A count with commas between thousands.
std::string grouped(std::int64_t count) {
  std::string digits = std::to_string(count);
  for (std::ptrdiff_t at = std::ssize(digits) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string number(double value) { return fmt::format("{:.9g}", value); }

std::string counterexample_text(const Counterexample& found, const Invocation& how) {
  const Case& c = found.trial.test;
  const Finding& f = found.finding;
  std::string out = fmt::format("FAIL  {}: {}\n\n", name_of(f.property), wrapped(f.detail, kColumns - 6, 6));
  out += field("shape", spec::to_line(c.shape));
  out += field("call", call_in_words(c) + (found.implementation.empty() ? "" : ", " + found.implementation));
  if (f.element)
    out += field("element", fmt::format("{}: got {}, expected {}", describe(*f.element, c.shape),
                                        number(f.got), number(f.expected)));
  if (f.property == Property::formula) {
    out += "\n";
    for (const std::string& line : in_words(found.diagnosis, c.shape))
      out += "  " + wrapped(line, kColumns - 2, 2) + "\n";
  }
  out += "\n";
  if (found.first.shape != c.shape)
    out += field("first",
                 spec::to_line(found.first.shape) + ", then shrunk" +
                     (found.neighbours ? fmt::format("; all {} smaller neighbours pass", found.neighbours)
                                       : std::string()));
  out += fmt::format("  replay:\n  {}\n\n", replay_command(how, found.trial));
  return out;
}

std::string shares(const Verdict& v) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : v.by_class)
    parts.push_back(fmt::format("{} {}%", name, v.run ? (100 * count + v.run / 2) / v.run : 0));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::size_t length = end - at;
    if (used && used + 1 + length > width) {
      out += "\n" + std::string(indent, ' ');
      used = 0;
    } else if (at) {
      out += " ";
      ++used;
    }
    out += text.substr(at, length);
    used += length;
    at = end + 1;
  }
  return out;
}

std::string call_in_words(const Case& c) {
  if (c.host)
    return fmt::format("{} thread{}, workspace {} bytes, implementation {}", c.cores(),
                       c.cores() == 1 ? "" : "s", c.workspace, c.implementation);
  return fmt::format("{} path, {} core{} (mask {:#x}), buffer_size_ {}, workspace {} bytes, bias {}",
                     path_name(spec::path_of(call_of(c))), c.cores(), c.cores() == 1 ? "" : "s", c.core_mask,
                     c.buffer, c.workspace, c.bias == Bias::none ? "NULL" : bias_name(c.bias));
}

namespace {

/// The options of a call by conv_grad_filter.h.
template <class Add>
void add_machine_options(const Case& c, Add add) {
  Case usual = c;
  usual.buffer = 0;
  if (c.buffer != std::max(kUsualBuffer, spec::buffer_limit(call_of(usual))))
    add("--buffer", fmt::format("{}", c.buffer));
  if (c.core_mask != 1) add("--core-mask", fmt::format("{:#x}", c.core_mask));
}

}  // namespace

std::string replay_command(const Invocation& how, const Trial& trial) {
  const Case& c = trial.test;
  std::vector<std::string> words{how.program, "check"};
  for (const std::string& k : how.kernel) words.push_back(quoted(k));
  for (const std::string& o : how.options) words.push_back(quoted(o));
  const auto add = [&words](const char* option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(value);
  };
  add("--shape", spec::to_line(c.shape));
  add("--seed", fmt::format("{}", c.seed));
  if (c.host) {
    add("--threads", fmt::format("{}", c.cores()));
    if (c.implementation != 0) add("--implementation", fmt::format("{}", c.implementation));
  } else {
    add_machine_options(c, add);
  }
  if (c.bias != Bias::none) add("--bias", bias_name(c.bias));
  if (c.placement != Placement::flush_end) add("--placement", placement_name(c.placement));
  if (c.tamper.field >= 0)
    add("--param",
        fmt::format("{}={}", kParamFields[static_cast<std::size_t>(c.tamper.field)], c.tamper.value));
  if (c.magnitude) add("--magnitude", fmt::format("{}", c.magnitude));
  if (trial.fill.non_finite) words.emplace_back("--nonfinite");
  if (trial.fill.rounds) words.emplace_back("--rounding");
  return fmt::format("{}", fmt::join(words, " "));
}

std::string text_report(const Verdict& v, const Invocation& how) {
  std::string out = "\n";
  for (const Counterexample& found : v.counterexamples) out += counterexample_text(found, how);
  if (v.answer == Verdict::Answer::pass)
    out += fmt::format("PASS  No counterexample in {} run{}.\n\n", grouped(v.run), v.run == 1 ? "" : "s");
  if (v.answer == Verdict::Answer::none)
    out += fmt::format("NO VERDICT  {}\n\n",
                       v.run ? "Too few runs in some classes of the domain." : "Nothing ran.");
  out += field("kernel", v.kernel + ", called as " + v.abi);
  out += field("domain", v.domain);
  out += field("promises", v.promises);
  out += field("runs", fmt::format("{} {} {} {}{}, seed {}", grouped(v.run), v.host ? "in" : "on",
                                   v.cores == v.least_cores ? fmt::format("{}", v.cores)
                                                            : fmt::format("{} to {}", v.least_cores, v.cores),
                                   v.host ? "thread" : "core", v.cores == 1 ? "" : "s", v.seed));
  if (v.refused)
    out += field("refusals", fmt::format("{} further calls with invalid parameters", grouped(v.refused)));
  if (v.run) out += field("classes", shares(v));
  for (const auto& [why, count] : v.skipped_because)
    out += field("skipped", fmt::format("{}: {}", count, why));
  for (const std::string& name : v.neglected) out += field("neglected", name + ": under 2 % of the runs");
  for (const std::string& channel : v.channels_skipped) out += field("skipped", "channel " + channel);
  for (const std::string& note : v.notes) out += field("note", note);
  if (v.answer == Verdict::Answer::pass) out += field("", "Shapes not run are not covered.");
  return out;
}

nlohmann::ordered_json json_report(const Verdict& v, const Invocation& how) {
  using Json = nlohmann::ordered_json;
  Json by_class = Json::object(), reasons = Json::object();
  for (const auto& [name, count] : v.by_class) by_class[name] = count;
  for (const auto& [why, count] : v.skipped_because) reasons[why] = count;
  Json found = Json::array();
  for (const Counterexample& x : v.counterexamples) {
    const Case& c = x.trial.test;
    Json one{{"property", name_of(x.finding.property)},
             {"shape", spec::to_line(c.shape)},
             {"dtype", c.dtype == DType::f32   ? "f32"
                       : c.dtype == DType::f16 ? "f16"
                                               : "bf16"},
             {"path", path_name(spec::path_of(call_of(c)))},
             {"cores", c.cores()},
             {"core_mask", c.core_mask},
             {"buffer", c.buffer},
             {"workspace", c.workspace},
             {"implementation", c.implementation},
             {"implementation_name", x.implementation},
             {"align", c.align},
             {"bias", bias_name(c.bias)},
             {"seed", c.seed},
             {"element", nullptr},
             {"got", nullptr},
             {"expected", nullptr},
             {"detail", x.finding.detail},
             {"behaves_as", nullptr},
             {"passing_neighbours", x.neighbours},
             {"replay", replay_command(how, x.trial)}};
    if (const auto& e = x.finding.element) {
      one["element"] = {{"g", e->g},   {"co", e->co}, {"kd", e->kd},
                        {"kh", e->kh}, {"kw", e->kw}, {"ci", e->ci}};
      one["got"] = x.finding.got;
      one["expected"] = x.finding.expected;
    }
    if (x.diagnosis.slip) one["behaves_as"] = x.diagnosis.slip->id;
    found.push_back(one);
  }
  constexpr const char* kAnswers[]{"pass", "fail", "none"};
  return {{"tool", "wgradcheck"},
          {"version", WGRADCHECK_VERSION},
          {"kernel", v.kernel},
          {"abi", v.abi},
          {"seed", v.seed},
          {"domain", v.domain},
          {"promises", v.promises},
          {"verdict", kAnswers[static_cast<int>(v.answer)]},
          {"cases",
           {{"run", v.run},
            {"skipped", v.skipped},
            {"refused", v.refused},
            {"by_class", by_class},
            {"skipped_because", reasons}}},
          {"neglected", v.neglected},
          {"channels_skipped", v.channels_skipped},
          {"notes", v.notes},
          {"counterexamples", found}};
}

}  // namespace wgradcheck::check
