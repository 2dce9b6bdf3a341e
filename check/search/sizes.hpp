#pragma once
#include <string>

#include "spec/shape.hpp"

namespace wgradcheck::check {

/// The largest value that each size of a shape took over several shapes, each by itself.
struct LargestSizes {
  spec::Shape shape;
  std::int64_t products = 0;
};

LargestSizes larger(const LargestSizes&, const spec::Shape&);

/// One line, such as `mb9 g8 ic67 oc64 ih33 iw35 kh7 kw7, 1,204,224 products`.
std::string in_words(const LargestSizes&);

}  // namespace wgradcheck::check
