#include "check/report/differences.hpp"

#include <fmt/format.h>

#include "check/report/account.hpp"
#include "check/report/words.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Agreement a) {
  return a == Agreement::same ? "same" : a == Agreement::within ? "within" : "beyond";
}

std::string row(const std::string& name, const std::string& runs, const std::string& same,
                const std::string& within, const std::string& beyond) {
  return fmt::format("           {:<16}{:>9}{:>12}{:>18}{:>10}\n", name, runs, same, within, beyond);
}

std::string row(const AgreementCounts& c) {
  return row(c.name, grouped(c.runs()), grouped(c.same), grouped(c.within), grouped(c.beyond));
}

Json json_of(const AgreementCounts& c) {
  return {{"runs", c.runs()}, {"same_bits", c.same}, {"within_bound", c.within}, {"beyond", c.beyond}};
}

std::string values_of(const Difference& d) {
  std::string text = fmt::format("{}: now {}, before {}", describe(*d.element, d.trial.test.shape),
                                 number(d.now), number(d.before));
  if (d.allowed)
    text += d.allowed->bound > 0
                ? fmt::format("; {} to {} is allowed", number(d.allowed->least), number(d.allowed->most))
                : fmt::format("; {} is right", number(d.allowed->exact));
  return text;
}

Json json_of(const Difference& d, const Invocation& how) {
  Json one{{"kind", name_of(d.kind)},
           {"detail", d.detail},
           {"shape", spec::to_line(d.trial.test.shape)},
           {"first_shape", spec::to_line(d.first.shape)},
           {"element", nullptr},
           {"replay", replay_command(how, d.trial)}};
  if (d.element) {
    one["element"] = describe(*d.element, d.trial.test.shape);
    one["now"] = d.now;
    one["before"] = d.before;
  }
  if (d.allowed) {
    one["exact"] = d.allowed->exact;
    one["bound"] = d.allowed->bound;
  }
  return one;
}

}  // namespace

void AgreementCounts::add(Agreement a) {
  same += a == Agreement::same;
  within += a == Agreement::within;
  beyond += a == Agreement::beyond;
}

std::string headline(const Differences& d) {
  return fmt::format("{} of {} run{} differ{} from {} beyond the bound.", grouped(d.all.beyond),
                     grouped(d.all.runs()), d.all.runs() == 1 ? "" : "s", d.all.beyond == 1 ? "s" : "",
                     d.old);
}

std::string text_of(const Differences& d, const Invocation& how) {
  std::string out = field("against", d.old);
  out += row("", "runs", "same bits", "within the bound", "beyond") + row(d.all);
  for (const AgreementCounts& c : d.by_class)
    if (c.runs()) out += row(c);
  if (d.all.beyond)
    out += field("outside", fmt::format("of those beyond, this kernel in {}, the old one in {}",
                                        grouped(d.now_outside), grouped(d.before_outside)));
  if (d.not_compared)
    out += field("", fmt::format("{} run{} not compared: one of the two did not take the call, or neither "
                                 "returned",
                                 grouped(d.not_compared), d.not_compared == 1 ? " is" : "s are"));
  if (!d.first) return out;
  const Case& c = d.first->trial.test;
  out += field("differs", fmt::format("{}, at {}{}: {}", d.first->detail, spec::to_line(c.shape),
                                      d.first->first == c ? "" : " (shrunk)", call_in_words(c)));
  if (d.first->element) out += field("", values_of(*d.first));
  return out + fmt::format("  {}\n", replay_command(how, d.first->trial));
}

Json json_of(const Differences& d, const Invocation& how) {
  Json classes = Json::object();
  for (const AgreementCounts& c : d.by_class) classes[c.name] = json_of(c);
  return {{"old", d.old},
          {"all", json_of(d.all)},
          {"by_class", classes},
          {"now_outside", d.now_outside},
          {"before_outside", d.before_outside},
          {"not_compared", d.not_compared},
          {"first", d.first ? json_of(*d.first, how) : Json()}};
}

}  // namespace wgradcheck::check
