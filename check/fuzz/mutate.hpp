#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "check/fuzz/raw.hpp"

/// Changes that a fuzzer makes to byte strings, each to whole fields.
namespace wgradcheck::check {

/// Numbers drawn from a seed.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  /// Uniform in [0, sides).
  std::uint64_t below(std::uint64_t sides) { return next() % sides; }
  template <class List>
  auto one_of(const List& list) {
    return list[below(std::size(list))];
  }
  std::uint64_t next();

 private:
  std::uint64_t seed_, drawn_ = 0;
};

/// A number around an edge: of vectors, counters, 16 bits, products and offsets of 32 bits.
std::int32_t edge(Dice&);

/// Gives some numbers of a trial's byte string other values: those around powers of two and vector widths,
/// that of another number, one more or less, or any; or crosses it with another byte string.
std::string mutated_genes(std::string_view bytes, std::string_view other, Dice&);

/// The same of a raw call: values around 2^31, those of another field, groups that divide the channels and
/// that do not, and buffer_size_ around its limit; at times a call that is valid, or valid but for one field.
RawCall mutated(RawCall, Dice&);

}  // namespace wgradcheck::check
