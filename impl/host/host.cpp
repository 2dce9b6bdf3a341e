#include "impl/host/host.hpp"

#include <atomic>
#include <functional>

#include "impl/host/crew.hpp"
#include "impl/host/run.hpp"
#include "impl/schedule/direct.hpp"
#include "impl/schedule/folded.hpp"
#include "impl/schedule/lanes.hpp"

namespace wgradcheck::impl::host {
namespace {

using Int = std::int64_t;

void round_to(float value, float& to) { to = value; }
void round_to(float value, Half& to) { to = to_half(value); }
void round_to(float value, Bfloat& to) { to = to_bfloat(value); }

/// Where a part's sums lie: in dW itself, or in a thread's memory.
template <class Out>
SumsLayout layout_of(const spec::Shape& s, const Plan& plan, const Part<Int>& part, Out* dw, float* memory) {
  const Int taps = taps_of(s), outs = length(part.outs), ins = length(part.ins);
  if constexpr (std::is_same_v<Out, float>)
    if (plan.in_place) {
      const Int at =
          spec::dw_offset(s, part.groups.first, part.outs.first, Int(0), Int(0), Int(0), part.ins.first);
      const Int ci = spec::in_per_group(s);
      return {dw + at, spec::out_per_group(s) * taps * ci, taps * ci, ci, 1};
    }
  if (plan.path == Path::swapped) return {memory, 0, 1, ins * outs, outs};
  return {memory, outs * taps * ins, taps * ins, ins, 1};
}

constexpr Int kWorthARun = 16;  ///< channels that are rounded by a call of a micro-kernel

/// Moves a part's sums to dW: `to` is that of its first tap, group and channel.
template <class Out>
void store(const Problem& problem, const SumsLayout& sums, Int row, Int channels, Out* to) {
  const Int taps = taps_of(problem.shape), ci = spec::in_per_group(problem.shape);
  for (Int t = 0; t < taps; ++t, to += ci) {
    const float* const from = sums.at + row * sums.row + t * sums.tap;
    if constexpr (std::is_same_v<Out, Half>)
      if (sums.column == 1 && channels >= kWorthARun) {
        simd::round_run(channels, from, problem.accumulate, to);
        continue;
      }
    for (Int c = 0; c < channels; ++c) {
      const float sum = from[c * sums.column];
      round_to(problem.accumulate ? to_float(to[c]) + sum : sum, to[c]);
    }
  }
}

template <class Out>
void finish(const Problem& problem, const Plan& plan, const Part<Int>& part, const SumsLayout& sums,
            Out* dw) {
  const spec::Shape& s = problem.shape;
  const auto at = [&](Int g, Int co, Int ci) {
    return dw + spec::dw_offset(s, g, co, Int(0), Int(0), Int(0), ci);
  };
  for (Int i = part.outs.first; i < part.outs.last; ++i) {
    const Int row = i - part.outs.first;
    if (plan.path != Path::lanes) {
      for (Int g = part.groups.first; g < part.groups.last; ++g) {
        SumsLayout from = sums;
        from.at += (g - part.groups.first) * sums.group;
        store(problem, from, row, length(part.ins), at(g, i, part.ins.first));
      }
      continue;
    }
    // Lanes are the channels of group after group; a part may begin and end within one.
    const Int ci = spec::in_per_group(s);
    for (Int l = part.ins.first; l < part.ins.last;) {
      const Int g = l / ci, count = std::min(part.ins.last, (g + 1) * ci) - l;
      SumsLayout from = sums;
      from.at += l - part.ins.first;
      store(problem, from, row, count, at(g, i, l - g * ci));
      l += count;
    }
  }
}

template <class In, class Out>
void run_part(const Problem& problem, const Plan& plan, const Part<Int>& part, const In* dy, const In* x,
              Out* dw, float* memory, Int next_part) {
  const spec::Shape& s = problem.shape;
  const auto take = [&memory](Int floats) {
    float* const at = memory;
    memory += set_apart(floats);
    return at;
  };
  float* const packed_dy = take(plan.dy);
  float* const packed_x = take(plan.x);
  const SumsLayout sums = layout_of(s, plan, part, dw, memory);
  const bool fresh = !(plan.in_place && problem.accumulate);
  Run<In> env(s, {dy, x, sums, packed_dy, packed_x,
                  plan.path == Path::taps ? plan.cut.tap_lines * plan.cut.tap_pixels * length(part.groups)
                                          : plan.cut.tap_lines,
                  fresh, fresh && plan.streams, plan.path == Path::swapped, plan.as_is, plan.mixed, next_part,
                  length(part.groups), length(part.outs), length(part.ins)});
  if (plan.path == Path::taps)
    taps(env, s, part, plan.cut);
  else if (plan.path == Path::direct)
    direct(env, s, part, plan.cut);
  else if (plan.path == Path::lanes)
    lanes(env, s, part.ins, plan.cut);
  else
    folded(env, s, part, plan.cut);
  if (!plan.in_place) finish(problem, plan, part, sums, dw);
}

/// Adds up the partials that are kept, to the one that dW is or else to the first of them.
template <class Out>
void add_partials(const Problem& problem, const Plan& plan, float* kept, Out* dw) {
  const bool in_dw = plan.kept_partials < plan.partials;
  const auto partial = [&](Int p) { return kept + p * set_apart(plan.dw); };
  const auto add = [&](auto* to, const float* from) {
    for (Int i = 0; i < plan.dw; ++i) to[i] += from[i];
  };
  if constexpr (std::is_same_v<Out, float>)
    if (in_dw) {
      for (Int p = 0; p < plan.kept_partials; ++p) add(dw, partial(p));
      return;
    }
  for (Int p = 1; p < plan.kept_partials; ++p) add(kept, partial(p));
  for (Int i = 0; i < plan.dw; ++i) round_to(problem.accumulate ? to_float(dw[i]) + kept[i] : kept[i], dw[i]);
}

}  // namespace

template <class In, class Out>
void run(const Problem& problem, const Plan& plan, const In* dy, const In* x, Out* dw, float* workspace) {
  const spec::Shape& s = problem.shape;
  float* const kept = workspace + plan.threads * plan.floats_of_thread();
  const Int in_dw = plan.partials - plan.kept_partials;  // partials that dW holds itself
  const auto item = [&](Int i, float* memory) {
    const Int partial = i / plan.parts(), first = partial * plan.images;
    const Part<Int> part = plan.part(i % plan.parts());
    Problem of{s, problem.accumulate, problem.threads};
    of.shape.batch = std::min(plan.images, s.batch - first);
    const Int next = i % plan.parts() + plan.threads;
    const Int next_part = next < plan.parts() ? plan.part(next).ins.first - part.ins.first : 0;
    const In* const some_dy = dy + first * (spec::dy_elems(s) / s.batch);
    const In* const some_x = x + first * (spec::x_elems(s) / s.batch);
    if (partial < in_dw) return run_part<In, Out>(of, plan, part, some_dy, some_x, dw, memory, next_part);
    of.accumulate = false;
    run_part<In, float>(of, plan, part, some_dy, some_x, kept + (partial - in_dw) * set_apart(plan.dw),
                        memory, next_part);
  };
  // A thread takes the next item when it is done with one: some begin late.
  std::atomic<Int> taken = 0;
  const auto work = [&](Int thread) {
    for (Int i; (i = taken.fetch_add(1, std::memory_order_relaxed)) < plan.parts() * plan.partials;)
      item(i, workspace + thread * plan.floats_of_thread());
  };
  work_together(plan.threads,
                std::ref(work));  // by reference nothing is allocated: small problems would wait
  if (plan.partials > 1) add_partials(problem, plan, kept, dw);
}

#define WGRADCHECK_RUN(In, Out) \
  template void run(const Problem&, const Plan&, const In*, const In*, Out*, float*);
WGRADCHECK_RUN(float, float)
WGRADCHECK_RUN(Half, Half)
WGRADCHECK_RUN(Half, float)
WGRADCHECK_RUN(Bfloat, Bfloat)
WGRADCHECK_RUN(Bfloat, float)
#undef WGRADCHECK_RUN

}  // namespace wgradcheck::impl::host
