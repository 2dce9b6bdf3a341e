#pragma once
#include <span>
#include <string>

#include "proofs/judge.hpp"

namespace wgradcheck::proofs {

/// What is proved and what is refuted, a row of a Markdown table each: name, verdict expected, sentence.
std::string listing(std::span<const Subject>);

/// A result as lines of at most 80 columns: name, verdict, seconds and mutants; the sentence; the witness.
std::string text(const Result&);

/// The assumptions, lemmas and definitions that a proof rests on, and the claims that need no fact of the
/// formula, in lines; empty where there is no proof.
std::string rests(const Result&);

/// How many altered formulas there are, how many were refuted, and how many of the others are proved to yield
/// what the formula yields. An altered operation of a schedule counts once, as refuted where one obligation
/// of the schedule refutes it, as equal where it is for all that meet it.
struct Score {
  std::size_t all = 0, refuted = 0, equal = 0;
};
Score score_of(std::span<const Result>);

/// The altered formulas that were not refuted, in lines: what is altered, and whether it is equal.
std::string survivors(std::span<const Result>);

/// The lines that end a table.
std::string summary(std::span<const Result>);

/// `{"obligations": [{name, sentence, expected, verdict, seconds, witness, ...}]}`; witness is null where
/// there is none.
std::string json(std::span<const Result>);

/// One result as a line of JSON, and back.
std::string to_line(const Result&);
Result from_line(const std::string& line);

}  // namespace wgradcheck::proofs
