#include "check/report/saved.hpp"

#include <fmt/format.h>

#include "check/kernel.hpp"
#include "check/report/fields.hpp"
#include "check/report/files.hpp"
#include "check/run/conv_param.hpp"
#include "check/search/domain.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

using Json = nlohmann::ordered_json;

spec::Shape shape_of(const Fields& fields) {
  auto line = spec::parse_line(fields.get<std::string>("shape"));
  if (const auto* refusal = std::get_if<spec::Refusal>(&line))
    fields.bad("shape", "is refused: " + refusal->reason);
  return std::get<spec::Shape>(line);
}

Json params_of(const Tamper& tamper) {
  Json params = Json::object();
  for (std::size_t i = 0; i < kParamFields.size(); ++i)
    if (tamper.has(i)) params[kParamFields[i]] = tamper.values[i];
  return params;
}

Tamper tamper_of(const Fields& fields) {
  Tamper tamper;
  // Files of earlier versions have at most one.
  if (!fields.has("params")) {
    const std::int64_t place = fields.number("param_field", -1, 19),
                       value = fields.number("param_value", INT32_MIN, INT32_MAX);
    if (place >= 0) tamper.set(static_cast<std::size_t>(place), static_cast<std::int32_t>(value));
    return tamper;
  }
  const Fields params = fields.inside("params");
  params.only(kParamFields);
  for (std::size_t i = 0; i < kParamFields.size(); ++i)
    if (params.has(kParamFields[i]))
      tamper.set(i, static_cast<std::int32_t>(params.number(kParamFields[i], INT32_MIN, INT32_MAX)));
  return tamper;
}

}  // namespace

std::string to_text(const Saved& s) {
  const Case& c = s.trial.test;
  const Json json{{"tool", "wgradcheck"},
                  {"version", WGRADCHECK_VERSION},
                  {"kernel", s.kernel},
                  {"abi", s.abi},
                  {"symbol", s.symbol},
                  {"compiler", s.compiler},
                  {"flags", s.flags},
                  {"peer_library", s.peer_library},
                  {"runner", s.runner},
                  {"runner_file", s.runner_file},
                  {"folder", s.folder},
                  {"promises", s.promises},
                  {"timeout", s.timeout},
                  {"property", name_of(s.property)},
                  {"shape", spec::to_line(c.shape)},
                  {"dtype", static_cast<int>(c.dtype)},
                  {"core_mask", c.core_mask},
                  {"buffer", c.buffer},
                  {"workspace", c.workspace},
                  {"bias", static_cast<int>(c.bias)},
                  {"placement", static_cast<int>(c.placement)},
                  {"align", c.align},
                  {"read_slack", c.read_slack},
                  {"params", params_of(c.tamper)},
                  {"implementation", c.implementation},
                  {"magnitude", c.magnitude},
                  {"seed", c.seed},
                  {"exact_bits", s.trial.fill.exact_bits},
                  {"non_finite", s.trial.fill.non_finite},
                  {"subnormal", s.trial.fill.subnormal},
                  {"rounds", s.trial.fill.rounds},
                  {"masked", s.trial.fill.masked}};
  // A file name need not be UTF-8; one that is not cannot be replayed from here.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Saved load_saved(const std::string& path) { return to_saved(path, read_file(path, kMostJson)); }

Saved to_saved(const std::string& name, const std::string& text) {
  const Fields fields = Fields::parse(name, text, "a saved counterexample");
  if (fields.get<std::string>("tool") != "wgradcheck") fields.bad("tool", "is not wgradcheck");
  constexpr std::int64_t kMost = std::int64_t{1} << 46;
  Saved s;
  s.kernel = fields.get<std::vector<std::string>>("kernel");
  s.abi = fields.get<std::string>("abi");
  s.symbol = fields.get<std::string>("symbol");
  s.compiler = fields.get<std::string>("compiler");
  s.flags = fields.get<std::string>("flags");
  s.peer_library = fields.get<std::string>("peer_library");
  // Files of earlier versions know no runners.
  for (const auto& [field, value] :
       {std::pair{"runner", &s.runner}, {"runner_file", &s.runner_file}, {"folder", &s.folder}})
    if (fields.has(field)) *value = fields.get<std::string>(field);
  s.promises = fields.get<std::vector<std::string>>("promises");
  s.timeout = fields.get<double>("timeout");
  if (!(s.timeout >= 0.01 && s.timeout <= 86400)) fields.bad("timeout", "must be from 0.01 to 86400 seconds");
  const auto property = property_named(fields.get<std::string>("property"));
  if (!property) fields.bad("property", "is no property: " + fields.get<Json>("property").dump());
  s.property = *property;
  Case& c = s.trial.test;
  c.shape = shape_of(fields);
  c.dtype = static_cast<DType>(fields.number("dtype", 0, 2));
  c.core_mask = static_cast<std::uint32_t>(fields.number("core_mask", 1, 0xffffffff));
  c.buffer = fields.number("buffer", 0, 0x7fffffff);
  c.workspace = fields.number("workspace", 0, kMost);
  c.bias = static_cast<Bias>(fields.number("bias", 0, 2));
  c.placement = static_cast<Placement>(fields.number("placement", 0, 3));
  c.align = fields.number("align", 0, 4096);
  c.read_slack = fields.number("read_slack", 0, 4096);
  c.tamper = tamper_of(fields);
  c.implementation = fields.number("implementation", 0, kMost);
  c.magnitude = static_cast<int>(fields.number("magnitude", 0, 2047));
  c.seed = fields.get<std::uint64_t>("seed");
  s.trial.fill.exact_bits = static_cast<int>(fields.number("exact_bits", 2, 24));
  s.trial.fill.non_finite = fields.get<bool>("non_finite");
  s.trial.fill.subnormal = fields.get<bool>("subnormal");
  s.trial.fill.rounds = fields.get<bool>("rounds");
  // Files of earlier versions have none.
  s.trial.fill.masked = fields.has("masked") ? static_cast<int>(fields.number("masked", 0, 24)) : 0;
  if (s.trial.fill.masked != 0 && !(s.trial.fill.rounds && can_mask(s.trial.fill.masked)))
    fields.bad("masked", "must be 0, 8, 11 or 24, and the latter with rounds");
  return s;
}

}  // namespace wgradcheck::check
