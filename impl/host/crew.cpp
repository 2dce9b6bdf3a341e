#include "impl/host/crew.hpp"

#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

namespace wgradcheck::impl::host {
namespace {

using Work = std::function<void(std::int64_t)>;

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
    const std::lock_guard lock(mutex_);
    work_ = &work;
    hands_ = hands;
    pending_ = hands - 1;
    ++round_;
    wake_.notify_all();
  }
  void finish() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return pending_ == 0; });
  }
  [[noreturn]] void serve(std::int64_t id) {
    std::unique_lock lock(mutex_);
    for (std::int64_t seen = 0;;) {
      wake_.wait(lock, [&] { return round_ != seen; });
      seen = round_;
      if (id >= hands_) continue;
      const Work& work = *work_;
      lock.unlock();
      work(id);
      lock.lock();
      if (--pending_ == 0) done_.notify_one();
    }
  }

  std::mutex caller_;  ///< held by the one whose work is done
  std::mutex mutex_;   ///< of all below but hired_, which is the caller's
  std::condition_variable wake_, done_;
  const Work* work_ = nullptr;
  std::int64_t hired_ = 0, hands_ = 0, pending_ = 0, round_ = 0;
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
