#include "check/search/where.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "check/kernel.hpp"

namespace wgradcheck::check {
namespace {

struct Operator {
  std::string_view spelling;
  Op op;
  int precedence;
};

constexpr int kComparison = 3, kEquality = 2;
/// A spelling stands before its own prefixes.
constexpr std::array<Operator, 13> kOperators{{{"||", Op::logical_or, 0},
                                               {"&&", Op::logical_and, 1},
                                               {"==", Op::equal, kEquality},
                                               {"!=", Op::not_equal, kEquality},
                                               {"<=", Op::less_equal, kComparison},
                                               {">=", Op::greater_equal, kComparison},
                                               {"<", Op::less, kComparison},
                                               {">", Op::greater, kComparison},
                                               {"+", Op::add, 4},
                                               {"-", Op::subtract, 4},
                                               {"*", Op::multiply, 5},
                                               {"/", Op::divide, 5},
                                               {"%", Op::remainder, 5}}};

bool compares(const Operator& o) { return o.precedence == kComparison || o.precedence == kEquality; }

/// The same comparison with its sides exchanged.
Op mirrored(Op op) {
  switch (op) {
    case Op::less:
      return Op::greater;
    case Op::less_equal:
      return Op::greater_equal;
    case Op::greater:
      return Op::less;
    case Op::greater_equal:
      return Op::less_equal;
    default:
      return op;
  }
}

/// Whether the steps push exactly one value of their own.
bool is_whole(std::span<const Step> steps) {
  std::int64_t depth = 0;
  for (const Step& s : steps) {
    if (s.op == Op::number || s.op == Op::field)
      ++depth;
    else if (s.op != Op::negate && s.op != Op::logical_not)
      --depth;
    if (depth < 1) return false;
  }
  return depth == 1;
}

bool has_field(std::span<const Step> steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Step& s) { return s.op == Op::field; });
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Expression condition() {
    binary(0);
    if (position_ < text_.size()) fail("an operator or the end");
    return std::move(steps_);
  }
  std::vector<Aim> aims() { return std::move(aims_); }

 private:
  static constexpr int kDeepest = 100;

  [[noreturn]] void fail_at(std::size_t position, const std::string& what) const {
    throw BadInput{fmt::format("--where \"{}\": {} at column {}", text_, what, position + 1)};
  }
  [[noreturn]] void fail(std::string_view expected) const {
    const std::string_view found = text_.substr(position_, 1);
    // One character short of an operator: say which.
    if (expected.starts_with("an operator"))
      for (const std::string_view whole : {"==", "&&", "||"})
        if (found == whole.substr(0, 1))
          fail_at(position_, fmt::format("expected {}, found {}", whole, found));
    fail_at(position_, found.empty() ? fmt::format("expected {}, found the end", expected)
                                     : fmt::format("expected {}, found {}", expected, found));
  }

  void skip_space() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
  }
  bool take(std::string_view spelling) {
    if (!text_.substr(position_).starts_with(spelling)) return false;
    position_ += spelling.size();
    skip_space();
    return true;
  }
  template <class Test>
  std::string_view take_while(Test test) {
    const std::size_t start = position_;
    while (position_ < text_.size() && test(text_[position_])) ++position_;
    const std::string_view taken = text_.substr(start, position_ - start);
    skip_space();
    return taken;
  }

  const Operator* peek() const {
    const std::string_view rest = text_.substr(position_);
    const auto found = std::find_if(kOperators.begin(), kOperators.end(),
                                    [rest](const Operator& o) { return rest.starts_with(o.spelling); });
    return found == kOperators.end() ? nullptr : &*found;
  }

  /// An operand and every operator after it that binds at least so tightly.
  void binary(int precedence) {
    const std::size_t left = steps_.size();
    operand();
    for (const Operator* o = peek(); o && o->precedence >= precedence; o = peek()) {
      const std::size_t column = position_, right = steps_.size();
      take(o->spelling);
      binary(o->precedence + 1);
      finish(*o, column, left, right);
    }
  }

  void finish(const Operator& o, std::size_t column, std::size_t left, std::size_t right) {
    const std::span<const Step> a = std::span(steps_).subspan(left, right - left);
    const std::span<const Step> b = std::span(steps_).subspan(right);
    if ((o.op == Op::divide || o.op == Op::remainder) && !has_field(b) && evaluate(b, {}) == 0)
      fail_at(column, "division by zero");
    if (compares(o) && negations_ == 0) {
      aim(a, o.op, b);
      aim(b, mirrored(o.op), a);
    }
    steps_.push_back({o.op, 0});
    if (const Operator* next = peek(); compares(o) && next && next->precedence == o.precedence)
      fail("&& between two comparisons");
  }

  /// Notes what a comparison says of the field on its left.
  void aim(std::span<const Step> a, Op op, std::span<const Step> b) {
    if (a.empty() || a[0].op != Op::field) return;
    const auto add = [&](Aim::Kind kind, std::span<const Step> value, std::int64_t more = 0) {
      if (std::find(value.begin(), value.end(), a[0]) != value.end()) return;
      Aim found{field_names()[static_cast<std::size_t>(a[0].value)], kind, {value.begin(), value.end()}};
      if (more != 0) found.value.insert(found.value.end(), {{Op::number, more}, {Op::add, 0}});
      aims_.push_back(std::move(found));
    };
    const bool is_zero = b.size() == 1 && b[0] == Step{Op::number, 0};
    if (op == Op::equal && is_zero && a.back().op == Op::remainder && is_whole(a.subspan(1, a.size() - 2)))
      add(Aim::Kind::multiple, a.subspan(1, a.size() - 2));
    if (a.size() > 1) return;
    if (op == Op::equal) add(Aim::Kind::equals, b);
    if (op == Op::greater_equal) add(Aim::Kind::at_least, b);
    if (op == Op::greater) add(Aim::Kind::at_least, b, 1);
    if (op == Op::less_equal) add(Aim::Kind::at_most, b);
    if (op == Op::less) add(Aim::Kind::at_most, b, -1);
  }

  void operand() {
    skip_space();
    if (++depth_ > kDeepest) fail_at(position_, fmt::format("more than {} nested operands", kDeepest));
    const std::size_t start = position_;
    if (take("!")) {
      ++negations_;
      operand();
      --negations_;
      steps_.push_back({Op::logical_not, 0});
    } else if (take("-")) {
      operand();
      steps_.push_back({Op::negate, 0});
    } else if (take("+")) {
      operand();
    } else if (take("(")) {
      binary(0);
      if (!take(")")) fail("an operator or )");
    } else if (const auto digits = take_while([](char c) { return c >= '0' && c <= '9'; }); !digits.empty()) {
      std::int64_t value = 0;
      if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc())
        fail_at(start, fmt::format("{} does not fit 64 bits", digits));
      steps_.push_back({Op::number, value});
    } else if (const auto name = take_while([](char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; });
               !name.empty()) {
      const auto index = field_index(name);
      if (!index)
        fail_at(start, fmt::format("unknown name {} (known: {})", name, fmt::join(field_names(), " ")));
      steps_.push_back({Op::field, *index});
    } else {
      fail("a number, a name, (, ! or -");
    }
    --depth_;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  int depth_ = 0, negations_ = 0;
  Expression steps_;
  std::vector<Aim> aims_;
};

}  // namespace

Where Where::parse(std::string_view text) {
  Parser parser(text);
  Where where;
  where.condition_ = parser.condition();
  where.aims_ = parser.aims();
  where.text_ = text;
  return where;
}

Where& Where::operator&=(const Where& other) {
  if (other.text_.empty()) return *this;
  if (text_.empty()) return *this = other;
  const auto enclosed = [](const std::string& text) {
    return text.find("||") == std::string::npos ? text : "(" + text + ")";
  };
  text_ = enclosed(text_) + " && " + enclosed(other.text_);
  condition_.insert(condition_.end(), other.condition_.begin(), other.condition_.end());
  condition_.push_back({Op::logical_and, 0});
  aims_.insert(aims_.end(), other.aims_.begin(), other.aims_.end());
  return *this;
}

bool Where::operator()(const spec::Shape& s) const { return evaluate(condition_, s).value_or(0) != 0; }

}  // namespace wgradcheck::check
