#include "check/report/picture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/report/markup.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kMostCells = 12;  ///< of an axis
constexpr int kCell = 54, kLeft = 44, kTop = 40;
constexpr int kMiddle = 31;  ///< of a cell's value and marks, below its labels

int at(std::int64_t index, const Picture::Range& range, int origin) {
  return origin + static_cast<int>(index - range.first) * kCell;
}

bool inside(std::int64_t index, const Picture::Range& range) { return index >= 0 && index < range.size; }

std::string box(int cx, int cy, int half, const char* corners = "") {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>", cx - half, cy - half, 2 * half,
                     2 * half, corners);
}

/// The mark's outline around a point; each mark has a shape of its own.
std::string outline(Mark mark, int cx, int cy) {
  switch (mark) {
    case Mark::due:
    case Mark::outside:
      return box(cx, cy, 17, " rx=\"6\"");
    case Mark::missing:
      return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"18\"/>", cx, cy);
    case Mark::extra:
      return fmt::format("<path d=\"M{} {}l21 20l-21 20l-21 -20z\"/>", cx, cy - 20);
    case Mark::counted:
      return box(cx, cy, 18) + box(cx, cy, 14);
    case Mark::wrong:
      return box(cx, cy, 18);
  }
  return {};
}

/// What a cell shows besides its value: outlines, and above them labels and the sign of the worst mark.
std::string marks_of(const std::vector<Marked>& marks, int x, int y) {
  std::string out, labels;
  constexpr std::size_t kMostLabels = 2;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Marked& m = marks[i];
    // The same outline twice would hide nothing and show nothing.
    const bool again = std::any_of(marks.begin(), marks.begin() + static_cast<std::ptrdiff_t>(i),
                                   [&](const Marked& other) { return other.mark == m.mark; });
    if (!again)
      out += fmt::format("<g class=\"mark {}\">{}</g>", class_of(m.mark),
                         outline(m.mark, x + kCell / 2, y + kMiddle));
    if (m.label.empty() || i > kMostLabels) continue;
    labels += (labels.empty() ? "" : " ") + (i == kMostLabels ? "..." : m.label);
  }
  if (!labels.empty())
    out += fmt::format("<text class=\"with\" x=\"{}\" y=\"{}\">{}</text>", x + 4, y + 11, labels);
  const auto worst = std::max_element(marks.begin(), marks.end(),
                                      [](const Marked& a, const Marked& b) { return a.mark < b.mark; });
  if (worst == marks.end() || worst->mark < Mark::missing) return out;
  return out + fmt::format("<text class=\"sign {}\" x=\"{}\" y=\"{}\">{}{}</text>", class_of(worst->mark),
                           x + kCell - 3, y + 11, sign_of(worst->mark), worst->times);
}

std::string cell(const Picture& p, const Picture::Cell& index) {
  const int x = at(index.second, p.columns, kLeft), y = at(index.first, p.rows, kTop);
  const bool element = inside(index.first, p.rows) && inside(index.second, p.columns);
  const auto value = p.values.find(index);
  std::string out = fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                                element ? "cell" : "pad", x, y, kCell, kCell);
  const std::string text = !element ? "0" : value == p.values.end() ? "" : value->second;
  out += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>",
                     text.size() > 6 ? "value long" : "value", x + kCell / 2, y + kMiddle + 5, escaped(text));
  if (const auto marks = p.marks.find(index); marks != p.marks.end()) out += marks_of(marks->second, x, y);
  return out + "\n";
}

std::string cut(const char* what, const Picture::Range& shown, const Picture::Range& whole) {
  if (shown.first == whole.first && shown.last == whole.last) return {};
  return fmt::format(" Cut: {} {} to {} of {} to {}.", what, shown.first, shown.last, whole.first,
                     whole.last);
}

}  // namespace

const char* class_of(Mark mark) {
  constexpr const char* kClasses[]{"due", "outside", "missing", "extra", "counted", "wrong"};
  return kClasses[static_cast<int>(mark)];
}

const char* sign_of(Mark mark) {
  constexpr const char* kSigns[]{"", "", "&#8722;", "+", "&#215;", "&#8800;"};
  return kSigns[static_cast<int>(mark)];
}

std::string swatch_of(Mark mark) {
  return fmt::format(
      "<svg class=\"swatch\" viewBox=\"0 0 {0} {0}\" width=\"24\" height=\"24\" aria-hidden=\"true\" "
      "xmlns=\"http://www.w3.org/2000/svg\"><g class=\"mark {1}\">{2}</g><text class=\"sign {1} middle\" "
      "x=\"{3}\" "
      "y=\"{4}\">{5}</text></svg>",
      44, class_of(mark), outline(mark, 22, 22), 22, 30, sign_of(mark));
}

Picture::Range window(const Picture::Range& whole, std::int64_t focus) {
  if (whole.last - whole.first < kMostCells) return whole;
  const std::int64_t first = std::clamp(focus - kMostCells / 2, whole.first, whole.last - kMostCells + 1);
  return {first, first + kMostCells - 1, whole.size};
}

std::string svg_of(const Picture& p, const Picture::Range& whole_rows, const Picture::Range& whole_columns) {
  const int width = at(p.columns.last + 1, p.columns, kLeft) + 2,
            height = at(p.rows.last + 1, p.rows, kTop) + 2;
  std::string out = fmt::format(
      "<figure id=\"{0}\"><div class=\"plane\"><svg viewBox=\"0 0 {1} {2}\" width=\"{1}\" height=\"{2}\" "
      "role=\"img\" "
      "aria-label=\"{3}\" xmlns=\"http://www.w3.org/2000/svg\">\n",
      p.id, width, height, escaped(p.title + ", " + p.meaning));
  out += fmt::format(
      "<text class=\"axis\" x=\"{}\" y=\"{}\">{} &#8595;</text><text class=\"axis\" x=\"{}\" y=\"12\">{} "
      "&#8594;</text>",
      kLeft / 2, kTop - 8, p.row, kLeft + kCell / 2, p.column);
  for (std::int64_t c = p.columns.first; c <= p.columns.last; ++c)
    out += fmt::format("<text class=\"axis\" x=\"{}\" y=\"{}\">{}</text>",
                       at(c, p.columns, kLeft) + kCell / 2, kTop - 8, c);
  for (std::int64_t r = p.rows.first; r <= p.rows.last; ++r)
    out += fmt::format("<text class=\"axis\" x=\"{}\" y=\"{}\">{}</text>", kLeft / 2,
                       at(r, p.rows, kTop) + kMiddle + 4, r);
  out += "\n";
  for (std::int64_t r = p.rows.first; r <= p.rows.last; ++r)
    for (std::int64_t c = p.columns.first; c <= p.columns.last; ++c) out += cell(p, {r, c});
  const std::string cuts = cut("rows", p.rows, whole_rows) + cut("columns", p.columns, whole_columns);
  return out + fmt::format("</svg></div>\n<figcaption><b>{}</b> {}{}</figcaption></figure>\n",
                           escaped(p.title), escaped(p.meaning),
                           cuts.empty() ? "" : "<span class=\"cut\">" + cuts + "</span>");
}

}  // namespace wgradcheck::check
