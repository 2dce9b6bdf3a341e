#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <vector>

#include "impl/host/host.hpp"
#include "spec/problem_line.hpp"
#include "tests/bench/workspace.hpp"

namespace wgradcheck::impl::host {
namespace {

constexpr const char* kShapes[] = {
    "mb8ic64ih56oc64kh1",
    "mb8ic64ih56oc64kh3ph1",
    "mb8ic256ih28oc512kh1sh2",
    "mb8ic512ih7oc512kh3ph1",
    "mb8ic3ih224oc64kh7sh2ph3",
    "g144mb8ic144ih56oc144kh3ph1",
    "g960mb8ic960ih14oc960kh5ph2",
    "g32mb8ic128ih56oc128kh3ph1",
    "mb4ic4ih4oc4kh3",
    "mb1ic17ih32oc19kh3ph1",
    "mb1ic32id16ih28iw28oc32kd3kh3kw3pd1ph1pw1",
};

/// dW from dy and x, caches warm: time, GFLOP/s with padding counted, and bytes of workspace.
template <class T>
void warm(benchmark::State& state, const char* line) {
  const auto shape = std::get<spec::Shape>(spec::parse_line(line));
  const Problem problem{shape, false, state.range(0)};
  const Plan how = plan(problem, !std::is_same_v<T, float>);
  const auto zeros = [](std::int64_t count) { return std::vector<T>(static_cast<std::size_t>(count), T{}); };
  const std::vector<T> dy = zeros(spec::dy_elems(shape)), x = zeros(spec::x_elems(shape));
  std::vector<T> dw = zeros(spec::dw_elems(shape));
  Workspace workspace(how);
  for (auto _ : state) run<T, T>(problem, how, dy.data(), x.data(), dw.data(), workspace.data());
  state.SetLabel(name_of(how.path));
  state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * static_cast<double>(spec::products(shape)),
                                                 benchmark::Counter::kIsIterationInvariantRate);
  state.counters["workspace"] = static_cast<double>(Workspace::floats_of(how)) * sizeof(float);
}

const bool registered = [] {
  for (const char* line : kShapes)
    for (const auto& [type, run] :
         {std::pair{"f32", &warm<float>}, {"f16", &warm<Half>}, {"bf16", &warm<Bfloat>}})
      benchmark::RegisterBenchmark(fmt::format("{}/{}", line, type).c_str(), run, line)
          ->ArgName("threads")
          ->Arg(1)
          ->Arg(2)
          ->UseRealTime()
          ->Unit(benchmark::kMicrosecond)
          ->MinTime(0.1);
  return true;
}();

}  // namespace
}  // namespace wgradcheck::impl::host

BENCHMARK_MAIN();
