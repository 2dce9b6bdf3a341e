#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <ctime>
#include <numeric>
#include <vector>

#include "check/judge/compare.hpp"
#include "check/judge/number.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

/// Of ResNet-50 and ResNeXt-50 at batch 2, then depthwise, a dilated one, few channels, large filters, a
/// first layer of MobileNet, a channel multiplier, 3D.
constexpr const char* kShapes[] = {
    "mb2ic3ih224oc64oh112kh7sh2ph3",
    "mb2ic64ih56oc64kh3ph1",
    "mb2ic64ih56oc256kh1",
    "mb2ic128ih28oc128kh3ph1",
    "mb2ic256ih28oc512kh1sh2",
    "mb2ic256ih14oc256kh3ph1",
    "mb2ic512ih7oc512kh3ph1",
    "mb2ic2048ih7oc512kh1",
    "g32mb2ic128ih56oc128kh3ph1",
    "g32mb2ic512ih14oc512kh3ph1",
    "g32mb2ic32ih112oc32kh3ph1",
    "g576mb2ic576ih14oc576kh3ph1",
    "mb2ic64ih28oc64kh3ph2dh1",
    "mb16ic16ih56oc16kh3ph1",
    "mb2ic96ih27oc256kh5ph2",
    "mb2ic3ih227oc96oh55kh11sh4ph0",
    "mb2ic3ih224oc32oh112kh3sh2ph1",
    "g96mb2ic96ih56oc192kh3ph1",
    "mb1ic16id16ih28iw28oc16kd3kh3kw3pd1ph1pw1",
};

/// Of this process, so that others on the machine do not count.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Bytes a second of a loop that only reads, the best of several, over a quarter of a gigabyte.
double bandwidth() {
  static const double best = [] {
    const std::vector<float> memory(std::size_t{1} << 26, 1);
    double least = 1e9;
    for (int i = 0; i < 8; ++i) {
      const double start = processor_seconds();
      std::array<float, 64> sums{};
      for (std::size_t at = 0; at < memory.size(); at += sums.size())
        for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += memory[at + k];
      benchmark::DoNotOptimize(sums);
      least = std::min(least, processor_seconds() - start);
    }
    return static_cast<double>(memory.size() * sizeof(float)) / least;
  }();
  return best;
}

/// The tensors of a case, filled, and the dW of a right kernel.
struct Filled {
  Case test;
  Data data;
  std::vector<std::byte> dy, x, dw;

  explicit Filled(const char* line, DType t) {
    test.shape = std::get<spec::Shape>(spec::parse_line(line));
    test.dtype = t;
    test.seed = 1;
    for (auto [tensor, id] : {std::pair{&dy, BufferId::dy}, {&x, BufferId::x}, {&dw, BufferId::dw}})
      tensor->resize(static_cast<std::size_t>(bytes_of(test, id)));
    data = make_data(test, {});
    write_tensors(test, data, tensors());
    const std::vector<double> right = expected_dw(test, data, Promises());
    for (std::size_t i = 0; i < right.size(); ++i) store(t, dw, static_cast<std::int64_t>(i), right[i]);
  }
  Tensors tensors() { return {dy, x, dw, {}}; }
  double bytes() const { return static_cast<double>(dy.size() + x.size() + dw.size()); }
};

/// The time in passes: of reading the tensors once at the machine's bandwidth.
void count_passes(benchmark::State& state, const Filled& f, double total) {
  state.counters["passes"] = total / static_cast<double>(state.iterations()) / (f.bytes() / bandwidth());
  state.counters["GB/s"] = bandwidth() * 1e-9;
}

void judge_dw(benchmark::State& state, const char* line, DType t) {
  Filled f(line, t);
  const double start = processor_seconds();
  for (auto _ : state)
    if (compare_dw(f.test, f.data, Promises(), f.tensors()))
      return state.SkipWithError("a right dW was blamed");
  count_passes(state, f, processor_seconds() - start);
}

void make_and_write(benchmark::State& state, const char* line, DType t) {
  Filled f(line, t);
  const double start = processor_seconds();
  for (auto _ : state) {
    const Data data = make_data(f.test, {});
    write_tensors(f.test, data, f.tensors());
  }
  count_passes(state, f, processor_seconds() - start);
}

void look_at_inputs(benchmark::State& state, const char* line, DType t) {
  Filled f(line, t);
  const double start = processor_seconds();
  for (auto _ : state) {
    benchmark::DoNotOptimize(first_altered(t, f.data, BufferId::dy, f.dy));
    benchmark::DoNotOptimize(first_altered(t, f.data, BufferId::x, f.x));
  }
  count_passes(state, f, processor_seconds() - start);
}

struct Measure {
  const char* name;
  void (*run)(benchmark::State&, const char*, DType);
};

const bool registered = [] {
  for (const char* line : kShapes)
    for (const auto& [type, t] : {std::pair{"f32", DType::f32}, {"f16", DType::f16}, {"bf16", DType::bf16}})
      for (const Measure& m : {Measure{"dW", judge_dw}, {"data", make_and_write}, {"inputs", look_at_inputs}})
        benchmark::RegisterBenchmark(fmt::format("{}/{}/{}", line, type, m.name).c_str(), m.run, line, t)
            ->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
}  // namespace wgradcheck::check

BENCHMARK_MAIN();
