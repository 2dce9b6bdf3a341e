#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "proofs/smtlib.hpp"

namespace wgradcheck::proofs {

enum class Verdict { proved, refuted, vacuous, unknown };

std::string to_string(Verdict);

/// Values of an obligation's variables, in the order in which it declares them.
using Values = std::vector<std::int64_t>;

/// A statement and the verdict that it must get.
struct Obligation {
  std::string name, sentence;
  Verdict expected;
  /// The one text of the statement, read with symbols and with numbers.
  std::function<void(Statement<Sym>&)> symbols;
  std::function<void(Statement<Number>&)> numbers;
  Products products = Products::named;
  bool of_one_text = false;  ///< all such ones of a subject are about one text, as of a schedule
};

/// An obligation whose statement, a callable over any reading, holds for all integers.
template <class Text>
Obligation holds(std::string name, std::string sentence, Text text) {
  return {std::move(name), std::move(sentence), Verdict::proved, text, text};
}

/// An obligation whose statement is false, and must be shown false by a witness.
template <class Text>
Obligation fails(std::string name, std::string sentence, Text text) {
  return {std::move(name), std::move(sentence), Verdict::refuted, text, text};
}

/// The same obligations, all about one text.
inline std::vector<Obligation> about_one_text(std::vector<Obligation> all) {
  for (Obligation& one : all) one.of_one_text = true;
  return all;
}

/// The obligations of one file of proofs/obligations, in their order.
struct Subject {
  std::string name;
  std::vector<Obligation> obligations;
};

/// All subjects, lemmas first; or all but the schedules, whose obligations are found by running through them.
std::vector<Subject> subjects(bool schedules = true);

}  // namespace wgradcheck::proofs
