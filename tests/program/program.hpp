#pragma once
#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/temporary.hpp"

namespace wgradcheck {

/// What a command printed on both streams, and its exit status.
struct Ran {
  std::string text;
  int status = -1;
};

/// Runs the built program with these words, as a shell reads them.
inline Ran run_program(const std::string& words) {
  Ran ran;
  // Tests keep no counterexamples but those that they ask for.
  const std::string command =
      "XDG_CACHE_HOME=/dev/null " + std::string(WGRADCHECK_BUILD) + "/wgradcheck " + words + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return ran;
  char part[4096];
  while (const std::size_t n = std::fread(part, 1, sizeof part, pipe)) ran.text.append(part, n);
  const int status = pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return ran;
}

/// A temporary file with this text.
inline std::string file_of(const std::string& name, const std::string& text) {
  std::ofstream(temporary(name)) << text;
  return temporary(name);
}

/// What a file holds.
inline std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline nlohmann::json json_of(const std::string& file) { return nlohmann::json::parse(text_of(file)); }

/// The path of a kernel that the tests bring.
inline std::string kernel(const std::string& name) {
  return std::string(WGRADCHECK_SOURCE) + "/tests/program/kernels/" + name;
}

}  // namespace wgradcheck
