#include "check/run/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>
#include <thread>

namespace wgradcheck::check {

void futex_wait(const Word& word, std::uint32_t value, std::chrono::nanoseconds timeout) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout);
  const timespec limit{seconds.count(), (timeout - seconds).count()};
  syscall(SYS_futex, &word, FUTEX_WAIT, value, timeout.count() > 0 ? &limit : nullptr, nullptr, 0);
}

void futex_wake(const Word& word) { syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0); }

void announce(Word& word) {
  word.fetch_add(1);
  futex_wake(word);
}

void await_change(const Word& word, std::uint32_t value) {
  for (int spin = 0; spin < 100 && word.load() == value; ++spin) std::this_thread::yield();
  while (word.load() == value) futex_wait(word, value);
}

void await_at_least(const Word& word, std::uint32_t value) {
  for (std::uint32_t seen = word.load(); seen < value; seen = word.load()) await_change(word, seen);
}

}  // namespace wgradcheck::check
