#include "check/judge/promises.hpp"

#include <gtest/gtest.h>

#include "check/kernel.hpp"

namespace wgradcheck::check {
namespace {

std::string error(std::string_view promise) {
  try {
    Promises().make(promise);
    return "accepted";
  } catch (const BadInput& bad) {
    return bad.sentence;
  }
}

TEST(Promises, AForeignKernelOnlyAdds) {
  const Promises none;
  EXPECT_EQ(none.text(), "dw=add");
  EXPECT_TRUE(none.adds());
  EXPECT_FALSE(none.accumulator_bits() || none.splits({}) || none.height() || none.partials() ||
               none.alignment() || none.bias() || none.keeps_subnormals() || none.is_direct());
  EXPECT_FALSE(none.skips_padding() || none.repeats_bits() || none.refuses());
  EXPECT_EQ(none.read_slack(), 0);
}

TEST(Promises, ABundledTargetLeavesNothingOpen) {
  const Abi lone{"a", "a", DType::f32, false}, shared{"b", "b", DType::f16, true};
  EXPECT_EQ(Promises::bundled(lone).text(),
            "acc=f32 splits=1 dw=add align=1 read_slack=0 bias=column nonfinite_padding=skip subnormals=keep "
            "repeat=bits algorithm=direct refuses=yes");
  EXPECT_FALSE(Promises::bundled(shared).splits({})) << "one a core";
}

TEST(Promises, EachKeyIsReadBack) {
  Promises p;
  for (const char* promise :
       {"acc=bf16", "height=blocked:16", "splits=8", "partials=f16", "rounding=directed", "dw=overwrite",
        "align=64", "read_slack=4096", "bias=cout", "nonfinite_padding=skip", "subnormals=flush",
        "repeat=bits", "algorithm=transform", "refuses=yes"})
    p.make(promise);
  EXPECT_EQ(p.accumulator_bits(), 8);
  EXPECT_EQ(p.splits({}), 8);
  EXPECT_EQ(p.height(), (Height{Height::Kind::blocked, 16}));
  EXPECT_EQ(p.partials(), DType::f16);
  EXPECT_FALSE(p.adds());
  EXPECT_EQ(p.alignment(), 64);
  EXPECT_EQ(p.read_slack(), 4096);
  EXPECT_EQ(p.bias(), Bias::per_output);
  EXPECT_TRUE(p.skips_padding());
  EXPECT_EQ(p.keeps_subnormals(), false);
  EXPECT_TRUE(p.repeats_bits());
  EXPECT_EQ(p.is_direct(), false);
  EXPECT_TRUE(p.refuses());
}

TEST(Promises, ALaterPromiseReplacesAnEarlierOne) {
  Promises p;
  p.make("acc=f16");
  p.make("acc=f32");
  EXPECT_EQ(p.text(), "acc=f32 dw=add");
}

TEST(Promises, RefuseWithWhatIsAllowed) {
  EXPECT_EQ(error("fast=yes"),
            "--promise fast=yes: unknown promise 'fast'; known: acc, height, splits, partials, rounding, "
            "dw, align, read_slack, bias, nonfinite_padding, subnormals, repeat, algorithm, refuses");
  EXPECT_EQ(error("acc=f33"), "--promise acc=f33: acc must be f64 or f32 or f16 or bf16");
  EXPECT_EQ(error("acc"), "--promise acc: acc must be f64 or f32 or f16 or bf16");
  EXPECT_EQ(error("splits=0"), "--promise splits=0: splits must be chunks or cores or a whole number from 1");
  for (const char* height :
       {"height=tall", "height=blocked:0", "height=pairwise2", "height=split:", "height=0"})
    EXPECT_EQ(error(height),
              std::string("--promise ") + height +
                  ": height must be sequential, pairwise, blocked:N, split:N, chunks or a whole "
                  "number from 1");
  EXPECT_EQ(error("align=48"), "--promise align=48: align must be a power of two up to 4096, in bytes");
  EXPECT_EQ(error("align=8192"), "--promise align=8192: align must be a power of two up to 4096, in bytes");
  EXPECT_EQ(error("read_slack=-1"),
            "--promise read_slack=-1: read_slack must be a number of bytes up to 4096");
  EXPECT_EQ(error("read_slack=64B"),
            "--promise read_slack=64B: read_slack must be a number of bytes up to 4096");
  EXPECT_TRUE(error("").starts_with("--promise : unknown promise ''; known: acc, "));
  EXPECT_EQ(error("refuses=no"), "--promise refuses=no: refuses must be yes");
}

}  // namespace
}  // namespace wgradcheck::check
