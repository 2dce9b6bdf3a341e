#pragma once
#include <initializer_list>

#include "check/judge/court.hpp"
#include "tests/check/fake_executor.hpp"

namespace wgradcheck::check {

/// The ruling on one run of a kernel, under these promises, on data whose sums round unless said otherwise.
inline Ruling judge_rounding(const FakeExecutor::Function& kernel, const spec::Shape& shape, DType t,
                             std::uint64_t seed, std::initializer_list<const char*> made, bool rounds = true,
                             int masked = 0) {
  FakeExecutor executor(kernel);
  Promises promises;
  for (const char* promise : made) promises.make(promise);
  Trial trial{.test = {.shape = shape, .dtype = t, .seed = seed}, .fill = {}};
  trial.fill.rounds = rounds;
  trial.fill.masked = masked;
  return Court(executor, promises).judge(std::span(&trial, 1)).front();
}

}  // namespace wgradcheck::check
