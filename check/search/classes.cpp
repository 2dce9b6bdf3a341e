#include "check/search/classes.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "check/search/domain.hpp"
#include "spec/fractal.hpp"

namespace wgradcheck::check {
namespace {

using Axis = spec::Axis<std::int64_t>;
using Of = ShapeClass::Of;

template <class Test>
bool any_axis(const Case& c, Test test) {
  return test(c.shape.depth) || test(c.shape.height) || test(c.shape.width);
}

bool one_input_a_group(const Case& c) { return c.shape.groups > 1 && c.shape.in_channels == c.shape.groups; }

constexpr ShapeClass kClasses[]{
    {"dense", [](const Case& c) { return c.shape.groups == 1; }},
    {"pointwise",
     [](const Case& c) {
       const Axis& d = c.shape.depth;
       return spec::is_pointwise(call_of(c)) && d == Axis{d.output, d.output, 1, 1, 1, 0};
     }},
    {"depthwise",
     [](const Case& c) { return one_input_a_group(c) && c.shape.out_channels == c.shape.groups; },
     Of::groups},
    {"multiplier",
     [](const Case& c) { return one_input_a_group(c) && c.shape.out_channels > c.shape.groups; }, Of::groups},
    {"grouped", [](const Case& c) { return c.shape.groups > 1 && c.shape.in_channels > c.shape.groups; },
     Of::groups},
    {"strided", [](const Case& c) { return any_axis(c, [](const Axis& a) { return a.stride > 1; }); }},
    {"dilated",
     [](const Case& c) { return any_axis(c, [](const Axis& a) { return a.dilation > 1 && a.kernel > 1; }); }},
    {"padded", [](const Case& c) { return any_axis(c, [](const Axis& a) { return a.pad_before > 0; }); }},
    {"unread rows",
     [](const Case& c) { return any_axis(c, [](const Axis& a) { return spec::pad_after(a) < 0; }); }},
    {"axes differ", [](const Case& c) { return c.shape.height != c.shape.width; }},
    {"batch over 1", [](const Case& c) { return c.shape.batch > 1; }},
    {"several chunks",
     [](const Case& c) { return c.shape.height.output * c.shape.width.output > spec::chunk(call_of(c)); },
     Of::machine},
    {"3D", [](const Case& c) { return c.shape.depth != spec::kNoAxis; }, Of::host_or_ascend},
    {"1x1 strided",
     [](const Case& c) {
       return !any_axis(c, [](const Axis& a) { return a.kernel > 1; }) &&
              any_axis(c, [](const Axis& a) { return a.stride > 1; });
     },
     Of::host_or_ascend},
    {"several threads", [](const Case& c) { return c.cores() > 1; }, Of::host, true},
    {"several cores", [](const Case& c) { return c.cores() > 1; }, Of::ascend, true},
    {"several row blocks",
     [](const Case& c) { return c.implementation % 2 == 1 && c.shape.height.output > 1; }, Of::ascend},
    {"whole channel blocks",
     [](const Case& c) {
       return c.shape.in_channels % spec::kC0 == 0 && c.shape.out_channels % spec::kC0 == 0;
     },
     Of::ascend},
    {"tail channels",
     [](const Case& c) {
       return c.shape.in_channels % spec::kC0 != 0 || c.shape.out_channels % spec::kC0 != 0;
     },
     Of::ascend},
    {"odd channels",
     [](const Case& c) { return c.shape.in_channels % 2 == 1 || c.shape.out_channels % 2 == 1; }},
};

}  // namespace

std::span<const ShapeClass> shape_classes(const Abi& abi) {
  const auto classes_of = [](auto is_one) {
    std::vector<ShapeClass> some;
    std::ranges::copy_if(kClasses, std::back_inserter(some),
                         [&](const ShapeClass& c) { return is_one(c.of); });
    return some;
  };
  static const auto machine =
      classes_of([](Of of) { return of == Of::all || of == Of::groups || of == Of::machine; });
  static const auto host = classes_of(
      [](Of of) { return of == Of::all || of == Of::groups || of == Of::host_or_ascend || of == Of::host; });
  static const auto ascend =
      classes_of([](Of of) { return of == Of::all || of == Of::host_or_ascend || of == Of::ascend; });
  return abi.ascend ? ascend : abi.host ? host : machine;
}

}  // namespace wgradcheck::check
