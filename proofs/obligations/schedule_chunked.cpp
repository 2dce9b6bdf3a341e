#include "impl/schedule/chunked.hpp"
#include "proofs/schedule/any_schedule.hpp"
#include "proofs/schedule/obligations.hpp"

/// The schedule of the general path, impl::chunked.
namespace wgradcheck::proofs::obligations {
namespace {

struct Chunked : AnySchedule {
  template <class Env, class Int>
  void run(Env& env, const spec::Call<Int>& c, const impl::Block<Int>& b) const {
    impl::chunked(env, c, b);
  }

  template <class Reading, class Operation>
  void lemmas(Scene<Reading>& scene, const Operation& operation) const {
    claim_chunk(scene.work());
    if (scene.way.ranges().empty()) return;
    claim_scratch(scene);
    if (scene.way.choices().size() < 4) return;
    claim_tap(scene);
    const auto len = length(scene.way.ranges()[0]), cols = length(scene.b.cols);
    if constexpr (std::is_same_v<Operation, Stage<IntOf<Reading>>>) {
      const auto &row = operation.row, &col = operation.col, &channels = operation.channels;
      scene.p.claim("the stretch is inside the chunk", row + operation.count <= len);
      scene.p.claim("and inside the columns", 1 <= channels && col + channels <= cols);
      scene.p.use(monotone(row + operation.count, len, operation.step));
      scene.p.use(monotone(channels, cols, len));
    }
    if constexpr (std::is_same_v<Operation, Packed<IntOf<Reading>>>) {
      scene.p.use(monotone(operation.depth, len, operation.step));
      scene.p.use(monotone(operation.step, cols, len));
    }
  }

  template <class Reading>
  void lemmas_apart(Scene<Reading>& scene, Scene<Reading>& other, const impl::Term<IntOf<Reading>>& t,
                    const impl::Term<IntOf<Reading>>& t2) const {
    auto& p = scene.p;
    const auto s = scene.shape();
    if (scene.way.choices().size() < 4) return;
    const auto tap = scene.way.choices()[2], tap2 = other.way.choices()[2];
    p.use(same_digits(t.oh, t.ow, t2.oh, t2.ow, s.width.output));
    p.use(same_digits(tap, t.ci, tap2, t2.ci, in_per_group(s)));
    p.use(quotient(t.kh, tap2, s.width.kernel));
    p.use(quotient(t.kh + 1, tap2, s.width.kernel));
    p.use(times(t.kh, t2.kh, s.width.kernel));
  }

  /// Image, chunk, tap and output row.
  template <class Reading>
  std::vector<IntOf<Reading>> owner(const Work<Reading>& work, const impl::Term<IntOf<Reading>>& t) const {
    const auto position = t.oh * work.c.output_w + t.ow;
    return {t.n, spec::floor_div(position, impl::chunk_of(work.c, length(work.b.cols))),
            t.kh * work.c.kernel_w + t.kw, t.oh};
  }
  template <class Reading>
  void lemmas_owner(Scene<Reading>& scene, const impl::Term<IntOf<Reading>>& t) const {
    claim_chunk(scene.work());
    const auto position = t.oh * scene.c.output_w + t.ow,
               chunk = impl::chunk_of(scene.c, length(scene.b.cols)), tile = scene.way.choices()[1];
    scene.p.use(quotient(tile, position, chunk));
    scene.p.use(quotient(tile + 1, position, chunk));
  }
  template <class Reading>
  void lemmas_before(const Work<Reading>& work, const impl::Term<IntOf<Reading>>& t,
                     const Prove<Reading>& way) const {
    auto& [p, c, b, channel_tile, line_tile] = work;
    const auto ci = in_per_group(spec::shape_of(c)), tap = t.kh * c.kernel_w + t.kw;
    if (way.choices().size() == 2) {
      claim_chunk(work);
      const auto position = t.oh * c.output_w + t.ow;
      p.use(digits(t.oh, c.output_h, t.ow, c.output_w));
      p.use(quotient(IntOf<Reading>(0), position, impl::chunk_of(c, length(b.cols))));
    }
    if (way.choices().size() == 3) {
      p.use(quotient(tap + 1, b.cols.first, ci));
      p.use(quotient(0 - tap, 0 - b.cols.last, ci));
    }
    if (way.choices().size() < 4) return;
    claim_tap_of(p, c, t);
    p.use(quotient(t.oh + 1, way.ranges()[0].first, c.output_w));
    p.use(quotient(0 - t.oh, 0 - way.ranges()[0].last, c.output_w));
  }

 private:
  /// A chunk holds a position and fits half the buffer.
  template <class Reading>
  void claim_chunk(const Work<Reading>& work) const {
    auto& [p, c, b, channel_tile, line_tile] = work;
    const auto cols = length(b.cols);
    const auto chunk = impl::chunk_of(c, cols);
    p.use(positive(cols, c.elem_bytes));
    p.use(monotone(cols, spec::row_elems(c), c.elem_bytes));
    p.use(quotient(IntOf<Reading>(1), spec::half_buffer(c), cols * c.elem_bytes));
    p.claim("a chunk holds a position", 1 <= chunk);
    p.use(quotient(chunk * cols, spec::half_buffer(c), c.elem_bytes));
    p.claim("a chunk fits its half", chunk * cols <= spec::floor_div(spec::half_buffer(c), c.elem_bytes));
  }
  /// The chunk on the way fits scratch.
  template <class Reading>
  void claim_scratch(Scene<Reading>& scene) const {
    auto& [p, c, b, way] = scene;
    const auto len = length(way.ranges()[0]), cols = length(b.cols), plane = c.output_h * c.output_w;
    p.claim("a chunk in its plane", 1 <= len && len <= plane);
    p.use(monotone(len, impl::chunk_of(c, cols), cols));
    p.use(monotone(len, plane, cols));
    p.use(product(len, cols));
    p.claim("it fits scratch", 0 <= len * cols && len * cols <= impl::scratch_elems(c, cols));
  }
  /// The tap on the way is one, and has a channel among the columns.
  template <class Reading>
  void claim_tap(Scene<Reading>& scene) const {
    auto& [p, c, b, way] = scene;
    const auto per_group = spec::floor_div(c.input_channel, c.group), tap = way.choices()[2],
               taps = c.kernel_h * c.kernel_w;
    p.use(quotient(IntOf<Reading>(0), b.cols.first, per_group));
    p.use(quotient(0 - taps, 0 - b.cols.last, per_group));
    p.claim("a tap", 0 <= tap && tap < taps);
    p.use(quotient(tap + 1, b.cols.first, per_group));
    p.use(quotient(0 - tap, 0 - b.cols.last, per_group));
    p.use(quotient(IntOf<Reading>(0), tap, c.kernel_w));
    p.use(quotient(c.kernel_h, tap, c.kernel_w));
  }
};

}  // namespace

std::vector<Obligation> schedule_chunked() { return Obligations(Chunked{}).made(); }

}  // namespace wgradcheck::proofs::obligations
