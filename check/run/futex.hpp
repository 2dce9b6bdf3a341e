#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>

namespace wgradcheck::check {

/// A word that processes which share its memory sleep on.
using Word = std::atomic<std::uint32_t>;
static_assert(sizeof(Word) == 4 && Word::is_always_lock_free);

/// Sleeps while the word holds `value`, until woken or, unless zero, for `timeout`. May return early.
void futex_wait(const Word&, std::uint32_t value, std::chrono::nanoseconds timeout = {});

/// Wakes all that sleep on the word.
void futex_wake(const Word&);

/// Adds one and wakes all that sleep on the word.
void announce(Word&);

/// Waits, at first awake, until the word no longer holds `value`.
void await_change(const Word&, std::uint32_t value);

/// Waits, at first awake, until the word holds at least `value`.
void await_at_least(const Word&, std::uint32_t value);

}  // namespace wgradcheck::check
