#include "check/profile/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/profile/promises_file.hpp"
#include "check/report/account.hpp"
#include "check/report/words.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

using Json = nlohmann::ordered_json;
using Facts = std::vector<const Fact*>;

/// Every fact of a path, in the order of the report.
Facts facts_of(const PathProfile& p) {
  Facts all;
  for (const Fact& f : p.accumulator.facts) all.push_back(&f);
  if (p.roundings) all.push_back(&p.roundings->fact);
  all.push_back(&p.adds.fact);
  if (p.bias) all.push_back(&p.bias->fact);
  if (p.padding) all.push_back(&p.padding->fact);
  all.insert(all.end(), {&p.subnormals.fact, &p.repeats.fact, &p.memory.align_fact, &p.memory.slack_fact});
  return all;
}

/// A line of the report: the facts that it tells and their words before them.
struct Row {
  const char* label;
  std::vector<std::pair<const char*, const char*>> facts;  ///< its name, and what stands before its answer
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all{
      {"sum", {{"accumulator", "in "}, {"rounding", "additions round "}, {"products", "products "}}},
      {"rounded", {{"rounded_to_element", "to the element type "}, {"last_rounding", ""}}},
      {"dW", {{"dw", ""}}},
      {"bias", {{"bias", ""}}},
      {"padding", {{"nonfinite_padding", "infinity is "}}},
      {"tiny", {{"subnormals", "subnormal numbers are "}}},
      {"repeat", {{"repeat", ""}}},
      {"align", {{"align", "buffers: "}}},
      {"reads", {{"read_slack", ""}}}};
  return all;
}

/// What a path says in a row; empty where the row is none of the path's.
std::string told(const Row& row, const PathProfile& p) {
  std::vector<std::string> parts;
  const Fact* last = nullptr;
  for (const auto& [name, before] : row.facts)
    for (const Fact* const f : facts_of(p)) {
      if (f->name != name) continue;
      parts.push_back(f->clear() ? before + f->answer : fmt::format("{} not clear: {}", f->name, f->why));
      last = f;
    }
  if (parts.empty()) return "";
  return fmt::format("{}{}", fmt::join(parts, ", "), last->on.empty() ? "" : " [" + last->on + "]");
}

std::string old_in_words(const Revealed& r) {
  return r.old_first ? ", from dW's old value on" : r.old_last ? ", then dW's old value" : "";
}

std::string tree_in_words(const SeenTree& t) {
  if (!t.form) return "not clear: " + t.revealed.why;
  const bool shared = t.cores > 1 && t.form->parts == t.cores;
  return (shared ? fmt::format("a sum on each of {} cores", t.cores) : t.form->words) +
         old_in_words(t.revealed);
}

/// The trees of a path on one core, or on several, those of one form together.
std::string trees_in_words(const PathProfile& p, bool several_cores) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const SeenTree& t : p.trees) {
    if ((t.cores > 1) != several_cores) continue;
    const std::string words = tree_in_words(t);
    const std::string where = fmt::format("{} along {}", t.line.terms(), t.line.name);
    const auto known = std::ranges::find(groups, words, [](const auto& group) { return group.first; });
    auto& members =
        known == groups.end() ? groups.emplace_back(words, std::vector<std::string>()).second : known->second;
    if (std::ranges::find(members, where) == members.end()) members.push_back(where);
  }
  if (groups.empty()) return "";
  if (groups.size() == 1 && !several_cores)
    return groups.front().first + " [24 to 64 products along each axis and over all]";
  std::vector<std::string> parts;
  for (const auto& [words, members] : groups)
    parts.push_back(fmt::format("{} [{}]", words, fmt::join(members, ", ")));
  return fmt::format("{}", fmt::join(parts, "; "));
}

/// A labelled line of what the paths say, those that say the same together.
std::string row_of(const char* label, const Profile& profile, auto&& say) {
  std::vector<std::pair<std::string, std::vector<const char*>>> groups;
  for (const PathProfile& p : profile.paths) {
    const std::string text = say(p);
    if (text.empty()) continue;
    const auto known = std::ranges::find(groups, text, [](const auto& group) { return group.first; });
    if (known == groups.end())
      groups.push_back({text, {name_of(p.path)}});
    else
      known->second.push_back(name_of(p.path));
  }
  std::string out;
  for (const auto& [text, paths] : groups) {
    const bool all = paths.size() == profile.paths.size();
    out += field(out.empty() ? label : "", all ? text : fmt::format("{}: {}", fmt::join(paths, ", "), text));
  }
  return out;
}

std::string headline(const ProfileReport& r) {
  return fmt::format("{}: {}, called as {}", r.kernel.name, r.kernel.symbol, r.kernel.abi->name);
}

Json json_of(const Fact& f) {
  Json one{{"answer", f.clear() ? Json(f.answer) : Json()}};
  if (!f.clear()) one["not_clear"] = f.why;
  one["on"] = f.on;
  one["shapes"] = f.shapes;
  return one;
}

Json json_of(const SeenTree& t) {
  Json one{{"shape", spec::to_line(t.line.test.shape)},
           {"along", t.line.name},
           {"element", t.line.element},
           {"terms", t.line.terms()},
           {"cores", t.cores},
           {"buffer", t.line.test.buffer},
           {"form", Json()},
           {"height", Json()},
           {"tree", Json()}};
  if (t.form) {
    one["form"] = tree_in_words(t);
    one["height"] = t.form->height;
    one["tree"] = t.revealed.text;
  } else {
    one["not_clear"] = t.revealed.why;
  }
  return one;
}

}  // namespace

std::string text_of(const ProfileReport& r) {
  std::string out = "\nPROFILE  " + headline(r) + "\n\n";
  const auto add = [&](const Row& row) {
    out += row_of(row.label, r.profile, [&row](const PathProfile& p) { return told(row, p); });
  };
  add(rows()[0]);
  out += row_of("order", r.profile, [](const PathProfile& p) { return trees_in_words(p, false); });
  out += row_of("cores", r.profile, [](const PathProfile& p) { return trees_in_words(p, true); });
  for (std::size_t i = 1; i < rows().size(); ++i) add(rows()[i]);
  out += "\n" + field("promises", fmt::format("{}", fmt::join(r.profile.promises, " ")));
  for (const std::string& why : r.profile.unpromised) out += field("not", why);
  std::string learnt = fmt::format(
      "from {} calls in {:.1f} s, on the shapes in brackets, which --json lists. It was observed on them and "
      "is "
      "proved of none.",
      grouped(r.profile.calls), r.seconds);
  if (r.profile.confirmed)
    learnt +=
        fmt::format(" The promises were then kept in {} generated cases.", grouped(r.profile.confirmed));
  out += field("learnt", learnt);
  return out;
}

Json json_of(const ProfileReport& r) {
  Json paths = Json::array();
  for (const PathProfile& p : r.profile.paths) {
    Json facts = Json::object(), trees = Json::array();
    for (const Fact* const f : facts_of(p)) facts[f->name] = json_of(*f);
    for (const SeenTree& t : p.trees) trees.push_back(json_of(t));
    paths.push_back({{"path", name_of(p.path)}, {"facts", facts}, {"trees", trees}});
  }
  return {{"tool", "wgradcheck"},
          {"version", WGRADCHECK_VERSION},
          {"kernel", r.kernel.name + ": " + r.kernel.symbol},
          {"abi", r.kernel.abi->name},
          {"calls", r.profile.calls},
          {"confirmed_in", r.profile.confirmed},
          {"seconds", r.seconds},
          {"promises", r.profile.promises},
          {"not_promised", r.profile.unpromised},
          {"paths", paths}};
}

std::string promises_of(const ProfileReport& r) {
  std::vector<std::string> remarks{"What wgradcheck profile learnt of " + headline(r) + ".",
                                   "It was observed on small shapes and is proved of none."};
  for (const std::string& why : r.profile.unpromised) remarks.push_back("not promised: " + why);
  // A name or a reason may hold anything; a remark is one line.
  for (std::string& remark : remarks) std::ranges::replace(remark, '\n', ' ');
  return promises_text(remarks, r.profile.promises);
}

}  // namespace wgradcheck::check
