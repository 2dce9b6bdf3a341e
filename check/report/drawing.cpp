#include "check/report/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "check/report/markup.hpp"
#include "check/report/picture.hpp"
#include "check/report/words.hpp"
#include "spec/wgrad.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::size_t kMostPlanes = 4;       ///< of a tensor
constexpr std::size_t kMostProducts = 4096;  ///< of the element that are marked

/// A number to as many digits as a cell has room for.
std::string in_cell(double value, int digits) {
  return std::isnan(value) ? number(value) : fmt::format("{:.{}g}", value, digits);
}

bool same_plane(const Pixel& p, const Pixel& q) { return p.n == q.n && p.d == q.d && p.c == q.c; }

/// A product of the element in question and what there is to say of it.
struct Product {
  Pixel dy, x;
  Mark mark;
  std::string times;
};

/// One of the two factors: its tensor's extents, numbers and pads.
struct Tensor {
  BufferId id;
  const char* meaning;
  std::int64_t depth, channels;
  Picture::Range rows, columns;

  std::int64_t index(const Pixel& p) const {
    return spec::channels_last(depth, rows.size, columns.size, channels, p.n, p.d, p.h, p.w, p.c);
  }
};

Picture::Range padded(const spec::Axis<std::int64_t>& a) {
  return {-a.pad_before, a.input - 1 + std::max<std::int64_t>(spec::pad_after(a), 0), a.input};
}

/// Draws one counterexample.
class Figures {
 public:
  explicit Figures(const Counterexample& found)
      : found_(found),
        shape_(found.trial.test.shape),
        data_(make_data(found.trial.test, found.trial.fill)),
        x_{BufferId::x,        "the input with its padding", shape_.depth.input,
           shape_.in_channels, padded(shape_.height),        padded(shape_.width)},
        dy_{BufferId::dy,
            "the output's gradient",
            shape_.depth.output,
            shape_.out_channels,
            {0, shape_.height.output - 1, shape_.height.output},
            {0, shape_.width.output - 1, shape_.width.output}} {
    if (found.diagnosis.products_known)
      element_ = found.diagnosis.element;
    else
      element_ = found.finding.element;
    if (element_) collect();
  }

  std::string html() const {
    std::string out = planes(x_, &Product::x, &Product::dy) + planes(dy_, &Product::dy, &Product::x);
    if (element_) out += filter();
    return "<div class=\"figures\">\n" + out + "</div>\n" + remarks();
  }

 private:
  /// The products that are wrong, then those that are right.
  void collect() {
    std::set<std::pair<std::int64_t, std::int64_t>> wrong;
    const auto add = [this](std::int64_t dy, std::int64_t x, Mark mark, const std::string& times) {
      if (products_.size() < kMostProducts)
        products_.push_back(
            {pixel_at(BufferId::dy, shape_, dy), pixel_at(BufferId::x, shape_, x), mark, times});
      else
        ++unmarked_;
    };
    if (found_.diagnosis.products_known)
      for (const WrongProduct& p : found_.diagnosis.products) {
        wrong.emplace(p.dy, p.x);
        const Mark mark = p.counted == 0 ? Mark::missing : p.due == 0 ? Mark::extra : Mark::counted;
        add(p.dy, p.x, mark, p.counted == 0 || p.counted == 1 ? "" : fmt::format("{:.4g}", p.counted));
      }
    spec::each_product(shape_, *element_, [&](std::int64_t dy, std::int64_t x) {
      if (!wrong.contains({dy, x})) add(dy, x, Mark::due, "");
    });
  }

  std::int64_t x_channel() const {
    return element_ ? element_->g * spec::in_per_group(shape_) + element_->ci : 0;
  }
  std::int64_t dy_channel() const {
    return element_ ? element_->g * spec::out_per_group(shape_) + element_->co : 0;
  }

  /// The other factor, as the label of a cell: its place in its plane, and its plane where that is another.
  std::string label(const Pixel& own, const Pixel& other, bool other_is_dy) const {
    const std::int64_t channel = other_is_dy ? dy_channel() : x_channel();
    return (other.n == own.n ? "" : fmt::format("n{}:", other.n)) +
           (other.c == channel ? "" : fmt::format("c{}:", other.c)) + fmt::format("{},{}", other.h, other.w);
  }

  std::string planes(const Tensor& t, Pixel Product::*own, Pixel Product::*other) const {
    const bool is_x = own == &Product::x;
    std::vector<Pixel> drawn;
    for (const Product& p : products_)
      if (std::ranges::none_of(drawn, [&](const Pixel& q) { return same_plane(q, p.*own); }))
        drawn.push_back(p.*own);
    // Without a product there is still the plane that the element would be of.
    if (drawn.empty()) drawn.push_back({0, 0, 0, 0, is_x ? x_channel() : dy_channel()});
    std::string out;
    for (std::size_t i = 0; i < std::min(drawn.size(), kMostPlanes); ++i) {
      Picture p = plane(t, drawn[i]);
      for (const Product& product : products_)
        if (same_plane(drawn[i], product.*own))
          p.marks[{(product.*own).h, (product.*own).w}].push_back(
              {product.mark, label(product.*own, product.*other, is_x), product.times});
      if (is_x && element_ && drawn[i].c == x_channel()) mark_padding(p);
      out += windowed(p, t, drawn[i]);
    }
    if (drawn.size() > kMostPlanes)
      out += fmt::format("<p class=\"cut\">{} more planes of {} are not drawn.</p>\n",
                         drawn.size() - kMostPlanes, name_of(t.id));
    return out;
  }

  Picture plane(const Tensor& t, const Pixel& at) const {
    Picture p;
    const std::string depth = t.depth > 1 ? fmt::format("[d{}]", at.d) : "";
    p.id =
        fmt::format("{}-{}-n{}-d{}-c{}", name_of(found_.finding.property), name_of(t.id), at.n, at.d, at.c);
    p.title = fmt::format("{}[n{}]{}[h][w][c{}]", name_of(t.id), at.n, depth, at.c);
    p.meaning = t.meaning;
    return p;
  }

  /// The element's taps that lie outside the input.
  void mark_padding(Picture& p) const {
    for (std::int64_t oh = 0; oh < std::min<std::int64_t>(shape_.height.output, kMostProducts); ++oh)
      for (std::int64_t ow = 0; ow < std::min<std::int64_t>(shape_.width.output, kMostProducts / 64); ++ow)
        if (!spec::touches(shape_.height, oh, element_->kh) || !spec::touches(shape_.width, ow, element_->kw))
          p.marks[{spec::input_at(shape_.height, oh, element_->kh),
                   spec::input_at(shape_.width, ow, element_->kw)}]
              .push_back({Mark::outside, fmt::format("{},{}", oh, ow), ""});
  }

  /// Cuts the plane around its worst mark and writes its numbers in.
  std::string windowed(Picture& p, const Tensor& t, Pixel at) const {
    Picture::Cell focus{0, 0};
    std::optional<Mark> worst;
    for (const auto& [cell, marks] : p.marks)
      for (const Marked& m : marks)
        if (!worst || m.mark > *worst) worst = m.mark, focus = cell;
    p.rows = window(t.rows, focus.first);
    p.columns = window(t.columns, focus.second);
    for (at.h = std::max<std::int64_t>(p.rows.first, 0); at.h <= std::min(p.rows.last, t.rows.size - 1);
         ++at.h)
      for (at.w = std::max<std::int64_t>(p.columns.first, 0);
           at.w <= std::min(p.columns.last, t.columns.size - 1); ++at.w)
        p.values[{at.h, at.w}] = value(t, t.index(at));
    return svg_of(p, t.rows, t.columns);
  }

  std::string value(const Tensor& t, std::int64_t index) const {
    return in_cell(element_of(data_, t.id, index), 4);
  }

  std::string filter() const {
    const spec::Element& e = *element_;
    Picture p;
    p.id = fmt::format("{}-dw", name_of(found_.finding.property));
    p.title = fmt::format("dW[g{}][co{}][kh][kw][ci{}]", e.g, e.co, e.ci);
    const bool same = e == found_.finding.element;
    p.meaning = "the filter's gradient";
    if (same)
      p.meaning +=
          fmt::format(": got {}, expected {}", number(found_.finding.got), number(found_.finding.expected));
    p.row = "kh";
    p.column = "kw";
    const Picture::Range rows{0, shape_.height.kernel - 1, shape_.height.kernel},
        columns{0, shape_.width.kernel - 1, shape_.width.kernel};
    p.rows = window(rows, e.kh);
    p.columns = window(columns, e.kw);
    if (same) p.values[{e.kh, e.kw}] = in_cell(found_.finding.got, 6);
    p.marks[{e.kh, e.kw}].push_back({Mark::wrong, "", ""});
    return svg_of(p, rows, columns);
  }

  std::string remarks() const {
    if (unmarked_)
      return fmt::format("<p class=\"cut\">{} further products of the element are not marked.</p>\n",
                         unmarked_);
    return {};
  }

  const Counterexample& found_;
  const spec::Shape& shape_;
  Data data_;
  Tensor x_, dy_;
  std::optional<spec::Element> element_;
  std::vector<Product> products_;
  std::int64_t unmarked_ = 0;
};

/// A buffer as a bar between what may not be touched, and where it was missed.
std::string bar(const Stray& stray, const Case& c) {
  const std::int64_t bytes = bytes_of(c, stray.buffer);
  constexpr int kStart = 180, kEnd = 460, kWidth = 640;
  const int at = stray.offset < 0        ? kStart - 60
                 : stray.offset >= bytes ? kEnd + 60
                                         : kStart + static_cast<int>((kEnd - kStart) * stray.offset / bytes);
  const std::string name = name_of(stray.buffer);
  std::string out = fmt::format(
      "<figure id=\"stray\"><div class=\"plane\"><svg viewBox=\"0 0 {0} 120\" width=\"{0}\" height=\"120\" "
      "role=\"img\" "
      "aria-label=\"{1}\" xmlns=\"http://www.w3.org/2000/svg\">\n",
      kWidth, escaped(describe(stray, c)));
  out += fmt::format(
      "<rect class=\"pad\" x=\"2\" y=\"40\" width=\"{}\" height=\"44\"/>"
      "<rect class=\"cell\" x=\"{}\" y=\"40\" width=\"{}\" height=\"44\"/>"
      "<rect class=\"pad\" x=\"{}\" y=\"40\" width=\"{}\" height=\"44\"/>\n",
      kStart - 2, kStart, kEnd - kStart, kEnd, kWidth - kEnd - 2);
  const auto text = [&out](const char* style, int x, int y, const std::string& words) {
    out += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>", style, x, y, escaped(words));
  };
  text("name", (kStart + kEnd) / 2, 67, name);
  text("axis", kStart, 102, "0");
  text("axis", kEnd, 102, fmt::format("{} bytes", bytes));
  text("axis", 60, 102, "not to be touched");
  text("axis", kWidth - 62, 102, "not to be touched");
  out += fmt::format("<g class=\"mark extra\"><path d=\"M{} 42l20 20l-20 20l-20 -20z\"/></g>", at);
  text("sign extra middle", at, 67, stray.write ? "W" : "R");
  text("axis strong", at, 28, fmt::format("{} at byte {}", stray.write ? "write" : "read", stray.offset));
  return out + fmt::format("</svg></div>\n<figcaption><b>{}</b> {}</figcaption></figure>\n", name,
                           escaped(describe(stray, c)));
}

}  // namespace

std::string drawing_of(const Counterexample& found) {
  const std::string stray = found.finding.stray ? bar(*found.finding.stray, found.trial.test) : "";
  return stray + Figures(found).html();
}

std::string key_of_marks() {
  constexpr std::pair<Mark, const char*> kKey[]{{Mark::due, "in a product, rightly"},
                                                {Mark::outside, "a tap in the padding"},
                                                {Mark::missing, "in a product that is missing"},
                                                {Mark::extra, "in a product that is extra"},
                                                {Mark::counted, "in a product counted several times"},
                                                {Mark::wrong, "the wrong element"}};
  std::string out = "<ul class=\"key\">\n";
  for (const auto& [mark, meaning] : kKey) out += fmt::format("<li>{} {}</li>\n", swatch_of(mark), meaning);
  return out + "<li><span class=\"small\">1,0</span> the h,w of the other factor</li>\n</ul>\n";
}

}  // namespace wgradcheck::check
