#include "check/judge/certified.hpp"

#include <algorithm>
#include <new>

#include "check/judge/identity.hpp"
#include "impl/host/host.hpp"

namespace wgradcheck::check {
namespace {

/// Floats that begin where a cache line does.
class Lines {
 public:
  explicit Lines(std::int64_t floats)
      : first_(static_cast<float*>(::operator new(static_cast<std::size_t>(floats) * sizeof(float), kLine))) {
  }
  ~Lines() { ::operator delete(first_, kLine); }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
  float* data() const { return first_; }

 private:
  static constexpr std::align_val_t kLine{64};
  float* first_;
};

}  // namespace

std::optional<std::vector<std::int32_t>> certified_sums(const spec::Shape& s, const Integers& dy,
                                                        const Integers& x) {
  namespace host = impl::host;
  if (spec::refuse(s)) return {};
  const host::Problem problem{s, false, 1};
  const host::Plan plan = host::plan(problem, false);
  const std::vector<float> dys(dy.begin(), dy.end()), xs(x.begin(), x.end());
  std::vector<float> dw(static_cast<std::size_t>(spec::dw_elems(s)));
  const Lines workspace(plan.floats());
  host::run(problem, plan, dys.data(), xs.data(), dw.data(), workspace.data());
  const auto fits = [](float sum) { return sum > -0x1p24F && sum < 0x1p24F; };
  if (!std::ranges::all_of(dw, fits)) return {};
  std::vector<std::int32_t> sums(dw.begin(), dw.end());
  if (!are_exact_sums(s, dy, x, {.sums = sums, .dw = {}, .old = {}})) return {};
  return sums;
}

}  // namespace wgradcheck::check
