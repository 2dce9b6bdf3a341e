#include "impl/simd/kernels.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "impl/simd/pack.hpp"
#include "tests/impl/each_target.hpp"
#include "tests/impl/guarded.hpp"
#include "tests/impl/problems.hpp"

namespace wgradcheck::impl::simd {
namespace {

/// A kernel of one instruction set and element type, on buffers that end at an inaccessible page.
template <class Element>
class Kernels : public testing::Test {
 protected:
  std::vector<float> integers(std::int64_t count) {
    std::vector<float> out;
    for (std::int64_t i = 0; i < count; ++i) out.push_back(static_cast<float>(pick_(random_)));
    return out;
  }

 private:
  std::mt19937 random_{7};
  std::uniform_int_distribution<int> pick_{-9, 9};
};

using Elements = testing::Types<float, Half>;
TYPED_TEST_SUITE(Kernels, Elements);

/// What moves elements and looks at them takes one type more.
template <class Element>
class Moves : public Kernels<Element> {};
using MovedElements = testing::Types<float, Half, Bfloat>;
TYPED_TEST_SUITE(Moves, MovedElements);

TYPED_TEST(Kernels, AddProductIsTheSumForEveryTailOfItsTiles) {
  using T = TypeParam;
  on_each_target([&] {
    for (const std::int64_t rows : {1, 3, 5, 6, 13, 23})
      for (const std::int64_t cols : {1, 2, 7, 8, 15, 31, 33, 65})
        for (const std::int64_t depth : {1, 257}) {
          const std::int64_t a_step = rows + 3, b_step = cols + 2, c_step = cols + 1;
          const auto a = this->integers((depth - 1) * a_step + rows);
          const auto b = this->integers((depth - 1) * b_step + cols);
          const auto c = this->integers((rows - 1) * c_step + cols);
          auto expected = c;
          for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < cols; ++j)
              for (std::int64_t k = 0; k < depth; ++k)
                expected[static_cast<std::size_t>(i * c_step + j)] +=
                    a[static_cast<std::size_t>(k * a_step + i)] * b[static_cast<std::size_t>(k * b_step + j)];
          const Guarded<T> left(rounded<T>(a));
          const Guarded<float> right(b), sums(c);
          add_product<T>(rows, cols, depth, {left.data(), a_step}, {right.data(), b_step},
                         {sums.data(), c_step});
          ASSERT_EQ(sums.copy(), expected) << rows << " rows, " << cols << " columns, depth " << depth;
        }
  });
}

TYPED_TEST(Moves, CopyMovesItsExtentsAndNothingElse) {
  using T = TypeParam;
  on_each_target([&] {
    for (const std::int64_t rows : {1, 2, 5})
      for (std::int64_t cols = 1; cols < 70; ++cols) {
        const std::int64_t from_step = cols + 5, to_step = cols + 1;
        const auto from = this->integers((rows - 1) * from_step + cols);
        auto expected = this->integers((rows - 1) * to_step + cols);
        const Guarded<T> source(rounded<T>(from));
        const Guarded<float> target(expected);
        for (std::int64_t i = 0; i < rows; ++i)
          for (std::int64_t j = 0; j < cols; ++j)
            expected[static_cast<std::size_t>(i * to_step + j)] =
                from[static_cast<std::size_t>(i * from_step + j)];
        copy<T>(rows, cols, {source.data(), from_step}, {target.data(), to_step});
        ASSERT_EQ(target.copy(), expected) << rows << " rows, " << cols << " columns";
      }
  });
}

TYPED_TEST(Kernels, AddChannelProductsIsTheSumForEveryTailOfChannels) {
  using T = TypeParam;
  on_each_target([&] {
    for (std::int64_t channels = 1; channels < 140; ++channels) {
      constexpr std::int64_t kRows = 3, kCols = 2, kStep = 5;
      const std::int64_t col = channels + 1, row = 3 * col + 2;
      const std::int64_t size = (kRows - 1) * row + (kCols - 1) * col + channels;
      const auto dy = this->integers(size), x = this->integers(size);
      auto expected = this->integers((channels - 1) * kStep + 1);
      const Guarded<T> left(rounded<T>(dy)), right(rounded<T>(x));
      const Guarded<float> sums(expected);
      for (std::int64_t l = 0; l < channels; ++l)
        for (std::int64_t i = 0; i < kRows; ++i)
          for (std::int64_t j = 0; j < kCols; ++j) {
            const auto at = static_cast<std::size_t>(i * row + j * col + l);
            expected[static_cast<std::size_t>(l * kStep)] += dy[at] * x[at];
          }
      add_channel_products<T>(channels, kRows, kCols, {left.data(), row, col}, {right.data(), row, col},
                              sums.data(), kStep);
      ASSERT_EQ(sums.copy(), expected) << channels << " channels";
    }
  });
}

TYPED_TEST(Kernels, InfinitiesAndSubnormalsAreConvertedToo) {
  using T = TypeParam;
  const std::vector<float> numbers{0x1p-24f, -0x1p-15f, std::numeric_limits<float>::infinity(), 65504.0f,
                                   -0.0f};
  on_each_target([&] {
    const Guarded<T> source(rounded<T>(numbers));
    const Guarded<float> target(std::vector<float>(numbers.size()));
    copy<T>(1, static_cast<std::int64_t>(numbers.size()), {source.data(), 0}, {target.data(), 0});
    EXPECT_EQ(target.copy(), numbers);
  });
}

using CopyKernels = Kernels<Bfloat>;

TEST_F(CopyKernels, EveryBfloatIsConvertedExactlyInEveryTail) {
  constexpr std::int64_t kRows = 3, kStep = 70;
  std::vector<Bfloat> numbers;
  for (std::uint16_t bits = 0; std::ssize(numbers) < (kRows - 1) * kStep + 67;
       bits = static_cast<std::uint16_t>(bits * 5 + 977))
    numbers.push_back({bits});
  on_each_target([&] {
    const Guarded<Bfloat> source(numbers);
    for (const std::int64_t cols : {1, 2, 7, 16, 31, 67}) {
      const Guarded<float> target(std::vector<float>(static_cast<std::size_t>(kRows * cols)));
      copy<Bfloat>(kRows, cols, {source.data(), kStep}, {target.data(), cols});
      for (std::int64_t i = 0; i < kRows * cols; ++i)
        ASSERT_EQ(std::bit_cast<std::uint32_t>(target.data()[i]),
                  std::uint32_t{source.data()[i / cols * kStep + i % cols].bits} << 16)
            << cols << " columns, " << i;
    }
  });
}

TEST(RoundRun, RoundsAsToHalfDoesInEveryTail) {
  // Every binary16 number, the halves between, what is just beyond them, infinities and NaN.
  std::vector<float> numbers;
  for (std::uint32_t bits = 0; bits < 0x8000; bits += 7)
    for (const std::uint32_t more : {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x1fffu}) {
      const std::uint32_t value =
          std::bit_cast<std::uint32_t>(to_float(Half{static_cast<std::uint16_t>(bits)}));
      numbers.push_back(std::bit_cast<float>(value + more));
      numbers.push_back(-numbers.back());
    }
  const std::vector<Half> old(numbers.size(), to_half(0.25f));
  on_each_target([&] {
    for (const std::size_t count : {std::size_t{1}, std::size_t{19}, numbers.size()})
      for (const bool add : {false, true}) {
        const std::vector<float> some(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count));
        const Guarded<float> source(some);
        const Guarded<Half> target(
            std::vector<Half>(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(count)));
        round_run(static_cast<std::int64_t>(count), source.data(), add, target.data());
        for (std::size_t i = 0; i < count; ++i)
          ASSERT_EQ(target.data()[i].bits, to_half(add ? 0.25f + some[i] : some[i]).bits) << some[i];
      }
  });
}

TYPED_TEST(Moves, OneNumberThatIsNotFiniteIsSeenWhereverItIs) {
  using T = TypeParam;
  constexpr std::int64_t kRows = 3;
  constexpr float kBad[] = {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::quiet_NaN()};
  on_each_target([&] {
    for (const auto& [cols, step] : {std::pair<std::int64_t, std::int64_t>{21, 22}, {67, 70}, {67, 67}}) {
      const auto numbers = this->integers((kRows - 1) * step + cols);
      const auto seen = [&, cols = cols, step = step](const std::vector<float>& all) {
        const Guarded<T> source(rounded<T>(all));
        return !all_finite<T>(kRows, cols, {source.data(), step});
      };
      EXPECT_FALSE(seen(numbers));
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        auto spoilt = numbers;
        spoilt[i] = kBad[i % 2];
        EXPECT_EQ(seen(spoilt), static_cast<std::int64_t>(i) % step < cols) << i << " of rows of " << cols;
      }
    }
  });
}

}  // namespace
}  // namespace wgradcheck::impl::simd
