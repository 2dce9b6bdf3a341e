#include "proofs/schedule_program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace wgradcheck::proofs {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// Runs a command; what it prints goes to a file where one is named. Returns its exit status, 127 where it
/// cannot be run, 128 and more where it was killed.
int run_command(Words command, const fs::path& output = {}) {
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    if (!output.empty()) {
      const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      dup2(file, STDOUT_FILENO);
      dup2(file, STDERR_FILENO);
      setenv("LC_ALL", "C", 1);  // what is printed is looked through for English words
    }
    execvp(words[0], words.data());
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Makes a folder of its own.
fs::path made_folder() {
  std::string name = fs::temp_directory_path() / "wgradcheck-XXXXXX";
  if (mkdtemp(name.data()) == nullptr)
    throw NotBuilt("cannot make the folder " + name + ": " + std::strerror(errno));
  return name;
}

/// Where the headers and libraries are: beside the program where it is installed, else where it was built.
Words places() {
  const fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  if (fs::exists(prefix / "include/wgradcheck/proofs"))
    return {"-I" + (prefix / "include/wgradcheck").string(), "-L" + (prefix / WGRADCHECK_LIBDIR).string()};
  return {"-I" WGRADCHECK_SOURCE, "-L" WGRADCHECK_BUILD "/proofs", "-L" WGRADCHECK_BUILD "/impl",
          "-L" WGRADCHECK_BUILD "/spec"};
}

/// Why there is no program, by what the compiler printed: its first error, or what the linker lacks.
std::string failure(const fs::path& output) {
  std::ifstream lines(output);
  std::string first, undefined;
  for (std::string line; std::getline(lines, line);) {
    const auto has = [&line](const char* words) { return line.find(words) != std::string::npos; };
    if (first.empty()) first = line;
    if (undefined.empty() && (has("undefined reference") || has("undefined symbol") || has("cannot find -l")))
      undefined = line;
    // The driver's own line about the linker says nothing.
    if (has("error: ld returned") || has("error: linker command failed"))
      return "does not link: " + (undefined.empty() ? first : undefined);
    if (has("error: ")) return "does not compile: " + line;
  }
  return "does not compile: " + first;
}

/// Compiles the program of a header.
void compile(const std::string& header, const fs::path& folder) {
  const fs::path source = folder / "main.cpp", output = folder / "compiler.txt";
  std::ofstream(source) << "#include \"" << fs::absolute(header).string() << "\"\n"
                        << "#include \"proofs/schedule/program.hpp\"\n"
                        << "int main(int argc, char** argv) {\n"
                        << "  return wgradcheck::proofs::prove_schedule<Schedule>(\""
                        << fs::path(header).stem().string() << "\", argc, argv);\n}\n";
  const char* const chosen = std::getenv("CXX");
  Words words{chosen != nullptr && *chosen != '\0' ? chosen : "c++", "-std=c++20", "-O1", source};
  const Words where = places();
  words.insert(words.end(), where.begin(), where.end());
  for (const std::string word : {WGRADCHECK_FLAGS, "-lwgradcheck_proofs", "-lwgradcheck_impl",
                                 "-lwgradcheck_spec", "-lfmt", "-lz3", "-o"})
    if (!word.empty()) words.push_back(word);
  words.push_back(folder / "prove");
  if (const int status = run_command(words, output); status == 127)
    throw NotBuilt("CXX is " + words[0] + ", which cannot be run");
  else if (status != 0)
    throw NotBuilt(header + " " + failure(output));
}

}  // namespace

ScheduleProgram::ScheduleProgram(const std::string& header) : folder_(made_folder()) {
  try {
    compile(header, folder_);
  } catch (...) {
    fs::remove_all(folder_);
    throw;
  }
}

ScheduleProgram::~ScheduleProgram() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

int ScheduleProgram::run(const std::vector<std::string>& options) const {
  std::fflush(stdout);  // what is printed here comes before what the program prints
  Words words{folder_ / "prove"};
  words.insert(words.end(), options.begin(), options.end());
  return run_command(words);
}

}  // namespace wgradcheck::proofs
