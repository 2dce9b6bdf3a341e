#pragma once
#include <optional>

#include "check/profile/line.hpp"

/// What a kernel does with dW, bias, non-finite numbers and from call to call.
namespace wgradcheck::check {

/// Whether the sum is added to what dW holds; a host kernel is asked for either.
struct Adds {
  std::optional<bool> adds;  ///< of a host kernel: false where it can store, which is what it is asked for
  Fact fact;
};
Adds learn_adds(const Probe&, spec::Path);

/// What the bias argument is taken for.
struct Biased {
  std::optional<Bias> bias;
  Fact fact;
};
Biased learn_bias(const Probe&, spec::Path);

/// Whether infinity in dy stays away from taps that lie in the padding.
struct Padding {
  std::optional<bool> skips;
  Fact fact;
};
Padding learn_padding(const Probe&, spec::Path);

/// Whether calls with the same bytes give the same bits.
struct Repeats {
  std::optional<bool> repeats;
  Fact fact;
};
/// On one core and on the cores of each mask.
Repeats learn_repeats(const Probe&, spec::Path, const std::vector<std::uint32_t>& core_masks);

}  // namespace wgradcheck::check
