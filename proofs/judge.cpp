#include "proofs/judge.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <set>

#include "proofs/equal.hpp"
#include "proofs/witness.hpp"

namespace wgradcheck::proofs {
namespace {

using Role = Statement<Sym>::Role;

constexpr unsigned kSeeds = 5;
constexpr unsigned kMutantEffort = 2'000'000;
constexpr std::uint64_t kSteady = 10;  ///< a query's dearest seed costs at most this many times the median

/// Adds the seconds of its life to a sum.
class Timed {
 public:
  explicit Timed(double& seconds) : seconds_(seconds) {}
  ~Timed() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point start_ = Clock::now();
};

/// Mutants of which nothing more is asked: some obligation on the text refutes them, or finds no proof that
/// they are equal.
struct Settled {
  std::set<Site> refuted, different;
};

/// One obligation on trial.
class Trial {
 public:
  Trial(const std::string& subject, const Obligation& obligation, const Asked& asked)
      : obligation_(obligation), asked_(asked) {
    obligation.symbols(statement_);
    result_.name = subject + "." + obligation.name;
    result_.sentence = obligation.sentence;
    result_.expected = obligation.expected;
    result_.of_one_text = obligation.of_one_text;
    std::set<std::string> lemmas;
    for (const auto& step : statement_.steps())
      if (step.role == Role::lemma) lemmas.insert(step.fact.label);
    result_.lemmas.assign(lemmas.begin(), lemmas.end());
  }

  /// What samples tell: whether there are any, which mutants of the formula they refute.
  const Mutants& look() {
    {
      const Timed timed(result_.seconds);
      inside_ = values_inside();
      const auto broken = std::ranges::find_if(
          inside_, [this](const Values& v) { return !read(obligation_, v).broken.empty(); });
      if (broken != inside_.end()) broken_ = *broken;
    }
    const Timed timed(result_.altered_seconds);
    if (!broken_ && !inside_.empty() && obligation_.expected == Verdict::proved)
      mutants_ = mutants(obligation_, inside_);
    return mutants_;
  }

  /// What is proved; of the mutants that are not settled, which are equal.
  const Result& run(const Settled& settled) {
    if (inside_.empty()) return result_;
    {
      const Timed timed(result_.seconds);
      if (!broken_ && proved())
        result_.verdict = Verdict::proved;
      else
        refute(broken_);
    }
    const Timed timed(result_.altered_seconds);
    if (result_.verdict == Verdict::proved) {
      judge_claims();
      judge_mutants(settled);
    }
    return result_;
  }

 private:
  Query question(std::span<const Fact> facts, Products products, const std::string& what) const {
    return smtlib(facts, products, result_.name + ": " + result_.sentence + " Here: " + what + ".");
  }
  /// Not counted as this one's time.
  void tell(const std::string& what, const Query& query, Answer answer) {
    double seconds = 0;
    {
      const Timed timed(seconds);
      if (asked_) asked_(result_.name + "." + what, query, answer);
    }
    result_.seconds -= seconds;
  }

  /// Values inside the assumptions; where there are none, the verdict that follows.
  std::vector<Values> values_inside() {
    const std::size_t variables = statement_.variables().size();
    auto inside = samples(obligation_, variables);
    if (!inside.empty()) return inside;
    std::vector<Fact> assumptions;
    for (const auto& [role, fact] : statement_.steps())
      if (role == Role::assumption) assumptions.push_back(fact);
    const Query query = question(assumptions, Products::multiplied, "the assumptions");
    ModelSearch search(query, statement_.variables());
    if (const auto values = search.find()) inside = samples(obligation_, variables, *values);
    tell("assumptions", query, inside.empty() ? search.last() : Answer::satisfiable);
    if (!inside.empty()) return inside;
    const bool none = search.last() == Answer::unsatisfiable;
    if (none) result_.verdict = Verdict::vacuous;
    result_.detail =
        none ? "nothing satisfies the assumptions" : "nothing was found that satisfies the assumptions";
    return {};
  }

  /// Whether every claim follows from what comes before it, under every seed and with about the same effort.
  bool proved() {
    std::vector<Fact> before;
    int claims = 0;
    for (const auto& [role, fact] : statement_.steps()) {
      if (role == Role::claim) {
        before.push_back({"not " + fact.label, !fact.formula});
        const Query query = question(before, obligation_.products, "the claim " + fact.label);
        before.pop_back();
        result_.cores.push_back({fact.label, {}});
        if (!follows(query, std::to_string(++claims))) {
          result_.detail = "no proof of the claim " + fact.label;
          return false;
        }
      }
      before.push_back(fact);
    }
    return claims > 0;
  }

  bool follows(const Query& query, const std::string& what) {
    std::array<std::uint64_t, kSeeds> efforts{};
    Asking asking(query);
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
      const Reply reply = asking.reply(seed);
      if (seed == 0) tell(what, query, reply.answer);
      if (seed == 0) result_.cores.back().second = {reply.core.begin(), reply.core.end()};
      if (reply.answer != Answer::unsatisfiable) return false;
      efforts[seed] = reply.effort;
    }
    std::ranges::sort(efforts);
    return efforts.back() <= kSteady * efforts[kSeeds / 2];
  }

  /// Refutes by a witness, or by one that is searched for; leaves the verdict as it is where none is found.
  void refute(std::optional<Values> witness) {
    const Query query = question(against(statement_), Products::multiplied, "some claim is false");
    ModelSearch search(query, statement_.variables());
    if (!witness) witness = search.find();
    const bool found = witness && is_witness(obligation_, *witness);
    tell("witness", query, found ? Answer::satisfiable : search.last());
    if (!found) return;
    witness = minimise(obligation_, search, *witness);
    result_.verdict = Verdict::refuted;
    result_.witness = to_string(statement_.variables(), *witness);
    result_.detail = "false: " + read(obligation_, *witness).broken;
  }

  /// Looks for claims that need no fact of the formula: no altered formula breaks them, and they follow
  /// whatever its operations yield. Some lie on the way to others, but not all may; of a schedule, what its
  /// loops alone ensure is told.
  void judge_claims() {
    Statement<Sym> forgetful;
    {
      const Altering altering({.forgotten = true});
      obligation_.symbols(forgetful);
    }
    std::vector<Fact> before;
    int claims = 0;
    for (const auto& [role, fact] : forgetful.steps()) {
      if (role == Role::claim && !mutants_.claims.contains(claims++)) {
        before.push_back({"not " + fact.label, !fact.formula});
        const Query query = question(before, obligation_.products, "a claim whatever the formula yields");
        before.pop_back();
        if (ask(query, 0, kMutantEffort).answer == Answer::unsatisfiable) result_.idle.push_back(fact.label);
      }
      if (role != Role::claim) before.push_back(fact);
    }
    if (static_cast<int>(result_.idle.size()) < claims || result_.of_one_text) return;
    result_.verdict = Verdict::vacuous;
    result_.detail = "true whatever the formula yields";
  }

  void judge_mutants(const Settled& settled) {
    for (const Site site : mutants_.all) {
      if (settled.refuted.contains(site)) continue;
      const auto impossible = [&](const std::string& what, const std::vector<Fact>& facts) {
        if (mutants_.apart.contains(site) || settled.different.contains(site)) return false;
        const Query query = question(facts, obligation_.products, "an altered formula is the same");
        const bool never = ask(query, 0, kMutantEffort).answer == Answer::unsatisfiable;
        if (never && asked_)
          asked_(result_.name + "." + what + std::to_string(site), query, Answer::unsatisfiable);
        return never;
      };
      const Altered altered = compare(obligation_, site, impossible);
      mutants_.others[site] = altered.how;
      if (altered.equal) mutants_.equal.insert(site);
    }
    result_.mutants = mutants_;
    // What one obligation on a schedule does not refute another one may.
    if (!mutants_.refuted.empty() || result_.of_one_text || result_.verdict == Verdict::vacuous) return;
    result_.verdict = Verdict::vacuous;
    result_.detail = "no mutant of the formula is refuted";
  }

  const Obligation& obligation_;
  const Asked& asked_;
  Statement<Sym> statement_;
  Result result_;
  std::vector<Values> inside_;
  std::optional<Values> broken_;  ///< under which some claim is false
  Mutants mutants_;
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
  Trial trial(subject, obligation, asked);
  return trial.run({trial.look().refuted, {}});
}

void judge(const Subject& subject, const Asked& asked, const std::function<void(const Result&)>& done) {
  std::deque<Trial> trials;
  Settled settled;
  for (const Obligation& obligation : subject.obligations) {
    if (!obligation.of_one_text) {
      done(judge(subject.name, obligation, asked));
      continue;
    }
    const Mutants& known = trials.emplace_back(subject.name, obligation, asked).look();
    settled.refuted.insert(known.refuted.begin(), known.refuted.end());
    settled.different.insert(known.apart.begin(), known.apart.end());
  }
  for (Trial& trial : trials) {
    const Result& result = trial.run(settled);
    done(result);
    for (const auto& [site, how] : result.mutants.others)
      if (!result.mutants.equal.contains(site)) settled.different.insert(site);
  }
}

}  // namespace wgradcheck::proofs
