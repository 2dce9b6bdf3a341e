#include "impl/host/host.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <new>

#include "targets/include/wgrad_kernel.h"

namespace host = wgradcheck::impl::host;
namespace spec = wgradcheck::spec;
using wgradcheck::impl::Bfloat;
using wgradcheck::impl::Half;

namespace {

spec::Axis<std::int64_t> axis_of(const wgrad_axis& a) {
  return {a.input, a.output, a.kernel, a.stride, a.dilation, a.pad_before};
}

host::Problem problem_of(const wgrad_problem& p) {
  return {{p.batch, p.groups, p.in_channels, p.out_channels, axis_of(p.depth), axis_of(p.height),
           axis_of(p.width)},
          p.accumulate != 0,
          p.threads};
}

bool is_type(std::int64_t type) { return type == WGRAD_F32 || type == WGRAD_F16 || type == WGRAD_BF16; }

/// Why a problem is refused, or nothing.
const char* refusal(const wgrad_problem& p) {
  if (!is_type(p.in_type)) return "in_type is no element type";
  if (p.out_type != p.in_type && p.out_type != WGRAD_F32) return "out_type is neither in_type nor WGRAD_F32";
  if (p.accumulate != 0 && p.accumulate != 1) return "accumulate is neither 0 nor 1";
  if (p.threads < 1) return "threads is less than 1";
  static thread_local std::string why;
  const auto bad = spec::refuse(problem_of(p).shape);
  if (!bad) return nullptr;
  why = bad->field + ": " + bad->reason;
  return why.c_str();
}

host::Plan plan_of(const wgrad_problem& p) { return host::plan(problem_of(p), p.in_type != WGRAD_F32); }

/// What a thread's last call was planned to be: small problems are computed as fast as they are planned.
struct Kept {
  wgrad_problem problem{};
  host::Plan plan{};
};

/// Its fields are numbers of one size. They are compared without a call, whose code a small problem would
/// wait for.
bool is_same(const wgrad_problem& a, const wgrad_problem& b) {
  using Fields = std::array<std::int64_t, sizeof a / sizeof(std::int64_t)>;
  const auto of_a = std::bit_cast<Fields>(a), of_b = std::bit_cast<Fields>(b);
  std::int64_t other = 0;
  for (std::size_t i = 0; i < of_a.size(); ++i) other |= of_a[i] ^ of_b[i];
  return other == 0;
}

/// The plan of a problem, or null where it is refused.
const host::Plan* kept_plan_of(const wgrad_problem& p) {
  static thread_local Kept kept;
  // What is kept at first has no threads.
  if (p.threads > 0 && is_same(p, kept.problem)) return &kept.plan;
  if (refusal(p) != nullptr) return nullptr;
  kept = {p, plan_of(p)};
  return &kept.plan;
}

template <class In, class Out>
void compute(const wgrad_problem& p, const host::Plan& plan, const void* dy, const void* x, void* dw,
             void* workspace) {
  host::run(problem_of(p), plan, static_cast<const In*>(dy), static_cast<const In*>(x), static_cast<Out*>(dw),
            static_cast<float*>(workspace));
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] std::int64_t wgrad_kernel_workspace(const wgrad_problem* problem,
                                                                   char text[WGRAD_TEXT]) {
  if (const char* const why = refusal(*problem)) {
    std::strncpy(text, why, WGRAD_TEXT - 1);
    return -1;
  }
  const host::Plan plan = plan_of(*problem);
  std::strncpy(text, name_of(plan.path), WGRAD_TEXT - 1);
  return plan.floats() * static_cast<std::int64_t>(sizeof(float));
}

[[gnu::visibility("default")]] int wgrad_kernel(const wgrad_problem* problem, const void* dy, const void* x,
                                                void* dw, void* workspace) {
  const host::Plan* const plan = kept_plan_of(*problem);
  if (plan == nullptr) return -1;
  const bool narrow = problem->out_type != WGRAD_F32;
  if (problem->in_type == WGRAD_F32)
    compute<float, float>(*problem, *plan, dy, x, dw, workspace);
  else if (problem->in_type == WGRAD_F16)
    (narrow ? compute<Half, Half> : compute<Half, float>)(*problem, *plan, dy, x, dw, workspace);
  else
    (narrow ? compute<Bfloat, Bfloat> : compute<Bfloat, float>)(*problem, *plan, dy, x, dw, workspace);
  return 0;
}
}
