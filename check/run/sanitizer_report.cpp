#include "check/run/sanitizer_report.hpp"

#include <fmt/format.h>

#include <regex>

namespace wgradcheck::check {
namespace {

/// The innermost frame that is not the sanitizer's own, as ", in function at file:line", or empty.
std::string place_in(const std::string& text) {
  static const std::regex frame(R"(#\d+ 0x[0-9a-f]+ in (\S+) (\S+:\d+))");
  static const std::regex own("libsanitizer|compiler-rt|sanitizer_common");
  for (std::sregex_iterator it(text.begin(), text.end(), frame), end; it != end; ++it)
    if (!std::regex_search(it->str(2), own)) return fmt::format(", in {} at {}", it->str(1), it->str(2));
  return {};
}

/// Addresses differ from run to run and say nothing.
std::string without_addresses(const std::string& text) {
  static const std::regex address(" 0x[0-9a-f]+");
  return std::regex_replace(text, address, "");
}

std::optional<SanitizerReport> of_address_sanitizer(const std::string& text) {
  static const std::regex head(R"(ERROR: AddressSanitizer: (.*?)(?: on| \(|:|\n))");
  static const std::regex at(R"(ERROR: AddressSanitizer: .* on (?:unknown )?address 0x([0-9a-f]+))");
  static const std::regex sized(R"((READ|WRITE) of size (\d+))");
  static const std::regex unsized(R"(caused by a (READ|WRITE))");
  std::smatch match;
  if (!std::regex_search(text, match, head)) return std::nullopt;
  SanitizerReport report{.finding = match.str(1)};
  if (std::regex_search(text, match, at)) report.address = std::stoull(match.str(1), nullptr, 16);
  if (std::regex_search(text, match, sized) || std::regex_search(text, match, unsized)) {
    report.write = match.str(1) == "WRITE";
    report.finding += report.write ? ", write" : ", read";
    if (match.size() > 2) report.finding += fmt::format(" of {} bytes", match.str(2));
  }
  report.finding += place_in(text);
  return report;
}

std::optional<SanitizerReport> of_undefined_behavior_sanitizer(const std::string& text) {
  static const std::regex line(R"((\S+:\d+(?::\d+)?): runtime error: (.*))");
  std::smatch match;
  if (!std::regex_search(text, match, line)) return std::nullopt;
  return SanitizerReport{.finding = fmt::format("{} at {}", without_addresses(match.str(2)), match.str(1))};
}

}  // namespace

std::optional<SanitizerReport> find_report(const std::string& output) {
  const auto report = of_address_sanitizer(output);
  return report ? report : of_undefined_behavior_sanitizer(output);
}

}  // namespace wgradcheck::check
