#include "spec/index.hpp"
#include "targets/conv_grad_filter/admission.hpp"

namespace spec = wgradcheck::spec;

namespace {

/// old + the sum of one element's products in order of n, oh, ow.
float add_products(float old, const spec::Shape& s, const spec::Element& e, const float* dy, const float* x) {
  for (std::int64_t n = 0; n < s.batch; ++n)
    for (std::int64_t oh = 0; oh < s.height.output; ++oh)
      for (std::int64_t ow = 0; ow < s.width.output; ++ow)
        if (spec::touches(s.height, oh, e.kh) && spec::touches(s.width, ow, e.kw))
          old += dy[spec::dy_offset<std::int64_t>(s, n, 0, oh, ow, e.g, e.co)] *
                 x[spec::x_offset<std::int64_t>(s, n, 0, spec::input_at(s.height, oh, e.kh),
                                                spec::input_at(s.width, ow, e.kw), e.g, e.ci)];
  return old;
}

}  // namespace

/// The plain kernel: the formula in loops, for comparison with the fast ones. It needs no workspace.
extern "C" void fp_conv_grad_filter_p(float* dy, float* x, float* dw, float* bias, ConvParameter* param) {
  const auto call = wgradcheck::targets::admit({dy, x, dw, bias}, param, sizeof(float), 1);
  if (!call) return;
  const spec::Shape s = spec::shape_of(*call);
  const std::int64_t row = spec::row_elems(*call);
  for (std::int64_t i = 0; i < spec::dw_elems(s); ++i)
    dw[i] = add_products(dw[i] + (bias != nullptr ? bias[i % row] : 0.0f), s, spec::element_at(s, i), dy, x);
}
