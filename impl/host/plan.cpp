#include "impl/host/plan.hpp"

#include <unistd.h>

#include <algorithm>

#include "impl/schedule/taps.hpp"
#include "impl/simd/lanes.hpp"
#include "impl/tiling.hpp"

namespace wgradcheck::impl::host {
namespace {

using Int = std::int64_t;
using spec::ceil_div;

constexpr Int kQuad = 4;            ///< rows of a product are computed so many at a time
constexpr Int kLanes = 16;          ///< of the widest vectors; narrower ones divide it
constexpr Int kHalf = 8;            ///< half a vector takes half the time, the last of a row
constexpr Int kLine = 16;           ///< floats of a cache line
constexpr Int kSums = 1 << 18;      ///< floats of a part's sums where they are not dW itself
constexpr Int kBlock = 128;         ///< channels whose pixels are staged together
constexpr Int kLanesOfAPart = 160;  ///< the same for groups of few channels

Int up_to(Int n, Int multiple) { return ceil_div(n, multiple) * multiple; }

/// The size of pieces at most `most`, multiples of `quantum` but for the last, as even as can be.
Int even(Int n, Int most, Int quantum) { return std::min(n, up_to(ceil_div(n, ceil_div(n, most)), quantum)); }

/// Floats that stay in a core's second cache while all taps read them: half of it.
Int cache_floats() {
  static const Int floats = [] {
    const Int bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return std::clamp<Int>(bytes / 2, 1 << 17, 1 << 20) / static_cast<Int>(sizeof(float));
  }();
  return floats;
}

/// How full vectors are of n, one being all full.
double fill(Int n, Int multiple) { return static_cast<double>(n) / static_cast<double>(up_to(n, multiple)); }

/// Whether a box of pixels as they are stays in the cache.
bool stays_cached(const spec::Shape& s) {
  constexpr Int kMost = 512;  // channels
  return s.in_channels <= kMost && s.out_channels <= kMost;
}

/// Whether a kernel of one tap is computed without a look at how pixels would be staged: channels of whole
/// vectors.
bool is_direct(const spec::Shape& s) {
  return taps_of(s) == 1 && s.groups == 1 && s.in_channels % kLanes == 0 && s.out_channels % kQuad == 0 &&
         stays_cached(s);
}

Path path_for(const spec::Shape& s, bool narrow) {
  if (!narrow && is_direct(s)) return Path::direct;
  const Int ci = spec::in_per_group(s), co = spec::out_per_group(s);
  if (s.groups > 1 && ci < kLanes && co <= kLanes) return Path::lanes;
  constexpr double kBorder = 0.97;  // what the zeros beside rows cost
  // Half vectors alone would have the rows of dy loaded as often as whole ones.
  const double taps = fill(ci, ci > kLanes ? kHalf : kLanes) * fill(co, kQuad);
  if (s.width.dilation > 1 || ci > kBlock) return Path::taps;
  const Int columns = s.width.kernel * ci;
  const double folded = kBorder * fill(columns, kHalf) * fill(co, kQuad);
  const double swapped = kBorder * fill(co, kHalf);
  if (taps >= std::max(folded, swapped)) return Path::taps;
  return folded >= swapped ? Path::folded : Path::swapped;
}

/// Inputs between the first and the last that `outputs` outputs of all taps, or of one, read.
Int inputs(const spec::Axis<Int>& a, Int outputs, bool all_taps) {
  return all_taps ? (outputs - 1) * a.stride + spec::span(a) : outputs;
}

/// Whether all taps of an axis are staged together: they read mostly the same inputs.
bool together(const spec::Axis<Int>& a) {
  return a.kernel > 1 && a.stride <= a.kernel && (a.kernel - 1) * a.dilation <= 2 * a.output * a.stride;
}

/// Cuts the outputs so that a box's pixels fit the cache. dy and x are floats of a pixel; padded says that
/// pixels outside the input are staged too.
Cut<Int> cut_for(const spec::Shape& s, Int dy, Int x, bool padded, bool all_taps) {
  const Int budget = cache_floats();
  // Of a small problem that is read from memory, what is staged would be as much memory again.
  constexpr Int kOutputs = 512;
  const Int most_outputs = padded && spec::dy_elems(s) + spec::x_elems(s) <= budget ? kOutputs : budget;
  bool lines_together = all_taps || together(s.height),
       pixels_together = all_taps || padded || together(s.width);
  const auto floats = [&](Int lines, Int pixels) {
    const Int height = inputs(s.height, lines, lines_together),
              width = inputs(s.width, pixels, pixels_together);
    return lines * pixels * dy +
           std::min(height, lines_together ? s.height.input : height) *
               (padded ? width : std::min(width, pixels_together ? s.width.input : width)) * x;
  };
  const auto most = [](Int n, const auto& fits) {
    Int low = 1, high = n;  // the largest that fits, or 1
    while (low < high) {
      const Int middle = low + (high - low + 1) / 2;
      if (fits(middle))
        low = middle;
      else
        high = middle - 1;
    }
    return ceil_div(n, ceil_div(n, low));
  };
  if (!all_taps && floats(1, s.width.output) > budget) lines_together = false;
  if (!all_taps && !padded && floats(1, s.width.output) > budget) pixels_together = false;
  Cut<Int> cut{lines_together ? s.height.kernel : 1, pixels_together ? s.width.kernel : 1, 1, 1, 1};
  cut.pixels = most(s.width.output, [&](Int pixels) { return floats(1, pixels) <= budget; });
  if (cut.pixels < s.width.output) return cut;
  cut.lines = most(s.height.output, [&](Int lines) {
    return floats(lines, cut.pixels) <= budget && lines * cut.pixels <= most_outputs;
  });
  if (cut.lines < s.height.output) return cut;
  const Int planes = s.batch * s.depth.output;
  cut.planes = most(planes, [&](Int p) {
    return p * floats(cut.lines, cut.pixels) <= budget && p * cut.lines * cut.pixels <= most_outputs;
  });
  return cut;
}

/// The pixels of x that a box may stage, at most, for taps of so many lines and pixels.
Int staged_pixels(const spec::Shape& s, const Cut<Int>& cut, Int tap_lines, Int tap_pixels, bool padded) {
  const Int lines = inputs(s.height, cut.lines, tap_lines == s.height.kernel && s.height.kernel > 1);
  const Int pixels =
      inputs(s.width, cut.pixels, padded || (tap_pixels == s.width.kernel && s.width.kernel > 1));
  return cut.planes * lines * pixels;
}

bool is_one_box(const spec::Shape& s, const Cut<Int>& cut) {
  return cut.planes == s.batch * s.depth.output && cut.lines == s.height.output &&
         cut.pixels == s.width.output;
}

Int cut_area(const Cut<Int>& cut) { return cut.planes * cut.lines * cut.pixels; }

/// Cuts parts further until the threads share them evenly.
void share_out(Plan& p, Int threads, Int quantum) {
  Int& size = p.path == Path::lanes ? p.ins : p.groups > 1 ? p.groups : p.outs;
  constexpr Int kEnough = 8;
  if (p.parts() % threads == 0 || p.parts() >= kEnough * threads) return;
  size = std::min(size, up_to(ceil_div(size, threads), p.groups > 1 ? 1 : quantum));
}

/// Products, and memory to read as products that take as long.
Int work_of(const spec::Shape& s) {
  constexpr Int kAnElement = 4;
  return spec::products(s) + kAnElement * (spec::dy_elems(s) + spec::x_elems(s));
}

/// Threads that share a small dW would each read most of dy and x: where that is much beside their products,
/// they share images instead.
Int partials_of(const spec::Shape& s, Int worth) {
  constexpr Int kPartials = 2, kSmall = 1 << 16, kMuch = 200;
  if (spec::dw_elems(s) > kSmall) return 1;
  if (spec::products(s) > kMuch * (spec::dy_elems(s) + spec::x_elems(s))) return 1;
  return std::clamp<Int>(work_of(s) / worth, 1, std::min(kPartials, s.batch));
}

Plan plan_lanes(const Problem& problem, bool narrow) {
  const spec::Shape& s = problem.shape;
  const Int ci = spec::in_per_group(s), co = spec::out_per_group(s);
  Plan p{};
  p.path = Path::lanes;
  p.groups = p.groups_of = 1;
  p.outs_of = p.outs = co;
  p.ins_of = s.in_channels;
  p.ins = even(p.ins_of, kLanesOfAPart, kLanes);
  p.mixed = ci == co && simd::can_mix(ci);
  const Int maps = p.mixed ? 1 : co;
  p.cut = cut_for(s, maps * p.ins, p.ins, false, true);
  if (s.depth.output > 1) p.cut.planes = 1;  // in place, planes of several images have no one step
  const simd::TapBlock block = simd::lane_taps(s.height.kernel, s.width.kernel);
  p.cut.tap_lines = block.rows;
  p.cut.tap_pixels = block.columns;
  share_out(p, problem.threads, kLanes);
  p.dy = narrow || !p.mixed ? cut_area(p.cut) * maps * p.ins : 0;
  p.x = narrow ? staged_pixels(s, p.cut, s.height.kernel, s.width.kernel, false) * p.ins : 0;
  return p;
}

Plan plan_products(const Problem& problem, Path path, bool narrow) {
  const spec::Shape& s = problem.shape;
  const bool folded = path == Path::folded || path == Path::swapped;
  Plan p{};
  p.path = path;
  p.groups = 1;
  p.groups_of = s.groups;
  p.outs_of = spec::out_per_group(s);
  p.ins_of = spec::in_per_group(s);
  const Int quantum = path == Path::swapped ? kLanes : kQuad;
  const Int block = is_direct(s) ? 2 * kBlock : kBlock;
  p.outs = even(p.outs_of, block, quantum);
  p.ins = folded ? p.ins_of : even(p.ins_of, block, 2 * kLanes);
  p.in_place = !narrow && path != Path::swapped;
  if (!p.in_place) p.outs = std::min(p.outs, up_to(ceil_div(kSums, taps_of(s) * p.ins), quantum));
  // Pixels are packed of so many groups at a time that they are read in long runs.
  if (path == Path::taps) p.groups = std::clamp<Int>(kBlock / std::max(p.outs_of, p.ins_of), 1, s.groups);
  const auto pixel_of_dy = [&] { return p.groups * up_to(p.outs, quantum); };
  const auto pixel_of_x = [&] { return p.groups * (folded ? p.ins : up_to(p.ins, kLanes)); };
  p.cut = cut_for(s, pixel_of_dy(), pixel_of_x(), folded, false);  // for one thread: it decides the bits
  share_out(p, problem.threads, quantum);
  if (path == Path::direct) {
    if (s.depth.output > 1) p.cut.planes = 1;  // planes of several images have no one step
    return p;
  }
  p.streams = p.in_place && is_one_box(s, p.cut) && spec::dw_elems(s) > 2 * cache_floats();
  p.as_is =
      !narrow && path == Path::taps && p.ins_of % kHalf == 0 && stays_cached(s) && lies_as_staged(s, p.cut);
  if (p.as_is) return p;
  p.dy = cut_area(p.cut) * pixel_of_dy();
  p.x = staged_pixels(s, p.cut, p.cut.tap_lines, p.cut.tap_pixels, folded) * pixel_of_x();
  return p;
}

}  // namespace

const char* name_of(Path path) {
  switch (path) {
    case Path::direct:
      return "direct";
    case Path::taps:
      return "taps";
    case Path::folded:
      return "folded";
    case Path::swapped:
      return "swapped";
    default:
      return "lanes";
  }
}

Part<Int> Plan::part(Int i) const {
  const Int in = i % in_parts(), rest = i / in_parts();
  return {tile_range(groups_of, groups, rest / out_parts()), tile_range(outs_of, outs, rest % out_parts()),
          tile_range(ins_of, ins, in)};
}

Int set_apart(Int floats) { return floats == 0 ? 0 : up_to(floats + simd::kSlack, kLine); }

Int Plan::floats_of_thread() const { return set_apart(dy) + set_apart(x) + set_apart(sums); }

Int Plan::floats() const { return threads * floats_of_thread() + kept_partials * set_apart(dw); }

Plan plan(const Problem& problem, bool narrow, Int worth) {
  const spec::Shape& s = problem.shape;
  const Path path = path_for(s, narrow);
  const Int images = spec::ceil_div(s.batch, partials_of(s, worth)),
            partials = spec::ceil_div(s.batch, images);
  Problem one = problem;
  one.shape.batch = images;
  const Int threads = std::clamp<Int>(work_of(s) / worth, 1, problem.threads);
  one.threads = spec::ceil_div(threads, partials);
  Plan p = path == Path::lanes ? plan_lanes(one, narrow) : plan_products(one, path, narrow);
  p.partials = partials;
  p.images = images;
  p.threads = std::min(threads, p.parts() * partials);
  p.sums = p.in_place ? 0 : p.groups * p.outs * p.ins * taps_of(s);
  p.kept_partials = partials == 1 ? 0 : narrow ? partials : partials - 1;
  p.dw = spec::dw_elems(s);
  return p;
}

}  // namespace wgradcheck::impl::host
