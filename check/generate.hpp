#pragma once
#include <rapidcheck.h>

#include <cstdint>
#include <vector>

#include "check/domain.hpp"

namespace wgradcheck::check {

/// A property of shapes that a search should aim at, read off a --where expression: a field of the problem
/// line equals a value or is a multiple of one.
struct Aim {
  std::string field;
  std::int64_t value = 1;
  bool multiple = false;
};

/// Cases of a domain, valid by construction, the structural classes in equal shares. RapidCheck's size scales
/// extents and channels; shrinks are those of `smaller`. A case that --where refuses is drawn again, at most
/// 1,000 times, after which generation fails.
rc::Gen<Case> cases(const Domain&, const std::vector<Aim>& aims = {});

/// Case number i of the run with this seed: the same for the same arguments, whatever ran before. Throws
/// BadInput when the domain seems empty.
Case nth_case(const rc::Gen<Case>&, std::uint64_t seed, std::int64_t i);

}  // namespace wgradcheck::check
