#pragma once
#include <string>
#include <vector>

#include "check/judge/height.hpp"
#include "check/profile/tree.hpp"

namespace wgradcheck::check {

/// What a tree looks like.
struct Form {
  std::string words;            ///< such as "blocks of 16"
  bool running = false;         ///< one running sum, in some order
  std::int64_t parts = 1;       ///< sums that are added one by one each
  std::int64_t height = 0;      ///< additions of products on the longest way
  std::vector<Height> heights;  ///< promises of a height that the shape of the tree suggests, none where it
                                ///< is one running sum
};

/// The form of a line's tree.
Form form_of(const SumTree&);

}  // namespace wgradcheck::check
