#include "check/search/classes.hpp"

#include "check/search/domain.hpp"

namespace wgradcheck::check {
namespace {

using Axis = spec::Axis<std::int64_t>;

template <class Test>
bool any_axis(const Case& c, Test test) {
  return test(c.shape.depth) || test(c.shape.height) || test(c.shape.width);
}

bool one_input_a_group(const Case& c) { return c.shape.groups > 1 && c.shape.in_channels == c.shape.groups; }

constexpr ShapeClass kClasses[]{
    {"dense", [](const Case& c) { return c.shape.groups == 1; }},
    {"pointwise", [](const Case& c) { return spec::is_pointwise(call_of(c)); }},
    {"depthwise",
     [](const Case& c) { return one_input_a_group(c) && c.shape.out_channels == c.shape.groups; }},
    {"multiplier",
     [](const Case& c) { return one_input_a_group(c) && c.shape.out_channels > c.shape.groups; }},
    {"grouped", [](const Case& c) { return c.shape.groups > 1 && c.shape.in_channels > c.shape.groups; }},
    {"strided", [](const Case& c) { return any_axis(c, [](const Axis& a) { return a.stride > 1; }); }},
    {"dilated",
     [](const Case& c) { return any_axis(c, [](const Axis& a) { return a.dilation > 1 && a.kernel > 1; }); }},
    {"padded", [](const Case& c) { return any_axis(c, [](const Axis& a) { return a.pad_before > 0; }); }},
    {"unread rows",
     [](const Case& c) { return any_axis(c, [](const Axis& a) { return spec::pad_after(a) < 0; }); }},
    {"axes differ", [](const Case& c) { return c.shape.height != c.shape.width; }},
    {"batch over 1", [](const Case& c) { return c.shape.batch > 1; }},
    {"several chunks",
     [](const Case& c) { return c.shape.height.output * c.shape.width.output > spec::chunk(call_of(c)); }},
    {"odd channels",
     [](const Case& c) { return c.shape.in_channels % 2 == 1 || c.shape.out_channels % 2 == 1; }},
};

}  // namespace

std::span<const ShapeClass> shape_classes() { return kClasses; }

}  // namespace wgradcheck::check
