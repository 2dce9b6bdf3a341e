#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "check/case.hpp"

namespace wgradcheck::check {

/// How high the tree is by which the products of an element are summed: the most additions that one of them
/// passes through. The old value of dW and a bias come on top, one addition each. A sum that a kernel also
/// adds zeros of the padding into is no higher, since adding 0 rounds nothing.
struct Height {
  enum class Kind {
    sequential,  ///< any tree at all: one by one in some order is the highest
    pairwise,    ///< by halves, in pairs of pairs: log2 of the terms
    blocked,     ///< `size` terms one by one, then the blocks one by one
    split,       ///< `size` sums of as many terms each one by one, then those one by one
    chunks,      ///< a chunk of the documents' size one by one, then the chunks of all images one by one
    at_most,     ///< `size`, however many terms there are
  } kind = Kind::sequential;
  std::int64_t size = 0;
  bool operator==(const Height&) const = default;

  /// Reads sequential, pairwise, blocked:16, split:4, chunks or a number from 1; nothing where it is none of
  /// them.
  static std::optional<Height> parse(std::string_view);
  std::string text() const;
  /// The height for a case's elements, all positions counted, whether or not they lie in the padding.
  std::int64_t of(const Case&) const;
};

/// Output positions of a case: terms that an element has where no tap meets padding.
std::int64_t positions_of(const Case&);

/// The chunks of all images by the documents' rule; of a host kernel, which has none, 1.
std::int64_t chunks_of(const Case&);

}  // namespace wgradcheck::check
