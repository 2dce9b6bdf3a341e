#include "check/profile/rules.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "check/judge/random.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

std::string why_not(const Outcome& o) {
  if (!o.detail.empty()) return o.detail;
  return o.status == Outcome::Status::crashed ? "the call crashed" : "the call did not return 0";
}

constexpr std::size_t kProducts = 48;

/// Products whose sum depends on the order in every accumulator of at most 32 bits, and shows it after a
/// rounding to 11 bits: most cancel in pairs far apart, and the others are smaller by 2^-14.
std::vector<Factors> order_telling(DType t) {
  constexpr std::uint64_t kPairs = 20;
  const double places = t == DType::bf16 ? 0x1p7 : 0x1p10;
  const auto factor = [places](std::uint64_t i) {
    const auto range = static_cast<std::uint64_t>(2 * places);
    return static_cast<double>(static_cast<std::int64_t>(scrambled(i, 1) % range) | 1) / places - 1;
  };
  std::vector<Factors> products;
  for (std::uint64_t k = 0; k < kProducts; ++k) {
    const std::uint64_t half = kProducts / 2, place = k % half;
    const Factors one{factor(2 * k), factor(2 * k + 1)};
    if (place >= kPairs)
      products.push_back({one.dy * 0x1p-7, one.x * 0x1p-7});
    else
      products.push_back(k < half ? one : -products[place]);
  }
  return products;
}

}  // namespace

Adds learn_adds(const Probe& probe, spec::Path path) {
  constexpr double kOld = 7, kSum = 5;
  Line line = line_of(probe, {.path = path});
  Adds a{{}, {"dw", {}, {}, "one product", {spec::to_line(line.test.shape)}}};
  std::vector<Question> questions;
  for (const bool accumulate : {true, false}) {
    if (!probe.host() && !accumulate) continue;
    line.test.accumulate = accumulate;
    questions.push_back(with_products(line, {{kSum, 1}}, kOld));
  }
  const std::vector<Reply> replies = probe.ask(questions);
  const double first = replies.front().element(line.element);
  if (probe.host()) {
    const bool can_add = first == kOld + kSum, can_store = replies.back().element(line.element) == kSum;
    if (can_store) a.adds = false;
    if (can_add && !can_store) a.adds = true;
    a.fact.answer = can_add && can_store ? "added or stored, as asked for"
                    : can_add            ? "added; it does not store"
                    : can_store          ? "stored; it does not add"
                                         : "";
  } else if (first == kOld + kSum || first == kSum) {
    a.adds = first != kSum;
    a.fact.answer = *a.adds ? "added to what it holds" : "overwritten";
  }
  if (!a.adds)
    a.fact.why = std::isnan(first) ? why_not(replies.front().outcome)
                                   : fmt::format("7, with 5 to add, became {:g}", first);
  return a;
}

Biased learn_bias(const Probe& probe, spec::Path path) {
  // As many columns as outputs, so that either kind of bias has the same size.
  const bool pointwise = path == spec::Path::pointwise;
  spec::Shape s{1, 1, pointwise ? 4 : 2, 4, spec::kNoAxis, {1, 1, 1, 1, 1, 0}, {2, 1, 2, 1, 1, 0}};
  if (pointwise) s.width = {1, 1, 1, 1, 1, 0};
  Biased b{{}, {"bias", {}, {}, "4 outputs of 4 columns", {spec::to_line(s)}}};
  const auto test = probe.admitted({.shape = s, .bias = Bias::column});
  if (!test) {
    b.fact.why = "the convention does not admit the shape";
    return b;
  }
  Question q{.test = *test};
  q.bias = {1, 2, 4, 8};
  const Reply r = probe.ask(std::span(&q, 1)).front();
  const auto is = [&](auto value_at) {
    for (std::size_t i = 0; i < r.dw.size(); ++i)
      if (r.dw[i] != value_at(i)) return false;
    return r.returned();
  };
  if (is([&](std::size_t i) { return q.bias[i % 4]; })) {
    b.bias = Bias::column;
    b.fact.answer = "one a column, added";
  } else if (is([&](std::size_t i) { return q.bias[i / 4]; })) {
    b.bias = Bias::per_output;
    b.fact.answer = "one an output channel, added";
  } else if (is([](std::size_t) { return 0.0; })) {
    b.bias = Bias::none;
    b.fact.answer = "ignored";
  } else {
    b.fact.why = r.returned() ? "dW follows neither columns nor outputs" : why_not(r.outcome);
  }
  return b;
}

Padding learn_padding(const Probe& probe, spec::Path path) {
  // The first output meets the first tap in the padding.
  const std::int64_t outputs = path == spec::Path::depthwise ? 1 : 2;
  const spec::Shape s{1, 1, 1, outputs, spec::kNoAxis, spec::kNoAxis, {3, 3, 3, 1, 1, 1}};
  Padding p{{}, {"nonfinite_padding", {}, {}, "a row of 3, padded", {spec::to_line(s)}}};
  const auto test = probe.admitted({.shape = s});
  if (!test) {
    p.fact.why = "the convention does not admit the shape";
    return p;
  }
  Question q{.test = *test, .dy = {}, .x = {1, 1, 1}};
  q.dy.assign(static_cast<std::size_t>(3 * outputs), 1);
  for (std::int64_t i = 0; i < outputs; ++i) q.dy[static_cast<std::size_t>(i)] = INFINITY;
  const Reply r = probe.ask(std::span(&q, 1)).front();
  const double meets_padding = r.element(0), meets_infinity = r.element(1);
  if (!r.returned() || !std::isinf(meets_infinity)) {
    p.fact.why = r.returned() ? "infinity in dy does not reach the taps that read it" : why_not(r.outcome);
    return p;
  }
  p.skips = meets_padding == 2;
  p.fact.answer = *p.skips ? "kept out of padded taps" : "times the zeros of the padding, so NaN";
  if (!*p.skips && !std::isnan(meets_padding)) {
    p.skips.reset();
    p.fact.answer.clear();
    p.fact.why = fmt::format("a padded tap became {:g}", meets_padding);
  }
  return p;
}

Repeats learn_repeats(const Probe& probe, spec::Path path, const std::vector<std::uint32_t>& core_masks) {
  constexpr std::size_t kCalls = 24;
  Repeats r{true, {"repeat", {}, {}, "48 products", {}}};
  for (const std::uint32_t mask : core_masks) {
    // Cores share images.
    const Along along = std::popcount(mask) > 1 ? Along::images : Along::all;
    const Line line = line_of(probe, {.path = path, .along = along, .terms = kProducts, .core_mask = mask});
    r.fact.shapes.push_back(spec::to_line(line.test.shape));
    const std::vector<Question> same(kCalls, with_products(line, order_telling(probe.dtype())));
    const std::vector<Reply> replies = probe.ask(same);
    for (const Reply& one : replies) {
      if (!one.returned()) {
        r.repeats.reset();
        r.fact.why = why_not(one.outcome);
        return r;
      }
      if (one.bytes != replies.front().bytes) r.repeats = false;
    }
  }
  r.fact.answer =
      *r.repeats ? fmt::format("the same bits in {} calls", kCalls) : "bits change from call to call";
  return r;
}

}  // namespace wgradcheck::check
