#pragma once

namespace wgradcheck::check {

/// What one core of this machine can do, measured.
struct Peak {
  double flops;  ///< a second, of fused multiplications and additions of floats, each counting two
  double bytes;  ///< a second that a loop reads from memory far larger than the caches
};

/// The best of several short measurements, in processor time.
Peak measure_peak();

/// Seconds of processor time of all the process's threads.
double processor_seconds();

/// Pushes what the caches hold out of them.
void flush_caches();

}  // namespace wgradcheck::check
