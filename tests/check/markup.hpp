#pragma once
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace wgradcheck::check {

/// Why a text is no well-formed XML, as far as these tests need it: elements nest, attributes are quoted,
/// every & begins an entity, no byte is a control character. Nothing where it is.
inline std::optional<std::string> malformed(const std::string& text) {
  static const std::regex control("[\\x01-\\x08\\x0b\\x0c\\x0e-\\x1f]"),
      loose("&(?!(amp|lt|gt|quot|#[0-9]+);)");
  if (std::regex_search(text, control)) return "a control character";
  if (std::regex_search(text, loose)) return "a loose &";
  static const std::regex start(R"re(<([A-Za-z0-9-]+)((\s+[A-Za-z:-]+="[^"<]*")*)\s*(/?)>)re"),
      end(R"(</([A-Za-z0-9-]+)>)");
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    if (at < 200 && (text.compare(at, 2, "<?") == 0 || text.compare(at, 2, "<!") == 0)) continue;
    const std::string tag = text.substr(at, text.find('>', at) - at + 1);
    std::smatch match;
    if (std::regex_match(tag, match, end)) {
      if (open.empty() || open.back() != match[1]) return tag + " closes nothing";
      open.pop_back();
    } else if (!std::regex_match(tag, match, start)) {
      return "no tag: " + tag;
    } else if (match[4].length() == 0) {
      open.push_back(match[1]);
    }
  }
  if (!open.empty()) return open.back() + " is not closed";
  return {};
}

/// How often a text holds another.
inline int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace wgradcheck::check
