#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace wgradcheck::check {

/// What a cell of a plane has to do with the element in question.
enum class Mark {
  due,      ///< in a product that the formula asks for and the kernel counted once
  outside,  ///< a tap in the padding, whose term is 0
  missing,  ///< in a product that the kernel left out
  extra,    ///< in a product that the formula does not have
  counted,  ///< in a product that the kernel counted another number of times
  wrong     ///< of dW: the element itself
};

/// The class of a mark in the page's style, and its sign, which does not rest on colour; the sign is HTML.
const char* class_of(Mark);
const char* sign_of(Mark);

/// A mark alone, as in a key.
std::string swatch_of(Mark);

/// One thing to mark: `label` says with what the cell is multiplied, `times` how often it was counted.
struct Marked {
  Mark mark;
  std::string label, times;
};

/// A plane of a tensor to draw: rows and columns from `first` to `last`, those of [0, size) being elements
/// and the others padding.
struct Picture {
  struct Range {
    std::int64_t first = 0, last = 0, size = 0;
  };
  using Cell = std::pair<std::int64_t, std::int64_t>;  ///< row, column

  std::string id, title, meaning;        ///< what it is called, and what it is
  const char *row = "h", *column = "w";  ///< names of the axes
  Range rows, columns;
  std::map<Cell, std::string> values;
  std::map<Cell, std::vector<Marked>> marks;
};

/// The rows or columns around `focus` that are drawn, no more than fit.
Picture::Range window(const Picture::Range&, std::int64_t focus);

/// The figure, in rows and columns already cut to a window; `whole_rows`, `whole_columns` are those before.
std::string svg_of(const Picture&, const Picture::Range& whole_rows, const Picture::Range& whole_columns);

}  // namespace wgradcheck::check
