#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "check/judge/court.hpp"
#include "check/judge/number.hpp"
#include "tests/check/fake_executor.hpp"

namespace wgradcheck::check {

/// Ways in which kernels are wrong at many terms an element: eight of the index, four of the precision.
enum class Defect {
  none,
  last_row_skipped,
  last_image_skipped,
  one_pixel_skipped,
  one_pixel_doubled,
  padding_reads_wrapped_column,
  one_element_zero,
  tail_channel_duplicated,
  two_taps_swapped,
  accumulator_f16,
  accumulator_bf16,
  split_8_partials_f16,
  split_8_partials_bf16,
};
inline constexpr std::array kDefects{
    std::pair{Defect::last_row_skipped, "last row skipped"},
    std::pair{Defect::last_image_skipped, "last image skipped"},
    std::pair{Defect::one_pixel_skipped, "one pixel skipped"},
    std::pair{Defect::one_pixel_doubled, "one pixel doubled"},
    std::pair{Defect::padding_reads_wrapped_column, "padding reads a wrapped column"},
    std::pair{Defect::one_element_zero, "one element zero"},
    std::pair{Defect::tail_channel_duplicated, "tail channel duplicated"},
    std::pair{Defect::two_taps_swapped, "two taps of one filter swapped"},
    std::pair{Defect::accumulator_f16, "accumulator in f16"},
    std::pair{Defect::accumulator_bf16, "accumulator in bf16"},
    std::pair{Defect::split_8_partials_f16, "split-K-8 partials stored in f16"},
    std::pair{Defect::split_8_partials_bf16, "split-K-8 partials stored in bf16"},
};

/// A float to the nearest number of 8 bits, ties to even.
inline float as_bf16(float v) {
  const auto bits = std::bit_cast<std::uint32_t>(v);
  return std::bit_cast<float>((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000);
}

/// A float to a nearest number of 11 bits that binary16's range holds (T. Dekker's splitting); subnormals are
/// not rounded.
inline float as_f16(float v) {
  if (!(std::abs(v) < 65520)) return std::copysign(INFINITY, v);
  const float scaled = v * 8193;
  return scaled - (scaled - v);
}

/// A 2D kernel of one group with unit steps, by the definition and with one defect, whose sums are float.
class DefectiveKernel {
 public:
  DefectiveKernel(const Case& c, const Tensors& t, Defect defect)
      : s_(c.shape), t_(c.dtype), defect_(defect), dy_(floats(t.dy)), x_(floats(t.x)), dw_(floats(t.dw)) {
    const std::int64_t taps = s_.height.kernel * s_.width.kernel;
    std::vector<float> sums(dw_.size());
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      const std::vector<float> block = sums_of(tap / s_.width.kernel, tap % s_.width.kernel);
      for (std::int64_t co = 0; co < s_.out_channels; ++co)
        for (std::int64_t ci = 0; ci < s_.in_channels; ++ci)
          at(sums, (co * taps + tap) * s_.in_channels + ci) = block[at_block(co, ci)];
    }
    if (defect == Defect::two_taps_swapped)
      for (std::int64_t ci = 0; ci < s_.in_channels; ++ci) {
        const std::int64_t filter = s_.out_channels / 2 * taps * s_.in_channels;
        std::swap(at(sums, filter + ci), at(sums, filter + (taps - 1) * s_.in_channels + ci));
      }
    for (std::size_t i = 0; i < sums.size(); ++i) dw_[i] += sums[i];
    if (defect == Defect::one_element_zero) dw_[dw_.size() / 2] = 0;
    for (std::size_t i = 0; i < dw_.size(); ++i)
      store(t_, t.dw, static_cast<std::int64_t>(i), static_cast<double>(dw_[i]));
  }

 private:
  std::vector<float> floats(std::span<const std::byte> tensor) const {
    std::vector<float> values;
    for (std::int64_t i = 0; i < std::ssize(tensor) / size_of(t_); ++i)
      values.push_back(static_cast<float>(load(t_, tensor, i)));
    return values;
  }
  static float& at(std::vector<float>& values, std::int64_t i) { return values[static_cast<std::size_t>(i)]; }
  std::size_t at_block(std::int64_t co, std::int64_t ci) const {
    return static_cast<std::size_t>(co * s_.in_channels + ci);
  }

  /// How often the kernel takes an output pixel.
  int times(std::int64_t n, std::int64_t oh, std::int64_t ow) const {
    const bool chosen = n == s_.batch / 2 && oh == s_.height.output / 2 && ow == s_.width.output / 2;
    if (defect_ == Defect::last_row_skipped && oh == s_.height.output - 1) return 0;
    if (defect_ == Defect::last_image_skipped && n == s_.batch - 1) return 0;
    if (defect_ == Defect::one_pixel_skipped && chosen) return 0;
    return defect_ == Defect::one_pixel_doubled && chosen ? 2 : 1;
  }

  /// The input pixel of an output and a tap, or -1 for padding.
  std::int64_t pixel(std::int64_t n, std::int64_t h, std::int64_t w) const {
    const bool wraps = defect_ == Defect::padding_reads_wrapped_column;
    if (h < 0 || h >= s_.height.input) return -1;
    if (!wraps && (w < 0 || w >= s_.width.input)) return -1;
    const std::int64_t place = (n * s_.height.input + h) * s_.width.input + w;
    return place < s_.batch * s_.height.input * s_.width.input ? place : -1;
  }

  float stored(float sum) const {
    if (defect_ == Defect::split_8_partials_f16 || defect_ == Defect::accumulator_f16) return as_f16(sum);
    if (defect_ == Defect::split_8_partials_bf16 || defect_ == Defect::accumulator_bf16) return as_bf16(sum);
    return sum;
  }

  std::vector<float> sums_of(std::int64_t kh, std::int64_t kw) const {
    const bool splits = defect_ == Defect::split_8_partials_f16 || defect_ == Defect::split_8_partials_bf16;
    const bool narrow = defect_ == Defect::accumulator_f16 || defect_ == Defect::accumulator_bf16;
    const std::int64_t pixels = s_.batch * s_.height.output * s_.width.output, parts = splits ? 8 : 1;
    std::vector<float> whole(static_cast<std::size_t>(s_.out_channels * s_.in_channels));
    for (std::int64_t part = 0; part < parts; ++part) {
      std::vector<float> sums(whole.size());
      for (std::int64_t p = pixels * part / parts; p < pixels * (part + 1) / parts; ++p) {
        const std::int64_t ow = p % s_.width.output, oh = p / s_.width.output % s_.height.output;
        const std::int64_t n = p / s_.width.output / s_.height.output;
        const std::int64_t q = pixel(n, oh + kh - s_.height.pad_before, ow + kw - s_.width.pad_before);
        for (int k = 0; q >= 0 && k < times(n, oh, ow); ++k) add_pixel(p, q, narrow, sums);
      }
      for (std::size_t i = 0; i < sums.size(); ++i) whole[i] += stored(sums[i]);
    }
    return whole;
  }

  void add_pixel(std::int64_t p, std::int64_t q, bool narrow, std::vector<float>& sums) const {
    const float *dy = dy_.data() + p * s_.out_channels, *x = x_.data() + q * s_.in_channels;
    const std::int64_t last = s_.in_channels - (defect_ == Defect::tail_channel_duplicated ? 2 : 1);
    for (std::int64_t co = 0; co < s_.out_channels; ++co) {
      float* const row = sums.data() + co * s_.in_channels;
      for (std::int64_t ci = 0; ci < s_.in_channels; ++ci) {
        row[ci] += dy[co] * x[std::min(ci, last)];
        if (narrow) row[ci] = stored(row[ci]);
      }
    }
  }

  const spec::Shape& s_;
  DType t_;
  Defect defect_;
  std::vector<float> dy_, x_, dw_;
};

/// 16 channels to 16 by 3x3 taps with padding 1 over `batch` images of extent x extent pixels: batch *
/// extent^2 terms an element.
inline spec::Shape padded_3x3(std::int64_t batch, std::int64_t extent) {
  const spec::Axis<std::int64_t> axis{extent, extent, 3, 1, 1, 1};
  return {batch, 1, 16, 16, spec::kNoAxis, axis, axis};
}

/// Whether one run blames a kernel that promised float sums; its dW may come in any type.
inline bool is_blamed(Defect defect, const spec::Shape& shape, DType t, std::uint64_t seed) {
  FakeExecutor executor([defect](const Case& c, const Tensors& tensors) {
    const DefectiveKernel kernel(c, tensors, defect);
    return returned();
  });
  Promises promises;
  promises.make("acc=f32");
  const Trial trial{.test = {.shape = shape, .dtype = t, .seed = seed}, .fill = {}};
  const Ruling ruling = Court(executor, promises).judge(std::span(&trial, 1)).front();
  return !ruling.findings.empty() && ruling.findings.front().counterexample;
}

}  // namespace wgradcheck::check
