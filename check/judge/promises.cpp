#include "check/judge/promises.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <vector>

#include "check/judge/number.hpp"
#include "check/kernel.hpp"

namespace wgradcheck::check {
namespace {

/// Guard pages stand this far from a buffer's end at most.
constexpr std::int64_t kPage = 4096;

/// A key and what it may be: one of some words, or a number.
struct Key {
  const char* name;
  std::vector<std::string> words;
  const char* number = nullptr;  ///< what else it may be, in words
  bool (*accepts)(const std::string&) = nullptr;
};

std::optional<std::int64_t> to_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

const std::vector<Key>& keys() {
  static const std::vector<Key> all{
      {"acc", {"f64", "f32", "f16", "bf16"}},
      {"height",
       {},
       "sequential, pairwise, blocked:N, split:N, chunks or a whole number from 1",
       [](const std::string& text) { return Height::parse(text).has_value(); }},
      {"splits",
       {"chunks", "cores"},
       "a whole number from 1",
       [](const std::string& text) { return to_number(text).value_or(0) >= 1; }},
      {"partials", {"f32", "f16", "bf16"}},
      {"rounding", {"nearest", "directed"}},
      {"dw", {"add", "overwrite"}},
      {"align",
       {},
       "a power of two up to 4096, in bytes",
       [](const std::string& text) {
         const std::int64_t n = to_number(text).value_or(0);
         return n >= 1 && n <= kPage && std::has_single_bit(static_cast<std::uint64_t>(n));
       }},
      {"read_slack",
       {},
       "a number of bytes up to 4096",
       [](const std::string& text) {
         const std::int64_t n = to_number(text).value_or(-1);
         return n >= 0 && n <= kPage;
       }},
      {"bias", {"none", "column", "cout"}},
      {"nonfinite_padding", {"skip"}},
      {"subnormals", {"keep", "flush"}},
      {"repeat", {"bits"}},
      {"algorithm", {"direct", "transform", "fft"}},
      {"refuses", {"yes"}}};
  return all;
}

bool accepts(const Key& key, const std::string& value) {
  return std::ranges::find(key.words, value) != key.words.end() || (key.accepts && key.accepts(value));
}

/// What a key may be, in words.
std::string allowed(const Key& key) {
  std::vector<std::string> all = key.words;
  if (key.number) all.emplace_back(key.number);
  return fmt::format("{}", fmt::join(all, " or "));
}

DType type_of(std::string_view name) {
  return name == "f32" ? DType::f32 : name == "f16" ? DType::f16 : DType::bf16;
}

spec::Accumulator sums_in(int bits) {
  return bits == 53   ? spec::kDoubleSums
         : bits == 24 ? spec::kFloatSums
         : bits == 11 ? spec::kHalfSums
                      : spec::kBfloatSums;
}

}  // namespace

Promises::Promises() { make("dw=add"); }

Promises Promises::bundled(const Abi& abi) {
  Promises all;
  if (abi.ascend) {
    for (const char* promise : {"acc=f32", "align=1", "read_slack=0", "nonfinite_padding=skip",
                                "subnormals=keep", "algorithm=direct"})
      all.make(promise);
    return all;
  }
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

void Promises::make(std::string_view promise, std::string_view where) {
  const std::size_t equals = std::min(promise.find('='), promise.size());
  const std::string name(promise.substr(0, equals));
  const std::string value(promise.substr(std::min(equals + 1, promise.size())));
  const auto key = std::find_if(keys().begin(), keys().end(), [&](const Key& k) { return k.name == name; });
  if (key == keys().end()) {
    std::vector<std::string> names;
    for (const Key& k : keys()) names.emplace_back(k.name);
    throw BadInput{
        fmt::format("{} {}: unknown promise '{}'; known: {}", where, promise, name, fmt::join(names, ", "))};
  }
  if (!accepts(*key, value))
    throw BadInput{fmt::format("{} {}: {} must be {}", where, promise, name, allowed(*key))};
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

std::optional<int> Promises::accumulator_bits() const {
  constexpr int kDouble = 53;
  const auto value = find("acc");
  if (!value) return {};
  return *value == "f64" ? kDouble : significant_bits(type_of(*value));
}

std::optional<DType> Promises::partials() const {
  const auto value = find("partials");
  return value ? std::optional(type_of(*value)) : std::nullopt;
}

std::optional<Height> Promises::height() const {
  const auto value = find("height");
  return value ? Height::parse(*value) : std::nullopt;
}

std::optional<std::int64_t> Promises::splits(const Case& c) const {
  const auto value = find("splits");
  if (!value) return {};
  if (*value == "chunks") return chunks_of(c);
  return *value == "cores" ? c.cores() : to_number(*value);
}

spec::Accumulation Promises::accumulation(const Case& c, std::int64_t terms) const {
  const std::int64_t addends = (adds() ? 1 : 0) + (c.bias == Bias::none ? 0 : 1);
  spec::Accumulation a{sums_in(accumulator_bits().value_or(significant_bits(c.dw_type()))),
                       terms - 1,
                       {},
                       0,
                       find("rounding") != "directed"};
  if (const auto h = height()) a.height = std::min(a.height, h->of(c));
  a.height = std::max<std::int64_t>(a.height, 0) + addends;
  if (const auto narrow = partials()) {
    a.partials = sums_in(significant_bits(*narrow));
    a.roundings = static_cast<double>(std::min(splits(c).value_or(terms), terms) + addends);
  }
  for (spec::Accumulator* const one : {&a.sums, &a.partials}) {
    if (one->unit == 0) continue;
    // Rounding to one side may err by a whole place, and by the least normal number where that is flushed.
    if (!a.nearest) *one = {2 * one->unit, 2 * one->underflow};
    if (keeps_subnormals() == false) one->underflow /= one->unit;
  }
  return a;
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
  if (!value && height()) return true;
  return value ? std::optional(*value == "direct") : std::nullopt;
}

bool Promises::is_fft() const { return find("algorithm") == "fft"; }

std::optional<std::int64_t> Promises::alignment() const { return number("align"); }
std::int64_t Promises::read_slack() const { return number("read_slack").value_or(0); }
bool Promises::adds() const { return find("dw") == "add"; }
bool Promises::skips_padding() const { return made_.contains("nonfinite_padding"); }
bool Promises::repeats_bits() const { return made_.contains("repeat"); }
bool Promises::refuses() const { return made_.contains("refuses"); }

}  // namespace wgradcheck::check
