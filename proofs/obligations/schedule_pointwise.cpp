#include "impl/schedule/pointwise.hpp"
#include "proofs/schedule/any_schedule.hpp"
#include "proofs/schedule/obligations.hpp"

/// The schedule of the 1x1 path, impl::pointwise.
namespace wgradcheck::proofs::obligations {
namespace {

struct Pointwise : AnySchedule {
  template <class Env, class Int>
  void run(Env& env, const spec::Call<Int>& c, const impl::Block<Int>& b) const {
    impl::pointwise(env, c, b);
  }
  template <class Int>
  auto takes(const spec::Call<Int>& c) const {
    return spec::is_pointwise(c);
  }

  template <class Reading, class Operation>
  void lemmas(Scene<Reading>& scene, const Operation& operation) const {
    if constexpr (std::is_same_v<Operation, InPlace<IntOf<Reading>>>) use_plane(scene.work());
    if constexpr (std::is_same_v<Operation, impl::Term<IntOf<Reading>>>) use_one_tap(scene, operation);
  }

  /// No choice: there is one product.
  template <class Reading>
  std::vector<IntOf<Reading>> owner(const Work<Reading>&, const impl::Term<IntOf<Reading>>&) const {
    return {};
  }
  template <class Reading>
  void lemmas_before(const Work<Reading>& work, const impl::Term<IntOf<Reading>>& t,
                     const Prove<Reading>&) const {
    auto& [p, c, b, channel_tile, line_tile] = work;
    use_plane(work);
    const auto line = (t.n - b.images.first) * c.output_h + t.oh;
    p.use(digits(t.n - b.images.first, length(b.images), t.oh, c.output_h));
    p.use(digits(line, length(b.images) * c.output_h, t.ow, c.output_w));
    p.use(times(c.kernel_h, IntOf<Reading>(1), c.kernel_w));
    p.use(times(t.kh, IntOf<Reading>(0), c.kernel_w * in_per_group(spec::shape_of(c))));
    p.use(times(t.kw, IntOf<Reading>(0), in_per_group(spec::shape_of(c))));
  }

 private:
  /// The images of the block lie in the batch, pixel by pixel.
  template <class Reading>
  void use_plane(const Work<Reading>& work) const {
    auto& [p, c, b, channel_tile, line_tile] = work;
    const auto plane = c.output_h * c.output_w;
    p.use(positive(c.output_h, c.output_w));
    p.use(positive(length(b.images), plane));
    p.use(product(b.images.first, plane));
    p.use(monotone(b.images.last, c.output_batch, plane));
  }
  /// One tap, one group, unit strides and equal planes: x is read like dy.
  template <class Reading>
  void use_one_tap(Scene<Reading>& scene, const impl::Term<IntOf<Reading>>& term) const {
    auto& [p, c, b, way] = scene;
    const IntOf<Reading> one = 1, zero = 0;
    const auto s = scene.shape();
    const auto y = input_at(s.height, term.oh, term.kh), x = input_at(s.width, term.ow, term.kw),
               row_of_x = c.input_w * c.input_channel;
    p.use(times(c.group, one, in_per_group(s)));
    p.use(times(c.group, one, out_per_group(s)));
    p.use(times(c.kernel_h, one, c.kernel_w * in_per_group(s)));
    p.use(times(c.kernel_w, one, in_per_group(s)));
    p.use(times(c.stride_h, one, term.oh));
    p.use(times(c.stride_w, one, term.ow));
    for (const auto& n : {term.n, b.images.first}) {
      p.use(times(c.input_h, c.output_h, n * row_of_x));
      p.use(times(c.input_w, c.output_w, n * c.output_h * c.input_channel));
    }
    p.use(times(y, term.oh, row_of_x));
    p.use(times(c.input_w, c.output_w, term.oh * c.input_channel));
    p.use(times(x, term.ow, c.input_channel));
    p.use(times(b.group, zero, rows(c) * spec::row_elems(c)));
  }
};

}  // namespace

std::vector<Obligation> schedule_pointwise() { return Obligations(Pointwise{}).made(); }

}  // namespace wgradcheck::proofs::obligations
