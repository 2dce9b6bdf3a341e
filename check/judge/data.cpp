#include "check/judge/data.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <ranges>

#include "check/judge/clones.hpp"
#include "check/judge/number.hpp"
#include "check/judge/pairs.hpp"
#include "check/judge/random.hpp"

namespace wgradcheck::check {
namespace {

enum Stream : std::uint64_t { kDy = 1, kX, kDw, kBias, kSpecial, kMask };

std::uint64_t stream_of(const Case& c, Stream s) { return scrambled(c.seed, s); }

WGRADCHECK_FOR_EACH_CPU
void fill(std::uint64_t stream, std::uint64_t range, std::size_t count, std::int16_t* values) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t z = scrambled(stream, i);
    const auto size = static_cast<std::int16_t>(1 + ((z >> 32) * range >> 32));
    values[i] = z & 1 ? size : static_cast<std::int16_t>(-size);
  }
}

Integers dense(const Draw& draw, Integers values) {
  const auto count = static_cast<std::size_t>(draw.elems);
  // What does not fit would be copied; and the next tensor may be a little larger.
  if (values.capacity() < count) {
    values = {};
    values.reserve(std::bit_ceil(count));
  }
  values.resize(count);
  fill(draw.stream, static_cast<std::uint64_t>(draw.magnitude), values.size(), values.data());
  return values;
}

std::int64_t terms_at_most(const spec::Shape& s) {
  return s.batch * s.depth.output * s.height.output * s.width.output;
}

// Elements are their integers times a power of two, all of them exact in their type.
WGRADCHECK_FOR_EACH_CPU
void write_f32(const std::int16_t* values, std::size_t count, float scale, std::byte* __restrict bytes) {
  auto* const to = reinterpret_cast<float*>(bytes);
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(values[i]) * scale;
}

WGRADCHECK_FOR_EACH_CPU
void write_f16(const std::int16_t* values, std::size_t count, float scale, std::byte* __restrict bytes) {
  auto* const to = reinterpret_cast<std::uint16_t*>(bytes);
  for (std::size_t i = 0; i < count; ++i) {
    // 2^-112 turns the exponent of float into that of binary16, subnormals included.
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(values[i]) * scale * 0x1p-112F);
    to[i] = static_cast<std::uint16_t>((bits & 0x7fffffff) >> 13 | (bits >> 16 & 0x8000));
  }
}

WGRADCHECK_FOR_EACH_CPU
void write_bf16(const std::int16_t* values, std::size_t count, float scale, std::byte* __restrict bytes) {
  auto* const to = reinterpret_cast<std::uint16_t*>(bytes);
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(values[i]) * scale);
    to[i] = static_cast<std::uint16_t>(bits >> 16);
  }
}

void write_some(DType t, std::span<const std::int16_t> values, int scale, std::byte* to) {
  const auto write = t == DType::f32 ? write_f32 : t == DType::f16 ? write_f16 : write_bf16;
  write(values.data(), values.size(), std::ldexp(1.0F, -scale), to);
}

void write_tensor(DType t, const Integers& values, int scale, std::span<const Special> exceptions,
                  std::span<std::byte> tensor) {
  write_some(t, values, scale, tensor.data());
  for (const Special& e : exceptions) store(t, tensor, e.index, e.value);
}

/// Index of the first element whose bits are not those that write_tensor writes, or -1.
std::int64_t first_other(DType t, const Integers& values, int scale, std::span<const Special> exceptions,
                         std::span<const std::byte> tensor) {
  constexpr std::size_t kBlock = 4096;
  const auto size = static_cast<std::size_t>(size_of(t));
  std::array<std::byte, kBlock * sizeof(float)> pristine;
  for (std::size_t at = 0; at < values.size(); at += kBlock) {
    const std::size_t count = std::min(kBlock, values.size() - at);
    const std::span block(pristine.data(), count * size);
    write_some(t, std::span(values).subspan(at, count), scale, block.data());
    for (const Special& e : exceptions) {
      const std::int64_t i = e.index - static_cast<std::int64_t>(at);
      if (i >= 0 && i < static_cast<std::int64_t>(count)) store(t, block, i, e.value);
    }
    const auto seen = tensor.subspan(at * size, block.size());
    if (std::memcmp(block.data(), seen.data(), block.size()) == 0) continue;
    const auto differs = std::ranges::mismatch(block, seen).in1 - block.begin();
    return static_cast<std::int64_t>(at) + differs / size_of(t);
  }
  return -1;
}

std::span<const Special> exceptions_of(const Data& data, BufferId id) {
  if (id == BufferId::dy) return data.dy_special;
  if (id == BufferId::x) return data.x_special;
  if (id == BufferId::dw) return data.dw_special;
  return {};
}

/// Largest integer in dy and x, and their scale.
struct Range {
  std::int64_t magnitude;
  int scale;
};

/// Every partial sum stays below 2^exact_bits. Of many terms binary16's range holds four times the square
/// root of their number times the largest product, twelve standard deviations; an element beyond is infinite,
/// as the formula then says. Factors that kept the largest conceivable sum in range would be so small that
/// sums in binary16 were exact.
Range exact_range(const Case& c, std::int64_t sum, std::int64_t terms) {
  constexpr double kHalfRange = 60000, kTimes = 4;
  const std::int64_t most = std::min<std::int64_t>(exact_integers(c.dtype) - 1, 2047);
  double fits = std::sqrt(static_cast<double>(sum) / static_cast<double>(terms));
  if (c.dtype == DType::f16) {
    const auto n = static_cast<double>(terms);
    fits = std::min(fits, std::sqrt(kHalfRange / std::min(n, kTimes * std::sqrt(n))));
  }
  const auto largest = std::clamp<std::int64_t>(static_cast<std::int64_t>(fits), 1, most);
  return {c.magnitude ? std::min<std::int64_t>(c.magnitude, largest) : largest, 0};
}

/// All of the type's precision, up to 15 bits, in numbers below 1; smaller where binary16's range asks for
/// it.
Range rounding_range(const Case& c, std::int64_t terms) {
  int bits = c.dtype == DType::f32 ? 15 : c.dtype == DType::f16 ? 11 : 8;
  // Exact sums stay below 2^53, which a double holds.
  for (std::int64_t room = std::int64_t{1} << 22; room < terms && bits > 1; room *= 4) --bits;
  int scale = bits;
  if (c.dtype == DType::f16)
    for (std::int64_t room = 30000; room < terms; room *= 4) ++scale;
  return {(std::int64_t{1} << bits) - 1, scale};
}

/// Inf and NaN in dy, the same in x or in dW, or a -0 in each of dy and x. Zeros of a thinned dy times Inf
/// are NaN by the formula, but kernels that pass over zeros are right as well; dy takes them then.
void add_specials(const Case& c, const Recipe& recipe, Data& data) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr std::array kKinds{kInf, -kInf, std::numeric_limits<double>::quiet_NaN()};
  const std::uint64_t stream = stream_of(c, kSpecial);
  const auto some = [stream](std::uint64_t draw, std::size_t count) {
    return scrambled(stream, draw) % count;
  };
  const auto index = [&](std::uint64_t draw, const Integers& of) {
    return static_cast<std::int64_t>(some(draw, of.size()));
  };
  const std::size_t kind = some(4, 4);
  if (kind == 2) {
    for (auto [values, special] : {std::pair{&data.dy, &data.dy_special}, {&data.x, &data.x_special}}) {
      special->push_back({index(special == &data.x_special, *values), -0.0});
      (*values)[static_cast<std::size_t>(special->front().index)] = 0;
    }
    return;
  }
  const bool in_x = kind == 1 && recipe.keep_every == 1, in_dw = kind == 3;
  const Integers& values = in_x ? data.x : in_dw ? data.dw : data.dy;
  for (std::uint64_t i = 0; i < 2; ++i)
    (in_x    ? data.x_special
     : in_dw ? data.dw_special
             : data.dy_special)
        .push_back({index(i, values), kKinds[some(i + 2, kKinds.size())]});
}

/// The numbers of masked data: a small product is just below half of the large one's last place in an
/// accumulator of so many bits, 2^(2*large - bits).
struct Masks {
  int large;  ///< a large factor is 2^large
  std::int16_t dy, x;
  int scale;  ///< so that binary16 holds every partial sum
};

Masks masks_for(int bits, DType t) {
  if (bits == 24) return {14, 3, 5, t == DType::f16 ? 8 : 0};
  return bits == 11 ? Masks{7, 7, 1, 2} : Masks{6, 3, 5, 2};
}

/// Makes data masked: at a tap of which two positions lie inside the input, where there is one.
void mask(const Case& c, int bits, Data& data) {
  const Masks m = masks_for(bits, c.dtype);
  const auto large = static_cast<std::int16_t>(1 << m.large);
  const std::uint64_t stream = stream_of(c, kMask);
  data.scale = m.scale;
  std::ranges::fill(data.dy, m.dy);
  std::ranges::fill(data.x, m.x);
  const RowPairs pairs = row_pairs(
      c.shape,
      static_cast<std::int64_t>(scrambled(stream, 0) % static_cast<std::uint64_t>(taps_of(c.shape))));
  const std::uint64_t terms = pairs.dy.size() * static_cast<std::uint64_t>(pairs.columns);
  if (terms < 2) return;
  const std::uint64_t first = scrambled(stream, 1) % terms,
                      second = (first + 1 + scrambled(stream, 2) % (terms - 1)) % terms;
  const auto set = [](Integers& values, std::int64_t pixel, std::int64_t channels, std::int16_t value) {
    std::fill_n(values.begin() + pixel * channels, channels, value);
  };
  for (const auto& [term, value] : {std::pair{first, large}, {second, static_cast<std::int16_t>(-large)}}) {
    const std::uint64_t row = term / static_cast<std::uint64_t>(pairs.columns);
    const auto column = static_cast<std::int64_t>(term) - static_cast<std::int64_t>(row) * pairs.columns;
    set(data.dy, pairs.dy[row] + column, c.shape.out_channels, value);
    set(data.x, pairs.x[row] + column * pairs.stride, c.shape.in_channels, large);
  }
}

/// The place of the element type's last subnormal bit.
int last_place(DType t) { return t == DType::f32 ? 149 : t == DType::f16 ? 24 : 133; }

}  // namespace

Recipe recipe_of(const Case& c, const Fill& fill) {
  const spec::Shape& s = c.shape;
  const std::int64_t room = std::int64_t{1} << fill.exact_bits;
  std::int64_t old =
      std::max<std::int64_t>(1, std::min({room / 16, exact_integers(c.dtype) - 1, std::int64_t{997}}));
  const std::int64_t terms = terms_at_most(s);
  // The old value and a bias take up to an eighth of the room.
  const std::int64_t sum = room - 2 * old;
  const Range range = fill.rounds ? rounding_range(c, terms) : exact_range(c, sum, terms);
  // Where sums round, an old value much larger than the products would hide what they lose.
  if (fill.rounds) old = 1;
  const std::int64_t addend = c.magnitude ? std::min<std::int64_t>(old, c.magnitude) : old;
  return {.dy = {stream_of(c, kDy), spec::dy_elems(s), range.magnitude},
          .x = {stream_of(c, kX), spec::x_elems(s), range.magnitude},
          .dw = {stream_of(c, kDw), spec::dw_elems(s), addend},
          .bias = {stream_of(c, kBias), bias_elems(c), addend},
          .scale = range.scale,
          .keep_every = !fill.rounds && terms > sum ? spec::ceil_div(terms, sum) : 1};
}

Data make_data(const Case& c, const Fill& fill, Data room) {
  const Recipe recipe = recipe_of(c, fill);
  Data data;
  data.scale = recipe.scale;
  data.tiny = fill.subnormal ? last_place(c.dtype) : 0;
  data.exact = !fill.rounds;
  data.dy = dense(recipe.dy, std::move(room.dy));
  data.x = dense(recipe.x, std::move(room.x));
  data.dw = dense(recipe.dw, std::move(room.dw));
  data.bias = dense(recipe.bias, std::move(room.bias));
  if (fill.masked != 0) mask(c, fill.masked, data);
  if (recipe.keep_every > 1)
    for (std::size_t i = 0; i < data.dy.size(); ++i)
      if ((static_cast<std::int64_t>(i) / c.shape.out_channels) % recipe.keep_every) data.dy[i] = 0;
  if (fill.non_finite) add_specials(c, recipe, data);
  return data;
}

const Integers& integers_of(const Data& data, BufferId id) {
  return id == BufferId::dy ? data.dy : id == BufferId::x ? data.x : id == BufferId::dw ? data.dw : data.bias;
}

int scale_of(const Data& data, BufferId id) {
  if (id == BufferId::dy) return data.scale;
  return id == BufferId::x ? data.scale + data.tiny : data.tiny;
}

double element_of(const Data& data, BufferId id, std::int64_t index) {
  // Of two in one place the later one was written last.
  for (const Special& e : exceptions_of(data, id) | std::views::reverse)
    if (e.index == index) return e.value;
  return std::ldexp(integers_of(data, id)[static_cast<std::size_t>(index)], -scale_of(data, id));
}

void write_tensors(const Case& c, const Data& data, const Tensors& to) {
  for (const auto& [id, tensor] : {std::pair{BufferId::dy, to.dy},
                                   {BufferId::x, to.x},
                                   {BufferId::dw, to.dw},
                                   {BufferId::bias, to.bias}})
    write_tensor(id == BufferId::dw ? c.dw_type() : c.dtype, integers_of(data, id), scale_of(data, id),
                 exceptions_of(data, id), tensor);
}

std::int64_t first_altered(DType t, const Data& data, BufferId id, std::span<const std::byte> tensor) {
  return first_other(t, integers_of(data, id), scale_of(data, id), exceptions_of(data, id), tensor);
}

}  // namespace wgradcheck::check
