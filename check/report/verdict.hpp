#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/judge/court.hpp"
#include "check/judge/diagnose.hpp"
#include "check/report/differences.hpp"

namespace wgradcheck::check {

/// A failure made as small as it gets, and what the kernel computes there.
struct Counterexample {
  Trial trial;      ///< the minimal one
  Finding finding;  ///< what it shows
  Case first;       ///< the case that failed first
  Diagnosis diagnosis{};
  bool steady = true;            ///< it failed each time that it was repeated
  std::string when{};            ///< a sentence that says where the kernel fails, as learnt; empty: none fits
  std::int64_t neighbours = 0;   ///< smaller cases around the minimal one, all of which pass; 0: not known
  std::string implementation{};  ///< what a host kernel calls the one that ran
  std::string folder{};          ///< of a recorded case: where its files are
  bool open = false;             ///< it may become smaller when further answers are there

  /// Takes over what only a run of the minimal trial tells.
  void learn_from(const Outcome& run) {
    trial.test.workspace = run.workspace.value_or(trial.test.workspace);
    implementation = run.implementation;
    folder = run.folder;
  }
};

/// The run that came nearest to the error that the promised accumulation may make.
struct WorstRounding {
  double worst = -1;  ///< its error over the error allowed; -1 where no run had sums that round
  spec::Shape shape{};
};

/// What a check found. It speaks of the runs made, in the domain and under the promises stated, and of no
/// others.
struct Verdict {
  enum class Answer { pass, fail, none } answer = Answer::none;
  std::string kernel, abi, domain, promises;
  std::uint64_t seed = 0;
  std::int64_t run = 0, skipped = 0;
  std::string largest;       ///< the largest sizes that were run, each by itself
  std::string workspace;     ///< the fullest that a workspace got; empty where none was used
  std::int64_t open = 0;     ///< of those skipped: cases whose answers are not there
  std::int64_t refused = 0;  ///< further runs, with parameters that must be refused
  std::vector<std::pair<std::string, std::int64_t>> by_class;         ///< runs in each class of shapes
  std::vector<std::pair<std::string, std::int64_t>> skipped_because;  ///< cases not run, by reason
  std::vector<std::string> channels_skipped, notes;
  bool memory_seen = true;             ///< whether stray accesses show; else the channel is skipped
  std::vector<std::string> unseen;     ///< what the executor cannot see, each a sentence
  std::int64_t further = 0;            ///< cases that were written because their answers would say more
  std::string further_in{};            ///< where they are; empty where there are none
  std::vector<std::string> neglected;  ///< classes of the domain with too few runs for a verdict
  std::vector<Counterexample> counterexamples;
  WorstRounding rounding;
  std::optional<Differences> against;  ///< how the runs compare with an old kernel's
  bool fresh_seed = false;             ///< whether the operating system chose the seed
  int least_cores = 1, cores = 1;      ///< the smallest and the largest number of cores
  bool host = false;                   ///< of a host kernel, whose cores are threads
  std::chrono::system_clock::time_point started = std::chrono::system_clock::now();
  double seconds = 0;  ///< that all of it took
};

/// What the runs amount to: no pass where none was made, one is still open, or a class had too few.
inline Verdict::Answer answer_of(const Verdict& v) {
  if (!v.counterexamples.empty()) return Verdict::Answer::fail;
  const bool enough = v.run > 0 && v.neglected.empty() && v.open == 0;
  return enough ? Verdict::Answer::pass : Verdict::Answer::none;
}

}  // namespace wgradcheck::check
