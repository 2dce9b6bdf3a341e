#include "check/data.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "check/number.hpp"
#include "check/random.hpp"

namespace wgradcheck::check {
namespace {

enum Stream : std::uint64_t { kDy = 1, kX, kDw, kBias, kNonFinite };

std::uint64_t stream_of(const Case& c, Stream s) { return scrambled(c.seed, s); }

/// Uniform over the non-zero integers in [-magnitude, magnitude].
Integers dense(std::uint64_t stream, std::int64_t count, std::int64_t magnitude) {
  Integers values(static_cast<std::size_t>(count));
  const auto range = static_cast<std::uint64_t>(magnitude);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t z = scrambled(stream, i);
    const auto size = static_cast<std::int16_t>(1 + ((z >> 32) * range >> 32));
    values[i] = z & 1 ? size : static_cast<std::int16_t>(-size);
  }
  return values;
}

std::int64_t terms_at_most(const spec::Shape& s) {
  return s.batch * s.depth.output * s.height.output * s.width.output;
}

template <class T>
void write_as(const Integers& values, std::span<std::byte> tensor) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<T>(values[i]);
    std::memcpy(tensor.data() + i * sizeof(T), &value, sizeof(T));
  }
}

}  // namespace

Data make_data(const Case& c, const Fill& fill) {
  const spec::Shape& s = c.shape;
  const std::int64_t room = std::int64_t{1} << fill.exact_bits;
  const std::int64_t old = std::max<std::int64_t>(1, std::min<std::int64_t>(room / 16, 997));
  const std::int64_t most = std::min<std::int64_t>(exact_integers(c.dtype) - 1, 2047);
  const std::int64_t terms = terms_at_most(s);
  // The old value and a bias take up to an eighth of the room; float16's range bounds the sum as well.
  const std::int64_t sum = std::min<std::int64_t>(room - 2 * old, c.dtype == DType::f16 ? 60000 : room);
  const auto largest = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(std::sqrt(static_cast<double>(sum) / static_cast<double>(terms))), 1, most);
  const std::int64_t magnitude = c.magnitude ? std::min<std::int64_t>(c.magnitude, largest) : largest;

  Data data;
  data.dy = dense(stream_of(c, kDy), spec::dy_elems(s), magnitude);
  data.x = dense(stream_of(c, kX), spec::x_elems(s), magnitude);
  data.dw = dense(stream_of(c, kDw), spec::dw_elems(s), std::min(old, c.magnitude ? magnitude : old));
  data.bias = dense(stream_of(c, kBias), bias_elems(c), std::min(old, c.magnitude ? magnitude : old));
  if (terms > sum) {
    const std::int64_t keep_every = spec::ceil_div(terms, sum);
    for (std::size_t i = 0; i < data.dy.size(); ++i)
      if ((static_cast<std::int64_t>(i) / s.out_channels) % keep_every) data.dy[i] = 0;
  }
  if (fill.non_finite) {
    const double inf = std::numeric_limits<double>::infinity();
    const double kinds[]{inf, -inf, std::numeric_limits<double>::quiet_NaN()};
    const std::uint64_t stream = stream_of(c, kNonFinite);
    for (std::uint64_t i = 0; i < 2; ++i)
      data.dy_non_finite.push_back({static_cast<std::int64_t>(scrambled(stream, i) % data.dy.size()),
                                    kinds[scrambled(stream, i + 2) % 3]});
  }
  return data;
}

void write_tensor(DType t, const Integers& values, std::span<const NonFinite> exceptions,
                  std::span<std::byte> tensor) {
  if (t == DType::f32)
    write_as<float>(values, tensor);
  else
    for (std::size_t i = 0; i < values.size(); ++i) store(t, tensor, static_cast<std::int64_t>(i), values[i]);
  for (const NonFinite& e : exceptions) store(t, tensor, e.index, e.value);
}

std::int64_t first_altered(DType t, const Integers& values, std::span<const NonFinite> exceptions,
                           std::span<const std::byte> tensor) {
  std::vector<std::byte> pristine(tensor.size());
  write_tensor(t, values, exceptions, pristine);
  const auto [mine, theirs] = std::ranges::mismatch(pristine, tensor);
  return mine == pristine.end() ? -1 : (mine - pristine.begin()) / size_of(t);
}

}  // namespace wgradcheck::check
