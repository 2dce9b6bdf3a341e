#include "check/judge/pairs.hpp"

#include "spec/index.hpp"

namespace wgradcheck::check {

RowPairs row_pairs(const spec::Shape& s, std::int64_t kd, std::int64_t kh, std::int64_t kw) {
  RowPairs pairs;
  pairs.stride = s.width.stride;
  std::int64_t first = 0;
  // Outputs that meet a tap inside the input are consecutive.
  for (std::int64_t ow = 0; ow < s.width.output; ++ow)
    if (spec::touches(s.width, ow, kw) && pairs.columns++ == 0) first = ow;
  if (!pairs.columns) return pairs;
  const std::int64_t one = 1, none = 0;
  const auto rows = static_cast<std::size_t>(s.batch * s.depth.output * s.height.output);
  pairs.dy.reserve(rows), pairs.x.reserve(rows);
  for (std::int64_t n = 0; n < s.batch; ++n)
    for (std::int64_t od = 0; od < s.depth.output; ++od)
      for (std::int64_t oh = 0; oh < s.height.output; ++oh) {
        if (!spec::touches(s.depth, od, kd) || !spec::touches(s.height, oh, kh)) continue;
        pairs.dy.push_back(spec::channels_last(s.depth.output, s.height.output, s.width.output, one, n, od,
                                               oh, first, none));
        pairs.x.push_back(spec::channels_last(
            s.depth.input, s.height.input, s.width.input, one, n, spec::input_at(s.depth, od, kd),
            spec::input_at(s.height, oh, kh), spec::input_at(s.width, first, kw), none));
      }
  return pairs;
}

RowPairs row_pairs(const spec::Shape& s, std::int64_t tap) {
  return row_pairs(s, tap / (s.width.kernel * s.height.kernel), tap / s.width.kernel % s.height.kernel,
                   tap % s.width.kernel);
}

}  // namespace wgradcheck::check
