#include "targets/ascend/tiles.hpp"

#include <algorithm>

#include "spec/fractal.hpp"

namespace wgradcheck::targets::ascend {
namespace {

using Int = std::int64_t;
using spec::ceil_div;

constexpr Int kCube = 16;      ///< elements along each edge of the cube
constexpr Int kBytes = 2;      ///< of a half or bfloat16
constexpr Int kSums = 4;       ///< bytes of a sum
constexpr Int kL0Buffers = 2;  ///< of L0A and of L0B

/// What a core's blocks divide besides K, or that they divide M and N alone.
enum class Split { mk, nk, mn };

Int up(Int value, Int step) { return ceil_div(value, step) * step; }
Int at_least_1(Int value) { return std::max<Int>(value, 1); }

class Search {
 public:
  Search(const TileProblem& p, const ConvBackpropApi::PlatformInfo& platform)
      : p_(p), platform_(platform), taps_(p.kernel_h * p.kernel_w), split_(split_of(p)) {}

  std::optional<Tiles> run() {
    start();
    if (!descend()) {
      shrink();
      step(1, 1);
      if (!fits()) return {};
    }
    cut_for_cores();
    return t_;
  }

 private:
  static Split split_of(const TileProblem& p) {
    const Int taps = p.kernel_h * p.kernel_w;
    if (p.stride_h * p.stride_w > 1 && (taps % kCube == 0 || kCube % taps == 0)) return Split::mn;
    return p.m > p.n ? Split::nk : Split::mk;
  }

  /// The largest tiles of L0, cut to the problem; what a short M or N leaves of L0 goes to K.
  void start() {
    if (split_ == Split::mn) {
      t_.base_m = p_.m > 128 ? 256 : 128;
      t_.base_n = p_.m > 128 ? 128 : 256;
      t_.base_k = 64;
      t_.buffers_c = 1;
    } else {
      t_.base_m = t_.base_n = t_.base_k = 128;
    }
    const Int elems_a = t_.base_k * t_.base_m, elems_b = t_.base_k * t_.base_n, usual = t_.base_k;
    t_.base_m = std::min(t_.base_m, p_.m);
    t_.base_n = std::min(t_.base_n, p_.n);
    if (p_.k < usual)
      t_.base_k = p_.k;
    else
      t_.base_k = deepest(elems_a, elems_b);
  }

  /// The base K that so many elements of L0A and L0B allow, in whole rows of the plane where those are whole
  /// cubes.
  Int deepest(Int elems_a, Int elems_b) const {
    const Int k = std::min({at_least_1(elems_a / t_.base_m / kCube) * kCube,
                            at_least_1(elems_b / t_.base_n / kCube) * kCube, p_.k});
    return p_.wo < k && p_.wo % kCube == 0 ? k / p_.wo * p_.wo : k;
  }

  /// Steps for so many tiles of A and of B in L1. Buffers once single stay so.
  void step(Int depth_a, Int depth_b) {
    if (depth_a < 2) t_.buffers_a = 1;
    if (depth_b < 2) t_.buffers_b = 1;
    const Int tiles_a = depth_a / t_.buffers_a, tiles_b = depth_b / t_.buffers_b;
    const Int all_k = ceil_div(p_.k, t_.base_k);
    const auto steps_k = [all_k](Int tiles, Int other) { return at_least_1(std::min(tiles / other, all_k)); };
    t_.step_m = t_.step_n = 1;
    t_.step_ka = steps_k(tiles_a, 1);
    t_.step_kb = steps_k(tiles_b, 1);
    if (split_ == Split::mk)
      t_.step_m = at_least_1(std::min(tiles_a / t_.step_ka, ceil_div(p_.m, t_.base_m)));
    if (split_ == Split::nk)
      t_.step_n = at_least_1(std::min(tiles_b / t_.step_kb, ceil_div(p_.n, t_.base_n)));
    t_.step_ka = steps_k(tiles_a, t_.step_m);
    t_.step_kb = steps_k(tiles_b, t_.step_n);
    // The longer of the two is a multiple of the shorter.
    Int &a = t_.step_ka, &b = t_.step_kb;
    if (split_ == Split::mk) a = at_least_1(a / b) * b;
    if (split_ == Split::nk) b = at_least_1(b / a) * a;
    if (split_ == Split::mn && a > b) a = a / b * b;
    if (split_ == Split::mn && b > a) b = b / a * a;
  }

  /// Rows of the input that a step of K positions reads.
  Int rows_of(Int positions) const {
    Int rows = 2;
    if (positions % p_.wo == 0 || p_.wo % positions == 0)
      rows = ceil_div(positions, p_.wo);
    else if (positions > p_.wo)
      rows = positions / p_.wo + 2;
    return (rows - 1) * p_.stride_h + (p_.kernel_h - 1) * p_.dilation_h + 1;
  }

  /// Channel blocks of the input that so many columns touch, wherever they begin.
  Int blocks_of(Int columns) const {
    const Int cubes = ceil_div(columns, kCube), blocks = ceil_div(cubes, taps_);
    const bool crosses = taps_ > cubes && taps_ % cubes != 0 ? true : 2 * cubes % taps_ != 0;
    return crosses ? blocks + 1 : blocks;
  }

  Int bound() const {
    return rows_of(t_.base_k * t_.step_kb) * p_.wi * blocks_of(t_.step_n * t_.base_n) * spec::kC0;
  }

  /// Whether A and B fit; sets the bound for B. L0C is looked at where tiles grow.
  bool fits() {
    t_.b_bound = bound();
    const Footprint f = footprint(t_);
    return f.l0a <= platform_.l0ASize && f.l0b <= platform_.l0BSize && f.l1 <= platform_.l1Size;
  }

  /// Tries fewer and fewer tiles in L1.
  bool descend() {
    const Int most = split_ == Split::mn ? 16 : 8;
    for (Int a = most, b = most;;) {
      step(a, b);
      if (fits()) return true;
      if (a == 1 && b == 1) return false;
      if (split_ == Split::mn)
        a = b = a > 2 ? a - 2 : a - 1;
      else if (a > b || (a == b && split_ == Split::nk))
        a /= 2;
      else
        b /= 2;
    }
  }

  /// Makes tiles smaller until one of each fits L1 in a single buffer.
  void shrink() {
    if (shrink_k()) return;
    shrink_m_and_n();
    if (fits()) grow();
  }

  Int gap() const { return std::max<Int>(0, (t_.base_k * t_.base_m + bound()) * kBytes - platform_.l1Size); }

  bool shrink_k() {
    const Int part_a = t_.base_m * kCube * kBytes;
    const Int part_b = ceil_div(blocks_of(t_.base_n) * kCube * p_.wi * p_.stride_h * kCube * kBytes, p_.wo);
    const Int less = std::max<Int>(0, t_.base_k - kCube * ceil_div(gap(), part_a + part_b));
    if (less < kCube) {
      t_.base_k = kCube;
      return fits();
    }
    t_.base_k = less;
    while (t_.base_k > kCube && !fits()) {
      t_.base_k -= kCube;
      if (t_.base_k <= p_.wo && (p_.wo % t_.base_k == 0 || p_.wo % kCube != 0)) break;
    }
    if (fits()) return true;
    t_.base_k = kCube;
    return fits();
  }

  void shrink_m_and_n() {
    while (!fits() && t_.base_m != t_.base_n) {
      Int& larger = t_.base_m > t_.base_n ? t_.base_m : t_.base_n;
      larger -= kCube;
    }
    if (fits()) return;
    const Int part =
        t_.base_k * kCube * kBytes + ceil_div(rows_of(t_.base_k) * p_.wi * kCube * kBytes, taps_);
    const Int less = kCube * ceil_div(gap(), part);
    t_.base_m = std::max(kCube, t_.base_m - less);
    t_.base_n = std::max(kCube, t_.base_n - less);
    for (Int blocks = blocks_of(t_.base_n); !fits() && t_.base_m > kCube;) {
      if (const Int fewer = blocks_of(t_.base_m); fewer < blocks) {
        t_.base_n = t_.base_m;
        blocks = fewer;
      } else {
        t_.base_m -= kCube;
      }
    }
  }

  /// Gives what is left of L1 to M and K.
  void grow() {
    const Int left = platform_.l1Size - footprint(t_).l1;
    // The documents' cap on M, half of L0C's elements over M, lets L0A and L0C overflow; these do not.
    const Int most = std::min({p_.m, platform_.l0CSize / (kSums * t_.buffers_c * t_.base_n),
                               platform_.l0ASize / (kL0Buffers * kBytes * t_.base_k)});
    const Int more = t_.base_m + left / (t_.base_k * kCube * kBytes) * kCube;
    t_.base_m = std::max(t_.base_m, std::min(more, most) / kCube * kCube);
    while (t_.base_k < p_.k && fits()) t_.base_k += kCube;
    if (!fits()) t_.base_k -= kCube;
    t_.base_k = std::min(
        t_.base_k, deepest(platform_.l0ASize / kL0Buffers / kBytes, platform_.l0BSize / kL0Buffers / kBytes));
  }

  void cut_for_cores() {
    t_.core_m = t_.step_m * t_.base_m;
    t_.core_k = at_least_1(std::max(t_.step_ka, t_.step_kb) * t_.base_k / p_.wo) * p_.wo;
    t_.core_n = at_least_1(t_.step_n * t_.base_n / (kCube * taps_)) * kCube * taps_;
    if (split_ == Split::mk) t_.core_n = p_.n;
    if (split_ == Split::nk) t_.core_m = p_.m;
    if (split_ == Split::mn) t_.core_k = p_.k;
  }

  TileProblem p_;
  ConvBackpropApi::PlatformInfo platform_;
  Int taps_;
  Split split_;
  Tiles t_{.base_m = 0, .base_n = 0, .base_k = 0};
};

}  // namespace

Footprint footprint(const Tiles& t) {
  const Int k = up(t.base_k, kCube) * kBytes * kL0Buffers;
  return {k * t.base_m, k * t.base_n, t.base_m * t.base_n * kSums * t.buffers_c,
          (t.step_ka * t.base_k * t.step_m * t.base_m * t.buffers_a + t.b_bound * t.buffers_b) * kBytes};
}

std::optional<Tiles> choose_tiles(const TileProblem& p, const ConvBackpropApi::PlatformInfo& platform) {
  return Search(p, platform).run();
}

}  // namespace wgradcheck::targets::ascend
