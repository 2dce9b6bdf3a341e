#pragma once

namespace wgradcheck::check {

/// What so many cores of this machine can do together, measured.
struct Peak {
  double flops;  ///< a second, of fused multiplications and additions of floats, each counting two
  double bytes;  ///< a second that a loop reads from memory far larger than the caches
};

/// The best of several short measurements: of one core in processor time, of more in that of the clock, since
/// they may wait for the same memory.
Peak measure_peak(int threads);

/// Seconds of the clock, since some time.
double clock_seconds();

/// Seconds of processor time of all the process's threads.
double processor_seconds();

/// Pushes what the caches hold out of them.
void flush_caches();

}  // namespace wgradcheck::check
