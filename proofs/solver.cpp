#include "proofs/solver.hpp"

#include <z3++.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

namespace wgradcheck::proofs {
namespace {

constexpr unsigned kSearchEffort = 1'000'000;

z3::params settings(z3::context& context, unsigned seed, unsigned effort) {
  z3::params settings(context);
  settings.set("random_seed", seed);
  settings.set("rlimit", effort);
  return settings;
}

std::uint64_t effort_of(const z3::solver& solver) {
  const z3::stats statistics = solver.statistics();
  for (unsigned i = 0; i < statistics.size(); ++i)
    if (statistics.key(i) == "rlimit count") return statistics.uint_value(i);
  return 0;
}

Answer answer_of(z3::check_result result) {
  return result == z3::unsat ? Answer::unsatisfiable
         : result == z3::sat ? Answer::satisfiable
                             : Answer::unknown;
}

}  // namespace

Reply ask(const Query& query, unsigned seed, unsigned effort) { return Asking(query).reply(seed, effort); }

struct Asking::State {
  explicit State(const Query& asked) : query(asked), assertions(context.parse_string(query.script.c_str())) {}
  const Query& query;
  z3::context context;
  z3::expr_vector assertions;
  std::uint64_t spent = 0;  ///< effort of the seeds before: the context counts on
};

Asking::Asking(const Query& query) : state_(std::make_unique<State>(query)) {}
Asking::~Asking() = default;

Reply Asking::reply(unsigned seed, unsigned effort) {
  auto& [query, context, assertions, spent] = *state_;
  z3::solver solver(context);
  solver.set(settings(context, seed, effort));
  std::vector<unsigned> order(assertions.size());
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  for (const unsigned i : order)
    solver.add(assertions[static_cast<int>(i)], context.bool_const(std::to_string(i).c_str()));
  Reply reply;
  reply.answer = answer_of(solver.check());
  const std::uint64_t all = effort_of(solver);
  reply.effort = all - std::exchange(spent, all);
  if (reply.answer == Answer::unsatisfiable)
    for (const z3::expr& used : solver.unsat_core())
      reply.core.push_back(query.labels.at(std::stoul(used.decl().name().str())));
  return reply;
}

struct ModelSearch::State {
  z3::context context;
  z3::solver solver{context};
  std::vector<z3::expr> variables;
  Answer last = Answer::unknown;
};

ModelSearch::ModelSearch(const Query& query, const std::vector<std::string>& variables)
    : state_(std::make_unique<State>()) {
  auto& [context, solver, unknowns, last] = *state_;
  solver.set(settings(context, 0, kSearchEffort));
  solver.add(context.parse_string(query.script.c_str()));
  for (const std::string& name : variables) unknowns.push_back(context.int_const(name.c_str()));
}

ModelSearch::~ModelSearch() = default;

std::optional<Values> ModelSearch::find(const std::vector<std::optional<std::int64_t>>& bounds) {
  auto& [context, solver, unknowns, last] = *state_;
  solver.push();
  for (std::size_t i = 0; i < bounds.size(); ++i)
    if (bounds[i]) {
      const z3::expr bound = context.int_val(*bounds[i]);
      solver.add(-bound <= unknowns[i] && unknowns[i] <= bound);
    }
  last = answer_of(solver.check());
  std::optional<Values> values;
  if (last == Answer::satisfiable) {
    values.emplace();
    const z3::model model = solver.get_model();
    for (const z3::expr& unknown : unknowns) {
      std::int64_t value = 0;
      if (!model.eval(unknown, true).is_numeral_i64(value)) {
        values.reset();
        break;
      }
      values->push_back(value);
    }
  }
  solver.pop();
  return values;
}

void ModelSearch::limit(std::chrono::milliseconds most) {
  state_->solver.set("timeout", static_cast<unsigned>(most.count()));
}

Answer ModelSearch::last() const { return state_->last; }

}  // namespace wgradcheck::proofs
