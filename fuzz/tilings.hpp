#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "check/fuzz/mutate.hpp"
#include "targets/ascend/include/lib/conv_backprop/conv3d_bp_filter_tiling.h"

namespace wgradcheck::fuzz {

/// What GetTiling is asked: sizes, pads, steps and dilations of any value, and the bytes of the buffers.
struct TilingQuestion {
  enum Number : std::size_t {
    kN,
    kCout,
    kCin,
    kDi,
    kHi,
    kWi,
    kDo,
    kHo,
    kWo,
    kDk,
    kHk,
    kWk,
    kFront,
    kBack,
    kUp,
    kDown,
    kLeft,
    kRight,
    kStrideD,
    kStrideH,
    kStrideW,
    kDilationD,
    kDilationH,
    kDilationW,
    kL1,
    kNumbers
  };
  std::array<std::int64_t, kNumbers> numbers{};
};

/// The question of a byte string: every string is one. Five bytes a number, so that it can exceed 32 bits;
/// L1 has at least 0 bytes and under 2^31.
TilingQuestion question_of(std::string_view bytes);
std::string bytes_of(const TilingQuestion&);

/// Gives one of the numbers another value: small, at a limit of the engine, or at an edge of 32 bits.
void mutate(TilingQuestion&, check::Dice&);

/// Answers like GetTiling: 0 and a tiling, or -1 and the struct as it was.
using Tiler = std::function<std::int64_t(const TilingQuestion&, Conv3DBackpropFilterTilingData&)>;
std::int64_t documented_tiler(const TilingQuestion&, Conv3DBackpropFilterTilingData&);

/// Why an answer is wrong: neither -1 nor a tiling within every buffer, whole in cubes, whose blocks cover
/// the product. Empty where it is right.
std::string fault_of_tiling(const Tiler&, const TilingQuestion&);

}  // namespace wgradcheck::fuzz
