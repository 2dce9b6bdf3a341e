#pragma once
#include <rapidcheck.h>

#include <cstdint>
#include <vector>

#include "check/search/domain.hpp"
#include "check/search/where.hpp"

namespace wgradcheck::check {

/// Cases of a domain, valid by construction, the structural classes in equal shares. RapidCheck's size scales
/// extents and channels; shrinks are those of `smaller`. A case that --where refuses is drawn again, at most
/// 1,000 times, after which generation fails; most draws are bent towards the aims first.
rc::Gen<Case> cases(const Domain&, const std::vector<Aim>& aims = {});

/// Case number i of the run with this seed: the same for the same arguments, whatever ran before. Throws
/// BadInput when the domain seems empty.
Case nth_case(const rc::Gen<Case>&, std::uint64_t seed, std::int64_t i);

/// `count` of them, from number `first` on.
std::vector<Case> nth_cases(const rc::Gen<Case>&, std::uint64_t seed, std::int64_t first, std::int64_t count);

}  // namespace wgradcheck::check
