#include "impl/conv_grad_filter.hpp"

#include <algorithm>
#include <vector>

#include "impl/partition.hpp"
#include "impl/run.hpp"
#include "impl/schedule/blocks.hpp"
#include "impl/schedule/chunked.hpp"
#include "impl/schedule/depthwise.hpp"
#include "impl/schedule/pointwise.hpp"

namespace wgradcheck::impl {
namespace {

using Int = std::int64_t;
using Call = spec::Call<Int>;

// Widest panel, in columns: a position of dy, once packed, is used for all of them. Its chunk should be deep
// enough that loading and storing the sums does not count.
constexpr Int kPanel = 64;
constexpr Int kDeep = 128;
// The least depth at which all columns together, for which dy is packed once, take less time than panels.
constexpr Int kShallow = 48;

/// Columns of a block.
Int panel(const Call& c, Packing packing) {
  const Int row = spec::row_elems(c);
  if (packing == Packing::rows || spec::path_of(c) == spec::Path::depthwise) return row;
  if (row <= spec::half_buffer(c) / (kShallow * c.elem_bytes)) return row;
  const Int deep = spec::half_buffer(c) / (kDeep * c.elem_bytes);
  return std::min(row, std::clamp<Int>(deep, kPanel / 4, kPanel));
}

/// Whether no tap of any output falls outside the input.
bool unpadded(const spec::Axis<Int>& a) {
  return touched(a, Int{0}).first == 0 && touched(a, a.kernel - 1).last == a.output;
}

/// Whether dy is finite in all these images, or whether it is makes no difference.
template <class T>
bool finite(const Call& c, const T* dy, const Range<Int>& images) {
  const spec::Shape s = spec::shape_of(c);
  if (spec::path_of(c) != spec::Path::general || (unpadded(s.height) && unpadded(s.width))) return true;
  return simd::all_finite<T>(length(images) * c.output_h * c.output_w, c.output_channel,
                             {dy + spec::dy_offset<Int>(s, images.first, 0, 0, 0, 0, 0), c.output_channel});
}

template <class T>
void add_block(const Call& c, const Block<Int>& block, const typename Run<T>::Memory& memory) {
  Run<T> run(c, memory);
  switch (spec::path_of(c)) {
    case spec::Path::depthwise:
      return depthwise(run, c, block);
    case spec::Path::pointwise:
      if constexpr (std::is_same_v<T, float>) return pointwise(run, c, block);
      [[fallthrough]];  // the product takes x as float, so that Half has to be packed
    case spec::Path::general:
      return chunked(run, c, block);
  }
}

/// The block's part of a whole dW, of any element type.
template <class U>
simd::Matrix<U> in_place(const Call& c, const Block<Int>& b, U* dw) {
  const Extents<Int> e = extents_of(c);
  return {dw + first_elem(e, b), e.cols};
}

/// Calls visit(block) for blocks that cover dW, each of at most `elems` elements.
template <class Visit>
void each_block(const Call& c, Packing packing, Int elems, const Range<Int>& images, const Visit& visit) {
  const Extents<Int> e = extents_of(c);
  const Int cols = panel(c, packing);
  Loops loops;
  each_block(loops, e, block_rows(e, elems, cols), cols, images, visit);
}

/// Adds the products of these images to a whole dW in float.
template <class T>
void add_images(const Call& c, const Tensors<T>& t, const Range<Int>& images, float* dw, float* scratch,
                Packing packing) {
  const bool all_finite = finite(c, t.dy, images);
  each_block(c, packing, spec::dw_elems(c), images, [&](const Block<Int>& block) {
    add_block<T>(c, block, {t.dy, t.x, in_place(c, block, dw), scratch, all_finite});
  });
}

}  // namespace

template <>
void run_private(const Call& c, const Tensors<float>& t, float* workspace, Packing packing) {
  const Int cols = spec::row_elems(c);
  if (t.bias != nullptr)
    for (Int e = 0; e < spec::dw_elems(c); ++e) t.dw[e] += t.bias[e % cols];
  add_images(c, t, {0, c.output_batch}, t.dw, workspace, packing);
}

template <>
void run_private(const Call& c, const Tensors<Half>& t, float* workspace, Packing packing) {
  const Range<Int> images{0, c.output_batch};
  const bool all_finite = finite(c, t.dy, images);
  const Int half = spec::half_buffer(c);  // of the workspace, in floats: the document counts them as bytes
  float* const sums = workspace + half;
  each_block(c, packing, half, images, [&](const Block<Int>& block) {
    const simd::Matrix<Half> dw = in_place(c, block, t.dw);
    const Int cols = length(block.cols);
    const auto each = [&](auto visit) {
      for (Int i = 0; i < length(block.rows); ++i)
        for (Int j = 0; j < cols; ++j)
          visit(sums[i * cols + j], dw.at[i * dw.step + j], block.cols.first + j);
    };
    each([&](float& sum, const Half& old, Int col) {
      sum = to_float(old) + (t.bias != nullptr ? to_float(t.bias[col]) : 0.0f);
    });
    add_block<Half>(c, block, {t.dy, t.x, {sums, cols}, workspace, all_finite});
    each([](const float& sum, Half& out, Int) { out = to_half(sum); });
  });
}

template <class T>
void run_shared(const Call& c, const Tensors<T>& t, float* workspace, Int id,
                const std::function<void()>& barrier, Packing packing) {
  const Int elems = spec::dw_elems(c);
  const Int cols = spec::row_elems(c);
  const auto partial = [&](Int core) {
    return workspace + spec::partial_offset(c, core) / spec::kFloatBytes;
  };
  std::vector<float> scratch(static_cast<std::size_t>(scratch_elems(c, panel(c, packing))));
  std::fill_n(partial(id), elems, 0.0f);
  add_images(c, t, part(c.output_batch, c.core_num, id), partial(id), scratch.data(), packing);
  barrier();
  const Range<Int> mine = part(elems, c.core_num, id);
  for (Int e = mine.first; e < mine.last; ++e) {
    float sum = to_float(t.dw[e]) + (t.bias != nullptr ? to_float(t.bias[e % cols]) : 0.0f);
    for (Int core = 0; core < c.core_num; ++core) sum += partial(core)[e];
    if constexpr (std::is_same_v<T, float>)
      t.dw[e] = sum;
    else
      t.dw[e] = to_half(sum);
  }
  barrier();
}

template void run_shared(const Call&, const Tensors<float>&, float*, Int, const std::function<void()>&,
                         Packing);
template void run_shared(const Call&, const Tensors<Half>&, float*, Int, const std::function<void()>&,
                         Packing);

}  // namespace wgradcheck::impl
