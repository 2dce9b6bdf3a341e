#include "proofs/schedule/explore.hpp"

#include <algorithm>
#include <utility>

namespace wgradcheck::proofs {
namespace {

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + by.size()))
    text.replace(at, old.size(), by);
  return text;
}

/// Where two traces part.
std::string difference(const std::vector<std::string>& left, const std::vector<std::string>& right) {
  const auto [l, r] = std::ranges::mismatch(left, right);
  return (l == left.end() ? "nothing" : *l) + ", then " + (r == right.end() ? "nothing" : *r);
}

/// Any call, without what holds of it.
struct Unknowns {
  Sym integer(const Label& label) { return Sym::variable(std::string(label)); }
  void assume(const Label&, const Formula&) {}
};

Explore explored(const std::function<void(Explore&)>& schedule, int calls) {
  Explore environment(calls);
  schedule(environment);
  return environment;
}

bool starts_with(const Place& place, const Place& body) {
  return place.size() > body.size() && std::equal(body.begin(), body.end(), place.begin());
}

/// Whether two places lie in the two branches of one choice, the second behind the first.
bool exclusive(const Explore& explored, const Place& one, const Place& other) {
  return std::ranges::any_of(explored.branches(), [&](Place branch) {
    if (!starts_with(one, branch)) return false;
    ++branch.back();
    return starts_with(other, branch);
  });
}

}  // namespace

void Explore::meet(const Operation<Sym>& operation) {
  found_.push_back({here_, operation, repeats_ > 0});
  trace_.push_back(to_string(operation));
  ++here_.back();
}

void Explore::note(const char* what, const Range& range) {
  trace_.push_back(what + (" " + to_string(range.first)) + " to " + to_string(range.last));
}

void Explore::enter(const std::function<void()>& body) {
  const std::string around = name_, mine = around + "." + std::to_string(here_.back());
  const std::vector<std::string> before = std::exchange(trace_, {});
  std::vector<std::string> first;
  // What a body does more than once is seen in the first calls of those around it.
  const bool seen_first = first_;
  for (int call = 0; call < (seen_first ? calls_ : 1); ++call) {
    first_ = seen_first && call == 0;
    const auto found = found_.size();
    name_ = mine + static_cast<char>('a' + call);
    trace_.clear();
    here_.push_back(0);
    body();
    here_.pop_back();
    for (std::string& line : trace_) line = replaced(std::move(line), name_, mine + "*");
    if (call == 0) {
      first = trace_;
      continue;
    }
    if (trace_ != first)
      throw NotASchedule("an iteration depends on the one before it: " + difference(first, trace_));
    while (found_.size() > found) found_.pop_back();
  }
  first_ = seen_first;
  name_ = around;
  trace_ = before;
  trace_.insert(trace_.end(), first.begin(), first.end());
  ++here_.back();
}

void Explore::repeat(const std::function<void()>& body) {
  ++repeats_;
  enter(body);
  --repeats_;
}

std::vector<Found> explore(
    const std::function<void(Explore&, const spec::Call<Sym>&, const impl::Block<Sym>&)>& schedule) {
  Unknowns unknowns;
  const auto range = [](const std::string& of) {
    return impl::Range<Sym>{Sym::variable(of + ".first"), Sym::variable(of + ".last")};
  };
  return explore([&](Explore& env) {
    schedule(env, any_call(unknowns),
             {Sym::variable("group"), range("rows"), range("cols"), range("images")});
  });
}

std::vector<Found> explore(const std::function<void(Explore&)>& schedule) {
  const Explore twice = explored(schedule, 2), thrice = explored(schedule, 3);
  // What counts iterations leaves another trace behind its loop.
  if (twice.trace() != thrice.trace())
    throw NotASchedule("what follows a loop depends on how often its body was called: " +
                       difference(twice.trace(), thrice.trace()));
  for (const Found& one : twice.found())
    for (const Found& other : twice.found())
      if (adds(one.operation) && adds(other.operation) && one.place < other.place &&
          !exclusive(twice, one.place, other.place))
        throw NotASchedule("products are added twice: by " + to_string(one.operation) + " and by " +
                           to_string(other.operation));
  return twice.found();
}

std::vector<Found> writers(const std::vector<Found>& all, const Place& reader) {
  const auto writes = [](const Found& f) {
    return std::holds_alternative<Clear<Sym>>(f.operation) || std::holds_alternative<Stage<Sym>>(f.operation);
  };
  // Whether a place lies in the body that holds the reader's ancestor at a level.
  const auto beside = [&](const Place& p, std::size_t level) {
    return p.size() > level &&
           std::equal(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(level), reader.begin());
  };
  for (std::size_t level = reader.size(); level-- > 0;) {
    std::vector<Found> before;
    for (const Found& f : all) {
      if (!writes(f) || !beside(f.place, level)) continue;
      if (f.place[level] < reader[level]) before.push_back(f);
      if (f.place[level] == reader[level])
        throw NotASchedule("what scratch holds may come from another iteration: " + to_string(f.operation));
    }
    if (before.empty()) continue;
    if (before.front().place.size() != level + 1)
      throw NotASchedule("scratch may hold what an earlier iteration wrote: it is not filled first, but by " +
                         to_string(before.front().operation));
    for (std::size_t i = 1; i < before.size(); ++i)
      if (std::holds_alternative<Clear<Sym>>(before[i].operation))
        throw NotASchedule("scratch is cleared after it was packed");
    return before;
  }
  throw NotASchedule("scratch is read that nothing has written");
}

}  // namespace wgradcheck::proofs
