// The same from C++, and a problem that is refused with its reason.
#include <iostream>
#include <wgrad.hpp>

int main() {
  const wgrad_axis none{1, 1, 1, 1, 1, 0}, two{2, 2, 1, 1, 1, 0};
  wgrad_problem problem{.batch = 1,
                        .groups = 1,
                        .in_channels = 1,
                        .out_channels = 1,
                        .depth = none,
                        .height = two,
                        .width = two,
                        .in_type = WGRAD_F32,
                        .out_type = WGRAD_F32,
                        .accumulate = 1,
                        .threads = 2,
                        .implementation = 0};
  const float dy[]{1, 2, 3, 4}, x[]{5, 6, 7, 8};
  float dw[]{30};
  wgradcheck::weight_gradient(problem, dy, x, dw);
  std::cout << dw[0] << '\n';
  problem.groups = 3;
  try {
    wgradcheck::weight_gradient(problem, dy, x, dw);
  } catch (const std::invalid_argument&) {
    std::cout << "refused\n";
  }
}
