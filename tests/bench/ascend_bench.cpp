#include <benchmark/benchmark.h>

#include <vector>

#include "impl/host/host.hpp"
#include "spec/problem_line.hpp"
#include "targets/ascend/driver.hpp"
#include "targets/ascend/include/kernel_operator.h"
#include "targets/ascend/limits.hpp"
#include "targets/ascend/pack.hpp"
#include "tests/bench/workspace.hpp"

namespace wgradcheck::targets::ascend {
namespace {

constexpr const char* kShapes[] = {
    "mb1ic64id8ih28iw28oc64od8oh28ow28kd3kh3kw3pd1ph1pw1",
    "mb1ic128id4ih14iw14oc128od4oh14ow14kd3kh3kw3pd1ph1pw1",
    "mb1ic64id8ih56iw56oc128od8oh28ow28kd1kh3kw3ph1pw1sd1sh2sw2",
    "mb1ic256id4ih28iw28oc64od4oh28ow28kd1kh1kw1pd0ph0pw0",
};

spec::Shape shape_of(const char* line) { return std::get<spec::Shape>(spec::parse_line(line)); }

template <class T>
std::vector<T> zeros(std::int64_t count) {
  return std::vector<T>(static_cast<std::size_t>(count), T{});
}

void count(benchmark::State& state, const spec::Shape& s) {
  state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * static_cast<double>(spec::products(s)),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

/// The shares of so many cores one after the other, packed tensors given.
template <class T>
void shares(benchmark::State& state, const char* line, int cores, Sharing sharing) {
  const spec::Shape s = shape_of(line);
  const auto tiling = std::get<Conv3DBackpropFilterTilingData>(tiling_of(s));
  const auto x = zeros<T>(spec::packed_x_elems(s)), dy = zeros<T>(spec::packed_dy_elems(s));
  auto dw = zeros<float>(spec::packed_dw_elems(s));
  for (auto _ : state)
    for (int core = 0; core < cores; ++core)
      add_share(x.data(), dy.data(), dw.data(), tiling, core, cores, sharing);
  count(state, s);
}

/// The host library's kernel on the same shape, from half to float as well, on one thread.
void host_library(benchmark::State& state, const char* line) {
  const spec::Shape s = shape_of(line);
  const impl::host::Problem problem{s, true, 1};
  const impl::host::Plan plan = impl::host::plan(problem, true);
  const auto x = zeros<impl::Half>(spec::x_elems(s)), dy = zeros<impl::Half>(spec::dy_elems(s));
  auto dw = zeros<float>(spec::dw_elems(s));
  impl::host::Workspace workspace(plan);
  for (auto _ : state) impl::host::run(problem, plan, dy.data(), x.data(), dw.data(), workspace.data());
  count(state, s);
}

const bool registered = [] {
  for (const char* line : kShapes) {
    const auto add = [line](const char* name, auto call, auto... rest) {
      benchmark::RegisterBenchmark((std::string(line) + '/' + name).c_str(), call, line, rest...)
          ->Unit(benchmark::kMillisecond)
          ->MinTime(0.3);
    };
    add("half/owned", shares<half>, 1, Sharing::owned);
    add("half/atomic, 2 cores", shares<half>, 2, Sharing::atomic);
    add("bf16/owned", shares<bfloat16_t>, 1, Sharing::owned);
    add("host", host_library);
  }
  return true;
}();

}  // namespace
}  // namespace wgradcheck::targets::ascend

BENCHMARK_MAIN();
