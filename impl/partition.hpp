#pragma once
#include "impl/ranges.hpp"

namespace wgradcheck::impl {

/// Items that each core but the last ones takes: no split of total over cores has a smaller largest share.
template <class Int>
Int share(const Int& total, const Int& cores) {
  return spec::ceil_div(total, cores);
}

/// Items [first, last) of total that core id of cores takes; empty for the last cores where items run out.
/// Over all ids the parts cover [0, total) once. Requires total >= 0 and 0 <= id < cores.
template <class Int>
Range<Int> part(const Int& total, const Int& cores, const Int& id) {
  const Int first = spec::min(total, id * share(total, cores));
  return {first, spec::min(total, first + share(total, cores))};
}

/// The core that takes an item: the one id whose part contains it. Requires 0 <= item < total.
template <class Int>
Int owner(const Int& total, const Int& cores, const Int& item) {
  return spec::floor_div(item, share(total, cores));
}

}  // namespace wgradcheck::impl
