#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "check/judge/court.hpp"
#include "check/judge/rounding.hpp"
#include "check/report/replay.hpp"

namespace wgradcheck::check {

/// How the dW of two kernels compare that were given the same bytes.
enum class Agreement {
  same,    ///< bit by bit
  within,  ///< other bits, each within the error that the promises allow; zeros by their sign alone
  beyond,  ///< one of them lies outside that, or exact data give other values, or only one returned
};

/// Runs of a class of shapes, by how they compare.
struct AgreementCounts {
  std::string name;
  std::int64_t same = 0, within = 0, beyond = 0;

  void add(Agreement);
  std::int64_t runs() const { return same + within + beyond; }
};

/// A run in which the kernels differ, as small as it gets.
struct Difference {
  Trial trial;
  Case first;  ///< the one that differed first
  Agreement kind = Agreement::beyond;
  std::string detail;                      ///< one sentence
  std::optional<spec::Element> element{};  ///< the first that differs; nothing where one did not return
  double now = 0, before = 0;
  std::optional<Allowed> allowed{};  ///< of that element, on finite data
};

/// All runs of a check on a new kernel compared with an old one.
struct Differences {
  std::string old;  ///< the old kernel and its symbol
  AgreementCounts all{"all"};
  std::vector<AgreementCounts> by_class;
  std::int64_t now_outside = 0, before_outside = 0;  ///< of those beyond: which of the two a judge blames
  std::int64_t not_compared = 0;    ///< runs that one of the two did not make, or from which neither returned
  std::optional<Difference> first;  ///< one beyond the bound where there is any
};

/// "12 of 400 runs differ from old.so beyond the bound."
std::string headline(const Differences&);

/// The table by class and the first difference, on 80 columns.
std::string text_of(const Differences&, const Invocation&);

/// The same by stable names.
nlohmann::ordered_json json_of(const Differences&, const Invocation&);

}  // namespace wgradcheck::check
