#include "check/search/shape_list.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "check/kernel.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

/// The words of a line up to its comment. Blanks inside double quotes, as in n"a name", separate nothing.
std::vector<std::string> words(const std::string& line) {
  std::vector<std::string> out;
  std::string word;
  bool quoted = false;
  for (const char c : line + ' ') {
    const bool blank = c == ' ' || c == '\t' || c == '\r';
    if (blank && !quoted) {
      if (!word.empty()) out.push_back(std::move(word));
      word.clear();
      continue;
    }
    if (c == '#' && word.empty()) break;
    quoted ^= c == '"';
    word += c;
  }
  if (!word.empty()) out.push_back(std::move(word));
  return out;
}

class Reader {
 public:
  explicit Reader(std::optional<std::int64_t> batch) : batch_(batch) {}

  /// Reads a file; `from` says where it is named, or is empty.
  void read(const std::filesystem::path& path, const std::string& from) {
    const std::string name = path.string();
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) throw BadInput{from + name + " is a folder"};
    errno = 0;
    std::ifstream in(path);
    if (!in) throw BadInput{fmt::format("{}cannot read {}: {}", from, name, std::strerror(errno))};

    const std::filesystem::path identity = std::filesystem::weakly_canonical(path, error);
    const bool again = std::find(open_.begin(), open_.end(), identity) != open_.end();
    if (again) throw BadInput{fmt::format("{}{} includes itself", from, name)};
    open_.push_back(identity);
    std::int64_t number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      for (const std::string& word : words(line)) take(path, number, word);
    }
    open_.pop_back();
  }
  std::vector<ListedShape> shapes() { return std::move(shapes_); }

 private:
  void take(const std::filesystem::path& file, std::int64_t number, const std::string& word) {
    constexpr std::string_view kBatch = "--batch=";
    if (word.starts_with(kBatch))
      return read(file.parent_path() / word.substr(kBatch.size()),
                  fmt::format("{}:{}: ", file.string(), number));
    if (word.starts_with("--")) return;
    auto shape = spec::parse_line(word);
    if (auto* s = std::get_if<spec::Shape>(&shape); s && batch_) {
      s->batch = *batch_;
      if (auto refusal = spec::refuse(*s)) shape = *refusal;
    }
    shapes_.push_back({file.string(), number, word, shape});
  }

  std::optional<std::int64_t> batch_;
  std::vector<std::filesystem::path> open_;
  std::vector<ListedShape> shapes_;
};

}  // namespace

std::vector<ListedShape> read_shapes(const std::string& path, std::optional<std::int64_t> batch) {
  Reader reader(batch);
  reader.read(path, "");
  return reader.shapes();
}

}  // namespace wgradcheck::check
