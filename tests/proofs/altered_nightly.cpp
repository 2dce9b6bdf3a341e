#include <gtest/gtest.h>

#include "proofs/judge.hpp"
#include "proofs/schedule/place.hpp"
#include "tests/impl/traces.hpp"

/// Altered operations of the schedules: what traces see of them obligations refute, but for a few.
namespace wgradcheck::proofs {
namespace {

using impl::Block;
using impl::Int;
using impl::Range;
using impl::Trace;

Int value(Number n) { return n.value().value(); }
Range<Int> value(const Range<Number>& r) { return {value(r.first), value(r.last)}; }

/// A trace of a schedule that is read with Numbers, so that one of its operations can be altered.
class NumberTrace {
 public:
  using Int = Number;
  using Term = impl::Term<Number>;

  NumberTrace(const spec::Call<std::int64_t>& call, const Block<std::int64_t>& block,
              const Trace::Machine& machine)
      : trace_(call, block, machine) {}

  void loop(const Range<Number>& range, const auto& body) {
    trace_.loop(value(range), [&](std::int64_t i) { in_body([&] { body(Number(i)); }); });
    ++here_.back();
  }
  void tiles(const Range<Number>& range, Number size, const auto& body) {
    ++here_.back();
    if (value(size) < 1) throw impl::Stray("a tile of nothing");
    trace_.tiles(value(range), value(size), [&](const Range<std::int64_t>& tile) {
      in_body([&] { body(Range<Number>{tile.first, tile.last}); });
    });
    ++here_.back();
  }
  void unless_empty(const Range<Number>& range, const auto& body) {
    trace_.unless_empty(value(range), [&](const auto&) { in_body([&] { body(range); }); });
    ++here_.back();
  }
  void either(bool truth, const auto& then, const auto& otherwise) {
    if (truth) in_body(then);
    ++here_.back();
    if (!truth) in_body(otherwise);
    ++here_.back();
  }
  bool finite(const Term&, auto... a) {
    ++here_.back();
    return trace_.finite(none_, value(a)...);
  }
  void clear(Number count) {
    pass([&] { trace_.clear(value(count)); });
  }
  void stage(const Term&, auto... a) {
    pass([&] { trace_.stage(none_, value(a)...); });
  }
  void product(const Term&, auto... a) {
    pass([&] { trace_.product(none_, value(a)...); });
  }
  void product_in_place(const Term&, auto... a) {
    pass([&] { trace_.product_in_place(none_, value(a)...); });
  }
  void channel_products(const Term&, auto... a) {
    pass([&] { trace_.channel_products(none_, value(a)...); });
  }
  Number channel_tile() const { return trace_.channel_tile(); }
  Number line_tile() const { return trace_.line_tile(); }
  const std::vector<impl::Product>& products() const { return trace_.products(); }

 private:
  void in_body(const auto& body) {
    const InBody in_body(here_);
    here_.push_back(0);
    body();
    here_.pop_back();
  }
  void pass(const auto& operation) {
    operation();
    ++here_.back();
  }
  static constexpr impl::Term<std::int64_t> none_{};
  Trace trace_;
  Place here_{0};
};

/// A schedule read with Numbers, one operation altered.
template <class Schedule>
struct Altered {
  Site site;
  void operator()(NumberTrace& env, const spec::Call<Int>& c, const Block<Int>& b) const {
    const auto range = [](const Range<Int>& r) { return Range<Number>{r.first, r.last}; };
    const Block<Number> block{b.group, range(b.rows), range(b.cols), range(b.images)};
    const auto call = spec::as<Number>(c);
    const Altering altering({.inside = true, .altered = site});
    Schedule{}(env, call, block);
  }
};

using impl::Chunked;
using impl::Depthwise;
using impl::Pointwise;

/// Whether a schedule takes a shape.
template <class Schedule>
bool takes(const spec::Shape& s) {
  const auto call = spec::call_of(s, 4, 1, 0);
  if (std::is_same_v<Schedule, Depthwise>) return spec::is_depthwise(call);
  if (std::is_same_v<Schedule, Pointwise>) return spec::is_pointwise(call);
  return !spec::is_depthwise(call);
}

/// Whether traces on some shapes are not the sum's where an operation is altered; -1 alters none.
template <class Schedule>
bool is_seen(Site site) {
  for (std::uint64_t seed = 0; seed < 1'500; ++seed) {
    impl::Draw draw(seed);
    const spec::Shape s = impl::some_shape(draw);
    if (!takes<Schedule>(s)) continue;
    try {
      if (!impl::is_the_sum<NumberTrace>(s, seed, Altered<Schedule>{site})) return true;
    } catch (const Outside&) {
      return true;
    } catch (const spec::Overflow&) {
      return true;
    }
  }
  return false;
}

/// The altered operations of a schedule, and those that its obligations refute.
Mutants mutants_of(const std::string& subject) {
  Mutants all;
  for (const Subject& s : subjects())
    for (const Obligation& o : s.obligations) {
      if (s.name != subject) continue;
      Statement<Sym> statement;
      o.symbols(statement);
      const auto inside = samples(o, statement.variables().size());
      all.merge(inside.empty() ? judge(s.name, o).mutants : mutants(o, inside));
    }
  return all;
}

/// How many altered operations of a schedule traces see, and how many of those its obligations refute.
struct Score {
  std::size_t seen = 0, refuted = 0;
};

template <class Schedule>
void add(Score& score, const std::string& subject) {
  EXPECT_FALSE(is_seen<Schedule>(-1)) << subject;
  const Mutants known = mutants_of(subject);
  for (const Site site : known.all) {
    if (!is_seen<Schedule>(site)) continue;
    ++score.seen;
    score.refuted += known.refuted.contains(site);
  }
}

TEST(AlteredNightly, MostThatTracesSeeOfASchedulesOperationsObligationsRefute) {
  Score score;
  add<Chunked>(score, "schedule.chunked");
  add<Depthwise>(score, "schedule.depthwise");
  add<Pointwise>(score, "schedule.pointwise");
  std::printf("%zu altered operations seen, %zu of them refuted\n", score.seen, score.refuted);
  EXPECT_GT(score.seen, 290u);
  EXPECT_GE(static_cast<double>(score.refuted), 0.95 * static_cast<double>(score.seen));
}

}  // namespace
}  // namespace wgradcheck::proofs
