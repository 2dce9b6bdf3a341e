#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/case.hpp"

namespace wgradcheck::check {

/// The buffers of a call, in the order in which reports name them.
enum class BufferId { dy, x, dw, bias, param, workspace };
inline constexpr int kBuffers = 6;
const char* name_of(BufferId);

/// Those that hold tensors.
inline constexpr std::array kTensors{BufferId::dy, BufferId::x, BufferId::dw, BufferId::bias};

/// The tensors of one case as the checker sees them: dy, x, dw and bias in the case's element type. Bias is
/// empty when the case has none. Before a run the checker fills all four; afterwards it reads them.
struct Tensors {
  std::span<std::byte> dy, x, dw, bias;

  /// Of one of kTensors.
  std::span<std::byte> operator[](BufferId) const;
};

/// An access that no buffer allows: `offset` counts bytes from the start of the nearest buffer, so it is
/// negative before it and at least the buffer's size after it. For a fault, `write` tells its direction;
/// damage to the pattern around a buffer is always a write.
struct Stray {
  BufferId buffer = BufferId::dw;
  std::int64_t offset = 0;
  bool write = false;
  bool operator==(const Stray&) const = default;
};

/// What became of one case.
struct Outcome {
  enum class Status {
    returned,    ///< the kernel returned; the tensors hold what it left
    crashed,     ///< a signal: `code` is its number, `stray` the access where that is known
    exited,      ///< the kernel ended its process with status `code`
    hung,        ///< it did not return within `limit`, or never
    unreadable,  ///< it returned, but left nothing that could be read as dW: `detail` says why
    not_run,     ///< the executor could not run it: `detail` says why
  };
  Status status = Status::not_run;
  int code = 0;                 ///< also what a host kernel returned
  std::optional<Stray> stray;   ///< also set on `returned`, when a pattern around a buffer was damaged
  bool reached_new = false;     ///< it came where no case of the executor had, of a kernel that tells
  bool floats_altered = false;  ///< it returned with another rounding mode, or flushing subnormals to zero
  std::string param_changed;    ///< the field of its parameter that the kernel altered, or empty
  std::int64_t kept = 0;        ///< bytes that it allocated and did not free, where that is counted
  std::int64_t workspace_used = 0;  ///< bytes from the workspace's start to the last one that changed
  std::string detail;
  bool raised = false;  ///< of crashed: not by an access to a buffer of the call: an exception, abort()
  bool open = false;    ///< of not_run: it can be run, but its answer is not there yet, or cannot be paid for
  double limit = 0;     ///< of hung: seconds after which it was given up; 0 where nobody waited
  std::string said{};   ///< the last line that a command printed, where it did not return
  std::string folder{};                   ///< of a recorded case: where its files are
  bool in_query = false;                  ///< it ended so while it was asked for its workspace
  std::optional<std::int64_t> workspace;  ///< bytes that a host kernel asked for
  std::string implementation;             ///< what a host kernel calls the one that ran

  /// One of which nothing else is known.
  static Outcome instead(Status, const std::string& detail);
  /// Of a case that is not run, but can be: open.
  static Outcome unanswered(const std::string& why);
};

/// What an executor can do; a device far away can do less than a process here.
struct Capabilities {
  bool guard_pages = true;  ///< faults are seen at the byte
  bool memory = true;       ///< stray accesses are seen, by whatever means
  std::int64_t batch = 64;  ///< cases worth handing over at once
  bool repeats = true;      ///< the same call can be made again, and its second answer may be another
  bool cheap = true;        ///< a call costs next to nothing; else none is made that can be spared
  bool rounds = false;      ///< a batch costs about what one case does, so that it pays to guess ahead
};

/// Those of answers that are there or not, whenever they are asked for.
inline constexpr Capabilities kAnswers{.guard_pages = false,
                                       .memory = false,
                                       .batch = 1 << 20,
                                       .repeats = false,
                                       .cheap = false,
                                       .rounds = true};

/// Runs cases of one kernel. Everything above it (search, shrinking, diagnosis) is written against this.
class Executor {
 public:
  /// Called before case i runs: fill its tensors.
  using Prepare = std::function<void(std::size_t i, const Tensors&)>;
  /// Called after case i ran, in order, its tensors still in place.
  using Done = std::function<void(std::size_t i, const Tensors&, const Outcome&)>;

  virtual ~Executor() = default;
  virtual Capabilities capabilities() const = 0;
  /// Launches that may still be made; what comes after them is not run, and open.
  virtual std::int64_t launches_left() const { return std::numeric_limits<std::int64_t>::max(); }
  /// Forgets what earlier cases left in the kernel's process, where it can: the next case is a first call.
  virtual void restart() {}
  /// Seconds that a case may take from now on; nothing: as when it was made.
  virtual void limit(std::optional<double> /*seconds*/) {}
  /// Runs every case once, whatever happens to the others.
  virtual void run(std::span<const Case> cases, const Prepare& prepare, const Done& done) = 0;
};

}  // namespace wgradcheck::check
