#include "check/report/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "check/kernel.hpp"

namespace wgradcheck::check {
namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  path_ = (fs::temp_directory_path() / "wgradcheck-XXXXXX").string();
  if (!mkdtemp(path_.data()))
    throw BadInput{fmt::format("cannot make a folder for temporary files in {}: {}",
                               fs::temp_directory_path().string(), std::strerror(errno))};
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::error_code ignored;
  if (!in || fs::is_directory(path, ignored))
    throw BadInput{fmt::format("cannot read {}: {}", path, in ? "it is a folder" : std::strerror(errno))};
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const std::string& path, const std::string& text) {
  if (path == "-") {
    std::cout << text;
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
