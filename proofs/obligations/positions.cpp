#include "impl/position.hpp"
#include "proofs/digits.hpp"
#include "proofs/obligation.hpp"

/// Rows of the matrix product and output positions are the same things.
namespace wgradcheck::proofs::obligations {
std::vector<Obligation> positions() {
  return {
      holds("there_and_back", "The position of the row of a position is that position.",
            [](auto& p) {
              const auto s = given_shape(p);
              const auto n = index_below(p, "n", s.batch), d = index_below(p, "od", s.depth.output),
                         h = index_below(p, "oh", s.height.output), w = index_below(p, "ow", s.width.output);
              const auto back = p.subject([&] {
                return impl::position_at(s, impl::row_of(s, {n, d, h, w}));
              });
              const auto plane = n * s.depth.output + d, line = plane * s.height.output + h,
                         row = line * s.width.output + w;
              const auto line_again = spec::floor_div(row, s.width.output),
                         plane_again = spec::floor_div(line_again, s.height.output);
              claim_quotient(p, line, row, s.width.output);
              claim_quotient(p, plane, line_again, s.height.output);
              claim_quotient(p, n, plane_again, s.depth.output);
              p.claim("the same position", back.n == n && back.d == d && back.h == h && back.w == w);
            }),
      holds("back_and_there",
            "The row of the position of a row is that row, and the position lies in the output.",
            [](auto& p) {
              const auto s = given_shape(p);
              const auto row =
                  index_below(p, "row", s.batch * s.depth.output * s.height.output * s.width.output);
              const auto [position, back] = p.subject([&] {
                const auto at = impl::position_at(s, row);
                return std::pair(at, impl::row_of(s, at));
              });
              const auto line = spec::floor_div(row, s.width.output),
                         plane = spec::floor_div(line, s.height.output);
              const IntOf<decltype(p)> zero = 0;
              p.use(quotient(zero, row, s.width.output));
              p.use(quotient(zero, line, s.height.output));
              p.use(quotient(zero, plane, s.depth.output));
              p.use(quotient(s.batch * s.depth.output * s.height.output, row, s.width.output));
              p.use(quotient(s.batch * s.depth.output, line, s.height.output));
              p.use(quotient(s.batch, plane, s.depth.output));
              p.claim("the same row", back == row);
              p.claim("image", 0 <= position.n && position.n < s.batch);
              p.claim("depth", 0 <= position.d && position.d < s.depth.output);
              p.claim("height", 0 <= position.h && position.h < s.height.output);
              p.claim("width", 0 <= position.w && position.w < s.width.output);
            }),
  };
}

}  // namespace wgradcheck::proofs::obligations
