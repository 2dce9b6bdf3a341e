#pragma once
#include <rapidcheck.h>

#include <cstdint>
#include <iterator>

#include "check/abi.hpp"
#include "spec/shape.hpp"

namespace wgradcheck::check {

/// Draws numbers from one of RapidCheck's random streams.
class Draw {
 public:
  explicit Draw(const rc::Random& random) : random_(random) {}

  /// Uniform in [least, most]; least when the range is empty.
  std::int64_t between(std::int64_t least, std::int64_t most) {
    if (most <= least) return least;
    return least + static_cast<std::int64_t>(random_.next() % static_cast<std::uint64_t>(most - least + 1));
  }
  bool chance(int percent) { return between(0, 99) < percent; }
  template <class List>
  auto one_of(const List& list) {
    return list[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(std::size(list)) - 1))];
  }
  std::uint64_t bits() { return random_.next(); }

 private:
  rc::Random random_;
};

/// A shape, valid by construction or nearly so, the structural classes in equal shares. `size`, from 0 to
/// 100, scales extents and channels; the largest sizes have layers as networks have them as well. In 3D too
/// where the convention has it.
spec::Shape draw_shape(Draw&, int size, const Abi&);

}  // namespace wgradcheck::check
