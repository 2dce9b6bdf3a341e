#pragma once
#include <functional>
#include <span>
#include <vector>

#include "check/search/domain.hpp"

namespace wgradcheck::check {

/// What shrinking makes smaller: every size counts its value, a pad twice, a step what it exceeds 1 by; then
/// cores, bias, placement and buffer. A shrunk case costs less than the one it came from.
std::int64_t cost(const Case&);

/// Cases of the domain that cost less, the boldest first: a size at 1, halved, one less, alone or together
/// with the input that it spans.
std::vector<Case> smaller(const Domain&, const Case&);

/// Whether a candidate costs less than `from` and is a case of the domain; sets in it what follows from the
/// rest. A shape whose output is that of the floor equation gives way only to such shapes.
bool is_smaller(const Domain&, const Case& from, Case& candidate);

/// Of a batch of candidates, the index of the first that still fails, or -1.
using FirstFailing = std::function<std::ptrdiff_t(std::span<const Case>)>;

/// What shrinking ends with.
struct Shrunk {
  Case least;
  std::int64_t neighbours =
      0;              ///< smaller cases around it that ran, all of which pass; 0 when it was broken off
  bool open = false;  ///< whether it waits for answers that are not there yet
};

/// Whether no more is to be spent.
using Over = std::function<bool()>;

/// Shrinks until no smaller case fails or all is spent. `batch` candidates are judged at once.
Shrunk shrink(const Domain&, Case failing, const FirstFailing&, std::size_t batch, const Over&);

}  // namespace wgradcheck::check
