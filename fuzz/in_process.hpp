#pragma once
#include <map>
#include <memory>

#include "check/executor.hpp"
#include "check/kernel.hpp"
#include "check/run/arena.hpp"
#include "check/run/entry.hpp"

namespace wgradcheck::fuzz {

/// Runs a kernel in this process between guard pages, so that sanitizers and libFuzzer's counters see it. A
/// fault is this process's. A shared kernel has one core; the cores of an Ascend kernel take turns, since
/// they wait for nobody.
class InProcess : public check::Executor {
 public:
  /// Throws BadInput where the library does not load.
  explicit InProcess(const check::Kernel&);

  check::Capabilities capabilities() const override { return {.batch = 1}; }
  void run(std::span<const check::Case>, const Prepare&, const Done&) override;

  /// Makes a call whose parameter is given; `before` fills the buffers, `after` sees them. The workspace
  /// starts so many bytes further on than its alignment asks for.
  using Look = std::function<void(const check::Tensors&, const check::Outcome&)>;
  void call(const check::Case&, check::CallImage, std::int64_t workspace_shift,
            const std::function<void(const check::Tensors&)>& before, const Look& after);

 private:
  struct Memory;
  Memory& memory_for(check::Sizes pages);

  check::Kernel kernel_;
  check::Entry entry_;
  std::map<check::Sizes, std::shared_ptr<Memory>> kept_;  ///< by the bytes of its buffers
  std::int64_t kept_bytes_ = 0;
};

}  // namespace wgradcheck::fuzz
