#pragma once
#include <algorithm>
#include <concepts>

#include "impl/ranges.hpp"

namespace wgradcheck::impl {

/// What loops over a range of integers may do: it is called as often as the loop likes, so it may not change
/// what it has captured.
template <class Body, class... Arguments>
concept Stateless = std::invocable<const Body&, const Arguments&...>;

/// The loops of schedules as they run: what every environment that executes a schedule derives from.
class Loops {
 public:
  using Int = std::int64_t;

  template <Stateless<Int> Body>
  void loop(const Range<Int>& range, const Body& body) {
    for (Int i = range.first; i < range.last; ++i) body(i);
  }
  /// Cuts the range into pieces of `size`, at least 1, and a shorter last one.
  template <Stateless<Range<Int>> Body>
  void tiles(const Range<Int>& range, Int size, const Body& body) {
    for (Int i = range.first; i < range.last; i += size) body(Range<Int>{i, std::min(range.last, i + size)});
  }
  /// Calls body(range) unless the range is empty.
  template <Stateless<Range<Int>> Body>
  void unless_empty(const Range<Int>& range, const Body& body) {
    if (range.first < range.last) body(range);
  }
  template <Stateless Then, Stateless Else>
  void either(bool condition, const Then& then, const Else& otherwise) {
    if (condition)
      then();
    else
      otherwise();
  }
};

}  // namespace wgradcheck::impl
