#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "check/judge/court.hpp"
#include "check/search/domain.hpp"

/// Byte strings that are trials: what a fuzzer changes, keeps and merges.
namespace wgradcheck::check {

/// What a byte string holds at each place: numbers of two bytes, the lowest first, missing ones 0.
enum Gene : std::size_t {
  kKind,
  kBatch,
  kGroups,
  kIns,
  kOuts,   ///< channels of a group
  kDepth,  ///< of each axis: output, kernel, stride, dilation, pad, and what lies behind the last tap
  kHeight = kDepth + 6,
  kWidth = kHeight + 6,
  kCores = kWidth + 6,
  kBias,
  kPlacement,
  kBuffer,
  kImplementation,
  kFill,
  kSeed,
  kGenes = kSeed + 4
};

/// How large the trials of byte strings get, so that thousands are run in a second.
struct Largest {
  double products = 1 << 12, elements = 1 << 11;  ///< elements of any one tensor
};

/// The shape of a byte string: every string is one, which spec::refuse takes. Sizes beyond the largest are
/// halved, the largest first. 2D, or as the convention has it.
spec::Shape shape_of(std::string_view bytes, const Abi&, const Largest& = {});

/// The trial of a byte string, of the domain; nothing where the domain does not have that shape.
std::optional<Trial> trial_of(std::string_view bytes, const Domain&, const Promises&, int exact_bits = 24,
                              const Largest& = {});

/// The byte string of a shape, so far as its sizes are not beyond what one can say; a further number chooses
/// the rest of the call.
std::string bytes_of(const spec::Shape&, std::uint64_t rest = 0);

}  // namespace wgradcheck::check
