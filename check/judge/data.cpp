#include "check/judge/data.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "check/judge/number.hpp"
#include "check/judge/random.hpp"

namespace wgradcheck::check {
namespace {

enum Stream : std::uint64_t { kDy = 1, kX, kDw, kBias, kNonFinite };

std::uint64_t stream_of(const Case& c, Stream s) { return scrambled(c.seed, s); }

Integers dense(const Draw& draw) {
  Integers values(static_cast<std::size_t>(draw.elems));
  const auto range = static_cast<std::uint64_t>(draw.magnitude);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t z = scrambled(draw.stream, i);
    const auto size = static_cast<std::int16_t>(1 + ((z >> 32) * range >> 32));
    values[i] = z & 1 ? size : static_cast<std::int16_t>(-size);
  }
  return values;
}

std::int64_t terms_at_most(const spec::Shape& s) {
  return s.batch * s.depth.output * s.height.output * s.width.output;
}

template <class T>
void write_as(const Integers& values, T scale, std::span<std::byte> tensor) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T value = static_cast<T>(values[i]) * scale;
    std::memcpy(tensor.data() + i * sizeof(T), &value, sizeof(T));
  }
}

void write_tensor(DType t, const Integers& values, int scale, std::span<const NonFinite> exceptions,
                  std::span<std::byte> tensor) {
  if (t == DType::f32)
    write_as<float>(values, std::ldexp(1.0F, -scale), tensor);
  else
    for (std::size_t i = 0; i < values.size(); ++i)
      store(t, tensor, static_cast<std::int64_t>(i), std::ldexp(values[i], -scale));
  for (const NonFinite& e : exceptions) store(t, tensor, e.index, e.value);
}

/// Largest integer in dy and x, and their scale.
struct Range {
  std::int64_t magnitude;
  int scale;
};

/// Every partial sum stays below 2^exact_bits, and in binary16's range.
Range exact_range(const Case& c, std::int64_t sum, std::int64_t terms) {
  const std::int64_t most = std::min<std::int64_t>(exact_integers(c.dtype) - 1, 2047);
  const double fits = std::sqrt(static_cast<double>(sum) / static_cast<double>(terms));
  const auto largest = std::clamp<std::int64_t>(static_cast<std::int64_t>(fits), 1, most);
  return {c.magnitude ? std::min<std::int64_t>(c.magnitude, largest) : largest, 0};
}

/// All of the type's precision, up to 15 bits, in numbers below 1; smaller where binary16's range asks for
/// it.
Range rounding_range(const Case& c, std::int64_t terms) {
  const int bits = c.dtype == DType::f32 ? 15 : c.dtype == DType::f16 ? 11 : 8;
  int scale = bits;
  if (c.dtype == DType::f16)
    for (std::int64_t room = 30000; room < terms; room *= 4) ++scale;
  return {(std::int64_t{1} << bits) - 1, scale};
}

}  // namespace

Recipe recipe_of(const Case& c, const Fill& fill) {
  const spec::Shape& s = c.shape;
  const std::int64_t room = std::int64_t{1} << fill.exact_bits;
  const std::int64_t old = std::max<std::int64_t>(1, std::min<std::int64_t>(room / 16, 997));
  const std::int64_t terms = terms_at_most(s);
  // The old value and a bias take up to an eighth of the room; binary16's range bounds the sum as well.
  const std::int64_t sum = std::min<std::int64_t>(room - 2 * old, c.dtype == DType::f16 ? 60000 : room);
  const Range range = fill.rounds ? rounding_range(c, terms) : exact_range(c, sum, terms);
  const std::int64_t addend = c.magnitude ? std::min<std::int64_t>(old, c.magnitude) : old;
  return {.dy = {stream_of(c, kDy), spec::dy_elems(s), range.magnitude},
          .x = {stream_of(c, kX), spec::x_elems(s), range.magnitude},
          .dw = {stream_of(c, kDw), spec::dw_elems(s), addend},
          .bias = {stream_of(c, kBias), bias_elems(c), addend},
          .scale = range.scale,
          .keep_every = !fill.rounds && terms > sum ? spec::ceil_div(terms, sum) : 1};
}

Data make_data(const Case& c, const Fill& fill) {
  const Recipe recipe = recipe_of(c, fill);
  Data data;
  data.scale = recipe.scale;
  data.exact = !fill.rounds;
  data.dy = dense(recipe.dy);
  data.x = dense(recipe.x);
  data.dw = dense(recipe.dw);
  data.bias = dense(recipe.bias);
  if (recipe.keep_every > 1)
    for (std::size_t i = 0; i < data.dy.size(); ++i)
      if ((static_cast<std::int64_t>(i) / c.shape.out_channels) % recipe.keep_every) data.dy[i] = 0;
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

void write_tensors(DType t, const Data& data, const Tensors& to) {
  write_tensor(t, data.dy, data.scale, data.dy_non_finite, to.dy);
  write_tensor(t, data.x, data.scale, {}, to.x);
  write_tensor(t, data.dw, 0, {}, to.dw);
  write_tensor(t, data.bias, 0, {}, to.bias);
}

std::int64_t first_altered(DType t, const Data& data, BufferId id, std::span<const std::byte> tensor) {
  std::vector<std::byte> pristine(tensor.size());
  if (id == BufferId::dy) write_tensor(t, data.dy, data.scale, data.dy_non_finite, pristine);
  if (id == BufferId::x) write_tensor(t, data.x, data.scale, {}, pristine);
  if (id == BufferId::dw) write_tensor(t, data.dw, 0, {}, pristine);
  if (id == BufferId::bias) write_tensor(t, data.bias, 0, {}, pristine);
  const auto [mine, theirs] = std::ranges::mismatch(pristine, tensor);
  return mine == pristine.end() ? -1 : (mine - pristine.begin()) / size_of(t);
}

}  // namespace wgradcheck::check
