#pragma once
#include <functional>

#include "proofs/given.hpp"
#include "proofs/schedule/place.hpp"

namespace wgradcheck::proofs {

template <class Reading>
class Prove;

/// A way through a schedule: its places, and the first choices on it, others being any. On a way that is
/// shown each choice is claimed to be within its loop; on any other that is assumed.
template <class Reading>
struct Way {
  using Int = IntOf<Reading>;

  std::vector<Place> places;
  std::vector<Int> choices = {};
  bool shown = false;
  std::string suffix = {};                                 ///< of the names of what is chosen on it
  std::function<void(const Prove<Reading>&)> before = {};  ///< told of each choice before its condition
  /// The further choices, where those before them decide on them.
  std::function<std::vector<Int>(const Prove<Reading>&)> further = {};
  bool x_in_place = false, dy_in_place = false;  ///< what the environment reads where it is
};

}  // namespace wgradcheck::proofs
