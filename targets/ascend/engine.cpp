#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "impl/loops.hpp"
#include "impl/schedule/cube_blocks.hpp"
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
  impl::cube::Grid<Int> grid() const {
    return {m / kLanes,    n / kLanes,    tiling->baseM / kLanes, tiling->baseN / kLanes,
            tiling->stepM, tiling->stepN, tiling->iterateOrder};
  }
  impl::cube::Tile<Int> tile(const Place& p) const { return impl::cube::tile_at(grid(), p.m, p.n, k); }
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
  impl::Loops loops;
  impl::cube::each_tile(loops, grid(), [this](Int i, Int j) { tiles.push_back({i, j}); });
  next = 0;
  changed = false;
}

template <class T>
void Engine::State::compute(const Place& at) {
  const spec::Shape s = ascend::shape_of(*tiling);
  const impl::cube::Tile<Int> t = tile(at);
  sums.resize(static_cast<std::size_t>(impl::length(t.blocks) * impl::length(t.sixteens) * kLanes * kLanes));
  ascend::sum_tile<T>({static_cast<const T*>(grad), static_cast<const T*>(input)},
                      {s.height, s.width, *start, impl::cube::first_input_row(s.height, *start)}, t, panels,
                      sums.data());
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
  const impl::cube::Tile<Int> tile = s.tile(s.tiles[s.next - 1]);
  const auto to =
      sequential ? impl::cube::in_sequence(s.grid()) : impl::cube::in_fractals<Int>(tile, t.cout1G);
  ascend::move_tile(tile, s.sums.data(), impl::cube::in_rows(tile), output, to,
                    add ? ascend::Adding::atomic : ascend::Adding::none);
  // A device stores what the accumulator holds there from before.
  if (sequential)
    for (Int j = 0; j < impl::length(tile.sixteens); ++j)
      std::fill(output + j * to.sixteen + impl::length(tile.blocks) * kLanes * kLanes,
                output + (j + 1) * to.sixteen, std::numeric_limits<float>::quiet_NaN());
  s.has_tile = false;
}

void Engine::end() {
  state_->known("End");
  *state_ = State{.element = state_->element};
}

}  // namespace ConvBackpropApi::host
