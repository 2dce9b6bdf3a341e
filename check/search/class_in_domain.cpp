#include "check/search/class_in_domain.hpp"

#include "check/search/generate.hpp"

namespace wgradcheck::check {

bool holds_class(const Domain& domain, const ShapeClass& wanted, std::uint64_t seed) {
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

}  // namespace wgradcheck::check
