#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "check/case.hpp"
#include "spec/shape.hpp"

namespace wgradcheck::check {

/// A problem line of a file, and its shape or why it is none.
struct ListedShape {
  std::string file;
  std::int64_t line_number = 0;  ///< counted from 1
  std::string line;
  std::variant<spec::Shape, spec::Refusal> shape;
  std::optional<DType> dtype{};  ///< of the elements, where a command says it
};

/// Reads one problem line or command, which no file names; `batch` replaces its mb.
ListedShape read_listed(const std::string& line, std::optional<std::int64_t> batch = {});

/// Reads a file of problem lines or a benchdnn batch file; a line that is a command of benchdnn, MIOpenDriver
/// or CUTLASS's profiler is one problem. In all others words are separated by blanks, `#` starts a
/// comment at the start of a word, a word that starts with `--` is an option and is ignored. `--batch=FILE`
/// stands for the problems of that file, found next to the file that names it. `batch` replaces every mb.
/// Throws BadInput, naming file and line: a file that cannot be read or includes itself.
std::vector<ListedShape> read_shapes(const std::string& path, std::optional<std::int64_t> batch = {});

/// The same of the text of such a file.
std::vector<ListedShape> to_shapes(const std::string& path, const std::string& text,
                                   std::optional<std::int64_t> batch = {});

}  // namespace wgradcheck::check
