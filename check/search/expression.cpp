#include "check/search/expression.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace wgradcheck::check {
namespace {

using Value = std::optional<std::int64_t>;

const std::array<std::string, 22> kNames{"g",  "mb", "ic", "oc", "id", "ih", "iw", "od", "oh", "ow", "kd",
                                         "kh", "kw", "sd", "sh", "sw", "pd", "ph", "pw", "dd", "dh", "dw"};

/// Operators that need both values.
Value strict(Op op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (op) {
    case Op::add:
      return __builtin_add_overflow(a, b, &result) ? Value() : result;
    case Op::subtract:
      return __builtin_sub_overflow(a, b, &result) ? Value() : result;
    case Op::multiply:
      return __builtin_mul_overflow(a, b, &result) ? Value() : result;
    case Op::divide:
    case Op::remainder:
      if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min())) return {};
      return op == Op::divide ? a / b : a % b;
    case Op::less:
      return a < b;
    case Op::less_equal:
      return a <= b;
    case Op::greater:
      return a > b;
    case Op::greater_equal:
      return a >= b;
    case Op::equal:
      return a == b;
    case Op::not_equal:
      return a != b;
    default:
      return {};
  }
}

Value binary(Op op, Value a, Value b) {
  if (!a) return {};
  if (op == Op::logical_and) return *a == 0 ? 0 : b ? Value(*b != 0) : b;
  if (op == Op::logical_or) return *a != 0 ? 1 : b ? Value(*b != 0) : b;
  return b ? strict(op, *a, *b) : b;
}

}  // namespace

std::span<const std::string> field_names() { return kNames; }

std::optional<std::int64_t> field_index(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return {};
  return found - kNames.begin();
}

std::int64_t field_value(const spec::Shape& s, std::int64_t index) {
  constexpr std::int64_t kFirstOfAxis = 4;
  if (index < kFirstOfAxis)
    return std::array{s.groups, s.batch, s.in_channels, s.out_channels}[static_cast<std::size_t>(index)];
  const std::int64_t place = index - kFirstOfAxis;
  const auto& a = place % 3 == 0 ? s.depth : place % 3 == 1 ? s.height : s.width;
  return std::array{
      a.input, a.output, a.kernel, a.stride, a.pad_before, a.dilation - 1}[static_cast<std::size_t>(place /
                                                                                                    3)];
}

std::optional<std::int64_t> evaluate(std::span<const Step> steps, const spec::Shape& s) {
  std::vector<Value> stack;
  for (const Step& step : steps) {
    if (step.op == Op::number) {
      stack.push_back(step.value);
    } else if (step.op == Op::field) {
      stack.push_back(field_value(s, step.value));
    } else if (step.op == Op::negate) {
      stack.back() = binary(Op::subtract, 0, stack.back());
    } else if (step.op == Op::logical_not) {
      stack.back() = binary(Op::equal, 0, stack.back());
    } else {
      const Value right = stack.back();
      stack.pop_back();
      stack.back() = binary(step.op, stack.back(), right);
    }
  }
  return stack.back();
}

}  // namespace wgradcheck::check
