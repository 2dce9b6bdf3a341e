#include "check/judge/promises.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <vector>

#include "check/kernel.hpp"

namespace wgradcheck::check {
namespace {

/// Guard pages stand this far from a buffer's end at most.
constexpr std::int64_t kPage = 4096;

/// A key and what it may be: one of some words, or a number.
struct Key {
  const char* name;
  std::vector<std::string> words;
  const char* number = nullptr;  ///< what the number is, in words
  bool (*accepts)(std::int64_t) = nullptr;
};

const std::vector<Key>& keys() {
  static const std::vector<Key> all{
      {"acc", {"f32", "f16", "bf16"}},
      {"splits", {}, "a whole number from 1", [](std::int64_t n) { return n >= 1; }},
      {"dw", {"add", "overwrite"}},
      {"align",
       {},
       "a power of two up to 4096, in bytes",
       [](std::int64_t n) {
         return n >= 1 && n <= kPage && std::has_single_bit(static_cast<std::uint64_t>(n));
       }},
      {"read_slack", {}, "a number of bytes up to 4096", [](std::int64_t n) { return n >= 0 && n <= kPage; }},
      {"bias", {"none", "column", "cout"}},
      {"nonfinite_padding", {"skip"}},
      {"subnormals", {"keep", "flush"}},
      {"repeat", {"bits"}},
      {"algorithm", {"direct", "transform"}},
      {"refuses", {"yes"}}};
  return all;
}

std::optional<std::int64_t> to_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

bool accepts(const Key& key, const std::string& value) {
  if (!key.number) return std::find(key.words.begin(), key.words.end(), value) != key.words.end();
  const auto number = to_number(value);
  return number && key.accepts(*number);
}

}  // namespace

Promises::Promises() { make("dw=add"); }

Promises Promises::bundled(const Abi& abi) {
  Promises all;
  if (abi.host) {
    for (const char* promise : {"acc=f32", "dw=overwrite", "algorithm=direct"}) all.make(promise);
    return all;
  }
  for (const char* promise : {"acc=f32", "align=1", "read_slack=0", "bias=column", "nonfinite_padding=skip",
                              "subnormals=keep", "repeat=bits", "algorithm=direct", "refuses=yes"})
    all.make(promise);
  // A shared kernel has one partial sum a core, however many there are.
  if (!abi.shared) all.make("splits=1");
  return all;
}

void Promises::make(std::string_view promise) {
  const std::size_t equals = std::min(promise.find('='), promise.size());
  const std::string name(promise.substr(0, equals));
  const std::string value(promise.substr(std::min(equals + 1, promise.size())));
  const auto key = std::find_if(keys().begin(), keys().end(), [&](const Key& k) { return k.name == name; });
  if (key == keys().end()) {
    std::vector<std::string> names;
    for (const Key& k : keys()) names.emplace_back(k.name);
    throw BadInput{
        fmt::format("--promise {}: unknown promise '{}'; known: {}", promise, name, fmt::join(names, ", "))};
  }
  if (!accepts(*key, value))
    throw BadInput{fmt::format("--promise {}: {} must be {}", promise, name,
                               key->number ? key->number : fmt::format("{}", fmt::join(key->words, " or ")))};
  made_.insert_or_assign(name, value);
}

std::string Promises::text() const {
  std::vector<std::string> all;
  for (const Key& key : keys())
    if (const auto value = find(key.name)) all.push_back(fmt::format("{}={}", key.name, *value));
  return fmt::format("{}", fmt::join(all, " "));
}

std::optional<std::string> Promises::find(const char* key) const {
  const auto found = made_.find(key);
  return found == made_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::int64_t> Promises::number(const char* key) const {
  const auto value = find(key);
  return value ? to_number(*value) : std::nullopt;
}

std::optional<DType> Promises::accumulator() const {
  const auto value = find("acc");
  if (!value) return {};
  return *value == "f32" ? DType::f32 : *value == "f16" ? DType::f16 : DType::bf16;
}

std::optional<Bias> Promises::bias() const {
  const auto value = find("bias");
  if (!value) return {};
  return *value == "none" ? Bias::none : *value == "column" ? Bias::column : Bias::per_output;
}

std::optional<bool> Promises::keeps_subnormals() const {
  const auto value = find("subnormals");
  return value ? std::optional(*value == "keep") : std::nullopt;
}

std::optional<bool> Promises::is_direct() const {
  const auto value = find("algorithm");
  return value ? std::optional(*value == "direct") : std::nullopt;
}

std::optional<std::int64_t> Promises::splits() const { return number("splits"); }
std::optional<std::int64_t> Promises::alignment() const { return number("align"); }
std::int64_t Promises::read_slack() const { return number("read_slack").value_or(0); }
bool Promises::adds() const { return find("dw") == "add"; }
bool Promises::skips_padding() const { return made_.contains("nonfinite_padding"); }
bool Promises::repeats_bits() const { return made_.contains("repeat"); }
bool Promises::refuses() const { return made_.contains("refuses"); }

}  // namespace wgradcheck::check
