#include "check/remote/board_case.hpp"

#include <gtest/gtest.h>

#include "check/remote/case_folder.hpp"
#include "check/run/conv_param.hpp"
#include "check/search/trial.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

/// A case with the numbers of a search under these promises.
struct Filled {
  Case test;
  CallImage image;
  Held held{Sizes{}};

  Filled(const Abi& abi, const Fill& fill, const Promises& promises) {
    Domain domain;
    domain.abi = &abi;
    test = {.shape = std::get<spec::Shape>(spec::parse_line("mb2ic3ih9oc2oh9kh3ph1")), .seed = 7};
    EXPECT_EQ(admit(domain, test), std::nullopt);
    image = std::get<CallImage>(image_of(abi, test));
    held = Held(image.sizes);
    write_tensors(test, make_data(test, fill_for(fill, promises)), held.tensors());
  }
};

TEST(BoardCase, TheNumbersOfASearchAreNotGivenOneByOne) {
  for (const char* const name : {"fp_conv_grad_filter_p", "hp_conv_grad_filter_p"})
    for (const char* const sums : {"acc=f64", "acc=f32", "acc=f16", "acc=bf16", "partials=bf16"})
      for (const char* const algorithm : {"algorithm=direct", "algorithm=transform"}) {
        Promises promises;
        promises.make(sums);
        promises.make(algorithm);
        for (std::int64_t k = 0; k < 20; ++k) {
          const Abi& abi = *find_abi(name);
          Filled one(abi, nth_fill(k, Fill().exact_bits, promises, abi.dtype), promises);
          EXPECT_TRUE(fill_of(one.test, one.held.tensors())) << name << sums << algorithm << k;
        }
      }
}

TEST(BoardCase, NumbersOfNoSearchAreGivenOneByOne) {
  Filled one(*find_abi("fp_conv_grad_filter_p"), {}, {});
  const Tensors t = one.held.tensors();
  set_bits(DType::f32, t.x, 5, ~bits_at(DType::f32, t.x, 5));
  EXPECT_FALSE(fill_of(one.test, t));
}

TEST(BoardCase, TheRightDwIsHeldBesideItsDigest) {
  const Promises promises;
  Filled one(*find_abi("fp_conv_grad_filter_p"), {}, promises);
  const BoardCase board = board_case(one.image, {}, promises, one.test, one.held.tensors());
  ASSERT_TRUE(board.expected);
  EXPECT_EQ(std::ssize(board.dw), one.image.sizes[static_cast<std::size_t>(BufferId::dw)]);
  EXPECT_EQ(digest_of(DType::f32, board.dw), *board.expected);
}

}  // namespace
}  // namespace wgradcheck::check
