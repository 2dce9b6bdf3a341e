#include "proofs/given.hpp"
#include "proofs/obligation.hpp"

/// The documents' special paths: each is reachable, and what it takes for granted holds.
namespace wgradcheck::proofs::obligations {

std::vector<Obligation> paths() {
  return {
      holds("valid_shape", "A valid call describes a shape such as the other obligations are given.",
            [](auto& p) {
              const auto s = shape_of(valid_call(p));
              for (const auto& a : {s.depth, s.height, s.width})
                p.claim("axis", p.subject([&] {
                  return a.input >= 1 && a.output >= 1 && a.kernel >= 1 && a.stride >= 1 && a.dilation >= 1 &&
                         a.pad_before >= 0;
                }));
              p.claim("sizes", p.subject([&] {
                return s.batch >= 1 && s.groups >= 1 && s.in_channels >= 1 && s.out_channels >= 1;
              }));
              p.claim("groups", p.subject([&] {
                return in_per_group(s) * s.groups == s.in_channels &&
                       out_per_group(s) * s.groups == s.out_channels;
              }));
            }),
      holds("same_dw", "A call and the shape that it describes count the same dW elements.",
            [](auto& p) {
              const auto c = valid_call(p);
              p.claim("the same", p.subject([&] { return spec::dw_elems(c); }) == dw_elems(shape_of(c)));
            }),
      holds("pointwise_reads_in_order", "On the 1x1 path each position reads the x elements of its own row.",
            [](auto& p) {
              const auto c = valid_call(p);
              const auto s = shape_of(c);
              const auto n = index_below(p, "n", c.output_batch), oh = index_below(p, "oh", c.output_h),
                         ow = index_below(p, "ow", c.output_w), ci = index_below(p, "ci", c.input_channel);
              const IntOf<decltype(p)> zero = 0, one = 1;
              p.assume("the path is 1x1", is_pointwise(c));
              const auto offset = p.subject([&] {
                return x_offset(s, n, zero, input_at(s.height, oh, zero), input_at(s.width, ow, zero), zero,
                                ci);
              });
              const auto y = input_at(s.height, oh, zero), x = input_at(s.width, ow, zero);
              p.use(times(c.stride_h, one, oh));
              p.use(times(c.stride_w, one, ow));
              p.claim("no tap is padding", touches(s.height, oh, zero) && touches(s.width, ow, zero));
              p.use(times(c.input_h, c.output_h, n * c.input_w * c.input_channel));
              p.use(times(y, oh, c.input_w * c.input_channel));
              p.use(times(c.input_w, c.output_w, (n * c.output_h + oh) * c.input_channel));
              p.use(times(x, ow, c.input_channel));
              p.claim("in order", offset == ((n * c.output_h + oh) * c.output_w + ow) * c.input_channel + ci);
            }),
      holds("depthwise_has_one_channel", "On the depthwise path a group has one channel on either side.",
            [](auto& p) {
              const auto c = valid_call(p);
              p.assume("the path is depthwise", is_depthwise(c));
              const auto [ins, outs] = p.subject([&] {
                const auto s = shape_of(c);
                return std::pair(in_per_group(s), out_per_group(s));
              });
              for (const IntOf<decltype(p)> n : {1, 2})
                for (const auto& channels : {c.input_channel, c.output_channel})
                  p.use(quotient(n, channels, c.group));
              p.claim("one", ins == 1 && outs == 1);
            }),
      fails("no_depthwise", "No valid call takes the depthwise path.",
            [](auto& p) {
              const auto c = valid_call(p);
              p.claim("none", !p.subject([&] { return is_depthwise(c); }));
            }),
      fails("no_pointwise", "No valid call takes the 1x1 path.",
            [](auto& p) {
              const auto c = valid_call(p);
              p.claim("none", !p.subject([&] { return is_pointwise(c) && !is_depthwise(c); }));
            }),
      fails("no_general", "No valid call takes the general path.",
            [](auto& p) {
              const auto c = valid_call(p);
              p.claim("none", p.subject([&] { return is_pointwise(c) || is_depthwise(c); }));
            }),
      fails("never_both", "The two special paths exclude each other.",
            [](auto& p) {
              const auto c = valid_call(p);
              p.claim("not both", !p.subject([&] { return is_pointwise(c) && is_depthwise(c); }));
            }),
  };
}

}  // namespace wgradcheck::proofs::obligations
