#include "check/profile/promises_file.hpp"

#include <fmt/format.h>

#include <map>
#include <sstream>

#include "check/judge/promises.hpp"
#include "check/kernel.hpp"
#include "check/report/files.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;

std::string trimmed(const std::string& text) {
  constexpr const char* kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace

std::vector<std::string> read_promises(const std::string& path) {
  return to_promises(path, read_file(path, kMostBytes));
}

std::vector<std::string> to_promises(const std::string& path, const std::string& text) {
  std::vector<std::string> promises;
  std::map<std::string, int> lines;
  std::istringstream in(text);
  Promises known;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    const std::string where = fmt::format("{}:{}:", path, ++number);
    const std::string promise = trimmed(line.substr(0, line.find('#')));
    if (promise.empty()) continue;
    known.make(promise, where);
    const auto [before, added] = lines.emplace(promise.substr(0, promise.find('=')), number);
    if (!added)
      throw BadInput{
          fmt::format("{} {}: line {} promises {} too", where, promise, before->second, before->first)};
    promises.push_back(promise);
  }
  return promises;
}

std::string promises_text(std::span<const std::string> remarks, std::span<const std::string> promises) {
  std::string text;
  for (const std::string& remark : remarks) text += "# " + remark + "\n";
  for (const std::string& promise : promises) text += promise + "\n";
  return text;
}

}  // namespace wgradcheck::check
