#pragma once
#include <functional>
#include <vector>

#include "check/executor.hpp"
#include "check/judge/finding.hpp"

namespace wgradcheck::check {

/// Runs a C++ function on plain vectors in this process: no guards, no isolation.
class FakeExecutor : public Executor {
 public:
  using Function = std::function<Outcome(const Case&, const Tensors&)>;
  explicit FakeExecutor(Function function) : function_(std::move(function)) {}

  Capabilities capabilities() const override { return {.guard_pages = false, .batch = 16}; }

  void run(std::span<const Case> cases, const Prepare& prepare, const Done& done) override {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const auto buffer = [&](BufferId id) {
        return std::vector<std::byte>(static_cast<std::size_t>(bytes_of(cases[i], id)));
      };
      std::vector<std::byte> dy = buffer(BufferId::dy), x = buffer(BufferId::x), dw = buffer(BufferId::dw),
                             bias = buffer(BufferId::bias);
      const Tensors tensors{dy, x, dw, bias};
      prepare(i, tensors);
      done(i, tensors, function_(cases[i], tensors));
    }
  }

  void restart() override { on_restart(); }

  std::function<void()> on_restart = [] {};

 private:
  Function function_;
};

/// An outcome that says no more than that the kernel returned.
inline Outcome returned() {
  Outcome o;
  o.status = Outcome::Status::returned;
  return o;
}

}  // namespace wgradcheck::check
