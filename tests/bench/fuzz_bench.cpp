#include <benchmark/benchmark.h>

#include <vector>

#include "check/fuzz/mutate.hpp"
#include "fuzz/calls.hpp"
#include "fuzz/cases.hpp"
#include "fuzz/texts.hpp"

namespace wgradcheck::fuzz {
namespace {

constexpr int kInputs = 4096;

/// Inputs as a fuzzer makes them, each a change of the one before.
template <class Change>
std::vector<std::string> inputs(std::string first, Change change) {
  check::Dice dice(1);
  std::vector<std::string> all;
  for (int i = 0; i < kInputs; ++i) all.push_back(first = change(first, dice));
  return all;
}

template <class Run>
void run(benchmark::State& state, const std::vector<std::string>& all, Run run) {
  std::size_t next = 0;
  for (auto _ : state)
    if (const std::string fault = run(all[next++ % all.size()]); !fault.empty()) {
      state.SkipWithError(fault.c_str());
      break;
    }
  state.counters["executions"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

/// A case on one target; each of them in turn.
void ValidCases(benchmark::State& state) {
  const std::vector<check::Kernel> targets = own_targets();
  state.SetLabel(targets[static_cast<std::size_t>(state.range(0))].name);
  Cases cases({targets[static_cast<std::size_t>(state.range(0))]});
  run(state, inputs({}, [](const std::string& s, check::Dice& d) { return check::mutated_genes(s, {}, d); }),
      [&cases](const std::string& bytes) { return cases.fault_of(bytes); });
}
BENCHMARK(ValidCases)->DenseRange(0, 11)->UseRealTime()->Unit(benchmark::kMicrosecond);

void RawCalls(benchmark::State& state) {
  Calls calls(targets_that_refuse());
  run(state,
      inputs({}, [](const std::string& s,
                    check::Dice& d) { return bytes_of(check::mutated(check::raw_call_of(s), d)); }),
      [&calls](const std::string& bytes) { return calls.fault_of(bytes); });
}
BENCHMARK(RawCalls)->UseRealTime()->Unit(benchmark::kMicrosecond);

/// Texts of one kind, changed from its sample.
void Texts(benchmark::State& state) {
  const TextKind& kind = text_kinds()[static_cast<std::size_t>(state.range(0))];
  state.SetLabel(kind.name);
  int number = 0;
  run(state,
      inputs(kind.sample,
             [&](const std::string& s, check::Dice& d) {
               return mutated_text(number++ % 8 == 0 ? kind.sample : s, kind.sample, d);
             }),
      kind.fault_of);
}
BENCHMARK(Texts)->DenseRange(0, std::ssize(text_kinds()) - 1)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace wgradcheck::fuzz

BENCHMARK_MAIN();
