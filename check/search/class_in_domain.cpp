#include "check/search/class_in_domain.hpp"

#include <algorithm>
#include <bit>

#include "check/search/generate.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kFloorsFrom = 1000, kFloorPercent = 2;  ///< runs that must meet every class so often

}  // namespace

bool holds_class(const Domain& domain, const ShapeClass& wanted, std::uint64_t seed) {
  const auto several = [](std::uint32_t mask) { return std::popcount(mask) > 1; };
  if (wanted.of_cores && std::ranges::none_of(domain.core_masks, several)) return false;
  if (!domain.where) return true;
  Domain everywhere = domain;
  everywhere.where = nullptr;
  const auto any = cases(everywhere);
  for (std::int64_t i = 0; i < 1000; ++i) {
    const Case c = nth_case(any, seed, i);
    if (wanted.contains(c) && domain.where(c.shape)) return true;
  }
  return false;
}

Shares::Shares(const Abi& abi) : classes_(shape_classes(abi)) {
  for (const ShapeClass& c : classes_) drawn_.emplace_back(c.name, 0);
  ran_ = drawn_;
}

void Shares::add(const Case& c, bool ran) {
  ++cases_;
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    const bool holds = classes_[k].contains(c);
    drawn_[k].second += holds;
    ran_[k].second += holds && ran;
  }
}

std::vector<std::string> Shares::neglected(const Domain& domain, std::uint64_t seed) const {
  std::vector<std::string> names;
  for (std::size_t k = 0; cases_ >= kFloorsFrom && k < classes_.size(); ++k)
    if (drawn_[k].second * 100 < kFloorPercent * cases_ && holds_class(domain, classes_[k], seed))
      names.emplace_back(classes_[k].name);
  return names;
}

}  // namespace wgradcheck::check
