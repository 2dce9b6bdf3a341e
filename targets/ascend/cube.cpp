#include "targets/ascend/cube.hpp"

#include <algorithm>
#include <atomic>

#include "impl/loops.hpp"
#include "impl/simd/kernels.hpp"

namespace wgradcheck::targets::ascend {
namespace {

using Int = std::int64_t;
namespace simd = impl::simd;

constexpr Int kLanes = spec::kC0;
constexpr Int kDepth = 256;  ///< positions packed at once: what a micro-kernel walks between two stores

/// The environment in which a tile is summed: `a` holds a slice's positions of dy as rows, `b` those of x.
template <class T>
class Run : public impl::Loops {
 public:
  Run(const Operands<T>& operands, float* a, float* b, float* sums)
      : operands_(operands), a_(a), b_(b), sums_(sums) {}

  static Int slice_tile() { return kDepth; }
  void clear_sums(Int rows, Int cols) { std::fill_n(sums_, rows * cols, 0.0f); }
  /// a[i * step + at + l] = dy[from + i * 16 + l] for i in [0, count), l in [0, 16).
  void stage_dy(Int count, Int from, Int at, Int step) {
    simd::copy<T>(count, kLanes, {operands_.grad + from, kLanes}, {a_ + at, step});
  }
  /// Whether a[i * rows + j] is finite for i in [0, count), j in [0, rows).
  bool finite_panel(Int count, Int rows) const { return simd::all_finite<float>(count, rows, {a_, rows}); }
  /// b[i * step + at + l] = 0 for i in [0, count), l in [0, 16).
  void zero_x(Int count, Int at, Int step) {
    for (Int i = 0; i < count; ++i) std::fill_n(b_ + i * step + at, kLanes, 0.0f);
  }
  /// b[(row + i) * step + at + l] = x[from + i * from_step + l] for i in [0, count), l in [0, 16).
  void stage_x(Int count, Int from, Int from_step, Int row, Int at, Int step) {
    simd::copy<T>(count, kLanes, {operands_.input + from, from_step}, {b_ + row * step + at, step});
  }
  /// sums[i * step + at + j] += sum over p in [0, depth) of a[(row + p) * rows + i] * b[p * cols + j] for i
  /// in [0, rows), j in [0, cols).
  void multiply(Int rows, Int cols, Int depth, Int row, Int at, Int step) {
    simd::add_product<float>(rows, cols, depth, {a_ + row * rows, rows}, {b_, cols}, {sums_ + at, step});
  }

 private:
  Operands<T> operands_;
  float *a_, *b_, *sums_;
};

/// The environment in which sums are moved, each by add(to, from).
template <class Add>
struct Move : impl::Loops {
  Move(const float* from_where, float* to_where, Add adding)
      : from_sums(from_where), to_sums(to_where), add(adding) {}
  const float* from_sums;
  float* to_sums;
  Add add;

  /// to[i * 16 + l] gets from[i * step + l] for i in [0, rows), l in [0, 16), where both begin at their
  /// offsets.
  void move(Int rows, Int from, Int step, Int to) const {
    for (Int i = 0; i < rows; ++i)
      for (Int l = 0; l < kLanes; ++l) add(to_sums[to + i * kLanes + l], from_sums[from + i * step + l]);
  }
};

}  // namespace

template <class T>
void sum_tile(const Operands<T>& operands, const impl::cube::Plane<Int>& plane,
              const impl::cube::Tile<Int>& t, Panels& p, float* sums) {
  const Int deepest = std::min(t.positions, kDepth) * kLanes;
  p.a.resize(static_cast<std::size_t>(deepest * impl::length(t.blocks)));
  p.b.resize(static_cast<std::size_t>(deepest * impl::length(t.sixteens)));
  Run<T> run(operands, p.a.data(), p.b.data(), sums);
  impl::cube::product(run, plane, t);
}

void move_tile(const impl::cube::Tile<Int>& t, const float* from, const impl::cube::Sums<Int>& from_sums,
               float* to, const impl::cube::Sums<Int>& to_sums, Adding adding) {
  const auto by = [&](auto add) {
    Move env(from, to, add);
    impl::cube::move(env, t, from_sums, to_sums);
  };
  switch (adding) {
    case Adding::none:
      return by([](float& sum, float value) { sum = value; });
    case Adding::alone:
      return by([](float& sum, float value) { sum += value; });
    case Adding::atomic:
      return by([](float& sum, float value) {
        std::atomic_ref<float>(sum).fetch_add(value, std::memory_order_relaxed);
      });
  }
}

template void sum_tile(const Operands<impl::Half>&, const impl::cube::Plane<Int>&,
                       const impl::cube::Tile<Int>&, Panels&, float*);
template void sum_tile(const Operands<impl::Bfloat>&, const impl::cube::Plane<Int>&,
                       const impl::cube::Tile<Int>&, Panels&, float*);

}  // namespace wgradcheck::targets::ascend
