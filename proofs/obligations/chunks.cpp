#include "proofs/given.hpp"
#include "proofs/obligation.hpp"

/// The documents' chunk of output positions and the buffer that bounds it.
namespace wgradcheck::proofs::obligations {
namespace {

/// Where groups divide the input channels, a group has one, and so a row has an element.
template <class Reading, class Call>
void claim_row(Reading& p, const Call& c) {
  const auto per_group = spec::floor_div(c.input_channel, c.group);
  p.use(product(0 - per_group, c.group));
  p.claim("a group has an input channel", 1 <= per_group);
  p.use(positive(c.kernel_h, c.kernel_w));
  p.use(positive(c.kernel_h * c.kernel_w, per_group));
  p.use(positive(spec::row_elems(c), c.elem_bytes));
  p.claim("a row has a byte", 1 <= spec::row_bytes(c));
}

}  // namespace

std::vector<Obligation> chunks() {
  return {
      holds("at_least_1", "A chunk of a valid call holds at least one position.",
            [](auto& p) {
              const auto c = valid_call(p);
              const auto chunk = p.subject([&] { return spec::chunk(c); });
              claim_row(p, c);
              p.use(quotient(IntOf<decltype(p)>(1), spec::half_buffer(c), spec::row_bytes(c)));
              p.claim("at least 1", 1 <= chunk);
              p.claim("no more than fits", chunk * spec::row_bytes(c) * 2 <= c.buffer_size);
            }),
      holds("fits_its_half", "A chunk of a valid call fits half the buffer.",
            [](auto& p) {
              const auto c = valid_call(p);
              const auto bytes = p.subject([&] { return spec::chunk(c) * spec::row_bytes(c); });
              claim_row(p, c);
              p.claim("fits", bytes * 2 <= c.buffer_size);
              p.claim("no less than fits", (bytes + spec::row_bytes(c)) * 2 > c.buffer_size);
            }),
      holds("fills_its_half", "One position more would not fit half the buffer.",
            [](auto& p) {
              const auto c = valid_call(p);
              const auto bytes = p.subject([&] { return (spec::chunk(c) + 1) * spec::row_bytes(c); });
              claim_row(p, c);
              p.claim("does not fit", bytes * 2 > c.buffer_size);
              p.claim("but for that position", (bytes - spec::row_bytes(c)) * 2 <= c.buffer_size);
            }),
      holds("group_order", "Kh*Kw*Cin/G is Kh*Kw*(Cin/G) where G divides Cin.",
            [](auto& p) {
              const auto c = valid_call(p);
              const auto taps = c.kernel_h * c.kernel_w,
                         per_group = spec::floor_div(c.input_channel, c.group);
              const auto row = p.subject([&] { return spec::row_elems(c); });
              p.use(times(per_group * c.group, c.input_channel, taps));
              p.use(quotient(taps * per_group, taps * c.input_channel, c.group));
              p.use(quotient(taps * per_group + 1, taps * c.input_channel, c.group));
              p.claim("the same", spec::floor_div(taps * c.input_channel, c.group) == row);
            }),
      fails("group_order_without_division", "Kh*Kw*Cin/G is Kh*Kw*(Cin/G) even where G does not divide Cin.",
            [](auto& p) {
              const auto c = valid_call(p, "input_channel_", "multiple");
              const auto taps = c.kernel_h * c.kernel_w;
              const auto row = p.subject([&] { return spec::row_elems(c); });
              p.claim("the same", spec::floor_div(taps * c.input_channel, c.group) == row);
            }),
      fails("without_limit", "A chunk holds at least one position whatever the buffer.",
            [](auto& p) {
              const auto c = valid_call(p, "buffer_size_", "at least");
              p.assume("the buffer has a byte", 1 <= c.buffer_size);
              p.claim("at least 1", 1 <= p.subject([&] { return spec::chunk(c); }));
            }),
      fails("suggested_2048", "The suggested buffer of 2048 bytes is at least the documented limit.",
            [](auto& p) {
              const auto c = valid_call(p, "buffer_size_", "at least");
              p.assume("the buffer is the suggested one", c.buffer_size == 2048);
              p.claim("at least the limit",
                      p.subject([&] { return spec::buffer_limit(c); }) <= c.buffer_size);
            }),
  };
}

}  // namespace wgradcheck::proofs::obligations
