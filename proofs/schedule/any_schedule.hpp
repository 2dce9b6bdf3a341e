#pragma once
#include "proofs/schedule/scene.hpp"

namespace wgradcheck::proofs {

/// What is said of a schedule besides its text, and the steps of its proofs. A schedule derives from it, has
/// run(env, call, block), and says anew what is otherwise with it. Where it has owner(work, term), the
/// choices on the way to a term's product in the order of Prove::choices, it is proved complete too: an index
/// for each loop on the way, a number for each tile.
struct AnySchedule {
  /// Whether it takes a valid call.
  template <class Int>
  auto takes(const spec::Call<Int>& c) const {
    return 1 <= c.group;
  }
  /// How many groups its blocks come from, and rows of dW as a matrix that each has.
  template <class Int>
  Int groups(const spec::Call<Int>& c) const {
    return c.group;
  }
  template <class Int>
  Int rows(const spec::Call<Int>& c) const {
    return out_per_group(spec::shape_of(c));
  }
  /// Whether a term is added to a row of the block: its output channel's.
  template <class Int>
  auto has_row(const impl::Block<Int>& b, const impl::Term<Int>& t) const {
    return t.g == b.group && impl::contains(b.rows, t.co);
  }

  /// Steps about an operation on its way, or about a term of one.
  template <class Reading, class Subject>
  void lemmas(Scene<Reading>&, const Subject&) const {}
  /// Steps about two terms that are packed in one iteration; also, where there is no owner, about the terms
  /// of two products.
  template <class Reading>
  void lemmas_apart(Scene<Reading>&, Scene<Reading>&, const impl::Term<IntOf<Reading>>&,
                    const impl::Term<IntOf<Reading>>&) const {}
  /// Steps that show a way to be the owner's of its term.
  template <class Reading>
  void lemmas_owner(Scene<Reading>&, const impl::Term<IntOf<Reading>>&) const {}
  /// Steps that show a choice of a term's owner to be one, taken after the choice and before that is claimed.
  template <class Reading>
  void lemmas_before(const Work<Reading>&, const impl::Term<IntOf<Reading>>&, const Prove<Reading>&) const {}
};

}  // namespace wgradcheck::proofs
