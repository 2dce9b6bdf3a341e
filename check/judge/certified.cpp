#include "check/judge/certified.hpp"

#include <algorithm>

#include "check/judge/identity.hpp"
#include "impl/conv_grad_filter.hpp"

namespace wgradcheck::check {

std::optional<std::vector<std::int32_t>> certified_sums(const spec::Shape& s, const Integers& dy,
                                                        const Integers& x) {
  constexpr std::int64_t kBuffer = 1 << 18;
  if (s.depth != spec::kNoAxis) return {};
  auto call = spec::call_of(s, spec::kFloatBytes, 1, kBuffer);
  call.buffer_size = std::max(kBuffer, spec::buffer_limit(call));
  if (spec::refuse(call)) return {};
  const std::vector<float> dys(dy.begin(), dy.end()), xs(x.begin(), x.end());
  std::vector<float> dw(static_cast<std::size_t>(spec::dw_elems(s)));
  std::vector<float> workspace(static_cast<std::size_t>(call.buffer_size));
  impl::run_private<float>(call, {dys.data(), xs.data(), dw.data(), nullptr}, workspace.data());
  const auto fits = [](float sum) { return sum > -0x1p24F && sum < 0x1p24F; };
  if (!std::ranges::all_of(dw, fits)) return {};
  std::vector<std::int32_t> sums(dw.begin(), dw.end());
  if (!are_exact_sums(s, dy, x, {.sums = sums, .dw = {}, .old = {}})) return {};
  return sums;
}

}  // namespace wgradcheck::check
