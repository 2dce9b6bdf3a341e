#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "check/search/classes.hpp"
#include "check/search/domain.hpp"

namespace wgradcheck::check {

/// Whether 1,000 cases drawn without --where hold one of the class that the domain admits. True without
/// --where.
bool holds_class(const Domain&, const ShapeClass&, std::uint64_t seed);

/// Counts the cases of each class of a convention.
class Shares {
 public:
  using Counts = std::vector<std::pair<std::string, std::int64_t>>;

  explicit Shares(const Abi&);
  /// A case that ran, or that was drawn and did not.
  void add(const Case&, bool ran);
  /// Cases that ran, by class.
  const Counts& ran() const { return ran_; }
  /// Classes of the domain that a long search hardly drew, so that a pass would not speak of them: of 1,000
  /// cases or more under 2 %.
  std::vector<std::string> neglected(const Domain&, std::uint64_t seed) const;

 private:
  std::span<const ShapeClass> classes_;
  Counts drawn_, ran_;
  std::int64_t cases_ = 0;
};

}  // namespace wgradcheck::check
