/* dW of a 2x2 input and a 1x1 kernel: the sum of dy * x. */
#include <stdio.h>
#include <wgrad_kernel.h>

int main(void) {
  const wgrad_axis none = {1, 1, 1, 1, 1, 0}, two = {2, 2, 1, 1, 1, 0};
  wgrad_problem problem = {1, 1, 1, 1, none, two, two, WGRAD_F32, WGRAD_F32, 0, 1, 0};
  const float dy[4] = {1, 2, 3, 4}, x[4] = {5, 6, 7, 8};
  float dw[1] = {-1};
  _Alignas(64) static char workspace[1 << 16];
  char text[WGRAD_TEXT] = "";
  problem.implementation = 0;
  if (wgrad_kernel_workspace(&problem, text) > (int64_t)sizeof workspace) return 2;
  if (wgrad_kernel(&problem, dy, x, dw, workspace) != 0) return 3;
  printf("%g\n", dw[0]);
  return 0;
}
