// What a user's program does with the installed specification: refuse or count a shape.
#include <iostream>

#include "spec/shape.hpp"

int main() {
  namespace spec = wgradcheck::spec;
  spec::Shape shape{.batch = 2,
                    .groups = 2,
                    .in_channels = 4,
                    .out_channels = 6,
                    .depth = spec::kNoAxis,
                    .height = {3, 2, 2, 1, 1, 0},
                    .width = {3, 2, 2, 1, 1, 0}};
  std::cout << spec::dw_elems(shape) << '\n';
  shape.groups = 3;
  if (const auto refusal = spec::refuse(shape)) std::cout << refusal->reason << '\n';
}
