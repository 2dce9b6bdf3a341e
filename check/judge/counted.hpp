#pragma once
#include <optional>
#include <vector>

#include "check/judge/court.hpp"

namespace wgradcheck::check {

/// What a kernel was seen to do with one product at a time.
struct Counted {
  Data dense;                                 ///< numbers none of which is zero, but for dW and bias
  std::vector<double> of_dense;               ///< what they gave
  std::vector<double> offset;                 ///< of each dW element, where every number is 0
  std::vector<std::vector<double>> products;  ///< how often each is counted: [dy][x][element]
};

/// Nothing where the kernel did not return, or where the case has more products than can be asked for.
std::optional<Counted> counted_products(Court&, const Case&);

/// Whether the products as counted one by one add up to what dense numbers give.
bool add_up(const Case&, const Counted&);

}  // namespace wgradcheck::check
