#include "impl/schedule/depthwise.hpp"
#include "proofs/schedule/any_schedule.hpp"
#include "proofs/schedule/obligations.hpp"

/// The schedule of the depthwise path, impl::depthwise.
namespace wgradcheck::proofs::obligations {
namespace {

struct Depthwise : AnySchedule {
  template <class Env, class Int>
  void run(Env& env, const spec::Call<Int>& c, const impl::Block<Int>& b) const {
    impl::depthwise(env, c, b);
  }
  template <class Int>
  auto takes(const spec::Call<Int>& c) const {
    return spec::is_depthwise(c);
  }
  template <class Int>
  Int groups(const spec::Call<Int>&) const {
    return 1;
  }
  template <class Int>
  Int rows(const spec::Call<Int>& c) const {
    return c.output_channel;
  }

  template <class Reading, class Operation>
  void lemmas(Scene<Reading>& scene, const Operation& operation) const {
    if constexpr (std::is_same_v<Operation, Channels<IntOf<Reading>>>) claim_tap(scene);
    if constexpr (std::is_same_v<Operation, impl::Term<IntOf<Reading>>>) use_one_channel(scene, operation);
  }

  /// A row of the block is a group.
  template <class Int>
  auto has_row(const impl::Block<Int>& b, const impl::Term<Int>& t) const {
    return impl::contains(b.rows, t.g);
  }
  /// Channel tile, image, line tile and tap.
  template <class Reading>
  std::vector<IntOf<Reading>> owner(const Work<Reading>& work, const impl::Term<IntOf<Reading>>& t) const {
    return {spec::floor_div(t.g - work.b.rows.first, work.channel_tile), t.n,
            spec::floor_div(t.oh, work.line_tile), t.kh * work.c.kernel_w + t.kw};
  }
  template <class Reading>
  void lemmas_owner(Scene<Reading>& scene, const impl::Term<IntOf<Reading>>& t) const {
    const auto &channels = scene.way.choices()[0], &lines = scene.way.choices()[2];
    for (const IntOf<Reading> next : {0, 1}) {
      scene.p.use(quotient(channels + next, t.g - scene.b.rows.first, scene.way.channel_tile()));
      scene.p.use(quotient(lines + next, t.oh, scene.way.line_tile()));
    }
  }
  template <class Reading>
  void lemmas_before(const Work<Reading>& work, const impl::Term<IntOf<Reading>>& t,
                     const Prove<Reading>& way) const {
    auto& [p, c, b, channel_tile, line_tile] = work;
    const IntOf<Reading> zero = 0;
    if (way.choices().size() == 1) p.use(quotient(zero, t.g - b.rows.first, channel_tile));
    if (way.choices().size() == 3) p.use(quotient(zero, t.oh, line_tile));
    if (way.choices().size() < 4) return;
    claim_one_channel(work);
    p.use(times(in_per_group(spec::shape_of(c)), IntOf<Reading>(1), t.kh * c.kernel_w + t.kw));
    claim_tap_of(p, c, t);
  }

 private:
  template <class Reading>
  void claim_one_channel(const Work<Reading>& work) const {
    auto& [p, c, b, channel_tile, line_tile] = work;
    const auto s = spec::shape_of(c);
    for (const auto& channels : {c.input_channel, c.output_channel})
      p.use(quotient(IntOf<Reading>(2), channels, c.group));
    p.claim("one channel", in_per_group(s) == 1 && out_per_group(s) == 1);
  }
  /// A group has one channel on either side, so that a column is a tap.
  template <class Reading>
  void claim_tap(Scene<Reading>& scene) const {
    auto& [p, c, b, way] = scene;
    const IntOf<Reading> one = 1, zero = 0;
    const auto s = scene.shape();
    claim_one_channel(scene.work());
    p.use(times(in_per_group(s), one, c.kernel_h * c.kernel_w));
    const auto tap = way.choices()[3];
    p.claim("a tap", 0 <= tap && tap < c.kernel_h * c.kernel_w);
    p.use(quotient(zero, tap, c.kernel_w));
    p.use(quotient(c.kernel_h, tap, c.kernel_w));
  }
  /// What is multiplied by the channels of a group stays what it is.
  template <class Reading>
  void use_one_channel(Scene<Reading>& scene, const impl::Term<IntOf<Reading>>& term) const {
    auto& [p, c, b, way] = scene;
    const IntOf<Reading> one = 1, zero = 0;
    const auto s = scene.shape();
    const auto tap = way.choices()[3];
    p.use(times(in_per_group(s), one, term.g));
    p.use(times(in_per_group(s), one, way.ranges()[0].first));
    p.use(times(out_per_group(s), one, term.g));
    p.use(times(out_per_group(s), one, way.ranges()[0].first));
    p.use(times(out_per_group(s), one, term.g * spec::row_elems(c)));
    p.use(times(in_per_group(s), one, tap));
    p.use(times(b.group, zero, rows(c) * spec::row_elems(c)));
  }
};

}  // namespace

std::vector<Obligation> schedule_depthwise() { return Obligations(Depthwise{}).made(); }

}  // namespace wgradcheck::proofs::obligations
