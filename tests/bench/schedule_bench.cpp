#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "impl/run.hpp"
#include "impl/schedule/chunked.hpp"
#include "spec/problem_line.hpp"

/// What it costs that a schedule is a template over its environment: the same loops, written out.
namespace wgradcheck::impl {
namespace {

using Int = std::int64_t;

/// The general path on a block, dy being finite: the schedule's formulas in plain loops.
void written_out(const spec::Call<Int>& c, const Block<Int>& b, const float* dy, const float* x, float* dw,
                 float* scratch) {
  const spec::Shape s = spec::shape_of(c);
  const Int ci = spec::in_per_group(s), rows = length(b.rows), cols = length(b.cols), ow = s.width.output;
  const Int plane = s.height.output * ow, chunk = chunk_of(c, cols);
  for (Int n = b.images.first; n < b.images.last; ++n)
    for (Int first = 0; first < plane; first += chunk) {
      const Int last = std::min(plane, first + chunk);
      std::fill_n(scratch, (last - first) * cols, 0.0f);
      for (Int tap = spec::floor_div(b.cols.first, ci); tap < spec::ceil_div(b.cols.last, ci); ++tap) {
        const Int kh = spec::floor_div(tap, s.width.kernel), kw = tap - kh * s.width.kernel;
        const Int channel = std::max<Int>(0, b.cols.first - tap * ci);
        const Int channels = std::min(ci, b.cols.last - tap * ci) - channel;
        const Range<Int> high = touched(s.height, kh), wide = touched(s.width, kw);
        const Int end = std::min(high.last, spec::ceil_div(last, ow));
        for (Int oh = std::max(high.first, spec::floor_div(first, ow)); oh < end; ++oh) {
          const Int from = std::max(wide.first, first - oh * ow), to = std::min(wide.last, last - oh * ow);
          if (from >= to) continue;
          const Int at = spec::x_offset<Int>(s, n, 0, spec::input_at(s.height, oh, kh),
                                             spec::input_at(s.width, from, kw), b.group, channel);
          simd::copy<float>(
              to - from, channels, {x + at, s.width.stride * s.in_channels},
              {scratch + (oh * ow + from - first) * cols + tap * ci + channel - b.cols.first, cols});
        }
      }
      const Int at = spec::dy_offset<Int>(s, n, 0, 0, first, b.group, b.rows.first);
      simd::add_product<float>(rows, cols, last - first, {dy + at, c.output_channel}, {scratch, cols},
                               {dw, spec::row_elems(c)});
    }
}

void schedule(const spec::Call<Int>& c, const Block<Int>& b, const float* dy, const float* x, float* dw,
              float* scratch) {
  Run<float> run(c, {dy, x, {dw, spec::row_elems(c)}, scratch, true});
  chunked(run, c, b);
}

using Kernel = void (*)(const spec::Call<Int>&, const Block<Int>&, const float*, const float*, float*,
                        float*);

void time(benchmark::State& state, const char* line, Kernel kernel) {
  const auto shape = std::get<spec::Shape>(spec::parse_line(line));
  const auto call = spec::call_of(shape, sizeof(float), 1, 0x10000);
  const auto ones = [](Int count) { return std::vector<float>(static_cast<std::size_t>(count), 1.0f); };
  const auto dy = ones(spec::dy_elems(shape)), x = ones(spec::x_elems(shape));
  auto dw = ones(spec::dw_elems(shape)), other = dw, scratch = ones(call.buffer_size);
  const Block<Int> block{0, {0, call.output_channel}, {0, spec::row_elems(call)}, {0, call.output_batch}};
  written_out(call, block, dy.data(), x.data(), other.data(), scratch.data());
  schedule(call, block, dy.data(), x.data(), dw.data(), scratch.data());
  if (dw != other) return state.SkipWithError("the two do not compute the same");
  for (auto _ : state) kernel(call, block, dy.data(), x.data(), dw.data(), scratch.data());
}

const bool registered = [] {
  for (const char* line : {"mb4ic4ih4oc4oh2kh3", "mb2ic16ih14oc16kh3ph1", "mb2ic64ih28oc64kh3ph1sh2"})
    for (const auto& [name, kernel] :
         {std::pair<const char*, Kernel>{"schedule", schedule}, {"written_out", written_out}})
      benchmark::RegisterBenchmark((std::string(line) + '/' + name).c_str(), time, line, kernel);
  return true;
}();

}  // namespace
}  // namespace wgradcheck::impl

BENCHMARK_MAIN();
