#include <benchmark/benchmark.h>

#include <vector>

#include "impl/conv_grad_filter.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::impl {
namespace {

constexpr const char* kShapes[] = {
    "mb2ic3ih224oc64oh112kh7sh2ph3", "mb2ic64ih56oc64kh3ph1",      "mb2ic64ih56oc256kh1",
    "mb2ic128ih28oc128kh3ph1",       "mb2ic256ih28oc512kh1sh2",    "mb2ic256ih14oc256kh3ph1",
    "mb2ic512ih7oc512kh3ph1",        "g32mb2ic128ih56oc128kh3ph1", "g32mb2ic32ih112oc32kh3ph1",
    "g576mb2ic576ih14oc576kh3ph1",   "mb4ic4ih4oc4oh2kh3",         "mb2ic64ih28oc64kh3ph2dh1",
};

/// One call on one core in private memory: time, and GFLOP/s with padding counted.
template <class T>
void private_call(benchmark::State& state, const char* line, std::int64_t buffer, Packing packing) {
  const auto shape = std::get<spec::Shape>(spec::parse_line(line));
  const auto call = spec::call_of(shape, sizeof(T), 1, buffer);
  if (const auto refusal = spec::refuse(call)) return state.SkipWithError(refusal->field.c_str());
  const auto zeros = [](std::int64_t count) { return std::vector<T>(static_cast<std::size_t>(count), T{}); };
  std::vector<T> dy = zeros(spec::dy_elems(shape)), x = zeros(spec::x_elems(shape)),
                 dw = zeros(spec::dw_elems(shape));
  std::vector<float> workspace(static_cast<std::size_t>(buffer));
  for (auto _ : state)
    run_private<T>(call, {dy.data(), x.data(), dw.data(), nullptr}, workspace.data(), packing);
  state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * static_cast<double>(spec::products(shape)),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

const bool registered = [] {
  for (const char* line : kShapes)
    for (const auto& [name, packing] : {std::pair{"panels", Packing::panels}, {"rows", Packing::rows}}) {
      const auto add = [&, how = packing](const std::string& dtype, auto call) {
        benchmark::RegisterBenchmark((std::string(line) + '/' + dtype + '/' + name).c_str(), call, line,
                                     0x10000, how)
            ->Unit(benchmark::kMillisecond)
            ->MinTime(0.1);
      };
      add("f32", private_call<float>);
      add("f16", private_call<Half>);
    }
  return true;
}();

}  // namespace
}  // namespace wgradcheck::impl

BENCHMARK_MAIN();
