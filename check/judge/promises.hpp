#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "check/abi.hpp"
#include "check/judge/height.hpp"
#include "spec/rounding.hpp"

namespace wgradcheck::check {

/// What a kernel says of itself beyond the formula. What it does not promise is never a counterexample.
class Promises {
 public:
  /// Of a foreign kernel: that it adds to dW, as the documents say, and nothing else.
  Promises();

  /// Of a bundled target: everything that its convention leaves open.
  static Promises bundled(const Abi&);

  /// Makes a promise, written `acc=f32`; a later one of the same key replaces it. Throws BadInput that lists
  /// what is allowed and begins with `where`, the option or the place in a file that it comes from.
  void make(std::string_view promise, std::string_view where = "--promise");

  /// Every promise in force, in a fixed order, written as `make` reads them, one space between two.
  std::string text() const;

  /// acc: the significant bits of the type that products are summed in, at least.
  std::optional<int> accumulator_bits() const;
  /// splits: the number of partial sums an element of this case is made of, at most; `chunks` and `cores` are
  /// one for each of the case's.
  std::optional<std::int64_t> splits(const Case&) const;
  /// partials: the type that those are kept in, where it is narrower than that of the sums. Adding one to the
  /// others rounds to it as well.
  std::optional<DType> partials() const;
  /// height: how high the tree is by which products are summed. Such sums are direct.
  std::optional<Height> height() const;
  /// How the products of a case's element with so many terms inside the input are summed: what is not
  /// promised is the worst that may be, the accumulator being the element type.
  spec::Accumulation accumulation(const Case&, std::int64_t terms) const;
  /// dw: whether the sum is added to what dW holds, rather than stored over it.
  bool adds() const;
  /// align: bytes to which every buffer must be aligned.
  std::optional<std::int64_t> alignment() const;
  /// read_slack: bytes beyond the end of a buffer that may be read.
  std::int64_t read_slack() const;
  /// bias: what the bias argument holds.
  std::optional<Bias> bias() const;
  /// nonfinite_padding: whether Inf and NaN meet no padding and no zero filled in: they reach only sums
  /// that have them.
  bool skips_padding() const;
  /// subnormals: whether they are kept (true) or flushed to zero.
  std::optional<bool> keeps_subnormals() const;
  /// repeat: whether the same call gives the same bits.
  bool repeats_bits() const;
  /// algorithm: whether products are formed directly (true) or after a transform; direct too where a height
  /// is promised.
  std::optional<bool> is_direct() const;
  /// algorithm: whether the transform's own constants round, as those of Fourier do and those of Winograd's
  /// F(2,3) do not: no sum is exact then, and one element's Inf reaches others.
  bool is_fft() const;
  /// refuses: whether invalid parameters are refused with no byte touched.
  bool refuses() const;

 private:
  std::optional<std::string> find(const char* key) const;
  std::optional<std::int64_t> number(const char* key) const;
  std::map<std::string, std::string, std::less<>> made_;
};

}  // namespace wgradcheck::check
