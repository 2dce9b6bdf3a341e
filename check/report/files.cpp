#include "check/report/files.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "check/kernel.hpp"
#include "check/run/process_group.hpp"

namespace wgradcheck::check {
namespace fs = std::filesystem;

namespace {

/// The folder to remove when a signal ends this process, and the process; a worker's signals are its own.
std::string* doomed = nullptr;
pid_t owner = 0;

/// Files there take no disk, which each small one may keep waiting longer than a small case runs.
constexpr const char* kMemory = "/dev/shm";

bool has_room(const fs::path& folder) {
  constexpr std::uintmax_t kRoom = std::uintmax_t{1} << 30;
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  return !error && space.available >= kRoom && access(folder.c_str(), W_OK | X_OK) == 0;
}

/// Ends what this process started, and removes the folder by another program: little else is safe in a
/// signal's handler.
void remove_and_die(int signal) {
  if (doomed && getpid() == owner) {
    ProcessGroup::kill_every();
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/rm", "rm", "-rf", "--", doomed->c_str(), static_cast<char*>(nullptr));
      _exit(1);
    }
    if (child > 0) waitpid(child, nullptr, 0);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

ScratchFolder::ScratchFolder(For use) {
  const fs::path parent = use == For::many_files && has_room(kMemory) && !std::getenv("TMPDIR")
                              ? fs::path(kMemory)
                              : fs::temp_directory_path();
  path_ = (parent / "wgradcheck-XXXXXX").string();
  if (!mkdtemp(path_.data()))
    throw BadInput{fmt::format("cannot make a folder for temporary files in {}: {}", parent.string(),
                               std::strerror(errno))};
  doomed = &path_;
  owner = getpid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, remove_and_die);
}

ScratchFolder::~ScratchFolder() {
  doomed = nullptr;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string read_file(const std::string& path, std::size_t most) {
  std::ifstream in(path, std::ios::binary);
  std::error_code ignored;
  if (!in || fs::is_directory(path, ignored))
    throw BadInput{fmt::format("cannot read {}: {}", path, in ? "it is a folder" : std::strerror(errno))};
  // A device may never end.
  std::string text;
  while (in && text.size() <= most) {
    const std::size_t had = text.size();
    text.resize(had + std::min<std::size_t>(1 << 20, most + 1 - had));
    in.read(text.data() + had, static_cast<std::streamsize>(text.size() - had));
    text.resize(had + static_cast<std::size_t>(in.gcount()));
  }
  if (text.size() > most)
    throw BadInput{fmt::format("cannot read {}: it has more than {} bytes", path, most)};
  return text;
}

void write_file(const std::string& path, const std::string& text) {
  if (path == "-") {
    std::cout << text;
    return;
  }
  // What is there and no regular file, a device or a link, is written to, never replaced.
  std::error_code none;
  const fs::file_status there = fs::symlink_status(path, none);
  if (fs::exists(there) && !fs::is_regular_file(there)) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    if (!out) throw BadInput{fmt::format("cannot write {}: {}", path, std::strerror(errno))};
    return;
  }
  const std::string half = fmt::format("{}.{}.tmp", path, getpid());
  std::ofstream out(half, std::ios::binary);
  out << text;
  out.close();
  std::error_code error;
  if (out) fs::rename(half, path, error);
  if (out && !error) return;
  const std::string reason = error ? error.message() : std::strerror(errno);
  fs::remove(half, error);
  throw BadInput{fmt::format("cannot write {}: {}", path, reason)};
}

void require_writable(const std::string& path) {
  if (path == "-") return;
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : ".";
  if (fs::is_directory(path)) throw BadInput{fmt::format("cannot write {}: it is a folder", path)};
  if (access(folder.c_str(), W_OK) != 0)
    throw BadInput{fmt::format("cannot write {}: {}", path, std::strerror(errno))};
}

}  // namespace wgradcheck::check
