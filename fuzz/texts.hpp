#pragma once
#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "check/fuzz/mutate.hpp"

/// Texts that the program reads.
namespace wgradcheck::fuzz {

/// A kind of text: reading any text does not crash, and what is read comes back from what is written of it.
struct TextKind {
  const char* name;
  /// Why reading the text went wrong; empty where it was refused in a sentence, or taken and read back alike.
  std::function<std::string(const std::string&)> fault_of;
  const char* sample;  ///< a text of its kind, from which words are taken to change others
};

/// Every kind; the first byte of an input chooses one.
const std::array<TextKind, 11>& text_kinds();

/// What is wrong with reading the rest of the bytes as that kind of text; empty where nothing is.
std::string fault_of_text(std::string_view bytes);

/// The text changed at the borders of its words and numbers.
std::string mutated_text(std::string text, const std::string& sample, check::Dice&);

/// What any reader and its writer must do: a text that is taken is written as one that is taken, and written
/// alike. `read` throws BadInput for one that is refused.
template <class Read, class Write>
std::string round_trip(const std::string& text, Read read, Write write);

}  // namespace wgradcheck::fuzz

#include "check/kernel.hpp"

namespace wgradcheck::fuzz {

template <class Read, class Write>
std::string round_trip(const std::string& text, Read read, Write write) {
  std::string written;
  try {
    written = write(read(text));
  } catch (const check::BadInput& bad) {
    return bad.sentence.empty() ? "refused without a sentence" : "";
  }
  try {
    const std::string again = write(read(written));
    return again == written ? "" : "written as " + written + ", which reads back as " + again;
  } catch (const check::BadInput& bad) {
    return "written as " + written + ", which is refused: " + bad.sentence;
  }
}

}  // namespace wgradcheck::fuzz
