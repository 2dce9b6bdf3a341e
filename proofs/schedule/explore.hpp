#pragma once
#include <functional>
#include <stdexcept>

#include "proofs/schedule/prove.hpp"

namespace wgradcheck::proofs {

/// Thrown for what looks like a schedule and is none: an iteration of a loop depends on the one before it, or
/// scratch is used where it was not written.
struct NotASchedule : std::logic_error {
  using std::logic_error::logic_error;
};

/// An operation of a schedule, and where it stands.
struct Found {
  Place place;
  Operation<Sym> operation;
  bool repeated;  ///< whether a loop or tiles lead to it, so that it may be met more than once
};

/// The environment that lists the operations of a schedule. It calls each body several times, by fresh
/// unknowns, and throws NotASchedule where they do not leave the same trace. Inside a further call each body
/// is called once: what it leaves must be what the first call left, whose bodies were called several times.
class Explore : public Operations<Sym, Explore> {
 public:
  using Int = Sym;
  using Range = impl::Range<Sym>;

  explicit Explore(int calls) : calls_(calls) {}

  template <impl::Stateless<Sym> Body>
  void loop(const Range& range, const Body& body) {
    note("loop", range);
    repeat([&] { body(unknown("i")); });
  }
  template <impl::Stateless<Range> Body>
  void tiles(const Range& range, const Sym& size, const Body& body) {
    meet(Tiles<Sym>{size});
    note("tiles", range);
    repeat([&] { body(Range{unknown("first"), unknown("last")}); });
  }
  template <impl::Stateless<Range> Body>
  void unless_empty(const Range& range, const Body& body) {
    note("unless_empty", range);
    enter([&] { body(range); });
  }
  template <impl::Stateless Then, impl::Stateless Else>
  void either(const Formula& truth, const Then& then, const Else& otherwise) {
    trace_.push_back("either " + to_string(truth));
    branches_.push_back(here_);
    enter([&] { then(); });
    enter([&] { otherwise(); });
  }
  Sym channel_tile() const { return Sym::variable("channel_tile"); }
  Sym line_tile() const { return Sym::variable("line_tile"); }

  void meet(const Operation<Sym>& operation);
  Formula chosen_finite() { return unknown("finite") == 1; }
  Formula x_in_place() const { return Sym::variable("x in place") == 1; }
  Formula dy_in_place() const { return Sym::variable("dy in place") == 1; }

  const std::vector<Found>& found() const { return found_; }
  const std::vector<std::string>& trace() const { return trace_; }
  /// Places of first branches; the second ones follow.
  const std::vector<Place>& branches() const { return branches_; }

 private:
  void note(const char* what, const Range& range);
  void enter(const std::function<void()>& body);
  void repeat(const std::function<void()>& body);
  Sym unknown(const char* what) const { return Sym::variable(what + name_); }

  int calls_;
  std::string name_;  ///< of this call of this body in these calls of the bodies around it
  Place here_{0};
  int repeats_ = 0;    ///< loops and tiles around
  bool first_ = true;  ///< whether the calls of all bodies around are their first
  std::vector<Found> found_;
  std::vector<std::string> trace_;
  std::vector<Place> branches_;
};

/// The operations of a schedule, in order: what to run on names of what it works on. Throws NotASchedule,
/// also where two operations add products though they do not exclude each other: each could have every term,
/// and all be added twice.
std::vector<Found> explore(const std::function<void(Explore&)>&);

/// The same of one that works on a call and a block.
std::vector<Found> explore(
    const std::function<void(Explore&, const spec::Call<Sym>&, const impl::Block<Sym>&)>&);

/// What has written the scratch that the operation at a place reads: clear() and stage() before it in the
/// innermost body around it that has any. Throws NotASchedule where there is none, or where another may have
/// written since.
std::vector<Found> writers(const std::vector<Found>&, const Place& reader);

}  // namespace wgradcheck::proofs
