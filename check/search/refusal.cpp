#include "check/search/refusal.hpp"

#include <array>
#include <limits>

#include "check/run/conv_param.hpp"
#include "check/search/domain.hpp"
#include "spec/rules.hpp"

namespace wgradcheck::check {
namespace {

using Limits = std::numeric_limits<std::int32_t>;

/// Values that a field of a valid call cannot have, or that make a product too large.
constexpr std::array<std::int32_t, 6> kValues{0, -1, Limits::min(), Limits::max(), 0x10000, 7};

}  // namespace

bool is_invalid(const Case& c) {
  if (!c.tamper.any()) return false;
  spec::Call<std::int64_t> call = call_of(c);
  for (std::size_t i = 0; i < kCallFields.size(); ++i)
    if (c.tamper.has(i)) call.*kCallFields[i] = c.tamper.values[i];
  return spec::refuse(call).has_value();
}

std::int64_t invalid_choices() { return std::ssize(kCallFields) * std::ssize(kValues); }

std::optional<Case> made_invalid(Case c, std::int64_t k) {
  c.tamper = {};
  c.tamper.set(static_cast<std::size_t>(k % std::ssize(kCallFields)),
               kValues[static_cast<std::size_t>(k / std::ssize(kCallFields) % std::ssize(kValues))]);
  if (c.host || !is_invalid(c)) return {};
  return c;
}

}  // namespace wgradcheck::check
