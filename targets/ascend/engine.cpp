#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "impl/schedule/block.hpp"
#include "impl/tiling.hpp"
#include "spec/fractal.hpp"
#include "spec/index.hpp"
#include "targets/ascend/cube.hpp"
#include "targets/ascend/include/lib/conv_backprop/conv3d_bp_filter_engine.h"
#include "targets/ascend/limits.hpp"

namespace ConvBackpropApi::host {
namespace {

namespace impl = wgradcheck::impl;
namespace spec = wgradcheck::spec;
namespace ascend = wgradcheck::targets::ascend;
using Int = std::int64_t;

constexpr Int kLanes = spec::kC0;

/// A block's tile, counted in tiles of base_m and base_n.
struct Place {
  Int m, n;
};

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw Refused(otherwise);
}

/// Calls visit(i, j) for tiles of m and n in the order in which groups of step_m and step_n of them lie in
/// L1, the groups of m outermost.
template <class Visit>
void each_tile(Int ms, Int step_m, Int ns, Int step_n, Visit visit) {
  for (Int group_m = 0; group_m < ms; group_m += step_m)
    for (Int group_n = 0; group_n < ns; group_n += step_n)
      for (Int m = group_m; m < std::min(ms, group_m + step_m); ++m)
        for (Int n = group_n; n < std::min(ns, group_n + step_n); ++n) visit(m, n);
}

void add_atomically(const float* from, Int count, float* to) {
  for (Int i = 0; i < count; ++i) std::atomic_ref<float>(to[i]).fetch_add(from[i], std::memory_order_relaxed);
}

}  // namespace

struct Engine::State {
  Element element;
  std::optional<TConv3DBpFilterTiling> tiling{};
  const void* input = nullptr;
  const void* grad = nullptr;
  std::optional<Int> start{};
  Int m = 0, n = 0, k = 0;  ///< of SetSingleShape; 0 before
  bool changed = false;     ///< since the block began
  std::vector<Place> tiles{};
  std::size_t next = 0;
  bool over = true;  ///< Iterate has returned false, or not begun
  bool has_tile = false;
  std::vector<float> sums{};  ///< L0C
  ascend::Panels panels{};

  void begin();
  template <class T>
  void compute(const Place&);
  const TConv3DBpFilterTiling& known(const char* method) const {
    require(tiling.has_value(), std::string(method) + ": Init was not called");
    return *tiling;
  }
  impl::Range<Int> channels(const Place& p) const { return impl::tile_range<Int>(m, tiling->baseM, p.m); }
  impl::Range<Int> columns(const Place& p) const { return impl::tile_range<Int>(n, tiling->baseN, p.n); }
};

/// Starts a block: everything that it needs is known, and its rows lie in the plane.
void Engine::State::begin() {
  require(input != nullptr, "Iterate: SetInput was not called");
  require(grad != nullptr, "Iterate: SetGradOutput was not called");
  require(m != 0, "Iterate: SetSingleShape was not called");
  require(start.has_value(), "Iterate: SetStartPosition was not called, so that the padding is unknown");
  const Int rows = k / tiling->wo;
  require(*start + rows <= tiling->ho, "Iterate: rows " + std::to_string(*start) + " to " +
                                           std::to_string(*start + rows) + " pass the plane's " +
                                           std::to_string(tiling->ho));
  tiles.clear();
  const Int ms = impl::tiles_of<Int>(m, tiling->baseM), ns = impl::tiles_of<Int>(n, tiling->baseN);
  if (tiling->iterateOrder == 0)
    each_tile(ms, tiling->stepM, ns, tiling->stepN, [this](Int i, Int j) { tiles.push_back({i, j}); });
  else
    each_tile(ns, tiling->stepN, ms, tiling->stepM, [this](Int j, Int i) { tiles.push_back({i, j}); });
  next = 0;
  changed = false;
}

template <class T>
void Engine::State::compute(const Place& at) {
  const spec::Shape s = ascend::shape_of(*tiling);
  const ascend::Tile tile{channels(at), columns(at), k};
  sums.assign(static_cast<std::size_t>(impl::length(tile.channels) * impl::length(tile.columns)), 0.0f);
  ascend::add_tile<T>({static_cast<const T*>(grad), static_cast<const T*>(input), s.height, s.width, *start,
                       std::max<Int>(0, spec::input_at<Int>(s.height, *start, 0))},
                      tile, panels, sums.data());
}

Engine::Engine(Element element) : state_(new State{.element = element}) {}
Engine::~Engine() = default;

void Engine::init(const TConv3DBpFilterTiling* tiling) {
  require(tiling != nullptr, "Init: the tiling is NULL");
  require(!state_->tiling, "Init: called again without End");
  const std::string why = ascend::refusal_of(*tiling);
  require(why.empty(), "Init: " + why);
  state_->tiling = *tiling;
}

void Engine::set_input(const void* input) {
  state_->known("SetInput");
  require(input != nullptr, "SetInput: the tensor has no buffer");
  state_->input = input;
  state_->changed = true;
}

void Engine::set_grad(const void* grad) {
  state_->known("SetGradOutput");
  require(grad != nullptr, "SetGradOutput: the tensor has no buffer");
  state_->grad = grad;
  state_->changed = true;
}

void Engine::set_shape(std::uint64_t m, std::uint64_t n, std::uint64_t k) {
  const TConv3DBpFilterTiling& t = state_->known("SetSingleShape");
  const auto whole = [](const char* what, std::uint64_t value, Int unit, Int most) {
    const std::string is = std::string("SetSingleShape: ") + what + " is " + std::to_string(value) + ", ";
    require(value != 0 && value % static_cast<std::uint64_t>(unit) == 0,
            is + "no positive multiple of " + std::to_string(unit));
    require(value <= static_cast<std::uint64_t>(most), is + "over " + std::to_string(most));
  };
  const Int taps = Int{t.hk} * t.wk;
  // Depth lies beside the channel blocks in both layouts, so that dense taps of it can be merged into N.
  const Int depths = t.dilationD == 1 ? t.dk : 1;
  whole("M", m, kLanes, Int{t.cout1G} * kLanes);
  whole("N", n, kLanes * taps, depths * Int{t.cin1G} * kLanes * taps);
  whole("K", k, t.wo, Int{t.ho} * t.wo);
  state_->m = static_cast<Int>(m), state_->n = static_cast<Int>(n), state_->k = static_cast<Int>(k);
  state_->changed = true;
}

void Engine::set_start(std::int64_t row) {
  const Int rows = state_->known("SetStartPosition").ho;
  require(0 <= row && row < rows,
          "SetStartPosition: row " + std::to_string(row) + " is none of the plane's " + std::to_string(rows));
  state_->start = row;
  state_->changed = true;
}

bool Engine::iterate(bool& first) {
  State& s = *state_;
  s.known("Iterate");
  if (first) s.begin();
  require(first || !s.over,
          "Iterate: the block is over; ctx.isFirstIter_ must be set to true before the next one");
  require(!s.changed, "Iterate: a setter was called inside a block; ctx.isFirstIter_ must be set to true");
  first = false;
  s.has_tile = s.next < s.tiles.size();
  s.over = !s.has_tile;
  if (s.over) return false;
  if (s.element == Element::half)
    s.compute<impl::Half>(s.tiles[s.next]);
  else
    s.compute<impl::Bfloat>(s.tiles[s.next]);
  ++s.next;
  return true;
}

void Engine::get(float* output, bool add, bool sequential) {
  State& s = *state_;
  const TConv3DBpFilterTiling& t = s.known("GetTensorC");
  require(s.has_tile, "GetTensorC: there is no tile; Iterate has not returned true since the last one");
  require(output != nullptr, "GetTensorC: the tensor has no buffer");
  const Place at = s.tiles[s.next - 1];
  const Int rows = impl::length(s.channels(at)), cols = impl::length(s.columns(at));
  const Int padded = Int{t.cout1G} * kLanes, step = (sequential ? Int{t.baseM} : padded) * kLanes;
  if (!sequential) output += at.n * Int{t.baseN} * padded + at.m * Int{t.baseM} * kLanes;
  for (Int j = 0; j < cols; j += kLanes, output += step) {
    for (Int i = 0; i < rows; ++i) {
      const float* const from = s.sums.data() + i * cols + j;
      if (add)
        add_atomically(from, kLanes, output + i * kLanes);
      else
        std::copy_n(from, kLanes, output + i * kLanes);
    }
    // A device stores what the accumulator holds there from before.
    if (sequential) std::fill(output + rows * kLanes, output + step, std::numeric_limits<float>::quiet_NaN());
  }
  s.has_tile = false;
}

void Engine::end() {
  state_->known("End");
  *state_ = State{.element = state_->element};
}

}  // namespace ConvBackpropApi::host
