#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/executor.hpp"
#include "check/search/domain.hpp"

/// Learning about a kernel by asking it for sums whose results give its ways away.
namespace wgradcheck::check {

/// One call with all of its numbers, each exact in the element type. A tensor left empty is all zeros.
struct Question {
  Case test;
  std::vector<double> dy{}, x{}, dw{}, bias{};
};

/// What it left.
struct Reply {
  Outcome outcome;
  std::vector<std::byte> bytes{};  ///< of dW; empty unless it returned 0
  std::vector<double> dw{};        ///< the same as numbers

  bool returned() const { return !bytes.empty(); }
  /// Its element of dW, or NaN where the kernel did not return.
  double element(std::int64_t i) const;
};

/// Asks one kernel, through an executor alone, so that it may be anywhere.
class Probe {
 public:
  Probe(Executor& executor, const Domain& domain) : executor_(executor), domain_(domain) {}

  const Domain& domain() const { return domain_; }
  bool host() const { return domain_.abi->host; }
  DType dtype() const { return domain_.abi->dtype; }
  bool guard_pages() const { return executor_.capabilities().guard_pages; }
  /// The case with what the domain sets, or nothing where that does not admit it.
  std::optional<Case> admitted(Case) const;
  std::vector<Reply> ask(std::span<const Question>) const;
  /// Calls made so far.
  std::int64_t calls() const { return calls_; }

 private:
  Executor& executor_;
  const Domain& domain_;
  mutable std::int64_t calls_ = 0;
};

/// Something learnt. It was observed on the shapes named and is proved of none.
struct Fact {
  std::string name;                   ///< stable, such as `accumulator`
  std::string answer;                 ///< in words; empty where there is none
  std::string why{};                  ///< then: why it is not clear
  std::string on{};                   ///< what it was learnt on, in words
  std::vector<std::string> shapes{};  ///< the same as problem lines

  bool clear() const { return why.empty(); }
};

}  // namespace wgradcheck::check
