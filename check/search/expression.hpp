#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/shape.hpp"

namespace wgradcheck::check {

/// The names of a problem line's fields (g mb ic oc id ih iw od ... dw); their positions are their indices.
std::span<const std::string> field_names();

/// The index of a field, or nothing when there is no such name.
std::optional<std::int64_t> field_index(std::string_view name);

/// A field's value in the problem line's convention: dh is 0 when the taps are dense.
std::int64_t field_value(const spec::Shape&, std::int64_t index);

/// What one step of an expression does with the values pushed so far.
enum class Op {
  number,
  field,
  negate,
  logical_not,
  multiply,
  divide,
  remainder,
  add,
  subtract,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  logical_and,
  logical_or
};

struct Step {
  Op op = Op::number;
  std::int64_t value = 0;  ///< of a number; the index of a field
  bool operator==(const Step&) const = default;
};

/// An integer expression over the fields of a problem line, in postfix order.
using Expression = std::vector<Step>;

/// The value for a shape, as C computes it in 64 bits; nothing where C would divide by zero or overflow.
std::optional<std::int64_t> evaluate(std::span<const Step>, const spec::Shape&);

}  // namespace wgradcheck::check
