#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "check/search/expression.hpp"

namespace wgradcheck::check {

/// A property of shapes that a search should aim at, read off a --where expression: how a field of the
/// problem line relates to a value.
struct Aim {
  enum class Kind { equals, multiple, at_least, at_most };
  std::string field;
  Kind kind = Kind::equals;
  Expression value;
};

/// A kernel's domain: a condition over the names of the problem line, in its convention (dh is 0 when dense).
class Where {
 public:
  /// Every shape.
  Where() = default;

  /// Reads integers, names, parentheses and `+ - * / % < <= > >= == != && || !` with C's precedence, except
  /// that comparisons do not chain. Throws BadInput with the column and what was expected there.
  static Where parse(std::string_view text);

  /// Demands the other condition too.
  Where& operator&=(const Where& other);

  /// Whether the shape is in the domain. A shape for which the condition has no value (it divides by zero or
  /// leaves 64 bits) is not.
  bool operator()(const spec::Shape&) const;

  /// The condition as it was written; empty for every shape.
  const std::string& text() const { return text_; }

  /// The comparisons of single fields that the condition holds outside `!`: for `ic%8==0 && kh<=oh` that ic
  /// is a multiple of 8 and kh at most oh. Both sides of `||` are listed.
  const std::vector<Aim>& aims() const { return aims_; }

 private:
  std::string text_;
  Expression condition_{{Op::number, 1}};
  std::vector<Aim> aims_;
};

}  // namespace wgradcheck::check
