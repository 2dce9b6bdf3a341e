#include "impl/host/next_lanes.hpp"

#include <gtest/gtest.h>

#include <variant>
#include <vector>

#include "spec/problem_line.hpp"

/// What the host library asks memory for is what it reads next.
namespace wgradcheck::impl::host {
namespace {

using Int = std::int64_t;

class NextLanesTest : public testing::Test {
 protected:
  /// Lines of 4 pixels of 48 lanes: 3 cache lines a pixel, of which a part of 16 lanes has one.
  const spec::Shape shape_ = std::get<spec::Shape>(spec::parse_line("g48mb2ic48ih4oc48kh3ph1"));
  const Int line_ = 4 * 48;
  const std::vector<float> dy_ = std::vector<float>(static_cast<std::size_t>(spec::dy_elems(shape_)));
  const std::vector<float> x_ = std::vector<float>(static_cast<std::size_t>(spec::x_elems(shape_)));

  NextLanes<float> next(Int next_part) const { return {shape_, dy_.data(), x_.data(), next_part}; }
  /// Reads lines [first, last) of both, counted through the images.
  void read(NextLanes<float>& next, Int first, Int last, Int lane, Int lanes) const {
    for (Int i = first; i < last; ++i) next.read_x(i * line_ + lane, lanes);
    for (Int i = first; i < last; ++i) next.read_dy(i * line_ + lane, lanes);
  }
  static const std::byte* at(const std::vector<float>& tensor, Int element) {
    return reinterpret_cast<const std::byte*>(tensor.data() + element);
  }
};

TEST_F(NextLanesTest, AreAsManyLinesBehindTheLast) {
  NextLanes<float> next = this->next(16);
  read(next, 0, 2, 16, 16);
  const auto runs = next.runs();
  EXPECT_EQ(runs[0].at, at(x_, 2 * line_ + 16));
  EXPECT_EQ(runs[1].at, at(dy_, 2 * line_ + 16));
  for (const simd::Runs& r : runs) {
    EXPECT_EQ(r.step, 48 * 4);
    EXPECT_EQ(r.lines, 1);
    EXPECT_EQ(r.count, 2 * 4);
  }
  EXPECT_EQ(next.lines_of_memory(), 2 * 2 * 4);
  read(next, 2, 3, 16, 16);
  EXPECT_EQ(next.runs()[0].at, at(x_, 3 * line_ + 16));
  EXPECT_EQ(next.runs()[0].count, 4);
}

TEST_F(NextLanesTest, AreOneRunWhereAPartHasAllLanes) {
  NextLanes<float> next = this->next(0);
  read(next, 0, 2, 0, 48);
  EXPECT_EQ(next.runs()[0].count, 1);
  EXPECT_EQ(next.runs()[0].lines, 2 * 4 * 3);
}

TEST_F(NextLanesTest, AreTheNextPartsBehindTheEndAndNoneBehindTheLastPart) {
  NextLanes<float> next = this->next(16);
  read(next, 0, 8, 16, 16);
  EXPECT_EQ(next.runs()[0].at, at(x_, 32));
  EXPECT_EQ(next.runs()[1].at, at(dy_, 32));
  NextLanes<float> last = this->next(0);
  read(last, 0, 8, 32, 16);
  EXPECT_EQ(last.runs()[0].count, 0);
  EXPECT_EQ(last.lines_of_memory(), 0);
}

TEST_F(NextLanesTest, AreToldOnceForABox) {
  NextLanes<float> next = this->next(0);
  read(next, 0, 2, 0, 16);
  next.runs()[0].count = 1;
  EXPECT_EQ(next.runs()[0].count, 1) << "what was asked for is forgotten";
}

}  // namespace
}  // namespace wgradcheck::impl::host
