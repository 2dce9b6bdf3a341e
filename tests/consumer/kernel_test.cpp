// A kernel written as a C++ callable, held to the formula by one line of a GoogleTest.
#include <gtest/gtest.h>

#include <iterator>
#include <sstream>

#include "check/library/testing.hpp"

namespace {

/// The sum as it is defined; `dilation` of height is what the kernel believes it to be.
void plain(const wgrad_problem& p, std::int64_t dilation, const float* dy, const float* x, float* dw) {
  const std::int64_t ins = p.in_channels / p.groups, outs = p.out_channels / p.groups;
  const auto at = [](const wgrad_axis& a, std::int64_t o, std::int64_t k, std::int64_t step) {
    const std::int64_t i = o * a.stride + k * step - a.pad_before;
    return i >= 0 && i < a.input ? i : -1;
  };
  for (std::int64_t co = 0; co < p.out_channels; ++co)
    for (std::int64_t kd = 0; kd < p.depth.kernel; ++kd)
      for (std::int64_t kh = 0; kh < p.height.kernel; ++kh)
        for (std::int64_t kw = 0; kw < p.width.kernel; ++kw)
          for (std::int64_t ci = 0; ci < ins; ++ci) {
            float sum = 0;
            for (std::int64_t n = 0; n < p.batch; ++n)
              for (std::int64_t od = 0; od < p.depth.output; ++od)
                for (std::int64_t oh = 0; oh < p.height.output; ++oh)
                  for (std::int64_t ow = 0; ow < p.width.output; ++ow) {
                    const std::int64_t z = at(p.depth, od, kd, p.depth.dilation);
                    const std::int64_t y = at(p.height, oh, kh, dilation);
                    const std::int64_t w = at(p.width, ow, kw, p.width.dilation);
                    if (z < 0 || y < 0 || w < 0) continue;
                    const std::int64_t from =
                        ((n * p.depth.output + od) * p.height.output + oh) * p.width.output + ow;
                    const std::int64_t to =
                        ((n * p.depth.input + z) * p.height.input + y) * p.width.input + w;
                    sum += dy[from * p.out_channels + co] * x[to * p.in_channels + co / outs * ins + ci];
                  }
            *dw++ = sum;
          }
}

TEST(MyKernel, IsRight) {
  const auto kernel =
      wgradcheck::float_kernel("plain", [](const wgrad_problem& p, const float* dy, const float* x,
                                           float* dw) { plain(p, p.height.dilation, dy, x, dw); });
  const auto checked = wgradcheck::verify(kernel, {"--cases", "300", "--seed", "1"});
  EXPECT_TRUE(checked) << checked.text;
}

TEST(MyKernel, ThatLeavesOutTheDilationIsCaughtAndReplayed) {
  const auto kernel = wgradcheck::float_kernel(
      "wrong",
      [](const wgrad_problem& p, const float* dy, const float* x, float* dw) { plain(p, 1, dy, x, dw); });
  const auto checked = wgradcheck::verify(kernel, {"--cases", "300", "--seed", "1"});
  EXPECT_FALSE(checked);
  EXPECT_NE(checked.text.find("dilation_h_ignored"), std::string::npos) << checked.text;
  const std::string replay = "wgradcheck::verify wrong ";
  const std::size_t at = checked.text.find(replay + "--shape ");
  ASSERT_NE(at, std::string::npos) << checked.text;
  std::istringstream line(checked.text.substr(at + replay.size()));
  const std::vector<std::string> words(std::istream_iterator<std::string>(line), {});
  const auto again = wgradcheck::verify(kernel, words);
  EXPECT_NE(again.text.find("FAIL  formula: 1 of 2 elements of dW is wrong"), std::string::npos)
      << again.text;
}

TEST(MyKernel, ThatWritesBesideItsBuffersIsCaught) {
  const auto kernel = wgradcheck::float_kernel(
      "stray", [](const wgrad_problem& p, const float* dy, const float* x, float* dw) {
        plain(p, p.height.dilation, dy, x, dw);
        dw[-1] = 0;
      });
  const auto checked = wgradcheck::verify(kernel, {"--cases", "100", "--seed", "1"});
  EXPECT_FALSE(checked);
  EXPECT_NE(checked.text.find("FAIL  memory"), std::string::npos) << checked.text;
}

TEST(MyKernel, AWrongWordIsTold) {
  const auto kernel =
      wgradcheck::float_kernel("none", [](const wgrad_problem&, const float*, const float*, float*) {});
  EXPECT_THROW(wgradcheck::verify(kernel, {"--where", "kx==3"}), std::invalid_argument);
  EXPECT_THROW(wgradcheck::verify(kernel, {"--no-such-word"}), std::invalid_argument);
}

}  // namespace
