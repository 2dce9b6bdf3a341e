#pragma once
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace wgradcheck::tests {

/// What a command printed, both streams together, and how it ended.
struct Ran {
  int status;
  std::string output;
};

/// Runs a line of shell without input.
inline Ran sh(const std::string& line) {
  FILE* pipe = ::popen(("{ " + line + "\n} 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no shell for: " + line);
  std::string output;
  std::array<char, 4096> part;
  while (const auto n = std::fread(part.data(), 1, part.size(), pipe)) output.append(part.data(), n);
  const int ended = ::pclose(pipe);
  return {WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended), output};
}

/// A folder of its own, with a space in its name, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "wgradcheck test XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = std::filesystem::canonical(name);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string path(const std::string& name) const { return path_ / name; }
  /// The same as one word of shell.
  std::string word(const std::string& name) const { return "'" + path(name) + "'"; }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name)) << text;
  }
  void write_script(const std::string& name, const std::string& text) const {
    write(name, "#!/bin/sh\n" + text);
    std::filesystem::permissions(path(name), std::filesystem::perms::all);
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path path_;
};

}  // namespace wgradcheck::tests
