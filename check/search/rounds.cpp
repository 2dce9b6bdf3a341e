#include "check/search/rounds.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace wgradcheck::check {
namespace {

/// A number that makes part of a case, and how it is set.
struct Field {
  std::function<std::int64_t(const Case&)> get;
  std::function<void(Case&, std::int64_t)> set;
  bool spanned = false;  ///< an input, which several other sizes span together
};

void set_channels(spec::Shape& s, std::int64_t groups, std::int64_t ins, std::int64_t outs) {
  s.groups = groups;
  s.in_channels = groups * ins;
  s.out_channels = groups * outs;
}

template <class Enum>
Field field_of(Enum Case::*member) {
  return {[=](const Case& c) { return static_cast<std::int64_t>(c.*member); },
          [=](Case& c, std::int64_t to) { c.*member = static_cast<Enum>(to); }};
}

/// Every field that shrinking lowers.
const std::vector<Field>& fields() {
  using spec::Axis;
  using spec::Shape;
  static const std::vector<Field> all = [] {
    const auto ins = [](const Case& c) { return spec::in_per_group(c.shape); };
    const auto outs = [](const Case& c) { return spec::out_per_group(c.shape); };
    std::vector<Field> list{
        {[](const Case& c) { return c.shape.batch; }, [](Case& c, std::int64_t to) { c.shape.batch = to; }},
        {[](const Case& c) { return c.shape.groups; },
         [=](Case& c, std::int64_t to) { set_channels(c.shape, to, ins(c), outs(c)); }},
        {ins, [=](Case& c, std::int64_t to) { set_channels(c.shape, c.shape.groups, to, outs(c)); }},
        {outs, [=](Case& c, std::int64_t to) { set_channels(c.shape, c.shape.groups, ins(c), to); }},
        field_of(&Case::core_mask),
        field_of(&Case::buffer),
        field_of(&Case::implementation),
        field_of(&Case::bias),
        field_of(&Case::placement),
        field_of(&Case::magnitude)};
    using A = Axis<std::int64_t>;
    for (A Shape::*const axis : {&Shape::depth, &Shape::height, &Shape::width})
      for (std::int64_t A::*const size :
           {&A::input, &A::output, &A::kernel, &A::stride, &A::dilation, &A::pad_before})
        list.push_back({[=](const Case& c) { return c.shape.*axis.*size; },
                        [=](Case& c, std::int64_t to) { c.shape.*axis.*size = to; }, size == &A::input});
    return list;
  }();
  return all;
}

/// Cases and what their runs said.
class Rounds {
 public:
  Rounds(const Domain& domain, const TryAll& try_all, const Over& over)
      : domain_(domain), try_all_(try_all), over_(over) {}

  Shrunk shrink(Case least) {
    for (;;) {
      const std::vector<Case> around = smaller(domain_, least);
      ask(around);
      const std::vector<Case> failing = those_that(Tried::fails, around);
      if (failing.empty()) {
        const bool open = !those_that(Tried::open, around).empty();
        return {least, open ? 0 : std::ssize(those_that(Tried::passes, around)), open && !over_()};
      }
      const std::vector<Case> bold = merges(least, failing);
      ask(with_guesses(bold, cheapest(failing)));
      std::vector<Case> steps = those_that(Tried::fails, bold);
      steps.push_back(cheapest(failing));
      least = cheapest(steps);
      // A bold step that was asked for may yet fail.
      if (const bool open = !those_that(Tried::open, bold).empty(); open || over_())
        return {least, 0, open && !over_()};
    }
  }

 private:
  static const Case& cheapest(const std::vector<Case>& list) {
    return *std::ranges::min_element(list, {}, cost);
  }

  Tried known(const Case& c) const {
    const auto found = std::ranges::find(known_, c, &std::pair<Case, Tried>::first);
    return found == known_.end() ? Tried::open : found->second;
  }

  std::vector<Case> those_that(Tried what, std::span<const Case> list) const {
    std::vector<Case> some;
    for (const Case& c : list)
      if (known(c) == what) some.push_back(c);
    return some;
  }

  /// Judges those not known yet.
  void ask(std::span<const Case> list) {
    std::vector<Case> unknown;
    for (const Case& c : list)
      if (known(c) == Tried::open && std::ranges::find(unknown, c) == unknown.end()) unknown.push_back(c);
    if (unknown.empty() || over_()) return;
    const std::vector<Tried> said = try_all_(unknown);
    for (std::size_t i = 0; i < unknown.size(); ++i)
      if (said[i] != Tried::open) known_.emplace_back(unknown[i], said[i]);
  }

  /// What all failing cases have in common, then what halves and quarters of them have: they need not go
  /// together.
  std::vector<Case> merges(const Case& from, std::span<const Case> failing) const {
    std::vector<Case> all;
    for (const std::size_t parts : {1U, 2U, 4U})
      for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t first = failing.size() * part / parts, end = failing.size() * (part + 1) / parts;
        if (end - first < 2) continue;
        Case c = merged(from, failing.subspan(first, end - first));
        if (is_smaller(domain_, from, c) && std::ranges::find(all, c) == all.end()) all.push_back(c);
      }
    return all;
  }

  /// The bold steps, and what would be asked next after the likeliest of them.
  std::vector<Case> with_guesses(const std::vector<Case>& bold, const Case& safe) const {
    std::vector<Case> list = bold;
    std::vector<Case> next(bold.begin(), bold.begin() + std::min<std::ptrdiff_t>(std::ssize(bold), 2));
    next.push_back(safe);
    for (const Case& c : next) {
      const std::vector<Case> around = smaller(domain_, c);
      list.insert(list.end(), around.begin(), around.end());
    }
    return list;
  }

  const Domain& domain_;
  const TryAll& try_all_;
  const Over& over_;
  std::vector<std::pair<Case, Tried>> known_;
};

}  // namespace

Case merged(const Case& from, std::span<const Case> smaller) {
  Case all = from;
  std::vector<bool> changed(fields().size());
  for (const Case& one : smaller) {
    // One way to change a field is enough; the first are the boldest.
    std::vector<std::size_t> mine;
    bool alone = true;
    for (std::size_t i = 0; i < fields().size(); ++i) {
      if (fields()[i].get(one) == fields()[i].get(from)) continue;
      mine.push_back(i);
      alone = alone && fields()[i].spanned;
    }
    if (std::ranges::any_of(mine,
                            [&](std::size_t i) { return changed[i] && (alone || !fields()[i].spanned); }))
      continue;
    for (const std::size_t i : mine) {
      const Field& f = fields()[i];
      const std::int64_t to = f.spanned ? f.get(all) + f.get(one) - f.get(from) : f.get(one);
      f.set(all, f.spanned ? std::max<std::int64_t>(to, 1) : to);
      changed[i] = true;
    }
  }
  return all;
}

Shrunk shrink_in_rounds(const Domain& domain, const Case& failing, const TryAll& try_all, const Over& over) {
  return Rounds(domain, try_all, over).shrink(failing);
}

}  // namespace wgradcheck::check
