#pragma once
#include <algorithm>
#include <array>
#include <span>

#include "impl/simd/lanes.hpp"
#include "spec/shape.hpp"

/// What a part of lanes reads next, so that memory can be asked for it while products are computed.
namespace wgradcheck::impl::host {

/// Follows the lines of dy and x that boxes read, which are whole: the next box has as many, behind the last
/// ones, and behind a tensor's end the thread's next part begins. That is a guess: where it is wrong, it
/// costs time alone. Offsets count elements.
template <class T>
class NextLanes {
 public:
  using Int = std::int64_t;

  /// The next part begins so many lanes behind this one; 0 says that there is none.
  NextLanes(const spec::Shape& s, const T* dy, const T* x, Int next_part)
      : x_{x, s.width.input, s.in_channels, spec::x_elems(s), next_part},
        dy_{dy, s.width.output, s.out_channels, spec::dy_elems(s),
            next_part * spec::out_per_group(s) / spec::in_per_group(s)},
        x_lines_(s.height.stride) {}

  /// So many channels were read of each pixel of a line.
  void read_x(Int from, Int channels) { read(x_, from, channels); }
  void read_dy(Int from, Int channels) { read(dy_, from, channels); }

  /// What the next box reads, told while this one's products are computed.
  std::span<simd::Runs> runs() {
    if (!computes_) {
      lines_of_memory_ = 0;
      runs_ = {behind(x_, dy_.lines * x_lines_), behind(dy_, dy_.lines)};
      for (const simd::Runs& r : runs_) lines_of_memory_ += r.lines * r.count;
      computes_ = true;
    }
    return runs_;
  }
  /// Cache lines of all of that.
  Int lines_of_memory() const { return lines_of_memory_; }

 private:
  struct Tensor {
    const T* at;
    Int pixels, channels, elems;  ///< of a line, a pixel, the tensor
    Int next_part;
    Int first = -1, last = 0;  ///< lines of the part
    Int lines = 0, read = 0;   ///< of the box, and channels of each pixel
  };

  void read(Tensor& t, Int from, Int channels) {
    if (computes_) x_.lines = dy_.lines = 0;
    computes_ = false;
    if (t.first < 0) t.first = from;
    t.last = from;
    t.read = channels;
    ++t.lines;
  }
  static simd::Runs behind(const Tensor& t, Int lines) {
    constexpr Int kSize = sizeof(T);
    Int from = t.last + t.pixels * t.channels;
    if (t.lines == 0 || (from >= t.elems && t.next_part == 0)) return {};
    if (from >= t.elems) from = t.first + t.next_part;
    const auto* const at = reinterpret_cast<const std::byte*>(t.at + from);
    const Int pixels = lines * t.pixels, size = t.read * kSize;
    const auto lines_of = [](Int bytes) { return spec::ceil_div(bytes, simd::kLineBytes); };
    if (t.read == t.channels) return {at, 0, lines_of(pixels * size), 1};
    return {at, t.channels * kSize, lines_of(size), pixels};
  }

  Tensor x_, dy_;
  Int x_lines_;  ///< for each line of dy
  std::array<simd::Runs, 2> runs_{};
  Int lines_of_memory_ = 0;
  bool computes_ = true;
};

}  // namespace wgradcheck::impl::host
