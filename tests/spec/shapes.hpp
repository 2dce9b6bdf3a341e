#pragma once
#include <rapidcheck.h>

#include "spec/problem_line.hpp"
#include "spec/shape.hpp"

namespace wgradcheck::spec {

/// Any axis whose numbers stay below `most`, absent about one time in five. Outputs are free, so the padding
/// after the input takes both signs.
inline rc::Gen<Axis<std::int64_t>> any_axis(std::int64_t most) {
  const auto size = rc::gen::inRange<std::int64_t>(1, most);
  const auto step = rc::gen::inRange<std::int64_t>(1, 4);
  return rc::gen::weightedOneOf<Axis<std::int64_t>>(
      {{1, rc::gen::just(kNoAxis)},
       {4, rc::gen::construct<Axis<std::int64_t>>(size, size, rc::gen::inRange<std::int64_t>(1, 5), step,
                                                  step, rc::gen::inRange<std::int64_t>(0, 5))}});
}

/// Any shape whose axes come from any_axis; an axis equals the next larger one about one time in three.
inline rc::Gen<Shape> any_shape(std::int64_t most) {
  const auto few = rc::gen::inRange<std::int64_t>(1, 4);
  return rc::gen::exec([=] {
    Shape s{*few, *few, *few, *few, *any_axis(most), *any_axis(most), *any_axis(most)};
    s.in_channels *= s.groups;
    s.out_channels *= s.groups;
    const auto copies = rc::gen::inRange(0, 3);
    if (*copies == 0) s.height = s.depth;
    if (*copies == 0) s.width = s.height;
    return s;
  });
}

}  // namespace wgradcheck::spec

namespace rc {

/// Counterexamples print as problem lines.
inline void showValue(const wgradcheck::spec::Shape& s, std::ostream& os) {
  os << wgradcheck::spec::to_line(s);
}

}  // namespace rc
