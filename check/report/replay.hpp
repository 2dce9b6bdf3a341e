#pragma once
#include <string>
#include <vector>

#include "check/judge/court.hpp"

namespace wgradcheck::check {

/// What a report needs to repeat the run: the command's words for the kernel and the options that shape every
/// case.
struct Invocation {
  std::string program = "wgradcheck";
  std::vector<std::string> kernel;   ///< as given, to `check`
  std::vector<std::string> options;  ///< those that change what is run, such as --promise acc=f32
  std::vector<std::string> rerun;    ///< every word of a command that makes the whole run again
  bool whole = false;  ///< a single case has no command of its own: the whole run shows it again
};

/// A word as a POSIX shell reads it back, in quotes where it needs them; control characters and bytes that
/// are no UTF-8 by their octal numbers, so that every report can hold it.
std::string quoted(const std::string& word);

/// The words as a shell reads them back.
std::string command_of(const std::vector<std::string>& words);

/// The command that runs one trial again, with the same verdict.
std::string replay_command(const Invocation&, const Trial&);

}  // namespace wgradcheck::check
