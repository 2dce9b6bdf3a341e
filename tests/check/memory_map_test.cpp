#include "check/remote/memory_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "check/kernel.hpp"
#include "check/search/generate.hpp"

namespace wgradcheck::check {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& text) {
  try {
    parse_memory_map(text);
  } catch (const BadInput& bad) {
    return bad.sentence;
  }
  return "";
}

/// A case of the convention whose data nobody looks at.
Case some_case(const Abi& abi, std::int64_t align = 0) {
  Domain domain;
  domain.abi = &abi;
  domain.align = align;
  Case c{.shape = {.batch = 1,
                   .groups = 1,
                   .in_channels = 4,
                   .out_channels = 8,
                   .depth = spec::kNoAxis,
                   .height = {6, 6, 1, 1, 1, 0},
                   .width = {6, 6, 1, 1, 1, 0}}};
  EXPECT_FALSE(admit(domain, c));
  return c;
}

CallImage image(const Abi& abi, const Case& c) { return std::get<CallImage>(image_of(abi, c)); }

TEST(MemoryMap, ReadsNamesAddressesAndSizes) {
  const MemoryMap map =
      parse_memory_map("AM=0x10000000:768K,DDR=2147483648:256M,big_1=:2G,x=0x40:100:workspace+dw");
  ASSERT_EQ(map.size(), 4U);
  EXPECT_EQ(map[0].name, "AM");
  EXPECT_EQ(map[0].base, 0x10000000U);
  EXPECT_EQ(map[0].bytes, 768 << 10);
  EXPECT_EQ(map[1].base, 0x80000000U);
  EXPECT_EQ(map[1].bytes, 256 << 20);
  EXPECT_FALSE(map[2].base);
  EXPECT_EQ(map[2].bytes, std::int64_t{2} << 30);
  EXPECT_EQ(map[3].bytes, 100);
  EXPECT_EQ(map[3].buffers, (std::vector{BufferId::workspace, BufferId::dw}));
}

TEST(MemoryMap, RefusesBadTextInOneSentenceThatQuotesIt) {
  for (const auto& [text, why] : {std::pair{"", "NAME=BASE:SIZE"},
                                  {"AM", "AM is not NAME=BASE:SIZE"},
                                  {"AM=0x100", "is not NAME=BASE:SIZE"},
                                  {"AM=0:1K:dw:x", "is not NAME=BASE:SIZE"},
                                  {"=0:1K", "must begin with a name"},
                                  {"1AM=0:1K", "must begin with a name"},
                                  {"A-M=0:1K", "must begin with a name"},
                                  {"AM=0x1g:1K", "cannot be read"},
                                  {"AM=-64:1K", "cannot be read"},
                                  {"AM=0x10:1K", "multiple of 64"},
                                  {"AM=0:", "cannot be read"},
                                  {"AM=0:K", "cannot be read"},
                                  {"AM=0:1T", "cannot be read"},
                                  {"AM=0:0", "no bytes"},
                                  {"AM=0:8589934592G", "beyond 2^62"},
                                  {"AM=0x10000000000000000:1K", "beyond 64 bits"},
                                  {"AM=0xffffffffffffffc0:1K", "ends beyond 64 bits"},
                                  {"AM=0:1K:dz", "may place dy, x, dw, bias, param and workspace"},
                                  {"AM=0:1K,AM=0x1000:1K", "AM is named twice"},
                                  {"A=0:1K,B=0x3c0:1K", "A and B overlap"},
                                  {"A=0:1K:dw,B=0x1000:1K:dw", "dw is placed in A and in B"}})
    EXPECT_THAT(refusal(text), HasSubstr(why)) << text;
  EXPECT_EQ(refusal("A=0:1K,B=0x400:1K"), "");
}

TEST(MemoryMap, PrivateKernelsWorkInTheFirstMemoryAndSharedOnesInTheLast) {
  const MemoryMap map = parse_memory_map("AM=0x10000000:768K,DDR=0x80000000:256M");
  for (const auto& [name, memory] : {std::pair{"fp_conv_grad_filter_p", 0U}, {"fp_conv_grad_filter_s", 1U}}) {
    const Abi& abi = *find_abi(name);
    const Case c = some_case(abi);
    const auto placed = place(map, abi, image(abi, c), c);
    for (const Spot& spot : std::get<Spots>(placed)) EXPECT_EQ(spot.memory, memory);
  }
}

TEST(MemoryMap, ABufferThatIsNamedLiesThere) {
  const Abi& abi = *find_abi("fp_conv_grad_filter_p");
  const Case c = some_case(abi);
  const auto spots =
      std::get<Spots>(place(parse_memory_map("A=:1M,B=:1M:workspace+x"), abi, image(abi, c), c));
  for (int b = 0; b < kBuffers; ++b) {
    const auto id = static_cast<BufferId>(b);
    EXPECT_EQ(spots[static_cast<std::size_t>(b)].memory,
              id == BufferId::workspace || id == BufferId::x ? 1U : 0U);
  }
}

TEST(MemoryMap, WhatDoesNotFitIsSaidByBufferAndMemory) {
  const Abi& abi = *find_abi("fp_conv_grad_filter_p");
  const Case c = some_case(abi);
  const auto place_in = [&](const char* map) { return place(parse_memory_map(map), abi, image(abi, c), c); };
  EXPECT_THAT(std::get<std::string>(place_in("AM=:256K")),
              HasSubstr("its workspace does not fit AM: it needs 262144"));
  EXPECT_THAT(std::get<std::string>(place_in("AM=:64,DDR=:1M:workspace")),
              HasSubstr("its dy does not fit AM"));
  EXPECT_TRUE(std::holds_alternative<Spots>(place_in("AM=:8K,DDR=:258K:workspace")));
}

TEST(MemoryMap, APromisedAlignmentIsAllThatABufferGets) {
  const Abi& abi = *find_abi("fp_conv_grad_filter_p");
  const MemoryMap map = parse_memory_map("AM=0x10000040:1M");
  for (const std::int64_t align : {0, 4, 16, 32, 64, 256, 4096}) {
    const Case c = some_case(abi, align);
    const auto spots = std::get<Spots>(place(map, abi, image(abi, c), c));
    const std::int64_t address = 0x10000040 + spots[static_cast<std::size_t>(BufferId::x)].offset;
    EXPECT_EQ(address % std::max<std::int64_t>(align, 64), align == 0 || align >= 64 ? 0 : align) << align;
  }
}

TEST(MemoryMap, AnArrayIsNoPlaceForALargerAlignmentThanItsOwn) {
  const Abi& abi = *find_abi("fp_conv_grad_filter_p");
  const Case c = some_case(abi, 128);
  EXPECT_THAT(std::get<std::string>(place(parse_memory_map("AM=:1M"), abi, image(abi, c), c)),
              HasSubstr("AM is aligned to 64 bytes"));
}

RC_GTEST_PROP(MemoryMap, BuffersLieApartAndInsideTheirMemory, ()) {
  const Abi& abi = **rc::gen::element(find_abi("fp_conv_grad_filter_p"), find_abi("hp_conv_grad_filter_s"));
  const MemoryMap map = parse_memory_map("A=0x1000:400K,B=:400K:workspace,C=0x4000000:400K");
  Domain domain;
  domain.abi = &abi;
  const Case c = *cases(domain);
  const CallImage call = image(abi, c);
  const auto placed = place(map, abi, call, c);
  RC_PRE(std::holds_alternative<Spots>(placed));
  const auto& spots = std::get<Spots>(placed);
  const auto end = [&](std::size_t b) {
    return spots[b].offset + (static_cast<BufferId>(b) == BufferId::param ? kParameterRoom : call.room[b]);
  };
  for (std::size_t a = 0; a < spots.size(); ++a) {
    RC_ASSERT(spots[a].offset >= kBoardMargin);
    RC_ASSERT(end(a) + kBoardMargin <= map[spots[a].memory].bytes);
    for (std::size_t b = 0; b < a; ++b)
      RC_ASSERT(spots[a].memory != spots[b].memory || end(b) + 2 * kBoardMargin <= spots[a].offset ||
                end(a) + 2 * kBoardMargin <= spots[b].offset);
  }
}

}  // namespace
}  // namespace wgradcheck::check
