#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace wgradcheck::proofs {

/// Which operation of the formula under proof is altered, if any, and which have been met. An operation is
/// known by its site: its place in order, or in order inside a body of a schedule. The altered operation
/// errs: + and - are exchanged, * becomes +, a quotient is one too large, a choice is the other one, a
/// comparison asks for a difference of one more, an equation for inequality.
struct Mutation {
  using Site = std::int64_t;

  bool inside = false;  ///< only operations of the formula under proof count
  Site next = 0, altered = -1;
  std::set<Site>* met = nullptr;  ///< gets each site where it is not null
  /// Whether each operation, where symbols are read, yields an unknown of its own: what follows then needs no
  /// fact of the formula.
  bool forgotten = false;
  Site unknowns = 0;
  std::string* told = nullptr;  ///< gets the altered operation in words, where symbols are read
  /// Values by their names, those of a first reading: where another value takes a name it gets another one.
  std::map<std::string, std::string>* names = nullptr;

  static Mutation& current() {
    static thread_local Mutation mutation;
    return mutation;
  }
  /// Whether an operation yields an unknown, the next of `unknowns`.
  static bool forgets() {
    Mutation& m = current();
    return m.inside && m.forgotten && ++m.unknowns > 0;
  }
  /// Passes an operation; true for the altered one.
  static bool here() {
    Mutation& m = current();
    if (!m.inside) return false;
    if (m.met) m.met->insert(m.next);
    return m.next++ == m.altered;
  }
};

/// While it lives, readings are altered as it says; then no more.
class Altering {
 public:
  explicit Altering(const Mutation& how) { Mutation::current() = how; }
  ~Altering() { Mutation::current() = {}; }
  Altering(const Altering&) = delete;
  Altering& operator=(const Altering&) = delete;
};

/// While it lives, operations are those of the formula under proof, or none is: what is not part of the
/// formula though the formula calls it.
class Within {
 public:
  explicit Within(bool formula) { Mutation::current().inside = formula; }
  ~Within() { Mutation::current().inside = inside_; }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

 private:
  bool inside_ = Mutation::current().inside;
};

/// What the formula under proof yields.
template <class Formulas>
auto under_proof(const Formulas& formulas) {
  const Within formula(true);
  return formulas();
}

/// What is not part of the formula under proof though the formula calls it: no mutant alters it.
class Aside : Within {
 public:
  Aside() : Within(false) {}
};

}  // namespace wgradcheck::proofs
