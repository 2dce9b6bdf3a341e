#pragma once
#include "impl/schedule/staged.hpp"

/// The convolution weight gradient on the host's processor: dW from dy and x by the schedules for many
/// channels, few channels, and groups of few channels.
namespace wgradcheck::impl::host {

/// A problem: the shape, whether dW is added to, and how many threads may compute.
struct Problem {
  spec::Shape shape;
  bool accumulate;
  std::int64_t threads;
};

enum class Path {
  direct,   ///< a product for each tap, of pixels where they are
  taps,     ///< a product for each tap, columns of dW in vectors
  folded,   ///< a product for each row of taps, columns of dW in vectors
  swapped,  ///< a product for each row of taps, output channels in vectors
  lanes     ///< groups of few channels side by side in vectors
};
const char* name_of(Path);

/// How a problem is computed. What decides the order of additions depends on the shape alone: the path, the
/// cut, the partials. How dW is split into parts depends on the threads too, and changes no bit.
struct Plan {
  Path path;
  Cut<std::int64_t> cut;
  std::int64_t outs, ins;          ///< channels of a part at most; for Path::lanes ins are lanes
  std::int64_t outs_of, ins_of;    ///< of which parts are cut: a group's channels, or all lanes
  std::int64_t groups, groups_of;  ///< of a part at most, and of which parts are cut
  bool mixed;     ///< lanes: groups whose pixels of dy are as wide as those of x share vectors of them
  bool in_place;  ///< sums are dW itself
  bool streams;   ///< each sum is stored once, and all of them are more than the second cache holds
  bool as_is;     ///< taps: pixels are read where they are, which are those that would be staged
  std::int64_t dy, x, sums;  ///< floats of a thread: staged pixels of both, sums
  std::int64_t threads;
  /// Where dW is small, sums over so many images each, added up in the end.
  std::int64_t partials, images;
  std::int64_t kept_partials, dw;  ///< those that have memory of their own, of so many floats each

  std::int64_t out_parts() const { return spec::ceil_div(outs_of, outs); }
  std::int64_t in_parts() const { return spec::ceil_div(ins_of, ins); }
  std::int64_t parts() const { return spec::ceil_div(groups_of, groups) * out_parts() * in_parts(); }
  /// The i-th part, i in [0, parts()).
  Part<std::int64_t> part(std::int64_t i) const;
  /// Floats of workspace of one thread, and of all of it: multiples of a cache line.
  std::int64_t floats_of_thread() const;
  std::int64_t floats() const;
};

/// Floats set apart for a piece of a thread's memory: what may be read behind it too, whole cache lines.
std::int64_t set_apart(std::int64_t floats);

/// Products that are worth starting a thread, or a partial sum.
inline constexpr std::int64_t kWorthAThread = 1 << 21;

/// Plans for tensors of floats, or of a type of 16 bits where `narrow`, with a thread or a
/// partial for each `worth` products at most. Requires !spec::refuse(shape) and at least one thread.
Plan plan(const Problem&, bool narrow, std::int64_t worth = kWorthAThread);

}  // namespace wgradcheck::impl::host
