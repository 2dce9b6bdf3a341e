#include "check/report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "check/report/account.hpp"
#include "check/report/drawing.hpp"
#include "check/report/markup.hpp"
#include "check/report/report.hpp"
#include "check/report/words.hpp"
#include "embedded.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::size_t kMostRows = 12;  ///< of the table of products

constexpr const char* kFormula =
    "<pre class=\"formula\">dw[g,co,kh,kw,ci] = sum over n,oh,ow of dy[n,oh,ow,g*Co'+co] * "
    "x[n,y,x,g*Ci'+ci]\n"
    "y = oh*stride_h + kh*dilation_h - pad_u    x = ow*stride_w + kw*dilation_w - pad_l    0 outside</pre>\n";

std::string term(const char* name, const std::string& html) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html);
}

std::string coded(const std::string& text) { return "<code>" + escaped(text) + "</code>"; }

std::string numbers(const Account& a) {
  if (a.element.empty()) return {};
  return fmt::format(
      "<div class=\"numbers\"><div class=\"mono\"><span class=\"soft\">element</span><b>{}</b></div>"
      "<div class=\"mono got\"><span class=\"soft\">got</span><b>{}</b></div>"
      "<div class=\"mono\"><span class=\"soft\">expected</span><b>{}</b></div></div>\n",
      escaped(a.element), a.got, a.expected);
}

/// The wrong products with their factors' values.
std::string products(const Counterexample& found) {
  const Diagnosis& d = found.diagnosis;
  if (!d.products_known) return {};
  const Trial& trial = found.trial;
  const Data data = make_data(trial.test, trial.fill);
  std::string rows;
  for (std::size_t i = 0; i < std::min(d.products.size(), kMostRows); ++i) {
    const WrongProduct& p = d.products[i];
    const char* const kind = p.counted == 0 ? "missing" : p.due == 0 ? "extra" : "counted";
    const double dy = element_of(data, BufferId::dy, p.dy), x = element_of(data, BufferId::x, p.x);
    rows += fmt::format(
        "<tr><td><span class=\"kind {0}\">{0}</span></td><td><code>{1}</code></td><td "
        "class=\"right\">{2}</td>"
        "<td><code>{3}</code></td><td class=\"right\">{4}</td><td class=\"right\">{5}</td><td "
        "class=\"right\">{6}</td>"
        "<td class=\"right\">{7}</td></tr>\n",
        kind, describe_pixel(BufferId::dy, trial.test.shape, p.dy), number(dy),
        describe_pixel(BufferId::x, trial.test.shape, p.x), number(x), number(dy * x), number(p.due),
        number(p.counted));
  }
  const std::string more =
      d.products.size() > kMostRows
          ? fmt::format("<p class=\"cut\">{} more are not listed.</p>\n", d.products.size() - kMostRows)
          : "";
  return fmt::format(
      "<h3>Wrong products of {}</h3>\n<div "
      "class=\"scroll\"><table><thead><tr><th></th><th>dy</th><th></th><th>x</th>"
      "<th></th><th class=\"right\">product</th><th class=\"right\">due</th><th "
      "class=\"right\">counted</th></tr></thead>"
      "<tbody>\n{}</tbody></table></div>\n{}",
      escaped(describe(d.element, trial.test.shape)), rows, more);
}

std::string tools(const Account& a) {
  std::string out = "<h3>The same problem for other testers</h3>\n";
  for (const ToolLine& tool : a.tools) {
    out += fmt::format("<p class=\"tool\">{}</p>\n", tool.tool);
    out += tool.line.empty()
               ? fmt::format("<p class=\"soft\">It cannot run this problem: {}.</p>\n", escaped(tool.why_not))
               : fmt::format("<pre>{}</pre>\n", escaped(tool.line));
  }
  return out;
}

std::string counterexample(const Counterexample& found, const Invocation& how) {
  const Account a = account_of(found, how);
  std::string out = fmt::format("<section class=\"counterexample\" id=\"{0}\">\n<h2>{0}: {1}</h2>\n",
                                a.property, escaped(a.detail));
  out += numbers(a) + "<dl>\n" + term("shape", coded(a.shape)) + term("call", escaped(a.call));
  if (!a.first.empty()) out += term("first", escaped(a.first));
  out += "</dl>\n";
  if (!a.diagnosis.empty()) out += fmt::format("<p class=\"says\">{}</p>\n", escaped(a.diagnosis.back()));
  if (found.finding.property == Property::formula && !found.diagnosis.bilinear)
    out += fmt::format("<p>{}</p>\n", escaped(a.diagnosis.front()));
  if (!a.where.empty()) out += fmt::format("<p>{}</p>\n", escaped(a.where));
  out += drawing_of(found);
  if (found.finding.element) {
    out += key_of_marks();
    if (!found.diagnosis.products_known)
      out +=
          "<p class=\"cut\">Which products the kernel counted is not known here; those of the formula are "
          "marked.</p>\n";
  }
  out += products(found) + "<h3>Formula</h3>\n" + kFormula + tools(a);
  return out +
         fmt::format("<h3>Replay</h3>\n<pre class=\"replay\">{}</pre>\n</section>\n", escaped(a.replay));
}

std::string classes(const Verdict& v) {
  if (v.run == 0) return {};
  std::string out = "<h3>Classes of shapes, by share of the runs</h3>\n<ul class=\"classes\">\n";
  for (const auto& [name, count] : v.by_class)
    out += fmt::format(
        "<li><span>{0}</span><span class=\"bar\"><i style=\"width:{1}%\"></i></span><span "
        "class=\"share\">{1}%</span></li>\n",
        escaped(name), percent(count, v.run));
  return out + "</ul>\n";
}

/// The runs of two kernels compared, by class of shapes.
std::string agreement(const Differences& d) {
  std::string out =
      "<h3>Compared with the old kernel, by class of shapes</h3>\n<div class=\"scroll\"><table><thead><tr>"
      "<th></th><th class=\"right\">runs</th><th class=\"right\">same bits</th>"
      "<th class=\"right\">within the bound</th><th class=\"right\">beyond</th></tr></thead><tbody>\n";
  const auto row = [&out](const AgreementCounts& c) {
    out += fmt::format("<tr><td>{}</td>", escaped(c.name));
    for (const std::int64_t count : {c.runs(), c.same, c.within, c.beyond})
      out += fmt::format("<td class=\"right\">{}</td>", grouped(count));
    out += "</tr>\n";
  };
  row(d.all);
  for (const AgreementCounts& c : d.by_class)
    if (c.runs()) row(c);
  return out + "</tbody></table></div>\n";
}

std::string promises(const Verdict& v) {
  std::istringstream words(v.promises);
  std::string out = "<ul class=\"promises\">";
  for (std::string word; words >> word;) out += "<li>" + coded(word) + "</li>";
  return out + "</ul>";
}

std::string search(const Verdict& v) {
  std::string out = "<section id=\"search\">\n<h2>What was run</h2>\n<dl>\n";
  out += term("kernel", escaped(v.kernel + ", called as " + v.abi)) + term("domain", escaped(v.domain)) +
         term("promises", promises(v));
  out += term("runs", runs_in_words(v) + fmt::format(", {:.1f} s", v.seconds));
  if (v.refused) out += term("refusals", grouped(v.refused) + " further calls with invalid parameters");
  if (v.run) out += term("sizes", escaped(v.largest));
  if (!v.workspace.empty()) out += term("workspace", escaped(v.workspace));
  if (v.against)
    out += term("against", escaped(headline(*v.against)) + (v.against->all.beyond ? " &#10007;" : ""));
  if (v.rounding.worst >= 0) out += term("rounding", escaped(rounding_in_words(v)));
  for (const auto& [why, count] : v.skipped_because)
    out += term("skipped", fmt::format("{}: {}", count, escaped(why)));
  for (const std::string& channel : v.channels_skipped) out += term("skipped", "channel " + channel);
  for (const std::string& what : v.unseen) out += term("unseen", escaped(what));
  for (const std::string& name : v.neglected)
    out += term("neglected", escaped(name) + ": under 2 % of the runs");
  out += "</dl>\n" + classes(v);
  if (v.against) out += agreement(*v.against);
  if (!v.notes.empty()) {
    out += "<h3>Notes</h3>\n<ul class=\"notes\">\n";
    for (const std::string& note : v.notes) out += "<li>" + escaped(note) + "</li>\n";
    out += "</ul>\n";
  }
  if (v.further)
    out += fmt::format("<p>Further cases, {} of them, are in {}.</p>\n", v.further, escaped(v.further_in));
  if (v.answer == Verdict::Answer::pass)
    out += fmt::format("<p class=\"soft\">{}</p>\n", limits_in_words(v.fresh_seed, v.channels_skipped));
  return out + "</section>\n";
}

}  // namespace

std::string html_report(const Verdict& v, const Invocation& how) {
  constexpr const char* kVerdicts[]{"&#10003; PASS", "&#10007; FAIL", "? NO VERDICT"};
  const std::string answer = name_of(v.answer);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta "
      "charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>{}: {}</title>\n"
      "<style>\n{}</style>\n</head>\n<body>\n<main>\n",
      answer, escaped(v.kernel), kPageStyle);
  out += fmt::format(
      "<header class=\"{}\">\n<p class=\"verdict\">{}</p>\n<h1>{}</h1>\n<p "
      "class=\"soft\">{}</p>\n</header>\n",
      answer, kVerdicts[static_cast<int>(v.answer)], escaped(v.kernel), headline(v));
  for (const Counterexample& found : v.counterexamples) out += counterexample(found, how);
  out += search(v);
  // A counterexample has its own.
  if (v.counterexamples.empty())
    out +=
        fmt::format("<section id=\"replay\">\n<h2>Replay</h2>\n<pre class=\"replay\">{}</pre>\n</section>\n",
                    escaped(last_command(v, how)));
  return out + fmt::format("<footer>wgradcheck {}</footer>\n</main>\n</body>\n</html>\n", WGRADCHECK_VERSION);
}

}  // namespace wgradcheck::check
