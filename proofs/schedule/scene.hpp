#pragma once
#include "proofs/schedule/prove.hpp"

/// What a schedule is proved on.
namespace wgradcheck::proofs {

/// A call, a block of its work, and what the machine chooses.
template <class Reading>
struct Work {
  using Int = IntOf<Reading>;

  Reading& p;
  spec::Call<Int> c;
  impl::Block<Int> b;
  Int channel_tile, line_tile;
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
};

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
  using Int = IntOf<Reading>;
  const auto c = valid_call(p);
  p.assume("the schedule takes the call", schedule.takes(c));
  const auto channel_tile = at_least(p, 1, "channel_tile"), line_tile = at_least(p, 1, "line_tile");
  const auto group = index_below(p, "block.group", schedule.groups(c));
  const auto part = [&p](const std::string& of, int least, const Int& extent) -> impl::Range<Int> {
    const auto first = at_least(p, 0, {of, ".first"}), last = p.integer({of, ".last"});
    p.assume({of, " is part of its extent"}, first + least <= last && last <= extent);
    return {first, last};
  };
  const auto rows = part("rows", 1, schedule.rows(c)), cols = part("cols", 1, spec::row_elems(c)),
             images = part("images", 0, c.output_batch);
  claim_groups(p, c);
  return {p, c, {group, rows, cols, images}, channel_tile, line_tile};
}

/// The schedule on some way through it.
template <class Reading, class Schedule>
Scene<Reading> on_way(const Work<Reading>& work, const Schedule& schedule, typename Prove<Reading>::Way way) {
  Scene<Reading> scene{work.p, work.c, work.b, {work.p, work.channel_tile, work.line_tile, std::move(way)}};
  // Met again, its operations are the same ones.
  Mutation::current().next = 0;
  work.p.subject([&] {
    schedule.run(scene.way, scene.c, scene.b);
    return true;
  });
  return scene;
}

}  // namespace wgradcheck::proofs
