#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "spec/rules.hpp"
#include "targets/conv_grad_filter/api.hpp"

/// The platforms' entry points: what they admit, what they report, and how they call `impl/`.
namespace wgradcheck::targets {

using Call = spec::Call<std::int64_t>;

/// An integer of ConvParameter.
struct Field {
  const char* name;
  int ConvParameter::*member;
};

/// The 20 integers of ConvParameter in the document's order.
inline constexpr std::array<Field, 20> kFields{{
    {"output_batch_", &ConvParameter::output_batch_},
    {"input_batch_", &ConvParameter::input_batch_},
    {"input_h_", &ConvParameter::input_h_},
    {"input_w_", &ConvParameter::input_w_},
    {"output_h_", &ConvParameter::output_h_},
    {"output_w_", &ConvParameter::output_w_},
    {"input_channel_", &ConvParameter::input_channel_},
    {"output_channel_", &ConvParameter::output_channel_},
    {"kernel_h_", &ConvParameter::kernel_h_},
    {"kernel_w_", &ConvParameter::kernel_w_},
    {"group_", &ConvParameter::group_},
    {"pad_l_", &ConvParameter::pad_l_},
    {"pad_u_", &ConvParameter::pad_u_},
    {"dilation_h_", &ConvParameter::dilation_h_},
    {"dilation_w_", &ConvParameter::dilation_w_},
    {"stride_h_", &ConvParameter::stride_h_},
    {"stride_w_", &ConvParameter::stride_w_},
    {"buffer_size_", &ConvParameter::buffer_size_},
    {"pad_d_", &ConvParameter::pad_d_},
    {"pad_r_", &ConvParameter::pad_r_},
}};

/// What the calling thread's last call left for the query functions. Plain memory, so that it can be asked
/// for even while the thread or the process ends.
struct Report {
  using Text = std::array<char, 256>;
  Text error, warning;
  const char* path;
};
Report& last_report();

/// Begins a new report that refuses the call for this reason.
void refuse_call(const std::string& reason);

/// The pointers of a call.
struct Pointers {
  const void* dy;
  const void* x;
  const void* dw;
  const void* bias;
};

/// The call that a parameter struct describes, or nothing and a report that says why. Touches nothing but the
/// struct.
std::optional<Call> admit(const ConvParameter*, std::int64_t elem_bytes, std::int64_t core_num);

/// As above for an entry point, whose pointers are checked too; the report also gets the path and a warning.
std::optional<Call> admit(const Pointers&, const ConvParameter*, std::int64_t elem_bytes,
                          std::int64_t core_num);

/// A core's place among those that take part in a shared call.
struct Place {
  std::int64_t id, count;
};

/// The place of the calling core in a core mask, or nothing and a report that says why it has none.
std::optional<Place> place_in(int core_mask);

}  // namespace wgradcheck::targets
