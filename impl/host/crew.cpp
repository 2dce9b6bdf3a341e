#include "impl/host/crew.hpp"

#include <unistd.h>

#include <atomic>
#include <mutex>
#include <system_error>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace wgradcheck::impl::host {
namespace {

using Work = std::function<void(std::int64_t)>;

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

/// Returns once value is not `old` any more. To be woken from sleep takes as long as a small problem: what
/// comes soon is awaited without.
void await_other(const std::atomic<int>& value, int old) {
  constexpr int kTimes = 2000;  // 20 to 80 microseconds
  for (int i = 0; i < kTimes; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause();
  }
  value.wait(old, std::memory_order_acquire);
}

class Crew {
 public:
  void work_together(std::int64_t count, const Work& work) {
    const std::unique_lock alone(caller_, std::try_to_lock);
    const std::int64_t hands = alone ? 1 + hire(count - 1) : 1;
    if (hands > 1) begin(hands, work);
    work(0);
    for (std::int64_t i = hands; i < count; ++i) work(i);
    if (hands > 1) finish();
  }

 private:
  /// Sees to it that so many threads wait for work; returns how many of them there are.
  std::int64_t hire(std::int64_t wanted) {
    try {
      for (; hired_ < wanted; ++hired_) std::thread([this, id = hired_ + 1] { serve(id); }).detach();
    } catch (const std::system_error&) {
      return hired_;
    }
    return wanted;
  }
  void begin(std::int64_t hands, const Work& work) {
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      hands_ = hands;
      pending_ = static_cast<int>(hands) - 1;
      ++round_;
    }
    round_.notify_all();
  }
  void finish() {
    for (int pending = pending_; pending != 0; pending = pending_) await_other(pending_, pending);
  }
  [[noreturn]] void serve(std::int64_t id) {
    for (int seen = 0;;) {
      await_other(round_, seen);
      const Work* work = nullptr;
      {
        const std::lock_guard lock(mutex_);
        seen = round_;
        if (id < hands_) work = work_;
      }
      if (work == nullptr) continue;
      (*work)(id);
      if (--pending_ == 0) pending_.notify_one();
    }
  }

  std::mutex caller_;  ///< held by the one whose work is done
  std::mutex mutex_;   ///< of work_ and hands_
  const Work* work_ = nullptr;
  std::int64_t hired_ = 0, hands_ = 0;
  std::atomic<int> round_ = 0, pending_ = 0;
};

/// The process's own; a forked process has none of its parent's threads. It is never destroyed: its threads
/// wait in it until the process ends.
Crew& crew() {
  static std::mutex mutex;
  static Crew* one = nullptr;
  static pid_t owner = 0;
  const std::lock_guard lock(mutex);
  if (owner != getpid()) {
    one = new Crew;
    owner = getpid();
  }
  return *one;
}

}  // namespace

void work_together(std::int64_t count, const Work& work) {
  if (count == 1) return work(0);
  crew().work_together(count, work);
}

}  // namespace wgradcheck::impl::host
