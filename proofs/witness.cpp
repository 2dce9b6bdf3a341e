#include "proofs/witness.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <set>
#include <utility>

#include "proofs/given.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::proofs {
namespace {

using Bounds = std::vector<std::optional<std::int64_t>>;

constexpr std::chrono::seconds kSearch{20};

/// Brings one variable as close to 0 as can be: tries 0, 1, 2, 3, 4, 8, 16, ... and halves the last gap.
void lower(const Obligation& obligation, ModelSearch& search, Bounds& bounds, Values& witness,
           std::size_t variable) {
  const auto reaches = [&](std::int64_t bound) {
    bounds[variable] = bound;
    const auto found = search.find(bounds);
    if (!found || !is_witness(obligation, *found)) return false;
    witness = *found;
    return true;
  };
  std::int64_t below = -1;  // the largest bound that is known not to do
  for (std::int64_t bound = 0; bound < std::abs(witness[variable]);
       bound = bound < 4 ? bound + 1 : 2 * bound) {
    if (reaches(bound)) break;
    below = bound;
  }
  while (std::abs(witness[variable]) - below > 1) {
    const std::int64_t middle = below + (std::abs(witness[variable]) - below) / 2;
    if (!reaches(middle)) below = middle;
  }
  bounds[variable] = std::abs(witness[variable]);
}

/// A reading that takes what an obligation is given from values by name.
class Given {
 public:
  Given(const std::vector<std::string>& variables, const Values& values) {
    for (std::size_t i = 0; i < variables.size(); ++i) values_.emplace_back(variables[i], values[i]);
  }
  std::int64_t integer(const Label& label) {
    const auto place =
        std::ranges::find(values_, std::string(label), &std::pair<std::string, std::int64_t>::first);
    if (place == values_.end()) {
      complete_ = false;
      return 1;
    }
    const std::int64_t value = place->second;
    if (!unsaid(place->first)) values_.erase(place);
    return value;
  }
  void assume(const Label&, bool) {}
  bool complete() const { return complete_; }
  std::string rest() const {
    std::string text;
    for (const auto& [name, value] : values_)
      text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
    return text;
  }

 private:
  /// Fields of a call that its problem line leaves out.
  static bool unsaid(const std::string& name) {
    static const std::set<std::string> names{"core_num", "elem_bytes",   "pad_d_",
                                             "pad_r_",   "buffer_size_", "limit"};
    return names.contains(name);
  }
  std::vector<std::pair<std::string, std::int64_t>> values_;
  bool complete_ = true;
};

/// The shape that values describe as a line, and what the line does not say.
template <class Describe>
std::optional<std::string> line(Given given, Describe describe) {
  const spec::Shape shape = describe(given);
  if (!given.complete() || spec::refuse(shape)) return {};
  return spec::to_line(shape) + " " + given.rest();
}

}  // namespace

std::vector<Fact> against(const Statement<Sym>& statement) {
  std::vector<Fact> facts;
  std::optional<Formula> claims;
  for (const auto& [role, fact] : statement.steps()) {
    if (role == Statement<Sym>::Role::assumption) facts.push_back(fact);
    if (role == Statement<Sym>::Role::claim) claims.emplace(claims ? *claims && fact.formula : fact.formula);
  }
  if (claims) facts.push_back({"some claim is false", !*claims});
  return facts;
}

bool is_witness(const Obligation& obligation, const Values& values) {
  const Reading reading = read(obligation, values);
  return reading.inside && !reading.broken.empty();
}

Values minimise(const Obligation& obligation, ModelSearch& search, Values witness) {
  witness = smaller(obligation, std::move(witness));
  // Of a nest's many products the solver may know nothing for minutes: then what was found stands.
  const auto end = std::chrono::steady_clock::now() + kSearch;
  search.limit(kSearch / 4);
  Bounds bounds(witness.size());
  for (std::size_t i = 0; i < witness.size() && std::chrono::steady_clock::now() < end; ++i)
    lower(obligation, search, bounds, witness, i);
  return witness;
}

std::string to_string(const std::vector<std::string>& variables, const Values& values) {
  const Given given(variables, values);
  if (const auto text = line(given, [](Given& g) { return shape_of(any_call(g)); })) return *text;
  if (const auto text = line(given, [](Given& g) { return given_shape(g); })) return *text;
  return given.rest();
}

}  // namespace wgradcheck::proofs
