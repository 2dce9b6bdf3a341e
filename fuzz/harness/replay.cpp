#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz/harness/harness.hpp"

namespace fs = std::filesystem;

namespace {

/// The regular files that the words name, those of folders in order; a folder that is not there has none.
std::vector<fs::path> files_of(int argc, char** argv) {
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    if (!fs::is_directory(argv[i])) {
      if (fs::exists(argv[i])) files.emplace_back(argv[i]);
      continue;
    }
    const std::size_t before = files.size();
    for (const auto& entry : fs::directory_iterator(argv[i])) files.push_back(entry.path());
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

}  // namespace

/// Runs a harness once on each file. Exit status: 0 all right, 1 a fault, 3 no file.
int main(int argc, char** argv) {
  int faults = 0;
  const std::vector<fs::path> files = files_of(argc, argv);
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    // Said before, so that a crash has a name.
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);
    const std::string fault = wgradcheck::fuzz::fault_of(bytes);
    if (!fault.empty()) std::printf("  %s\n", fault.c_str());
    faults += !fault.empty();
  }
  std::printf("%zu inputs, %d faults; %s\n", files.size(), faults, wgradcheck::fuzz::counts().c_str());
  return files.empty() ? 3 : faults != 0;
}
