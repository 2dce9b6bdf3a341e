#include "check/bench/machine.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <thread>
#include <vector>

#include "check/judge/vector_targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "check/bench/machine.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace wgradcheck::check::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Runs chains of fused additions that do not wait for one another; returns how many operations that were.
double Multiply(int times, float* result) {
  constexpr int kChains = 12;
  const hn::ScalableTag<float> d;
  const auto factor = hn::Set(d, 0.5f);
  hn::Vec<hn::ScalableTag<float>> sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = hn::Set(d, static_cast<float>(i));
  for (int t = 0; t < times; ++t) {
    HWY_UNROLL(12)
    for (int i = 0; i < kChains; ++i) sums[i] = hn::MulAdd(sums[i], factor, factor);
  }
  for (int i = 0; i < kChains; ++i) *result += hn::GetLane(sums[i]);
  return 2.0 * kChains * static_cast<double>(hn::Lanes(d)) * times;
}

/// The sum of count floats, count being a multiple of 1024.
float Read(const float* from, std::int64_t count) {
  constexpr int kChains = 8;
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  hn::Vec<hn::ScalableTag<float>> sums[kChains];
  for (auto& sum : sums) sum = hn::Zero(d);
  for (std::int64_t i = 0; i < count; i += kChains * lanes) {
    HWY_UNROLL(8)
    for (int k = 0; k < kChains; ++k) sums[k] = hn::Add(sums[k], hn::LoadU(d, from + i + k * lanes));
  }
  for (int k = 1; k < kChains; ++k) sums[0] = hn::Add(sums[0], sums[k]);
  return hn::GetLane(hn::SumOfLanes(d, sums[0]));
}

}  // namespace wgradcheck::check::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace wgradcheck::check {

HWY_EXPORT(Multiply);
HWY_EXPORT(Read);

namespace {

constexpr std::int64_t kUnit = 1024;  ///< floats that Read reads multiples of
volatile float kept;                  ///< what measured loops compute, so that they are not left out

/// The most of what `work` says that it did a second, in so many threads together.
template <class Work>
double fastest(int times, int threads, const Work& work) {
  double best = 0;
  for (int i = 0; i < times; ++i) {
    std::atomic<double> done = 0;
    const auto seconds = threads == 1 ? processor_seconds : clock_seconds;
    std::barrier ready(threads);
    double start = 0;
    const auto run = [&](int thread) {
      ready.arrive_and_wait();
      if (thread == 0) start = seconds();
      done += work(thread);
    };
    {
      std::vector<std::jthread> others;
      for (int t = 1; t < threads; ++t) others.emplace_back(run, t);
      run(0);
    }
    best = std::max(best, done / (seconds() - start));
  }
  return best;
}

}  // namespace

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  constexpr double kNano = 1e-9;
  return static_cast<double>(now.tv_sec) + kNano * static_cast<double>(now.tv_nsec);
}

Peak measure_peak(int threads) {
  constexpr int kTimes = 20, kReads = 5, kLong = 2'000'000, kShort = 200'000;
  std::vector<float> results(static_cast<std::size_t>(threads));
  const auto result = [&](int thread) { return &results[static_cast<std::size_t>(thread)]; };
  // Threads do not begin at once: what they do lasts longer.
  const double flops = fastest(kTimes, threads, [&](int thread) {
    return HWY_DYNAMIC_DISPATCH(Multiply)(threads == 1 ? kShort : kLong, result(thread));
  });
  const std::vector<float> memory(std::size_t{1} << 26, 1.0f);
  const auto each = static_cast<std::int64_t>(memory.size()) / threads / kUnit * kUnit;
  const double bytes = fastest(kReads, threads, [&](int thread) {
    *result(thread) += HWY_DYNAMIC_DISPATCH(Read)(memory.data() + thread * each, each);
    return static_cast<double>(each) * sizeof(float);
  });
  for (const float r : results) kept = r;
  return {flops, bytes};
}

void flush_caches() {
  static const std::vector<float> memory = [] {
    constexpr long kLeast = 32 << 20;
    const long bytes = 2 * std::max(kLeast, sysconf(_SC_LEVEL3_CACHE_SIZE));
    return std::vector<float>(static_cast<std::size_t>(bytes) / sizeof(float), 1.0f);
  }();
  // Read, not written: else what is measured next would pay for writing it back.
  kept = HWY_DYNAMIC_DISPATCH(Read)(memory.data(), static_cast<std::int64_t>(memory.size()));
}

}  // namespace wgradcheck::check
#endif
