#pragma once
#include <vector>

#include "impl/host/plan.hpp"

namespace wgradcheck::impl::host {

/// The workspace that a plan of the host library asks for, aligned to 64 bytes.
class Workspace {
 public:
  explicit Workspace(const Plan& plan) : lines_(static_cast<std::size_t>(floats_of(plan) / kFloats + 1)) {}
  static std::int64_t floats_of(const Plan& plan) { return plan.floats(); }
  float* data() { return lines_.front().floats; }

 private:
  static constexpr std::int64_t kFloats = 16;
  struct alignas(64) Line {
    float floats[kFloats];
  };
  std::vector<Line> lines_;
};

}  // namespace wgradcheck::impl::host
