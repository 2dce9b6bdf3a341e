#pragma once
#include <gtest/gtest.h>

#include <string>

#include "tests/check/kernels.hpp"
#include "tests/program/program.hpp"
#include "tests/structure/shell.hpp"

namespace wgradcheck {

inline const std::string kStrict = " -std=c89 -pedantic -ffreestanding -Wall -Wextra -Werror ";
inline const std::string kHeader = " -include " WGRADCHECK_SOURCE "/targets/include/conv_grad_filter.h ";
inline const std::string kMain = WGRADCHECK_SOURCE "/tests/program/boards/main.c";

/// A processor for which programs are compiled, and what runs them here.
struct Target {
  std::string name, compiler = "cc", emulator = {};
};

/// A folder in which programs for boards are written, run and judged.
class Board {
 public:
  explicit Board(Target target = {"Native"}) : target_(std::move(target)) {}

  std::string file(const std::string& name) const { return scratch_.path() + "/" + name; }
  tests::Ran sh(const std::string& line) const {
    return tests::sh("export XDG_CACHE_HOME=/dev/null\ncd " + scratch_.path() + "\n" + line);
  }
  tests::Ran vectors(const std::string& words) const {
    return sh(std::string(WGRADCHECK_BUILD) + "/wgradcheck vectors " + words);
  }
  std::string write(const std::string& name, const std::string& text) const {
    return scratch_.write(name, text);
  }
  std::string read(const std::string& name) const { return text_of(file(name)); }

  /// Runs program N.c with a kernel into N.log; `flags` are the program's, `others` the kernel's and main's.
  tests::Ran run(const std::string& n, const std::string& kernel, const std::string& flags = "",
                 const std::string& others = "") const {
    const bool prints = others.find("-DDUMP") == std::string::npos;
    const auto built = sh(target_.compiler + kStrict + (prints ? "-DWGRADCHECK_PUTCHAR=putchar " : "") +
                          flags + " -O1 -c " + n + ".c -o " + n + ".o && " + target_.compiler +
                          " -static -O1 " + others + " -o " + n + " " + n + ".o " + kernel + " " + kMain);
    EXPECT_EQ(built.status, 0) << built.output;
    return sh(target_.emulator + " ./" + n + " > " + n + ".log");
  }

 private:
  check::Scratch scratch_;
  Target target_;
};

}  // namespace wgradcheck
