#pragma once
#include "impl/host/lane_staging.hpp"
#include "impl/schedule/view.hpp"
#include "impl/simd/lanes.hpp"

namespace wgradcheck::impl::host {

/// The environment in which the host library's schedules run. Offsets and steps count elements.
template <class T>
class Run : public LaneStaging<T> {
 public:
  using Int = std::int64_t;
  using LaneStaging<T>::LaneStaging;

  struct Extents {
    Int rows, columns;
  };
  /// Steps of staged pixels, and where the first is: as simd::Pixels counts them.
  struct Staged {
    Int at, plane, line, pixel, area;
  };
  /// sums[group][i][tap][j] (+)= sum over the box of dy(p, y, x)[i] * x(p, y, x)[j].
  void product(Int group, const Extents& e, const simd::Box& box, const Staged& dy, const Staged& x, Int tap,
               bool first) {
    float* const to =
        this->memory().sums.at + group * this->memory().sums.group + tap * this->memory().sums.tap;
    const bool fresh = this->memory().fresh && first;
    constexpr Int kTile = 12 * 32;  // sums of the largest register tile
    const Int tiles = spec::ceil_div(e.rows * e.columns, kTile);
    const auto soon = this->foreseen().soon(this->memory().products, tiles);
    if constexpr (std::is_same_v<T, float>)
      if (this->memory().as_is) {
        const auto there = [](const float* tensor, const Staged& p, Int channels) {
          return simd::Pixels{
              tensor, p.at * channels, p.plane * channels, p.line * channels, p.pixel * channels, 0};
        };
        const spec::Shape& s = this->shape();
        return simd::add_outer(
            e.rows, e.columns, box,
            there(this->memory().dy + this->dy_from_ + group * spec::out_per_group(s), dy, s.out_channels),
            there(this->memory().x + this->x_from_ + group * spec::in_per_group(s), x, s.in_channels),
            {to, this->memory().sums.row, fresh, this->memory().streams}, soon);
      }
    // A group's pixels lie behind those of the one before.
    const Int dy_group =
        dy.area * (this->memory().swapped ? simd::packed_columns(e.rows) : simd::packed_rows(e.rows));
    const Int x_group = x.area * simd::packed_columns(e.columns);
    const simd::Pixels a{
        this->memory().packed_dy + group * dy_group, dy.at, dy.plane, dy.line, dy.pixel, dy.area};
    const simd::Pixels b{this->memory().packed_x + group * x_group, x.at, x.plane, x.line, x.pixel, x.area};
    if (this->memory().swapped)
      simd::add_outer(e.columns, e.rows, box, b, a, {to, this->memory().sums.column, fresh}, soon);
    else
      simd::add_outer(e.rows, e.columns, box, a, b,
                      {to, this->memory().sums.row, fresh, this->memory().streams}, soon);
  }

  /// The same of pixels where they are.
  void product_in_place(const Extents& e, const simd::Box& box, const View<Int>& dy, const View<Int>& x,
                        Int tap, bool first) {
    if constexpr (std::is_same_v<T, float>) {
      const auto behind = [&box](View<Int> v) {
        v.at += box.planes > 1 ? box.planes * v.plane : box.lines * v.line;
        return v;
      };
      this->foreseen().dy_follows(behind(dy), e.rows, dy.at);
      this->foreseen().x_follows(behind(x), e.columns, x.at);
      simd::add_outer(e.rows, e.columns, box, {this->memory().dy, dy.at, dy.plane, dy.line, dy.pixel, 0},
                      {this->memory().x, x.at, x.plane, x.line, x.pixel, 0},
                      {this->memory().sums.at + tap * this->memory().sums.tap, this->memory().sums.row,
                       this->memory().fresh && first},
                      this->foreseen().soon());
    }
  }

  struct Steps {
    Int row, column;
  };
  void lane_products(Int lanes, const Extents& taps, const Steps& steps, const simd::Box& box,
                     const View<Int>& dy, Int map, const View<Int>& x, Int tap, Int taps_of_row, bool fresh) {
    if (!fresh && (box.lines <= 0 || box.pixels <= 0)) return;
    const auto base = [](const T* memory, const float* packed, bool in_place) {
      if constexpr (std::is_same_v<T, float>) return in_place ? memory : packed;
      return packed;
    };
    const float* const from_dy = base(this->memory().dy, this->memory().packed_dy, this->dy_in_place());
    const float* const from_x = base(this->memory().x, this->memory().packed_x, this->x_in_place());
    const spec::Shape& s = this->shape();
    const Int tiles = spec::ceil_div(s.height.kernel * s.width.kernel, taps.rows * taps.columns);
    const std::span<simd::Runs> soon = this->next_lanes().runs();
    const Int share = spec::ceil_div(this->next_lanes().lines_of_memory(), tiles);
    simd::add_lanes(
        lanes, box, {taps.rows, taps.columns, steps.row, steps.column},
        {spec::out_per_group(s), map, this->memory().mixed && spec::out_per_group(s) > 1},
        {from_dy, dy.at, dy.plane, dy.line, dy.pixel, 0}, {from_x, x.at, x.plane, x.line, x.pixel, 0},
        {this->memory().sums.at + tap * this->memory().sums.tap, this->memory().sums.row,
         taps_of_row * this->memory().sums.tap, this->memory().sums.tap, this->memory().fresh && fresh},
        soon, share);
  }
};

}  // namespace wgradcheck::impl::host
