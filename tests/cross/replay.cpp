// The problem lines of files through the host kernels of another processor, each element compared with the
// sum as it is defined. It needs no library that the distribution does not have for that processor.
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "impl/bfloat.hpp"
#include "impl/conv_grad_filter.hpp"
#include "impl/half.hpp"
#include "spec/problem_line.hpp"
#include "spec/wgrad.hpp"
#include "targets/include/wgrad_kernel.h"

namespace {

using namespace wgradcheck;

constexpr std::int64_t kMostProducts = 20'000'000;  ///< under an emulator

float value(float f) { return f; }
float value(impl::Half h) { return to_float(h); }
float value(impl::Bfloat b) { return to_float(b); }

template <class T>
T number(int n);
template <>
float number(int n) {
  return static_cast<float>(n);
}
template <>
impl::Half number(int n) {
  return impl::to_half(static_cast<float>(n));
}
template <>
impl::Bfloat number(int n) {
  return impl::to_bfloat(static_cast<float>(n));
}

/// Integers from -1 to 1, so that every sum of few terms is exact in any type.
template <class T>
std::vector<T> filled(std::int64_t count, std::uint32_t seed) {
  std::vector<T> all(static_cast<std::size_t>(count));
  for (T& one : all) one = number<T>(static_cast<int>((seed = seed * 1664525u + 1013904223u) >> 16) % 3 - 1);
  return all;
}

wgrad_axis axis_of(const spec::Axis<std::int64_t>& a) {
  return {a.input, a.output, a.kernel, a.stride, a.dilation, a.pad_before};
}

/// The number of elements that are not the sum, of tensors of T and dW in float.
template <class T>
std::int64_t wrong(const spec::Shape& s, std::int64_t type, std::int64_t threads, bool altered) {
  const std::vector<T> dy = filled<T>(dy_elems(s), 1), x = filled<T>(x_elems(s), 2);
  std::vector<float> dw(static_cast<std::size_t>(dw_elems(s)), 3), dy_of, x_of;
  for (const T one : dy) dy_of.push_back(value(one));
  for (const T one : x) x_of.push_back(value(one));
  const wgrad_problem problem{s.batch,          s.groups,
                              s.in_channels,    s.out_channels,
                              axis_of(s.depth), axis_of(s.height),
                              axis_of(s.width), type,
                              WGRAD_F32,        1,
                              threads,          0};
  char text[WGRAD_TEXT] = "";
  const std::int64_t bytes = wgrad_kernel_workspace(&problem, text);
  if (bytes < 0) return -1;
  void* const workspace = std::aligned_alloc(64, static_cast<std::size_t>(bytes / 64 + 1) * 64);
  const int status = wgrad_kernel(&problem, dy.data(), x.data(), dw.data(), workspace);
  std::free(workspace);
  if (status != 0) return -1;
  if (altered) dw.back() += 1;
  std::int64_t count = 0, at = 0;
  for (std::int64_t g = 0; g < s.groups; ++g)
    for (std::int64_t co = 0; co < out_per_group(s); ++co)
      for (std::int64_t kd = 0; kd < s.depth.kernel; ++kd)
        for (std::int64_t kh = 0; kh < s.height.kernel; ++kh)
          for (std::int64_t kw = 0; kw < s.width.kernel; ++kw)
            for (std::int64_t ci = 0; ci < in_per_group(s); ++ci) {
              const auto sum = spec::element<double, float>(s, {g, co, kd, kh, kw, ci}, dy_of, x_of);
              count += static_cast<double>(dw[static_cast<std::size_t>(at++)]) != sum.value + 3;
            }
  return count;
}

}  // namespace

/// replay [--altered] FILE...: 0 when every line that is a problem was right, 1 when one was wrong, 2 when
/// none ran. With --altered a number of each dW is changed, which must be seen.
int main(int argc, char** argv) {
  bool altered = false;
  std::int64_t ran = 0, failed = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--altered") {
      altered = true;
      continue;
    }
    std::ifstream in(argv[i]);
    for (std::string line; std::getline(in, line);) {
      const auto parsed = spec::parse_line(line);
      const auto* s = std::get_if<spec::Shape>(&parsed);
      if (!s || products(*s) > kMostProducts) continue;
      for (const std::int64_t count :
           {wrong<float>(*s, WGRAD_F32, 2, altered), wrong<impl::Half>(*s, WGRAD_F16, 1, altered),
            wrong<impl::Bfloat>(*s, WGRAD_BF16, 1, altered)}) {
        ++ran;
        failed += count != 0;
        if (count != 0 && !altered)
          std::printf("%s: %lld elements are wrong\n", line.c_str(), static_cast<long long>(count));
      }
    }
  }
  std::printf("%lld runs, %lld wrong\n", static_cast<long long>(ran), static_cast<long long>(failed));
  return ran == 0 ? 2 : failed != 0;
}
