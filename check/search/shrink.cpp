#include "check/search/shrink.hpp"

#include <algorithm>
#include <bit>

namespace wgradcheck::check {
namespace {

using Axis = spec::Axis<std::int64_t>;
using AxisOf = Axis spec::Shape::*;
using FieldOf = std::int64_t Axis::*;

std::int64_t cost_of(const Axis& a) {
  return a.input + a.output + a.kernel + (a.stride - 1) + (a.dilation - 1) + 2 * a.pad_before;
}

/// Whether the floor equation gives the output that the axis has.
bool consistent(const Axis& a) { return spec::pad_after(a) > -a.stride; }
bool consistent(const spec::Shape& s) {
  return consistent(s.depth) && consistent(s.height) && consistent(s.width);
}

/// Collects the candidates that the domain admits and that cost less than the case they come from.
class Candidates {
 public:
  Candidates(const Domain& domain, const Case& from) : domain_(domain), from_(from) {}

  template <class Change>
  void add(Change change) {
    Case c = from_;
    change(c);
    if (is_smaller(domain_, from_, c) && std::ranges::find(list_, c) == list_.end()) list_.push_back(c);
  }

  /// Tries a size at its least value, half way and one less.
  template <class Set>
  void lower(std::int64_t value, std::int64_t least, Set set) {
    for (const std::int64_t to : {least, least + (value - least) / 2, value - 1})
      if (to < value && to >= least) add([&](Case& c) { set(c, to); });
  }

  /// Lowers one field of an axis, and lets the input shrink by `reach` for each unit, then alone.
  void lower_axis(AxisOf axis, FieldOf field, std::int64_t least, std::int64_t reach) {
    const std::int64_t value = from_.shape.*axis.*field;
    for (const std::int64_t step : {reach, std::int64_t{0}})
      lower(value, least, [=](Case& c, std::int64_t to) {
        Axis& a = c.shape.*axis;
        a.*field = to;
        a.input -= std::min((value - to) * step, a.input - 1);
      });
  }

  std::vector<Case> take() { return std::move(list_); }

 private:
  const Domain& domain_;
  const Case& from_;
  std::vector<Case> list_;
};

void lower_channels(Candidates& all, const spec::Shape& s) {
  const std::int64_t ins = spec::in_per_group(s), outs = spec::out_per_group(s);
  const auto set = [](Case& c, std::int64_t groups, std::int64_t in, std::int64_t out) {
    c.shape.groups = groups;
    c.shape.in_channels = groups * in;
    c.shape.out_channels = groups * out;
  };
  all.lower(s.groups, 1, [&](Case& c, std::int64_t to) { set(c, to, ins, outs); });
  all.lower(ins, 1, [&](Case& c, std::int64_t to) { set(c, s.groups, to, outs); });
  all.lower(outs, 1, [&](Case& c, std::int64_t to) { set(c, s.groups, ins, to); });
}

void lower_axes(Candidates& all, const spec::Shape& s) {
  for (const AxisOf axis : {&spec::Shape::depth, &spec::Shape::height, &spec::Shape::width}) {
    const Axis& a = s.*axis;
    all.add([axis](Case& c) { c.shape.*axis = spec::kNoAxis; });
    all.lower_axis(axis, &Axis::output, 1, a.stride);
    all.lower_axis(axis, &Axis::kernel, 1, a.dilation);
    all.lower_axis(axis, &Axis::stride, 1, a.output - 1);
    all.lower_axis(axis, &Axis::dilation, 1, a.kernel - 1);
    all.lower_axis(axis, &Axis::pad_before, 0, -1);
    all.lower_axis(axis, &Axis::pad_before, 0, 0);
    all.lower_axis(axis, &Axis::input, 1, 0);
    all.lower(a.output, 1, [=](Case& c, std::int64_t to) {
      Axis& b = c.shape.*axis;
      b.pad_before = std::max<std::int64_t>(0, b.pad_before - (b.output - to) * b.stride);
      b.output = to;
    });
  }
}

std::uint32_t lowest_bits(int count) { return static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1); }

}  // namespace

std::int64_t cost(const Case& c) {
  const spec::Shape& s = c.shape;
  const std::int64_t usual = std::max(kUsualBuffer, spec::buffer_limit(call_of(c)));
  return s.batch + s.groups + s.in_channels + s.out_channels + cost_of(s.depth) + cost_of(s.height) +
         cost_of(s.width) + 2 * c.cores() + (c.core_mask == lowest_bits(c.cores()) ? 0 : 1) +
         (c.bias == Bias::none ? 0 : 1) + (c.placement == Placement::flush_end ? 0 : 1) +
         (c.magnitude == 9 ? 0 : 1) + std::popcount(c.tamper.fields) + (c.host || c.buffer == usual ? 0 : 1) +
         c.implementation;
}

bool is_smaller(const Domain& domain, const Case& from, Case& candidate) {
  return !admit(domain, candidate) && cost(candidate) < cost(from) &&
         (consistent(candidate.shape) || !consistent(from.shape));
}

std::vector<Case> smaller(const Domain& domain, const Case& from) {
  Candidates all(domain, from);
  all.lower(from.shape.batch, 1, [](Case& c, std::int64_t to) { c.shape.batch = to; });
  lower_channels(all, from.shape);
  lower_axes(all, from.shape);
  all.lower(from.cores(), 1,
            [](Case& c, std::int64_t to) { c.core_mask = lowest_bits(static_cast<int>(to)); });
  all.add([](Case& c) { c.core_mask = lowest_bits(c.cores()); });
  all.add([](Case& c) { c.buffer = 0; });
  all.lower(from.implementation, 0, [](Case& c, std::int64_t to) { c.implementation = to; });
  for (std::size_t place = 0; place < from.tamper.values.size(); ++place)
    if (from.tamper.has(place)) all.add([place](Case& c) { c.tamper.clear(place); });
  all.add([](Case& c) { c.bias = Bias::none; });
  all.add([](Case& c) { c.placement = Placement::flush_end; });
  all.add([](Case& c) { c.magnitude = 9; });
  return all.take();
}

Shrunk shrink(const Domain& domain, Case failing, const FirstFailing& first_failing, std::size_t batch,
              const Over& over) {
  for (;;) {
    const std::vector<Case> candidates = smaller(domain, failing);
    bool progress = false;
    // The boldest often fail, and a failure may cost a new worker: few at first, then twice as many.
    std::size_t size = std::min<std::size_t>(batch, 4);
    for (std::size_t at = 0; at < candidates.size() && !progress;
         at += size, size = std::min(batch, 2 * size)) {
      if (over()) return {failing, 0};
      const auto some = std::span(candidates).subspan(at, std::min(size, candidates.size() - at));
      const std::ptrdiff_t found = first_failing(some);
      if (found < 0) continue;
      failing = some[static_cast<std::size_t>(found)];
      progress = true;
    }
    if (!progress) return {failing, std::ssize(candidates)};
  }
}

}  // namespace wgradcheck::check
