#pragma once
#include "impl/host/plan.hpp"
#include "impl/host/trace.hpp"
#include "impl/schedule/direct.hpp"
#include "impl/schedule/folded.hpp"
#include "impl/schedule/lanes.hpp"
#include "tests/impl/traces.hpp"

/// What the host library's schedules do, as the offsets of every product, against the definition.
namespace wgradcheck::impl::host {

using Products = std::vector<Product>;
using HostPart = Part<Int>;
using HostCut = Cut<Int>;

/// What a path does to a part of dW, added to what others have done.
inline void run(Path path, const spec::Shape& s, const HostPart& part, const HostCut& cut,
                const Trace::Machine& machine, Products& all) {
  Trace trace(s, part, path == Path::lanes, machine);
  if (path == Path::taps)
    taps(trace, s, part, cut);
  else if (path == Path::direct)
    direct(trace, s, part, cut);
  else if (path == Path::lanes)
    lanes(trace, s, part.ins, cut);
  else
    folded(trace, s, part, cut);
  const auto& products = trace.products();
  all.insert(all.end(), products.begin(), products.end());
}

/// What the library does for so many threads: its partials, its parts, its cut, and no more memory than its
/// plan has.
inline Products planned(const spec::Shape& s, Int threads, bool narrow, const std::function<bool()>& finite) {
  const Plan plan = host::plan({s, false, threads}, narrow, 1);
  // Where pixels are not packed there is no memory for them; here they are.
  const Int packed = plan.as_is ? 1 << 16 : 0, maps = plan.mixed ? spec::out_per_group(s) : 1;
  Products all;
  for (Int first = 0; first<s.batch; first += plan.partials> 1 ? plan.images : s.batch) {
    spec::Shape of = s;
    if (plan.partials > 1) of.batch = std::min(plan.images, s.batch - first);
    Products partial;
    for (Int i = 0; i < plan.parts(); ++i)
      run(plan.path, of, plan.part(i), plan.cut,
          {plan.dy * maps + packed, plan.x + packed, !narrow, !narrow && plan.mixed, finite, plan.as_is},
          partial);
    const Int dy = first * (spec::dy_elems(s) / s.batch), x = first * (spec::x_elems(s) / s.batch);
    for (const Product& p : partial) all.push_back({p.dw, p.dy + dy, p.x + x});
  }
  return all;
}

/// What a path does to all of dW, its parts and its cut being random ones that it takes.
inline Products cut_at_random(const spec::Shape& s, Path path, Draw& draw,
                              const std::function<bool()>& finite) {
  const bool one_plane = s.depth.output > 1 && (path == Path::direct || path == Path::lanes);
  const HostCut cut{draw.between(1, s.height.kernel), draw.between(1, s.width.kernel),
                    one_plane ? 1 : draw.between(1, s.batch * s.depth.output),
                    draw.between(1, s.height.output), draw.between(1, s.width.output)};
  const bool equal = spec::in_per_group(s) == spec::out_per_group(s);
  // A vector of dy in place holds whole groups.
  const bool in_place = path == Path::lanes && equal && draw.between(0, 1) == 0;
  const Trace::Machine machine{1 << 16, 1 << 16, in_place || draw.between(0, 1) == 0, in_place, finite};
  Products all;
  const auto pieces = [&](Int extent, const auto& visit) { impl::cut(draw, extent, visit); };
  if (path == Path::lanes) {
    const Int ci = spec::in_per_group(s), unit = in_place ? ci : 1;
    pieces(s.in_channels / unit, [&](const Range<Int>& lanes) {
      run(path, s, {{0, 1}, {0, spec::out_per_group(s)}, {lanes.first * unit, lanes.last * unit}}, cut,
          machine, all);
    });
    return all;
  }
  pieces(s.groups, [&](const Range<Int>& groups) {
    pieces(spec::out_per_group(s), [&](const Range<Int>& outs) {
      if (path == Path::folded)
        return run(path, s, {groups, outs, {0, spec::in_per_group(s)}}, cut, machine, all);
      pieces(spec::in_per_group(s), [&](const Range<Int>& ins) {
        run(path, s, {groups, outs, ins}, cut, machine, all);
      });
    });
  });
  return all;
}

/// The paths that may compute a shape, whatever its plan says.
inline std::vector<Path> paths_for(const spec::Shape& s) {
  std::vector<Path> all{Path::taps, Path::lanes};
  if (s.groups == 1) all.push_back(Path::direct);
  if (s.groups == 1 && s.width.dilation == 1) all.push_back(Path::folded);
  return all;
}

/// Whether every path that may compute a shape adds exactly the products of the sum, each once.
inline testing::AssertionResult every_path_is_the_sum(const spec::Shape& s, std::uint64_t seed) {
  Draw draw(seed);
  const Products wanted = defined(s);
  const auto finite = [&draw] { return draw.between(0, 1) == 0; };
  const auto check = [&](const std::string& what, const auto& products_of) {
    const auto failed = [&](const std::string& why) {
      return testing::AssertionFailure()
             << spec::to_line(s) << ", " << what << ", seed " << seed << ": " << why;
    };
    try {
      Products all = products_of();
      std::ranges::sort(all);
      return all == wanted ? testing::AssertionSuccess() : failed("other products than the sum's");
    } catch (const Stray& stray) {
      return failed(stray.what());
    }
  };
  for (const bool narrow : {false, true}) {
    const Int threads = draw.between(1, 3);
    if (auto result = check(narrow ? "planned for 16 bits" : "planned",
                            [&] { return planned(s, threads, narrow, finite); });
        !result)
      return result;
  }
  for (const Path path : paths_for(s))
    if (auto result = check(name_of(path), [&] { return cut_at_random(s, path, draw, finite); }); !result)
      return result;
  return testing::AssertionSuccess();
}

/// A small shape of two or three axes for one of the paths.
inline spec::Shape some_host_shape(Draw& draw) {
  spec::Shape s = some_shape(draw);
  if (draw.between(0, 1) == 0)
    s.depth = {draw.between(1, 4), draw.between(1, 3), draw.between(1, 3),
               draw.between(1, 2), draw.between(1, 2), draw.between(0, 2)};
  if (draw.between(0, 2) == 0) s.groups = 1;
  // Pixels of whole vectors, which are read where they are.
  if (draw.between(0, 15) == 0) {
    s.in_channels = s.groups * 8 * draw.between(2, 3);
    s.out_channels = s.groups;
  }
  return s;
}

}  // namespace wgradcheck::impl::host
