#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "check/run/conv_param.hpp"

namespace wgradcheck::check {

/// A call of conv_grad_filter whose parameters are anything at all.
struct RawCall {
  /// What workspace_ holds: NULL, memory as documented, or an address that is no multiple of a float's size.
  enum class Workspace { given, null, misaligned };

  std::array<std::int32_t, 20> fields{};  ///< in the order of kParamFields
  Workspace workspace = Workspace::given;
  std::uint8_t target = 0;  ///< which of the kernels there are gets it, counted round
  std::uint8_t seed = 0;    ///< of its numbers
};

/// Bytes of a raw call: 20 numbers of four bytes, the lowest first, then one byte each of the rest.
inline constexpr std::size_t kRawBytes = 83;

/// The call of a byte string: every string is one, missing bytes being 0.
RawCall raw_call_of(std::string_view bytes);
std::string bytes_of(const RawCall&);

/// What the call says, as the rules know it.
spec::Call<std::int64_t> rules_call_of(const RawCall&, std::int64_t elem_bytes, std::int64_t cores);

/// The ints of a call that the rules know, each of which must be an int.
RawCall raw_call_of(const spec::Call<std::int64_t>&);

}  // namespace wgradcheck::check
