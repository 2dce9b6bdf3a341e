#pragma once
#include <algorithm>

#include "check/judge/compare.hpp"
#include "check/judge/number.hpp"
#include "check/judge/slips.hpp"
#include "check/search/session.hpp"
#include "tests/check/fake_executor.hpp"

namespace wgradcheck::check {

/// A kernel that computes what a slip says; the definition when `slip` is null or says nothing.
inline Outcome compute(const Case& c, const Tensors& t, const Slip* slip) {
  const auto integers = [&](std::span<const std::byte> tensor) {
    Integers values;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(tensor.size()) / size_of(c.dtype); ++i) {
      const double value = load(c.dtype, tensor, i);
      values.push_back(static_cast<std::int16_t>(value));
    }
    return values;
  };
  Data data;
  data.dy = integers(t.dy), data.x = integers(t.x), data.dw = integers(t.dw), data.bias = integers(t.bias);
  auto dw = slip ? slip->predict(c, data) : std::nullopt;
  if (!dw) dw = expected_dw(c, data, Promises());
  for (std::size_t i = 0; i < dw->size(); ++i) store(c.dtype, t.dw, static_cast<std::int64_t>(i), (*dw)[i]);
  return returned();
}

/// A short check on exact data.
inline Plan plan_of(std::uint64_t seed) {
  Plan plan;
  plan.domain.abi = find_abi("mt7004_fp32_p");
  plan.cases = 600;
  plan.seed = seed;
  plan.skip = {Property::nonfinite, Property::rounding};
  return plan;
}

}  // namespace wgradcheck::check
