#pragma once
#include <utility>

#include "impl/loops.hpp"
#include "proofs/schedule/operation.hpp"
#include "proofs/schedule/way.hpp"

namespace wgradcheck::proofs {

/// The environment in which a schedule is proved: each body on the way to some operations is called once, by
/// unknowns that are assumed to be in its loop's range. What is not on the way is passed over.
template <class Reading>
class Prove : public Operations<IntOf<Reading>, Prove<Reading>> {
 public:
  using Int = IntOf<Reading>;
  using Range = impl::Range<Int>;
  using Way = proofs::Way<Reading>;

  Prove(Reading& reading, const Int& channel_tile, const Int& line_tile, Way way)
      : p_(reading), channel_tile_(channel_tile), line_tile_(line_tile), way_(std::move(way)) {}

  template <impl::Stateless<Int> Body>
  void loop(const Range& range, const Body& body) {
    guide_.enter([&] { body(index(range)); });
  }
  template <impl::Stateless<Range> Body>
  void tiles(const Range& range, const Int& size, const Body& body) {
    meet(Tiles<Int>{size});
    guide_.enter([&] { body(tile(range, size)); });
  }
  template <impl::Stateless<Range> Body>
  void unless_empty(const Range& range, const Body& body) {
    guide_.enter([&] { body(some(range)); });
  }
  template <impl::Stateless Then, impl::Stateless Else>
  void either(const auto& truth, const Then& then, const Else& otherwise) {
    guide_.enter([&] {
      p_.assume("the first branch", truth);
      then();
    });
    guide_.enter([&] {
      p_.assume("the second branch", !truth);
      otherwise();
    });
  }
  Int channel_tile() const { return channel_tile_; }
  Int line_tile() const { return line_tile_; }
  /// The operations asked for, the choices made (a loop's index, a tile's number) and the ranges handed to
  /// bodies, in their order on the way.
  const std::vector<Operation<Int>>& met() const { return met_; }
  const std::vector<Int>& choices() const { return choices_; }
  const std::vector<Range>& ranges() const { return ranges_; }

  void meet(const Operation<Int>& operation) {
    if (!guide_.meet()) return;
    met_.push_back(operation);
    p_.see(operation);
  }
  const Way& way() const { return way_; }
  auto x_in_place() const { return always(way_.x_in_place); }
  auto dy_in_place() const { return always(way_.dy_in_place); }
  auto chosen_finite() {
    const Aside aside;
    return p_.integer({"finite", std::to_string(++finites_), way_.suffix}) == 1;
  }

 private:
  void condition(const char* what, const auto& truth) const {
    if (way_.shown) p_.see(truth);
    way_.shown ? p_.claim(what, truth) : p_.assume(what, truth);
  }
  static auto always(bool truth) {
    const Aside aside;
    return Int(truth ? 1 : 0) == Int(1);
  }
  bool given() const { return choices_.size() < way_.choices.size(); }
  Int choice(const char* what) {
    if (way_.further && !given())
      for (const Int& next : std::exchange(way_.further, {})(*this))
        way_.choices.push_back(named("choice" + std::to_string(way_.choices.size() + 1) + way_.suffix, next));
    choices_.push_back(given() ? way_.choices[choices_.size()]
                               : p_.integer({what, std::to_string(choices_.size() + 1), way_.suffix}));
    if (way_.before) way_.before(*this);
    return choices_.back();
  }
  Int index(const Range& range) {
    const Aside aside;
    condition("in its loop", impl::contains(range, choice("loop")));
    return choices_.back();
  }
  Range tile(const Range& range, const Int& size) {
    const Aside aside;
    const std::string suffix = given() ? "" : way_.suffix;
    const Int i = choice("tile");
    condition("a tile", 0 <= i);
    p_.use(proofs::product(i, size));
    const Int first = named("first" + std::to_string(choices_.size()) + suffix, range.first + i * size);
    condition("a tile in its range", first < range.last);
    ranges_.push_back({first, spec::min(range.last, first + size)});
    return ranges_.back();
  }
  Range some(const Range& range) {
    const Aside aside;
    ranges_.push_back(range);
    if (way_.before) way_.before(*this);
    condition("not empty", range.first < range.last);
    return range;
  }

  Reading& p_;
  Int channel_tile_, line_tile_;
  Way way_;
  Guide guide_{way_.places};
  int finites_ = 0;
  std::vector<Operation<Int>> met_;
  std::vector<Int> choices_;
  std::vector<Range> ranges_;
};

}  // namespace wgradcheck::proofs
