#pragma once
#include <string>
#include <vector>

#include "check/report/other_tools.hpp"
#include "check/report/replay.hpp"
#include "check/report/verdict.hpp"

namespace wgradcheck::check {

/// A counterexample in words, as every report tells it.
struct Account {
  std::string property, detail;        ///< what fails, and how in one sentence
  std::string shape, call;             ///< the problem line, and how the kernel is called
  std::string element, got, expected;  ///< the first wrong element of dW; empty where the finding is of none
  std::vector<std::string> diagnosis;  ///< its wrong products, and last what the kernel computes instead
  std::string where;                   ///< where the kernel fails, as learnt from other cases; may be empty
  std::string first;                   ///< the case that failed first, where it was shrunk
  std::string replay;                  ///< the command that shows it again
  std::vector<ToolLine> tools;         ///< the same problem for other testers
};

Account account_of(const Counterexample&, const Invocation&);

/// The account, its replay command left out.
std::string in_text(const Account&, std::size_t columns = 80);

/// The command that a report ends in: the last counterexample's, or the whole run's where there is none.
std::string last_command(const Verdict&, const Invocation&);

/// What an executor like this cannot see, each a sentence.
std::vector<std::string> unseen_by(const Capabilities&);

/// How many runs, on how many cores or threads, from which seed.
std::string runs_in_words(const Verdict&);

/// The worst error of the runs whose sums round, over the error allowed.
std::string rounding_in_words(const Verdict&);

/// What a pass says and what it does not. The chance is that of the randomised identity, and rests on a seed
/// that nobody chose.
std::string limits_in_words(bool fresh_seed, const std::vector<std::string>& channels_skipped);

/// A labelled line of a report.
std::string field(const char* label, const std::string& text, std::size_t columns = 80);

}  // namespace wgradcheck::check
