#include <array>
#include <cctype>
#include <vector>

#include "fuzz/texts.hpp"

namespace wgradcheck::fuzz {
namespace {

/// A part of a text: [first, last).
struct Part {
  std::size_t first = 0, last = 0;
};

enum class Sort { letters, digits, blanks, sign };

Sort sort_of(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalpha(byte) != 0   ? Sort::letters
         : std::isdigit(byte) != 0 ? Sort::digits
         : std::isspace(byte) != 0 ? Sort::blanks
                                   : Sort::sign;
}

/// Words and numbers, and each sign by itself.
std::vector<Part> parts_of(const std::string& text) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const Sort sort = sort_of(text[i]);
    if (i > 0 && sort != Sort::sign && sort == sort_of(text[i - 1]))
      parts.back().last = i + 1;
    else
      parts.push_back({i, i + 1});
  }
  return parts;
}

/// Numbers at the edges of what the readers' types hold.
std::string number(check::Dice& dice) {
  constexpr std::array kWide{"4294967295",
                             "4294967296",
                             "4611686018427387903",
                             "4611686018427387904",
                             "9223372036854775807",
                             "9223372036854775808",
                             "-9223372036854775808",
                             "18446744073709551615",
                             "18446744073709551616",
                             "1e308",
                             "1e999",
                             "0.5",
                             "00",
                             "-0"};
  return dice.below(4) == 0 ? std::string(dice.one_of(kWide)) : std::to_string(check::edge(dice));
}

std::string part_of(const std::string& text, check::Dice& dice) {
  const std::vector<Part> parts = parts_of(text);
  if (parts.empty()) return {};
  const std::size_t from = dice.below(parts.size());
  const std::size_t to = std::min(parts.size() - 1, from + dice.below(4));
  return text.substr(parts[from].first, parts[to].last - parts[from].first);
}

}  // namespace

std::string mutated_text(std::string text, const std::string& sample, check::Dice& dice) {
  const std::vector<Part> parts = parts_of(text);
  if (parts.empty()) return sample;
  const Part part = parts[dice.below(parts.size())];
  const std::size_t length = part.last - part.first;
  switch (dice.below(8)) {
    case 0:
      return text.erase(part.first, length);
    case 1:
      return text.insert(part.first, text.substr(part.first, length));
    case 2:
      return text.insert(part.first, part_of(sample, dice));
    case 3:
      return text.replace(part.first, length, part_of(dice.below(2) == 0 ? text : sample, dice));
    case 4:
      return text.substr(0, part.last);
    case 5:
      text[part.first + dice.below(length)] = static_cast<char>(dice.below(256));
      return text;
    default:
      for (std::size_t tries = 0; tries < 16; ++tries) {
        const Part other = parts[dice.below(parts.size())];
        if (sort_of(text[other.first]) == Sort::digits)
          return text.replace(other.first, other.last - other.first, number(dice));
      }
      return text.insert(part.first, number(dice));
  }
}

}  // namespace wgradcheck::fuzz
