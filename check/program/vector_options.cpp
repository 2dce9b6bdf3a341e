#include "check/program/vector_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/profile/promises_file.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kUsualCases = 400;
constexpr int kFormat = 1;

/// The options' words but for those that are kept in another form: of shapes, seed and what is `apart`.
std::vector<std::string> words_of(const CLI::App& command, const std::vector<std::string>& apart) {
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    const bool shapes = name == "--seed" || name.starts_with("--shape") || name == "--mb";
    if (!name.starts_with("--") || option->count() == 0 || shapes) continue;
    if (std::ranges::find(apart, name) != apart.end()) continue;
    for (const std::string& value : option->results())
      if (name == "--promises")
        // The file need not be where the answers are judged; what --promise says comes after it.
        for (const std::string& promise : read_promises(value))
          words.insert(words.begin(), {"--promise", promise});
      else
        words.insert(words.end(), {name, value});
  }
  return words;
}

}  // namespace

void VectorOptions::add_to(CLI::App& command) {
  kernel.add_abi_to(command);
  kernel.add_promises_to(command);
  search.add_to(command, std::to_string(kUsualCases));
}

VectorOptions VectorOptions::read(const Fields& fields, const std::vector<const char*>& further) {
  std::vector<const char*> known{"tool", "format", "version", "options", "shapes", "seed"};
  known.insert(known.end(), further.begin(), further.end());
  fields.only(known);
  if (fields.get<std::string>("tool") != "wgradcheck") fields.bad("tool", "is not wgradcheck");
  fields.number("format", kFormat, kFormat);
  // Another version may draw other cases from the same seed.
  if (const auto version = fields.get<std::string>("version"); version != WGRADCHECK_VERSION)
    fields.bad("version",
               fmt::format("is {}, this program's is {}: export again", version, WGRADCHECK_VERSION));
  VectorOptions o;
  const auto words = fields.get<std::vector<std::string>>("options");
  CLI::App app;
  o.add_to(app);
  try {
    // CLI11 takes the last word first.
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::Error& e) {
    fields.bad("options", std::string("is refused: ") + e.what());
  }
  if (!o.search.shape_file.empty()) fields.bad("options", "must not name a file of shapes");
  if (!o.kernel.promise_file.empty()) fields.bad("options", "must not name a file of promises");
  o.search.shapes = fields.get<std::vector<std::string>>("shapes");
  o.search.seed = fields.get<std::uint64_t>("seed");
  return o;
}

nlohmann::ordered_json described(const CLI::App& command, const std::vector<std::string>& apart,
                                 const Plan& plan) {
  auto shapes = nlohmann::ordered_json::array();
  for (const spec::Shape& shape : plan.shapes) shapes.push_back(spec::to_line(shape));
  return {{"tool", "wgradcheck"},
          {"format", kFormat},
          {"version", WGRADCHECK_VERSION},
          {"options", words_of(command, apart)},
          {"shapes", shapes},
          {"seed", plan.seed}};
}

Setting::Setting(const std::string& name, const VectorOptions& o)
    : kernel(kernel_elsewhere(name, o.kernel.abi)) {
  o.search.call.require_meaning(*kernel.abi);
  promises = o.kernel.promises_of(kernel);
  plan = o.search.plan(kernel, promises, kUsualCases);
}

}  // namespace wgradcheck::check
