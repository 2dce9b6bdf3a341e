#pragma once
#include "proofs/schedule/prove.hpp"

/// What a schedule is proved on.
namespace wgradcheck::proofs {

template <class Reading>
struct Scene;

/// A call, a block of its work, and what the machine chooses.
template <class Reading>
struct Work {
  using Int = IntOf<Reading>;

  Reading& p;
  spec::Call<Int> c;
  impl::Block<Int> b;
  Int channel_tile, line_tile;

  Scene<Reading> on(typename Prove<Reading>::Way way) const {
    return {p, c, b, {p, channel_tile, line_tile, std::move(way)}};
  }
};

/// A schedule on the way to some operations, and what it works on.
template <class Reading>
struct Scene {
  using Int = IntOf<Reading>;

  Reading& p;
  spec::Call<Int> c;
  impl::Block<Int> b;
  Prove<Reading> way;

  spec::BasicShape<Int> shape() const { return spec::shape_of(c); }
  Work<Reading> work() const { return {p, c, b, way.channel_tile(), way.line_tile()}; }
  void run(const auto& schedule) { schedule.run(way, c, b); }
};

/// Part of an extent, of at least `least` indices.
template <class Reading>
impl::Range<IntOf<Reading>> given_range(Reading& p, std::string_view of, int least,
                                        const IntOf<Reading>& extent) {
  const auto first = at_least(p, 0, {of, ".first"}), last = p.integer({of, ".last"});
  p.assume({of, " is part of its extent"}, first + least <= last && last <= extent);
  return {first, last};
}

/// A group has a channel on either side.
template <class Reading>
void claim_groups(Reading& p, const spec::Call<IntOf<Reading>>& c) {
  for (const auto& channels : {c.input_channel, c.output_channel}) {
    const auto per_group = spec::floor_div(channels, c.group);
    p.use(product(0 - per_group, c.group));
    p.claim("a group has a channel", 1 <= per_group);
  }
}

/// Any valid call that a schedule takes and any block of its work.
template <class Reading, class Schedule>
Work<Reading> given_work(Reading& p, const Schedule& schedule) {
  const auto c = valid_call(p);
  p.assume("the schedule takes the call", schedule.takes(c));
  const auto channel_tile = at_least(p, 1, "channel_tile"), line_tile = at_least(p, 1, "line_tile");
  const auto group = index_below(p, "block.group", schedule.groups(c));
  const auto rows = given_range(p, "rows", 1, schedule.rows(c)),
             cols = given_range(p, "cols", 1, spec::row_elems(c)),
             images = given_range(p, "images", 0, c.output_batch);
  claim_groups(p, c);
  return {p, c, {group, rows, cols, images}, channel_tile, line_tile};
}

/// The schedule on some way through it.
template <class Work, class Schedule>
auto on_way(const Work& work, const Schedule& schedule,
            typename Prove<std::remove_reference_t<decltype(work.p)>>::Way way) {
  auto scene = work.on(std::move(way));
  // Met again, its operations are the same ones.
  Mutation::current().next = 0;
  work.p.subject([&] {
    scene.run(schedule);
    return true;
  });
  return scene;
}

}  // namespace wgradcheck::proofs
