#include "check/judge/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "check/judge/altered.hpp"
#include "check/judge/counted.hpp"
#include "spec/wgrad.hpp"

namespace wgradcheck::check {
namespace {

constexpr int kMostUnseen = 8;                   ///< cases of rivals that may stay without an answer
constexpr std::int64_t kMostOfSlips = 1 << 18;   ///< products of a case on which slips are tried
constexpr std::int64_t kMostOfRivals = 1 << 14;  ///< products of a case on which rival slips are tried

void read_products(Court& court, const Case& c, Diagnosis& diagnosis) {
  const auto counted = counted_products(court, c);
  if (!counted) return;
  diagnosis.bilinear = add_up(c, *counted);
  if (!diagnosis.bilinear) return;
  const std::int64_t xs = spec::x_elems(c.shape);
  for (std::int64_t k = 0; k < spec::dw_elems(c.shape); ++k) {
    const spec::Element e = spec::element_at(c.shape, k);
    std::vector<double> due(counted->products.size());
    spec::each_product(c.shape, e,
                       [&](std::int64_t i, std::int64_t j) { ++due[static_cast<std::size_t>(i * xs + j)]; });
    for (std::size_t probe = 0; probe < due.size(); ++probe) {
      const double count = counted->products[probe][static_cast<std::size_t>(k)];
      if (count == due[probe]) continue;
      const auto index = static_cast<std::int64_t>(probe);
      diagnosis.products.push_back({index / xs, index % xs, count, due[probe]});
    }
    diagnosis.offset = counted->offset[static_cast<std::size_t>(k)];
    if (diagnosis.products.empty() && diagnosis.offset == 0) continue;
    diagnosis.element = e;
    diagnosis.products_known = true;
    break;
  }
}

/// What the slip makes of a case, in a kernel that adds to dW or stores over it.
altered::Prediction prediction_of(const Slip& slip, const Case& c, Data data, bool adds) {
  if (!adds && !slip.of_old_value) std::ranges::fill(data.dw, 0);
  return slip.predict(c, data);
}

/// How many of the runs the slip predicts; -1 as soon as it is wrong on one or says nothing of the first.
int agreement(const Slip& slip, std::span<const Case> cases, std::span<const Data> data,
              std::span<const std::optional<std::vector<double>>> seen, bool adds) {
  int predicted = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!seen[i]) continue;
    const auto prediction = prediction_of(slip, cases[i], data[i], adds);
    if (!prediction && i > 0) continue;
    if (!prediction || *prediction != *seen[i]) return -1;
    ++predicted;
  }
  return predicted;
}

/// Runs cases on which the slips predict different things until one slip is left or the cases end. The first
/// of those that are left.
const Slip* tell_apart(Court& court, const Fill& fill, std::vector<const Slip*> rivals,
                       std::span<const Case> cases) {
  const bool adds = court.promises().adds();
  int unseen = 0;
  for (const Case& c : cases) {
    if (rivals.size() < 2) break;
    if (spec::products(c.shape) > kMostOfRivals) continue;
    const Data data = make_data(c, fill);
    std::vector<altered::Prediction> predictions;
    for (const Slip* slip : rivals) predictions.push_back(prediction_of(*slip, c, data, adds));
    if (std::ranges::all_of(predictions, [&](const auto& p) { return !p || p == predictions.front(); }))
      continue;
    const auto seen = court.observe(std::span(&c, 1), std::span(&data, 1)).front();
    if (!seen && ++unseen == kMostUnseen) break;
    if (!seen) continue;
    std::vector<const Slip*> left;
    for (std::size_t i = 0; i < rivals.size(); ++i)
      if (!predictions[i] || *predictions[i] == *seen) left.push_back(rivals[i]);
    if (!left.empty()) rivals = left;
  }
  return rivals.empty() ? nullptr : rivals.front();
}

}  // namespace

Diagnosis diagnose(Court& court, const Trial& minimal, std::span<const Case> others,
                   std::span<const Case> spare) {
  Diagnosis diagnosis;
  Case unrelated = others.empty() ? minimal.test : others.front();
  ++unrelated.seed;
  diagnosis.relations = relations_of(court, minimal.test, unrelated);
  if (!diagnosis.relations.repeatable) return diagnosis;
  const Relations& r = diagnosis.relations;
  diagnosis.bilinear = r.finite && r.additive && r.homogeneous;
  if (diagnosis.bilinear) read_products(court, minimal.test, diagnosis);
  std::vector<Case> cases{minimal.test};
  // Slips are evaluated product by product.
  std::ranges::copy_if(others, std::back_inserter(cases),
                       [](const Case& c) { return spec::products(c.shape) <= kMostOfSlips; });
  std::vector<Data> data;
  for (const Case& c : cases) data.push_back(make_data(c, minimal.fill));
  const auto seen = court.observe(cases, data);
  if (!seen[0]) return diagnosis;
  diagnosis.tried = true;
  std::vector<const Slip*> best;
  for (const Slip& slip : slips()) {
    const int predicted = agreement(slip, cases, data, seen, court.promises().adds());
    if (predicted < std::max(diagnosis.predicted, 1)) continue;
    if (predicted > diagnosis.predicted) best.clear();
    best.push_back(&slip);
    diagnosis.predicted = predicted;
  }
  diagnosis.slip = tell_apart(court, minimal.fill, best, spare);
  return diagnosis;
}

std::vector<std::string> in_words(const Diagnosis& d, const spec::Shape& s) {
  std::vector<std::string> lines = in_words(d.relations);
  if (!d.relations.repeatable) return lines;
  constexpr std::size_t kMostLines = 6;
  if (d.products_known) lines.push_back(fmt::format("{}:", describe(d.element, s)));
  for (std::size_t i = 0; i < std::min(d.products.size(), kMostLines); ++i) {
    const WrongProduct& p = d.products[i];
    const char* kind = p.counted == 0 ? "missing" : p.due == 0 ? "extra" : "counted";
    const std::string times = p.counted == 0 || p.counted == 1 ? "" : fmt::format(" {} times", p.counted);
    lines.push_back(fmt::format("  {:<8}{} * {}{}", kind, describe_pixel(BufferId::dy, s, p.dy),
                                describe_pixel(BufferId::x, s, p.x), times));
  }
  if (d.offset != 0)
    lines.push_back(fmt::format("  plus    {:.9g}, also where dy, x, dW and bias are 0", d.offset));
  if (d.products.size() > kMostLines)
    lines.push_back(fmt::format("  and {} more", d.products.size() - kMostLines));
  if (!d.bilinear && lines.empty())
    lines.push_back(
        "It is not bilinear in dy and x here: single products do not explain what dense data give.");
  if (d.slip)
    lines.push_back(fmt::format("Your kernel behaves as if {} ({}; {} of {} runs predicted bit for bit).",
                                d.slip->sentence, d.slip->id, d.predicted, d.predicted));
  else
    lines.push_back(d.tried ? "No slip of the known family predicts what it computes."
                            : "What it computes instead was not asked yet.");
  return lines;
}

}  // namespace wgradcheck::check
