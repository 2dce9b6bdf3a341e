#include "proofs/judge.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>

#include "proofs/witness.hpp"

namespace wgradcheck::proofs {
namespace {

using Role = Statement<Sym>::Role;

constexpr unsigned kSeeds = 5;
constexpr std::uint64_t kSteady = 10;  ///< a query's dearest seed costs at most this many times the median

/// One obligation on trial.
class Trial {
 public:
  Trial(const std::string& subject, const Obligation& obligation, const Asked& asked)
      : obligation_(obligation), asked_(asked) {
    obligation.symbols(statement_);
    result_.name = subject + "." + obligation.name;
    result_.sentence = obligation.sentence;
    result_.expected = obligation.expected;
    std::set<std::string> lemmas;
    for (const auto& step : statement_.steps())
      if (step.role == Role::lemma) lemmas.insert(step.fact.label);
    result_.lemmas.assign(lemmas.begin(), lemmas.end());
  }

  Result run() {
    const std::vector<Values> inside = values_inside();
    if (inside.empty()) return result_;
    const auto broken = std::ranges::find_if(
        inside, [this](const Values& v) { return !read(obligation_, v).broken.empty(); });
    if (broken != inside.end()) {
      auto search = search_for(against(statement_), "some claim is false");
      refute(search, *broken);
    } else if (proved()) {
      result_.verdict = Verdict::proved;
      count_mutants(inside);
    } else {
      auto search = search_for(against(statement_), "some claim is false");
      if (const auto values = search.find()) refute(search, *values);
    }
    return result_;
  }

 private:
  std::string heading(const std::string& question) const {
    return result_.name + ": " + result_.sentence + " Here: " + question + ".";
  }

  ModelSearch search_for(const std::vector<Fact>& facts, const std::string& question) {
    const Query query = smtlib(facts, Products::multiplied, heading(question));
    if (asked_) asked_(result_.name + "." + question, query, Answer::unknown);
    return ModelSearch(query, statement_.variables());
  }

  /// Values inside the assumptions; where there are none, the verdict that follows.
  std::vector<Values> values_inside() {
    auto inside = samples(obligation_, statement_.variables().size());
    if (!inside.empty()) return inside;
    std::vector<Fact> assumptions;
    for (const auto& [role, fact] : statement_.steps())
      if (role == Role::assumption) assumptions.push_back(fact);
    auto search = search_for(assumptions, "the assumptions");
    if (const auto values = search.find())
      inside = samples(obligation_, statement_.variables().size(), *values);
    if (!inside.empty()) return inside;
    if (search.exhausted()) result_.verdict = Verdict::vacuous;
    result_.detail = search.exhausted() ? "nothing satisfies the assumptions"
                                        : "nothing was found that satisfies the assumptions";
    return {};
  }

  /// Whether every claim follows from what comes before it, under every seed and with about the same effort.
  bool proved() {
    std::vector<Fact> before;
    int claims = 0;
    for (const auto& [role, fact] : statement_.steps()) {
      if (role == Role::claim) {
        before.push_back({"not " + fact.label, !fact.formula});
        const Query query = smtlib(before, obligation_.products, heading("the claim " + fact.label));
        before.pop_back();
        if (!follows(query, result_.name + "." + std::to_string(++claims))) {
          result_.detail = "no proof of the claim " + fact.label;
          return false;
        }
      }
      before.push_back(fact);
    }
    return claims > 0;
  }

  bool follows(const Query& query, const std::string& name) {
    std::array<std::uint64_t, kSeeds> efforts{};
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
      const Reply reply = ask(query, seed);
      if (seed == 0 && asked_) asked_(name, query, reply.answer);
      if (reply.answer != Answer::unsatisfiable) return false;
      efforts[seed] = reply.effort;
    }
    std::ranges::sort(efforts);
    return efforts.back() <= kSteady * efforts[kSeeds / 2];
  }

  void refute(ModelSearch& search, const Values& found) {
    const Reading reading = read(obligation_, found);
    if (!reading.inside || reading.broken.empty()) {
      result_.detail = "the solver's witness does not hold";
      return;
    }
    const Values least = minimise(obligation_, search, found);
    result_.verdict = Verdict::refuted;
    result_.witness = to_string(statement_.variables(), least);
    result_.detail = "false: " + read(obligation_, least).broken;
  }

  void count_mutants(const std::vector<Values>& inside) {
    const Mutants mutants = proofs::mutants(obligation_, inside);
    result_.killed = mutants.killed;
    result_.mutants = mutants.total;
    if (mutants.killed > 0) return;
    result_.verdict = Verdict::vacuous;
    result_.detail = "no mutant of the formula is refuted";
  }

  const Obligation& obligation_;
  const Asked& asked_;
  Statement<Sym> statement_;
  Result result_;
};

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::proved:
      return "proved";
    case Verdict::refuted:
      return "refuted";
    case Verdict::vacuous:
      return "vacuous";
    case Verdict::unknown:
      return "unknown";
  }
  return {};
}

Result judge(const std::string& subject, const Obligation& obligation, const Asked& asked) {
  const auto start = std::chrono::steady_clock::now();
  Result result = Trial(subject, obligation, asked).run();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace wgradcheck::proofs
