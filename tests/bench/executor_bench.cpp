#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "check/run/local_executor.hpp"

namespace wgradcheck::check {
namespace {

/// A kernel that takes next to no time, so that what is measured is the executor.
constexpr const char* kKernel = R"(
void fp_conv_grad_filter_p(float *dy, float *x, float *dw, float *bias, void *param) {
  (void)bias, (void)param;
  dw[0] += dy[0] * x[0];
})";

/// 1,000 products or so: 2 images, 3 to 4 channels, 4x4 to 3x3 by 2x2 taps.
Case small_case() {
  Case c;
  c.shape = {2, 1, 3, 4, spec::kNoAxis, {4, 3, 2, 1, 1, 0}, {4, 3, 2, 1, 1, 0}};
  c.buffer = 1 << 11;
  c.workspace = 1 << 13;
  return c;
}

/// The same with the workspace that the documents' usual buffer of 64 KiB asks for.
Case small_case_with_usual_buffer() {
  Case c = small_case();
  c.buffer = 1 << 16;
  c.workspace = 4 * c.buffer;
  return c;
}

/// The same over many images: buffers of `kilobytes` or so, which do not fit a slot.
Case large_case(std::int64_t kilobytes) {
  Case c = small_case();
  c.shape.batch = kilobytes * 1024 / (c.shape.height.input * c.shape.width.input * c.shape.in_channels * 4);
  return c;
}

void run(benchmark::State& state, const Case& c) {
  const std::string folder = std::filesystem::temp_directory_path() / "wgradcheck-bench";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/kernel.c") << kKernel;
  const auto executor = local_executor(open_kernel({folder + "/kernel.c"}, "", "", {}, folder));
  const std::vector<Case> cases(1024, c);
  std::int64_t wrong = 0;
  for (auto _ : state) {
    executor->run(
        cases,
        [](std::size_t, const Tensors& t) {
          for (const auto& tensor : {t.dy, t.x, t.dw}) {
            const float one = 1;
            for (std::size_t at = 0; at < tensor.size(); at += sizeof one)
              std::memcpy(tensor.data() + at, &one, sizeof one);
          }
        },
        [&wrong](std::size_t, const Tensors& t, const Outcome& outcome) {
          float first = 0;
          std::memcpy(&first, t.dw.data(), sizeof first);
          if (outcome.status != Outcome::Status::returned || first != 2) ++wrong;
        });
  }
  if (wrong != 0) state.SkipWithError("a case went wrong");
  state.counters["cases"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * 1024, benchmark::Counter::kIsRate);
  std::filesystem::remove_all(folder);
}

void SmallCases(benchmark::State& state) { run(state, small_case()); }
BENCHMARK(SmallCases)->UseRealTime();

void SmallCasesWithUsualBuffer(benchmark::State& state) { run(state, small_case_with_usual_buffer()); }
BENCHMARK(SmallCasesWithUsualBuffer)->UseRealTime();

void LargerCases(benchmark::State& state) { run(state, large_case(state.range(0))); }
BENCHMARK(LargerCases)->Arg(16)->Arg(64)->Arg(1024)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wgradcheck::check

BENCHMARK_MAIN();
