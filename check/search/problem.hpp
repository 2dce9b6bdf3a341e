#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "check/case.hpp"
#include "spec/shape.hpp"

namespace wgradcheck::check {

/// A problem as somebody wrote it down.
struct Problem {
  spec::Shape shape;
  std::optional<DType> dtype{};  ///< of the elements, where the command says it
};

/// The words of a line up to its comment, which `#` starts at the start of a word. Blanks inside double
/// quotes, as in n"a name", separate nothing.
std::vector<std::string> words_of(std::string_view line);

/// Whether a line begins with a command of benchdnn, MIOpenDriver or CUTLASS's profiler, which may have a
/// path, NAME=value words or the mark of MIOpen's log before it. All of such a line is one problem.
bool is_command(std::string_view line);

/// Reads a problem line, or such a command with what is missing as its tool has it. Flags that do not change
/// the shape are passed over; one that the tool does not have, or that makes it compute something else, is
/// refused by its name.
std::variant<Problem, spec::Refusal> read_problem(std::string_view line);

}  // namespace wgradcheck::check
