#pragma once
#include <string>
#include <vector>

#include "check/profile/accumulator.hpp"
#include "check/profile/form.hpp"
#include "check/profile/memory.hpp"
#include "check/profile/roundings.hpp"
#include "check/profile/rules.hpp"

namespace wgradcheck::check {

/// A tree and where it was seen.
struct SeenTree {
  Line line;
  int cores = 1;
  Revealed revealed;
  std::optional<Form> form;  ///< nothing where there is no tree
};

/// What was learnt of one path.
struct PathProfile {
  spec::Path path = spec::Path::general;
  Adds adds;
  std::optional<Biased> bias;      ///< of conventions that have one, on paths that take it
  std::optional<Padding> padding;  ///< of paths that may be padded
  Accumulator accumulator;
  Subnormals subnormals;
  std::optional<Roundings> roundings;
  Repeats repeats;
  MemoryNeeds memory;
  std::vector<SeenTree> trees;  ///< none where no call returns
};

/// What was learnt of a kernel, by probing: observation, not proof.
struct Profile {
  std::int64_t calls = 0;      ///< made to learn it
  std::int64_t confirmed = 0;  ///< generated cases in which the promises were kept
  std::vector<PathProfile> paths;
  std::vector<std::string> promises;    ///< what it may promise, as Promises::make takes them
  std::vector<std::string> unpromised;  ///< what was learnt or tried and is not promised, and why
};

/// Learns every path, on the cores of each mask. Works through the executor alone, so that a kernel anywhere
/// can be profiled as far as that one's capabilities go.
Profile learn_profile(Executor&, const Domain&);

/// The promises that hold on everything that was seen, each no stronger than the weakest path; and what is
/// not clear.
void derive_promises(Profile&, const Domain&);

/// Checks the kernel against its promises on `cases` generated cases and takes back those that do not hold,
/// which is then said among what is not promised.
void confirm_promises(Executor&, const Domain&, Profile&, std::int64_t cases);

}  // namespace wgradcheck::check
