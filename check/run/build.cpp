#include "check/run/build.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

#include "embedded.hpp"

namespace wgradcheck::check {
namespace {

namespace fs = std::filesystem;

using Arguments = std::vector<std::string>;

constexpr std::array<std::string_view, 5> kCppEndings{".cpp", ".cc", ".cxx", ".C", ".c++"};

bool is_cpp(const std::string& path) {
  const std::string ending = fs::path(path).extension();
  return std::ranges::find(kCppEndings, ending) != kCppEndings.end();
}

/// What a compiler said; `ok` when it succeeded.
struct Said {
  bool ok = false;
  std::string text;
};

std::vector<char*> pointers(Arguments& strings) {
  std::vector<char*> result;
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

/// Errors are wanted in English, so that the first of them is found.
Arguments english_environment() {
  Arguments environment;
  for (char** e = environ; *e != nullptr; ++e)
    if (!std::string_view(*e).starts_with("LC_ALL=")) environment.emplace_back(*e);
  environment.emplace_back("LC_ALL=C");
  return environment;
}

Said run(Arguments command) {
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) throw BadInput{"cannot run a compiler: no pipe to be had"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
  Arguments environment = english_environment();
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, command[0].c_str(), &actions, nullptr, pointers(command).data(),
                                 pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  Said said;
  std::array<char, 4096> buffer{};
  for (ssize_t n = 1; error == 0 && n > 0;) {
    n = read(pipe_ends[0], buffer.data(), buffer.size());
    if (n > 0) said.text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  close(pipe_ends[0]);
  if (error != 0)
    throw BadInput{fmt::format("the compiler {} cannot be run: {}", command[0], std::strerror(error))};
  int status = 0;
  waitpid(pid, &status, 0);
  said.ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!said.ok && said.text.empty())
    said.text = fmt::format("the compiler {} failed and printed nothing", command[0]);
  return said;
}

std::string first_error(const std::string& text) {
  std::istringstream lines(text);
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (first.empty()) first = line;
    for (const char* sign : {" error: ", "multiple definition", "undefined reference"})
      if (line.find(sign) != std::string::npos) return line;
  }
  return first;
}

/// Line of the source that a compiler's first error names, 0 when it names none of that source.
long error_line(const std::string& error, const std::string& source) {
  return error.starts_with(source + ":") ? std::atol(error.c_str() + source.size() + 1) : 0;
}

class Build {
 public:
  Build(const std::vector<std::string>& sources, const Compile& how, const std::string& scratch)
      : sources_(sources), how_(how) {
    std::string folder = scratch + "/kernel-XXXXXX";
    std::error_code failed;
    fs::create_directories(scratch, failed);
    if (mkdtemp(folder.data()) == nullptr)
      throw BadInput{fmt::format("cannot write to the folder {}: {}", scratch, std::strerror(errno))};
    folder_ = folder;
    std::istringstream words(how.flags);
    for (std::string word; words >> word;) user_flags_.push_back(word);
  }

  /// The shared object of all sources.
  std::string library() const {
    save("conv_grad_filter.h", kConvGradFilterHeader);
    save("wgrad_kernel.h", kWgradKernelHeader);
    fs::create_directories(folder_ / "lib/conv_backprop");
    for (const EmbeddedHeader& header : kAscendHeaders) save(header.name, header.text);
    Arguments rest{"-shared", "-o", folder_ / "kernel.so"};
    for (const std::string& source : sources_) rest.push_back(object(source));
    rest.emplace_back("-lm");
    const Said said = run(command(linker(), rest, user_flags_));
    if (!said.ok) throw BadInput{fmt::format("{} does not link: {}", sources_[0], first_error(said.text))};
    return folder_ / "kernel.so";
  }

  /// The program beside a sanitized kernel that runs it.
  void runner() const {
    save("sanitized_job.h", kSanitizedJobHeader);
    const std::string source = save("sanitized_runner.c", kSanitizedRunner), object = source + ".o";
    for (const Arguments& rest : {Arguments{"-x", "c", "-c", source, "-o", object},
                                  Arguments{"-rdynamic", object, "-o", folder_ / "runner", "-ldl"}})
      if (const Said said = run(command(linker(), rest, {})); !said.ok)
        throw BadInput{fmt::format("{} has no sanitizers: {}", linker(), first_error(said.text))};
  }

 private:
  std::string save(const std::string& name, const char* text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  /// Compiles one source to an object. With the header by force only where it does not compile without; if it
  /// does neither way, the error that lies further down the source is the author's.
  std::string object(const std::string& source) const {
    const auto number = &source - sources_.data();
    const std::string out = folder_ / fmt::format("{}.o", number);
    // A source may include the documented header by name; one of the author's own goes first.
    const Arguments plain{"-c", source, "-o", out, "-idirafter", folder_};
    const Said alone = run(command(driver(source), plain, user_flags_));
    if (alone.ok) return out;
    Arguments forced = plain;
    forced.insert(forced.end(), {"-include", folder_ / "conv_grad_filter.h"});
    const Said helped = run(command(driver(source), forced, user_flags_));
    if (helped.ok) return out;
    const std::string first = first_error(alone.text), second = first_error(helped.text);
    const bool further = error_line(second, source) > error_line(first, source);
    throw BadInput{fmt::format("{} does not compile: {}", source, further ? second : first)};
  }

  std::string driver(const std::string& source) const {
    return !how_.compiler.empty() ? how_.compiler : is_cpp(source) ? "c++" : "cc";
  }

  std::string linker() const {
    const auto cpp = std::ranges::find_if(sources_, is_cpp);
    return driver(cpp == sources_.end() ? sources_.front() : *cpp);
  }

  Arguments command(const std::string& compiler, const Arguments& rest, const Arguments& flags) const {
    Arguments all{compiler, "-O2", "-g", "-fPIC", "-fvisibility=default"};
    if (how_.sanitize)
      all.insert(all.end(),
                 {"-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer"});
    if (how_.coverage) all.emplace_back("-fsanitize-coverage=trace-pc");
    all.insert(all.end(), flags.begin(), flags.end());
    // Headers that a source includes and does not bring.
    all.insert(all.end(), {"-idirafter", folder_});
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  }

  const std::vector<std::string>& sources_;
  const Compile& how_;
  fs::path folder_;
  Arguments user_flags_;
};

}  // namespace

bool is_source(const std::string& path) { return fs::path(path).extension() == ".c" || is_cpp(path); }

std::string build(const std::vector<std::string>& sources, const Compile& how, const std::string& scratch) {
  const Build build(sources, how, scratch);
  const std::string library = build.library();
  if (how.sanitize) build.runner();
  return library;
}

std::string runner_of(const std::string& library) { return fs::path(library).parent_path() / "runner"; }

}  // namespace wgradcheck::check
