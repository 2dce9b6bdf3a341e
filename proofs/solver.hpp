#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "proofs/obligation.hpp"

namespace wgradcheck::proofs {

enum class Answer { unsatisfiable, satisfiable, unknown };

/// What the solver says of a query.
struct Reply {
  Answer answer = Answer::unknown;
  std::vector<std::string> core;  ///< labels of the assertions that cannot hold together
  std::uint64_t effort = 0;       ///< the solver's own count of its steps, the same on every machine
};

/// Puts a query to Z3. The seed also shuffles the assertions. Gives up, with unknown, after so much effort.
Reply ask(const Query&, unsigned seed, unsigned effort = 20'000'000);

/// A query that is put to Z3 under several seeds, read once.
class Asking {
 public:
  /// The query must outlive it.
  explicit Asking(const Query&);
  ~Asking();
  /// As ask().
  Reply reply(unsigned seed, unsigned effort = 20'000'000);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Looks for values of the variables that satisfy a query with its products multiplied.
class ModelSearch {
 public:
  ModelSearch(const Query&, const std::vector<std::string>& variables);
  ~ModelSearch();
  /// Values in the order of the variables, each at most its bound in magnitude where it has one; nothing when
  /// none are found, which does not mean that there are none.
  std::optional<Values> find(const std::vector<std::optional<std::int64_t>>& bounds = {});
  /// Lets a search from now on take so long at most.
  void limit(std::chrono::milliseconds);
  /// What the solver said in the last search.
  Answer last() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wgradcheck::proofs
