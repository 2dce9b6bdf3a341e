#include "impl/host/trace.hpp"

#include <string>

namespace wgradcheck::impl::host {
namespace {

using Int = Loops::Int;

template <class Visit>
void each_pixel(const Trace::Box& box, const Visit& visit) {
  for (Int p = 0; p < box.planes; ++p)
    for (Int i = 0; i < box.lines; ++i)
      for (Int j = 0; j < box.pixels; ++j) visit(p, i, j);
}

/// Where pixel (p, i, j) lies in a View or as Staged says.
template <class Steps>
Int at(const Steps& s, Int p, Int i, Int j) {
  return s.at + p * s.plane + i * s.line + j * s.pixel;
}

}  // namespace

void Trace::Memory::put(Int place, Int offset) {
  at_[static_cast<std::size_t>(inside(place, static_cast<Int>(at_.size()), name_))] = offset;
}
Int Trace::Memory::get(Int place) const {
  const Int offset = at_[static_cast<std::size_t>(inside(place, static_cast<Int>(at_.size()), name_))];
  if (offset == kNothing) throw Stray(std::string(name_) + " is read before it is written");
  return offset;
}

Trace::Trace(const spec::Shape& s, const Part<Int>& part, bool lanes, const Machine& machine)
    : s_(s),
      part_(part),
      lanes_(lanes),
      machine_(machine),
      dy_(machine.dy, "staged dy"),
      x_(machine.x, "staged x"),
      begun_(static_cast<std::size_t>(spec::dw_elems(s))) {}

void Trace::clear_if_none(Int outputs, Int first, Int taps) {
  if (outputs > 0) return;
  for (Int t = first; t < first + taps; ++t)
    for (Int g = 0; g < (lanes_ ? 1 : length(part_.groups)); ++g)
      for (Int row = 0; row < length(part_.outs); ++row)
        for (Int column = 0; column < length(part_.ins); ++column) begin(sum_of(g, row, t, column), true);
}

void Trace::as_staged(Int& begin, Int from, Int step, Int channels, Int first) const {
  if (!machine_.as_is) return;
  if (first == 0) begin = from;
  if (from != begin + first * channels || step != channels)
    throw Stray("staged pixel " + std::to_string(first) + " lies elsewhere than the one before says");
}

void Trace::pack_dy(Int groups, Int count, Int channels, Int from, Int area, Int first) {
  as_staged(dy_begins_, from, s_.out_channels, s_.out_channels, first);
  for (Int g = 0; g < groups; ++g)
    for (Int i = 0; i < count; ++i)
      for (Int c = 0; c < channels; ++c)
        dy_.put(
            (g * area + inside(first + i, area, "pixels of dy")) * channels + c,
            inside(from + i * s_.out_channels + g * spec::out_per_group(s_) + c, spec::dy_elems(s_), "dy"));
}
void Trace::pack_x(Int groups, Int count, Int channels, Int from, Int step, Int area, Int first) {
  as_staged(x_begins_, from, step, s_.in_channels, first);
  for (Int g = 0; g < groups; ++g)
    for (Int i = 0; i < count; ++i)
      for (Int c = 0; c < channels; ++c)
        x_.put((g * area + inside(first + i, area, "pixels of x")) * channels + c,
               inside(from + i * step + g * spec::in_per_group(s_) + c, spec::x_elems(s_), "x"));
}
void Trace::clear_x(Int count, Int at) {
  for (Int i = 0; i < count; ++i) x_.put(at + i, kZero);
}
void Trace::widen_x(Int count, Int channels, Int from, Int step, Int to) {
  for (Int i = 0; i < count; ++i)
    for (Int c = 0; c < channels; ++c)
      x_.put(to + i * channels + c, inside(from + i * step + c, spec::x_elems(s_), "x"));
}
void Trace::widen_lanes(Int count, Int channels, Int from, Int step, Int to) {
  if (!machine_.x_in_place) widen_x(count, channels, from, step, to);
}
void Trace::spread_dy(Int count, const Range<Int>& channels, Int from, Int to, Int map) {
  if (machine_.dy_in_place) return;
  const Int ci = spec::in_per_group(s_), co = spec::out_per_group(s_);
  for (Int m = 0; m < co; ++m)
    for (Int i = 0; i < count; ++i)
      for (Int l = 0; l < length(channels); ++l) {
        const Int channel = (channels.first + l) / ci * co + m;
        dy_.put(inside(to + i * length(channels) + l, map, "a map") + m * map,
                inside(from + i * s_.out_channels + channel, spec::dy_elems(s_), "dy"));
      }
}
bool Trace::finite_dy(bool needed, const spec::Shape&, const Part<Int>&, const Outputs<Int>&) const {
  return !needed || machine_.finite();
}

void Trace::product_in_place(const Extents& e, const Box& box, const View<Int>& dy, const View<Int>& x,
                             Int tap, bool first) {
  for (Int row = 0; row < e.rows; ++row)
    for (Int column = 0; column < e.columns; ++column) {
      const Int sum = sum_of(0, row, tap, column);
      begin(sum, first);
      each_pixel(box, [&](Int p, Int i, Int j) {
        add(sum, inside(at(dy, p, i, j) + row, spec::dy_elems(s_), "dy"),
            inside(at(x, p, i, j) + column, spec::x_elems(s_), "x"));
      });
    }
}

void Trace::product(Int group, const Extents& e, const Box& box, const Staged& dy, const Staged& x, Int tap,
                    bool first) {
  const Int channels = length(part_.ins);
  const bool rows_of_x = x.area == 0;  // all taps of a row, one behind the other, and their channels
  for (Int row = 0; row < e.rows; ++row)
    for (Int column = 0; column < e.columns; ++column) {
      const Int sum = sum_of(group, row, tap + column / channels, column % channels);
      begin(sum, first);
      each_pixel(box, [&](Int p, Int i, Int j) {
        const Int factor =
            dy_.get((group * dy.area + inside(at(dy, p, i, j), dy.area, "pixels of dy")) * e.rows + row);
        const Int pixel = at(x, p, i, j);
        add(sum, factor,
            x_.get(rows_of_x ? pixel + column
                             : (group * x.area + inside(pixel, x.area, "pixels of x")) * channels + column));
      });
    }
}

void Trace::lane_products(Int lanes, const Extents& taps, const Steps& steps, const Box& box,
                          const View<Int>& dy, Int map, const View<Int>& x, Int tap, Int taps_of_row,
                          bool first) {
  const Int co = spec::out_per_group(s_);
  for (Int m = 0; m < co; ++m)
    for (Int l = 0; l < lanes; ++l)
      for (Int a = 0; a < taps.rows; ++a)
        for (Int b = 0; b < taps.columns; ++b) {
          const Int sum = sum_of(0, m, tap + a * taps_of_row + b, l);
          begin(sum, first);
          each_pixel(box, [&](Int p, Int i, Int j) {
            const Int there = at(x, p, i, j) + a * steps.row + b * steps.column + l, pixel = at(dy, p, i, j);
            add(sum,
                machine_.dy_in_place ? inside(pixel + l / co * co + m, spec::dy_elems(s_), "dy")
                                     : dy_.get(inside(pixel + l, map, "a map") + m * map),
                machine_.x_in_place ? inside(there, spec::x_elems(s_), "x") : x_.get(there));
          });
        }
}

const std::vector<Product>& Trace::products() const {
  for (Int t = 0; t < spec::taps_of(s_); ++t)
    for (Int g = 0; g < (lanes_ ? 1 : length(part_.groups)); ++g)
      for (Int row = 0; row < length(part_.outs); ++row)
        for (Int column = 0; column < length(part_.ins); ++column)
          if (!begun_[static_cast<std::size_t>(sum_of(g, row, t, column))])
            throw Stray("a sum has neither begun nor been cleared");
  return products_;
}

void Trace::begin(Int sum, bool first) {
  const auto begun = begun_[static_cast<std::size_t>(sum)];
  if (first && begun) throw Stray("a sum begins twice");
  if (!first && !begun) throw Stray("a sum is added to before it has begun");
  begun_[static_cast<std::size_t>(sum)] = true;
}

void Trace::add(Int sum, Int dy, Int x) {
  if (x != kZero) products_.push_back({sum, dy, x});
}

Int Trace::sum_of(Int group, Int row, Int tap, Int column) const {
  inside(tap, spec::taps_of(s_), "taps");
  const Int co = part_.outs.first + inside(row, length(part_.outs), "a row of sums");
  const Int channel = part_.ins.first + inside(column, length(part_.ins), "a column of sums");
  const Int g = lanes_ ? channel / spec::in_per_group(s_)
                       : part_.groups.first + inside(group, length(part_.groups), "a group of sums");
  const Int ci = lanes_ ? channel % spec::in_per_group(s_) : channel;
  const Int kw = tap % s_.width.kernel, line = tap / s_.width.kernel;
  return spec::dw_offset(s_, g, co, line / s_.height.kernel, line % s_.height.kernel, kw, ci);
}

}  // namespace wgradcheck::impl::host
