#pragma once
#include "impl/bfloat.hpp"
#include "impl/half.hpp"
#include "impl/host/plan.hpp"

namespace wgradcheck::impl::host {

/// Computes dw from dy and x, in the layouts of spec/index.hpp; In and Out are float, Half or Bfloat, Out
/// being In or float. Sums are floats. `workspace` holds plan.floats() floats of
/// anything, aligned to 64 bytes. `plan` is that of the problem, narrow where In or Out is not float.
template <class In, class Out>
void run(const Problem&, const Plan&, const In* dy, const In* x, Out* dw, float* workspace);

}  // namespace wgradcheck::impl::host
