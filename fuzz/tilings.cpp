#include "fuzz/tilings.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "spec/arith.hpp"
#include "spec/fractal.hpp"

namespace wgradcheck::fuzz {
namespace {

using Int = std::int64_t;
using Q = TilingQuestion;

constexpr std::size_t kBytes = 5;

ConvBackpropApi::PlatformInfo platform_of(const TilingQuestion& q) { return {.l1Size = q.numbers[Q::kL1]}; }

ConvBackpropApi::Conv3dBpFilterTiling asked(const TilingQuestion& q) {
  const auto& n = q.numbers;
  ConvBackpropApi::Conv3dBpFilterTiling t(platform_of(q));
  t.SetWeightShape(n[Q::kCout], n[Q::kCin], n[Q::kDk], n[Q::kHk], n[Q::kWk]);
  t.SetInputShape(n[Q::kN], n[Q::kCin], n[Q::kDi], n[Q::kHi], n[Q::kWi]);
  t.SetGradOutputShape(n[Q::kN], n[Q::kCout], n[Q::kDo], n[Q::kHo], n[Q::kWo]);
  t.SetPadding(n[Q::kFront], n[Q::kBack], n[Q::kUp], n[Q::kDown], n[Q::kLeft], n[Q::kRight]);
  t.SetStride(n[Q::kStrideD], n[Q::kStrideH], n[Q::kStrideW]);
  t.SetDilation(n[Q::kDilationD], n[Q::kDilationH], n[Q::kDilationW]);
  return t;
}

/// The bytes in double, which no product of the fields leaves.
std::string over(const char* what, double bytes, Int most) {
  if (bytes <= static_cast<double>(most)) return {};
  return fmt::format("{} takes {} bytes of {}", what, bytes, most);
}

template <class... Factor>
double product(Factor... factors) {
  return (1.0 * ... * static_cast<double>(factors));
}

/// Whether the tiles fit the buffers, by the struct's fields alone.
std::string fault_of_tiles(const TConv3DBpFilterTiling& t, const ConvBackpropApi::PlatformInfo& p) {
  constexpr Int kHalf = 2, kSum = 4;
  for (const auto& [field, value] : {std::pair{"baseM", t.baseM}, {"baseN", t.baseN}, {"baseK", t.baseK}})
    if (value == 0 || value % spec::kC0 != 0) return fmt::format("{} is {}", field, value);
  for (const auto& [field, value] : {std::pair{"stepM", t.stepM},
                                     {"stepN", t.stepN},
                                     {"stepKa", t.stepKa},
                                     {"stepKb", t.stepKb},
                                     {"al1Pbuffer", t.al1Pbuffer},
                                     {"bl1Pbuffer", t.bl1Pbuffer},
                                     {"cl0Pbuffer", t.cl0Pbuffer}})
    if (value == 0) return fmt::format("{} is 0", field);
  const double a = product(t.baseM, t.baseK, kHalf), b = product(t.baseN, t.baseK, kHalf);
  const double l1 = product(a, t.stepM, t.stepKa, t.al1Pbuffer) + product(t.bl1Bound, kHalf, t.bl1Pbuffer);
  for (const std::string& fault :
       {over("A in L0", a * t.al0Pbuffer, p.l0ASize), over("B in L0", b * t.bl0Pbuffer, p.l0BSize),
        over("C in L0", product(t.baseM, t.baseN, kSum, t.cl0Pbuffer), p.l0CSize), over("L1", l1, p.l1Size)})
    if (!fault.empty()) return fault;
  return {};
}

/// Whether the blocks are whole and no larger than they need be.
std::string fault_of_blocks(const Conv3DBackpropFilterTilingData& d) {
  const TConv3DBpFilterTiling& t = d.dwTiling;
  const auto& block = d.basicBlockTiling;
  const Int taps = Int{t.hk} * t.wk;
  if (block.singleCoreM == 0 || block.singleCoreM % spec::kC0 != 0)
    return fmt::format("singleCoreM is {}", block.singleCoreM);
  if (block.singleCoreN == 0 || block.singleCoreN % (spec::kC0 * taps) != 0)
    return fmt::format("singleCoreN is {}", block.singleCoreN);
  if (block.singleCoreK == 0) return "singleCoreK is 0";
  return {};
}

}  // namespace

TilingQuestion question_of(std::string_view bytes) {
  TilingQuestion q;
  for (std::size_t i = 0; i < q.numbers.size(); ++i) {
    std::uint64_t value = 0;
    for (std::size_t b = kBytes; b-- > 0;) {
      const std::size_t at = kBytes * i + b;
      value = value << 8 | (at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U);
    }
    // The uppermost bit is the sign.
    q.numbers[i] = static_cast<Int>(value << (64 - 8 * kBytes)) >> (64 - 8 * kBytes);
  }
  q.numbers[Q::kL1] &= 0x7fffffff;
  return q;
}

std::string bytes_of(const TilingQuestion& q) {
  std::string bytes;
  for (const Int number : q.numbers)
    for (std::size_t b = 0; b < kBytes; ++b)
      bytes.push_back(static_cast<char>(static_cast<std::uint64_t>(number) >> 8 * b & 0xff));
  return bytes;
}

void mutate(TilingQuestion& q, check::Dice& dice) {
  constexpr std::array<Int, 16> kLimits{16,  32,  33,  62,   63,   64,    255,    256,
                                        510, 511, 512, 4096, 8192, 65536, 262144, 524288};
  Int& number = q.numbers[dice.below(q.numbers.size())];
  switch (dice.below(4)) {
    case 0:
      number = static_cast<Int>(dice.below(8));
      break;
    case 1:
      number = dice.one_of(kLimits);
      break;
    case 2:
      number += static_cast<Int>(dice.below(33)) - 16;
      break;
    default:
      number = Int{check::edge(dice)} + static_cast<Int>(dice.below(2));
  }
}

Int documented_tiler(const TilingQuestion& q, Conv3DBackpropFilterTilingData& data) {
  return asked(q).GetTiling(data);
}

std::string fault_of_tiling(const Tiler& tiler, const TilingQuestion& q) {
  Conv3DBackpropFilterTilingData data;
  std::memset(&data, 0x5a, sizeof data);
  const Conv3DBackpropFilterTilingData before = data;
  const Int answer = tiler(q, data);
  if (answer == -1)
    return std::memcmp(&before, &data, sizeof data) == 0 ? "" : "a refusal changed the struct";
  if (answer != 0) return fmt::format("the answer is {}, neither 0 nor -1", answer);
  if (std::string fault = fault_of_tiles(data.dwTiling, platform_of(q)); !fault.empty()) return fault;
  return fault_of_blocks(data);
}

}  // namespace wgradcheck::fuzz
