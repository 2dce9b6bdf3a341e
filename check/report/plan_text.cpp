#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/report/plan.hpp"
#include "check/report/words.hpp"
#include "check/search/expression.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::size_t kColumns = 80, kLabel = 13;

std::string field(const char* label, const std::string& text) {
  return fmt::format("  {:<11}{}\n", label, wrapped(text, kColumns - kLabel, kLabel));
}

std::string number(PlanSizes::Size size) {
  return size ? fmt::format("{}", *size) : "more than 64 bits hold";
}

std::string axis_row(const char* name, const spec::Axis<std::int64_t>& a) {
  return fmt::format("  {:<8}{:>8}{:>8}{:>8}{:>8}{:>10}{:>12}{:>11}\n", name, a.input, a.output, a.kernel,
                     a.stride, a.dilation, a.pad_before, spec::pad_after(a));
}

const char* path_name(const LinePlan& plan) {
  return plan.call ? name_of(spec::path_of(*plan.call)) : "none";
}

std::string path_text(const LinePlan& plan) {
  if (!plan.call) return "none: ConvParameter has no depth, so this convention cannot express a 3D shape";
  if (plan.not_depthwise.empty())
    return "depthwise: output_channel_, group_ and input_channel_ are equal and both dilations are 1";
  const std::string other = fmt::format("not depthwise ({})", fmt::join(plan.not_depthwise, "; "));
  if (plan.not_pointwise.empty())
    return "pointwise: one tap, no padding, unit steps, one group and equal planes; " + other;
  return fmt::format("general: {}, and not pointwise ({})", other, fmt::join(plan.not_pointwise, "; "));
}

nlohmann::ordered_json json_number(PlanSizes::Size size) {
  return size ? nlohmann::ordered_json(*size) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::string text_of(const LinePlan& plan) {
  const spec::Shape& s = plan.shape;
  const std::int64_t bytes = size_of(plan.dtype);
  std::string out = fmt::format("{}\n\n", spec::to_line(s));
  out += field("batch", fmt::format("{}", s.batch));
  const std::string groups = s.groups == 1 ? ""
                                           : fmt::format("; {} groups of {} in and {} out", s.groups,
                                                         spec::in_per_group(s), spec::out_per_group(s));
  out += field("channels", fmt::format("{} in, {} out{}", s.in_channels, s.out_channels, groups));
  out += fmt::format("  {:<8}{:>8}{:>8}{:>8}{:>8}{:>10}{:>12}{:>11}\n", "", "input", "output", "kernel",
                     "stride", "dilation", "pad before", "pad after");
  if (!plan.call) out += axis_row("depth", s.depth);
  out += axis_row("height", s.height);
  out += axis_row("width", s.width);
  out += field("elements", fmt::format("x {}, dy {}, dW {}; {} bytes each", number(plan.sizes.x),
                                       number(plan.sizes.dy), number(plan.sizes.dw), bytes));
  out += field("products", number(plan.sizes.products));
  out += field("path", path_text(plan));
  if (const auto& c = plan.call) {
    const PlanSizes& z = plan.sizes;
    out += field("buffer", fmt::format("{} bytes; at least {}", c->buffer_size, number(z.limit)));
    out += field("row", fmt::format("{} bytes", number(z.row)));
    out += field("chunk", fmt::format("{} positions{}", number(z.chunk),
                                      z.chunks ? fmt::format("; {} an image and group", *z.chunks) : ""));
    out +=
        field("workspace", fmt::format("documented {} bytes, safe {} bytes, {} core{}", number(z.documented),
                                       number(z.safe), c->core_num, c->core_num == 1 ? "" : "s"));
  }
  if (plan.refusal) out += field("refused", plan.refusal->field + " " + plan.refusal->reason);
  for (const Warning& w : plan.warnings)
    if (w.id != "not_2d") out += field("warning", w.sentence);
  return out;
}

nlohmann::ordered_json json_of(const LinePlan& plan) {
  using Json = nlohmann::ordered_json;
  const auto after = [](const auto& a) { return spec::pad_after(a); };
  Json shape, warnings = Json::array();
  for (std::size_t i = 0; i < field_names().size(); ++i)
    shape[field_names()[i]] = field_value(plan.shape, static_cast<std::int64_t>(i));
  for (const Warning& w : plan.warnings) warnings.push_back({{"id", w.id}, {"sentence", w.sentence}});

  Json out{
      {"tool", "wgradcheck"},
      {"version", WGRADCHECK_VERSION},
      {"line", spec::to_line(plan.shape)},
      {"shape", shape},
      {"padding_after",
       {{"d", after(plan.shape.depth)}, {"h", after(plan.shape.height)}, {"w", after(plan.shape.width)}}},
      {"dtype", plan.dtype == DType::f32 ? "f32" : "f16"},
      {"elements",
       {{"x", json_number(plan.sizes.x)},
        {"dy", json_number(plan.sizes.dy)},
        {"dw", json_number(plan.sizes.dw)}}},
      {"products", json_number(plan.sizes.products)},
      {"path", path_name(plan)},
      {"not_depthwise", plan.not_depthwise},
      {"not_pointwise", plan.not_pointwise}};
  if (const auto& c = plan.call) {
    out["cores"] = c->core_num;
    out["buffer"] = c->buffer_size;
    out["buffer_limit"] = json_number(plan.sizes.limit);
    out["row_bytes"] = json_number(plan.sizes.row);
    out["chunk"] = json_number(plan.sizes.chunk);
    out["workspace"] = {{"documented", json_number(plan.sizes.documented)},
                        {"safe", json_number(plan.sizes.safe)}};
  }
  out["refusal"] =
      plan.refusal ? Json{{"field", plan.refusal->field}, {"reason", plan.refusal->reason}} : Json(nullptr);
  out["warnings"] = warnings;
  return out;
}

}  // namespace wgradcheck::check
