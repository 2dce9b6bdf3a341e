#pragma once
#include <functional>

#include "proofs/samples.hpp"
#include "proofs/solver.hpp"

namespace wgradcheck::proofs {

/// What became of an obligation.
struct Result {
  std::string name, sentence;  ///< the name as subject.obligation
  Verdict expected = Verdict::proved, verdict = Verdict::unknown;
  double seconds = 0;          ///< of the proof or the search for a witness
  double altered_seconds = 0;  ///< of what is asked about altered formulas
  std::string witness;         ///< where refuted: minimal values under which the statement is false
  std::string detail;          ///< which claim is false, or why there is no verdict
  Mutants mutants;
  bool of_one_text = false;         ///< its mutants are those of its subject's schedule
  std::vector<std::string> lemmas;  ///< those that it uses
  /// Claims by their names, and what the first proof of each rests on: assumptions, lemmas, claims before it,
  /// what defines quotients, choices and named values.
  std::vector<std::pair<std::string, std::set<std::string>>> cores;
  std::vector<std::string> idle;  ///< claims that follow whatever the formula's operations yield
  int asked = 0, agreed = 0;      ///< queries put to a second solver, and those that it answers alike
  std::vector<std::string> unanswered, disputed;  ///< those that it does not answer, or answers otherwise

  bool as_expected() const { return verdict == expected && disputed.empty(); }
};

/// Told of each query and its answer, which a witness may have given. The name is the obligation's and what
/// is asked: a claim's place, `witness`, `assumptions`, or `altered` or `widened` and the place of an altered
/// operation.
using Asked = std::function<void(const std::string& name, const Query&, Answer)>;

/// The verdict on an obligation of a subject. Proved: every claim under five seeds, some values inside the
/// assumptions, a mutant of the formula that those values refute, and a claim that does not follow whatever
/// the formula's operations yield. Refuted: a witness, read with numbers.
Result judge(const std::string& subject, const Obligation&, const Asked& = {});

/// Judges all obligations of a subject in order. Which altered operations of a schedule are equal is asked of
/// those alone that none of its obligations refutes.
void judge(const Subject&, const Asked&, const std::function<void(const Result&)>& done);

}  // namespace wgradcheck::proofs
