#include "check/search/shape_list.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "check/kernel.hpp"
#include "check/report/files.hpp"
#include "check/search/problem.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::size_t kMostBytes = 16 << 20;    ///< of one file
constexpr std::size_t kMostShapes = 1'000'000;  ///< of a file and all that it names

std::string text_of(const std::string& path, const std::string& from) {
  try {
    return read_file(path, kMostBytes);
  } catch (const BadInput& bad) {
    throw BadInput{from + bad.sentence};
  }
}

class Reader {
 public:
  explicit Reader(std::optional<std::int64_t> batch) : batch_(batch) {}

  /// Reads a file; `from` says where it is named, or is empty.
  void read(const std::filesystem::path& path, const std::string& from) {
    read(path, from, text_of(path.string(), from));
  }

  /// The same of a text that the file holds.
  void read(const std::filesystem::path& path, const std::string& from, const std::string& text) {
    std::error_code error;
    std::istringstream in(text);
    const std::filesystem::path identity = std::filesystem::weakly_canonical(path, error);
    const bool again = std::find(open_.begin(), open_.end(), identity) != open_.end();
    if (again) throw BadInput{fmt::format("{}{} includes itself", from, path.string())};
    open_.push_back(identity);
    std::int64_t number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      if (is_command(line)) {
        list(path, number, line);
        continue;
      }
      for (const std::string& word : words_of(line)) take(path, number, word);
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
    if (!word.starts_with("--")) list(file, number, word);
  }

  void list(const std::filesystem::path& file, std::int64_t number, const std::string& line) {
    if (shapes_.size() == kMostShapes)
      throw BadInput{
          fmt::format("{}:{}: more than {} shapes are listed", file.string(), number, kMostShapes)};
    shapes_.push_back(read_listed(line, batch_));
    shapes_.back().file = file.string();
    shapes_.back().line_number = number;
  }

  std::optional<std::int64_t> batch_;
  std::vector<std::filesystem::path> open_;
  std::vector<ListedShape> shapes_;
};

}  // namespace

ListedShape read_listed(const std::string& line, std::optional<std::int64_t> batch) {
  ListedShape one{.file = {}, .line_number = 0, .line = line, .shape = {}, .dtype = {}};
  const auto read = read_problem(line);
  if (const auto* refusal = std::get_if<spec::Refusal>(&read)) {
    one.shape = *refusal;
    return one;
  }
  auto [shape, dtype] = std::get<Problem>(read);
  if (batch) shape.batch = *batch;
  one.shape = shape;
  one.dtype = dtype;
  if (auto refusal = spec::refuse(shape)) one.shape = *refusal;
  return one;
}

std::vector<ListedShape> read_shapes(const std::string& path, std::optional<std::int64_t> batch) {
  Reader reader(batch);
  reader.read(path, "");
  return reader.shapes();
}

std::vector<ListedShape> to_shapes(const std::string& path, const std::string& text,
                                   std::optional<std::int64_t> batch) {
  Reader reader(batch);
  reader.read(path, "", text);
  return reader.shapes();
}

}  // namespace wgradcheck::check
