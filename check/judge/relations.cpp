#include "check/judge/relations.hpp"

#include <algorithm>
#include <cmath>

#include "check/judge/random.hpp"

namespace wgradcheck::check {
namespace {

using Result = std::optional<std::vector<double>>;

/// Numbers whose doubles are exact in every element type as well; dW and bias are 0.
Data plain_data(const Case& c) {
  constexpr int kBits = 7;  // bfloat16 holds integers up to 2^8
  Data data = make_data(c, {.exact_bits = kBits});
  std::ranges::fill(data.dw, 0);
  std::ranges::fill(data.bias, 0);
  return data;
}

/// One of two parts of x that sum to it; each element is in one of them.
Data part_of(const Case& c, Data data, bool first) {
  for (std::size_t i = 0; i < data.x.size(); ++i)
    if ((scrambled(c.seed, i) % 2 == 0) != first) data.x[i] = 0;
  return data;
}

Data times(int factor, Data data) {
  for (auto& value : data.dy) value = static_cast<std::int16_t>(factor * value);
  return data;
}

/// Whether a + b = sum where all are known, apart from what the kernel gives for zeros: that is told
/// elsewhere.
bool add_up(const Result& a, const Result& b, const Result& sum, const Result& of_zeros) {
  if (!a || !b || !sum || !of_zeros) return true;
  for (std::size_t i = 0; i < sum->size(); ++i)
    if ((*a)[i] + (*b)[i] != (*sum)[i] + (*of_zeros)[i]) return false;
  return true;
}

/// The same numbers; NaN is the same as NaN, since a kernel may well repeat it.
bool same(const Result& a, const Result& b) {
  return !a || !b ||
         std::ranges::equal(*a, *b, [](double p, double q) { return p == q || (p != p && q != q); });
}

}  // namespace

Relations relations_of(Court& court, const Case& c, const Case& unrelated) {
  const Data data = plain_data(c);
  // Slips that come with every second or third call show in one of the repetitions.
  const std::vector<Case> cases{c, c, unrelated, c, c, c, c, c, c, c};
  const std::vector<Data> numbers{
      data,           data,          plain_data(unrelated),  data,
      data,           data,          part_of(c, data, true), part_of(c, data, false),
      times(2, data), times(0, data)};
  const auto seen = court.observe(cases, numbers);
  Relations holds;
  const Result& of_zeros = seen[9];
  holds.finite = !of_zeros || std::ranges::all_of(*of_zeros, [](double v) { return std::isfinite(v); });
  if (!holds.finite) return holds;
  for (const std::size_t again : {1U, 3U, 4U, 5U})
    holds.repeatable = holds.repeatable && same(seen[0], seen[again]);
  holds.additive = add_up(seen[6], seen[7], seen[0], of_zeros);
  holds.homogeneous = add_up(seen[0], seen[0], seen[8], of_zeros);
  return holds;
}

std::vector<std::string> in_words(const Relations& r) {
  std::vector<std::string> lines;
  if (!r.finite) lines.emplace_back("It gives NaN or Inf even where dy, x, dW and bias are 0.");
  if (!r.repeatable)
    lines.emplace_back("The same call gives different results: it depends on earlier calls or on chance.");
  if (!r.additive)
    lines.emplace_back(
        "It is not additive in x: the results for two parts of x do not add up to that for x.");
  if (!r.homogeneous)
    lines.emplace_back("It is not homogeneous in dy: twice dy does not give twice the result.");
  return lines;
}

}  // namespace wgradcheck::check
