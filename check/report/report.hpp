#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "check/report/verdict.hpp"

namespace wgradcheck::check {

/// What a report needs to repeat the run: the command's words for the kernel and the options that shape every
/// case.
struct Invocation {
  std::string program = "wgradcheck";
  std::vector<std::string> kernel;   ///< as given, to `check`
  std::vector<std::string> options;  ///< those that change what is run, such as --promise acc=f32
};

/// The command that runs one trial again, with the same verdict.
std::string replay_command(const Invocation&, const Trial&);

/// One screen of text, 80 columns; ends in a replay command where there is a counterexample.
std::string text_report(const Verdict&, const Invocation&);

/// The verdict as README describes it.
nlohmann::ordered_json json_report(const Verdict&, const Invocation&);

/// A case's call in words: path, cores, buffer, bias.
std::string call_in_words(const Case&);

/// Breaks a text at spaces into lines of at most `width` characters, those after the first behind `indent`
/// spaces.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

}  // namespace wgradcheck::check
