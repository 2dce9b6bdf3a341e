#pragma once
#include "proofs/host/staging.hpp"

/// What is claimed of rows of x that are staged with zeros for what lies outside the input. Row by row memory
/// holds all channels of `width` pixels, the first of which is input `left`.
namespace wgradcheck::proofs::host {

template <class Int>
struct Rows {
  Int planes, lines, width, left, channels;
};
template <class Reading, class Schedule>
Rows<IntOf<Reading>> rows_of(const Scene<Reading>& scene, const Schedule& schedule) {
  const auto& s = scene.s;
  const auto o = outputs_on(scene, schedule);
  const auto window = schedule.lines(scene);
  return {impl::length(o.planes), impl::picked(window.axis, window.outputs, window.taps).count,
          (impl::length(o.pixels) - 1) * s.width.stride + s.width.kernel,
          spec::input_at(s.width, o.pixels.first, IntOf<Reading>(0)), impl::length(scene.part.ins)};
}

/// The place is that of a channel of a pixel of a staged row, and lies in what is staged.
template <class Reading>
void claim_row_place(Reading& p, const Rows<IntOf<Reading>>& rows, const IntOf<Reading>& plane,
                     const IntOf<Reading>& line, const IntOf<Reading>& pixel, const IntOf<Reading>& channel,
                     const IntOf<Reading>& place) {
  p.claim("a pixel of a row", 0 <= pixel && pixel < rows.width);
  p.claim("the channel's place",
          place == pixel_at(rows.lines, rows.width, plane, line, pixel) * rows.channels + channel);
  use_digits(p, {{plane, rows.planes}, {line, rows.lines}, {pixel, rows.width}, {channel, rows.channels}});
  p.claim("inside the staged rows",
          0 <= place && place < rows.planes * rows.lines * rows.width * rows.channels);
}

/// Whether a pixel of a row is an input.
template <class Int>
auto is_input(const spec::Axis<Int>& axis, const Rows<Int>& rows, const Int& pixel) {
  return 0 <= rows.left + pixel && rows.left + pixel < axis.input;
}

/// Channels of two staged pixels in one place are the same.
template <class Reading, class Schedule>
void claim_rows_apart(const Scene<Reading>& scene, const Schedule& schedule) {
  auto& p = scene.p;
  const auto rows = rows_of(scene, schedule);
  const auto place = [&](std::string_view of) {
    const auto plane = index_below(p, {"plane", of}, rows.planes),
               line = index_below(p, {"line", of}, rows.lines),
               pixel = index_below(p, {"pixel", of}, rows.width),
               channel = index_below(p, {"channel", of}, rows.channels);
    return std::array{plane, line, pixel, channel};
  };
  const auto a = place("'"), b = place("\"");
  const auto line = [&](const auto& of) { return of[0] * rows.lines + of[1]; };
  const auto pixel = [&](const auto& of) { return line(of) * rows.width + of[2]; };
  p.use(same_digits(pixel(a), a[3], pixel(b), b[3], rows.channels));
  p.use(same_digits(line(a), a[2], line(b), b[2], rows.width));
  p.use(same_digits(a[0], a[1], b[0], b[1], rows.lines));
  p.claim("in one place the same channel",
          implies(pixel(a) * rows.channels + a[3] == pixel(b) * rows.channels + b[3],
                  a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3]));
}

/// Zeros before or behind the inputs of a row.
template <class Reading, class Schedule>
void claim_zeros(Scene<Reading>& scene, const Schedule& schedule, const ClearX<IntOf<Reading>>& op,
                 bool behind) {
  auto& [p, s, part, cut, way] = scene;
  const auto rows = rows_of(scene, schedule);
  const auto o = outputs_on(scene, schedule);
  const auto [plane, line] = packed_line(scene, schedule);
  const auto i = p.integer("pixel"), channel = index_below(p, "channel", rows.channels);
  p.assume("a float that is cleared", 0 <= i && i * rows.channels + channel < op.count);
  p.use(product(o.pixels.last - o.pixels.first - 1, s.width.stride));
  const auto inside = schedule.inside(scene);
  p.claim("the inputs of a row",
          0 <= inside.first && inside.first <= inside.last && inside.last <= rows.width);
  const auto first = behind ? inside.last : IntOf<Reading>(0),
             count = behind ? rows.width - first : inside.first;
  p.use(monotone(count, i, rows.channels));
  p.claim("no input", !is_input(s.width, rows, first + i));
  p.claim("every pixel that is none", op.count == count * rows.channels);
  claim_row_place(p, rows, plane - o.planes.first, line, first + i, channel,
                  op.at + i * rows.channels + channel);
}

/// The inputs of a row.
template <class Reading, class Schedule>
void claim(Scene<Reading>& scene, const Schedule& schedule, const WidenX<IntOf<Reading>>& op) {
  auto& [p, s, part, cut, way] = scene;
  const auto rows = rows_of(scene, schedule);
  const auto o = outputs_on(scene, schedule);
  const auto kd = way.choices()[0];
  const auto [plane, line] = packed_line(scene, schedule);
  const auto i = index_below(p, "pixel", op.count), channel = index_below(p, "channel", op.channels);
  const auto inside = schedule.inside(scene);
  const auto window = schedule.lines(scene);
  const auto lines = impl::picked(window.axis, window.outputs, window.taps);
  claim_plane(p, s, kd, o, plane);
  const auto at = plane_at(o, plane);
  claim_touches(p, s.depth, at.d, kd, "depth");
  p.use(picks_inputs(window, line));
  p.claim("all channels", op.channels == rows.channels);
  p.claim("an input", is_input(s.width, rows, inside.first + i));
  p.claim("every input of the row", op.count == impl::length(inside));
  claim_x_at(p, s, at.n,
             {input_at(s.depth, at.d, kd), lines.first + line * lines.step, rows.left + inside.first + i},
             part.groups.first, channel, op.from + i * op.step + channel);
  claim_row_place(p, rows, plane - o.planes.first, line, inside.first + i, channel,
                  op.to + i * op.channels + channel);
}

}  // namespace wgradcheck::proofs::host
