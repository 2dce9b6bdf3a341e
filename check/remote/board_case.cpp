#include "check/remote/board_case.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "check/judge/compare.hpp"
#include "check/judge/number.hpp"
#include "check/judge/random.hpp"
#include "check/remote/case_folder.hpp"
#include "check/search/refusal.hpp"

namespace wgradcheck::check {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::int64_t kMostProducts = std::int64_t{1} << 30;  ///< whose sums are worth a digest

std::uint64_t hash_of(std::uint64_t h, std::span<const std::byte> bytes) {
  h = scrambled(h, bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t some = 0;
    std::memcpy(&some, bytes.data() + at, std::min(sizeof some, bytes.size() - at));
    h = scrambled(h, some);
  }
  return h;
}

/// The tensors that a fill gives, as long as these.
Held filled(const Case& c, const Data& data, const Tensors& t) {
  Sizes sizes{};
  for (const BufferId id : kTensors) sizes[static_cast<std::size_t>(id)] = std::ssize(t[id]);
  Held held(sizes);
  write_tensors(c, data, held.tensors());
  return held;
}

bool holds(const Case& c, const Data& data, const Tensors& t) {
  Held held = filled(c, data, t);
  const Tensors due = held.tensors();
  return std::ranges::all_of(kTensors, [&](BufferId id) { return std::ranges::equal(due[id], t[id]); });
}

/// Elements that are not what is drawn, such as Inf, are given one by one.
BoardTensor drawn(const Case& c, BufferId id, const Draw& draw, int scale, const Tensors& plain,
                  const Tensors& t) {
  BoardTensor tensor{.draw = draw, .scale = scale};
  for (std::int64_t i = 0; i < draw.elems; ++i)
    if (const auto bits = bits_at(c.dtype, t[id], i); bits != bits_at(c.dtype, plain[id], i))
      tensor.others.push_back({i, bits});
  return tensor;
}

/// Element by element; most of one that reads products off a kernel are 0.
BoardTensor literal(const Case& c, BufferId id, const Tensors& t) {
  const auto bytes = t[id];
  BoardTensor tensor{.draw = {.elems = std::ssize(bytes) / size_of(c.dtype), .magnitude = 0}};
  for (std::int64_t i = 0; i < tensor.draw.elems; ++i)
    if (const std::uint32_t bits = bits_at(c.dtype, bytes, i)) tensor.others.push_back({i, bits});
  return tensor;
}

}  // namespace

std::uint32_t bits_at(DType t, std::span<const std::byte> tensor, std::int64_t i) {
  const auto size = static_cast<std::size_t>(size_of(t));
  std::uint32_t bits = 0;
  std::memcpy(&bits, tensor.data() + static_cast<std::size_t>(i) * size, size);
  return bits;
}

void set_bits(DType t, std::span<std::byte> tensor, std::int64_t i, std::uint32_t bits) {
  const auto size = static_cast<std::size_t>(size_of(t));
  std::memcpy(tensor.data() + static_cast<std::size_t>(i) * size, &bits, size);
}

std::uint64_t digest_of(DType t, std::span<const std::byte> dw) {
  const std::int64_t elems = std::ssize(dw) / size_of(t);
  auto h = static_cast<std::uint64_t>(elems);
  for (std::int64_t i = 0; i < elems; ++i) h = scrambled(h, bits_at(t, dw, i));
  return h;
}

std::uint64_t key_of(const CallImage& image, const Case& c, const Tensors& t) {
  std::uint64_t h = hash_of(1, std::as_bytes(std::span(image.param.fields)));
  h = scrambled(h, c.core_mask);
  h = scrambled(h, static_cast<std::uint64_t>(c.workspace));
  h = scrambled(h, static_cast<std::uint64_t>(c.read_slack));
  h = scrambled(h, static_cast<std::uint64_t>(c.align) << 8 | static_cast<std::uint64_t>(c.placement));
  for (const BufferId id : kTensors) h = hash_of(h, t[id]);
  return h;
}

std::optional<Fill> fill_of(const Case& c, const Tensors& t) {
  // Sums in float, binary16 and bfloat16, those of subnormals, and the same of a kernel that transforms.
  for (const int exact_bits : {24, 18, 11, 8, 7, 5, 2})
    for (const Fill& fill :
         {Fill{}, Fill{.non_finite = true}, Fill{.subnormal = true}, Fill{.rounds = true}}) {
      Fill tried = fill;
      tried.exact_bits = exact_bits;
      if (holds(c, make_data(c, tried), t)) return tried;
    }
  return {};
}

std::optional<std::vector<std::byte>> expected_bytes(const Case& c, const Fill& fill,
                                                     const Promises& promises, const Tensors& t) {
  if (fill.rounds || fill.non_finite || spec::products(c.shape) > kMostProducts) return {};
  const Data data = make_data(c, fill);
  std::vector<std::byte> dw(t.dw.begin(), t.dw.end());
  // A call that must be refused leaves dW as it was.
  if (is_invalid(c)) return dw;
  const std::vector<double> values = expected_dw(c, data, promises);
  for (std::size_t i = 0; i < values.size(); ++i) store(c.dtype, dw, static_cast<std::int64_t>(i), values[i]);
  return dw;
}

BoardCase board_case(const CallImage& image, const Spots& spots, const Promises& promises, const Case& c,
                     const Tensors& t) {
  BoardCase board{.test = c, .image = image, .spots = spots, .tensors = {}};
  board.key = key_of(board.image, c, t);
  board.fill = fill_of(c, t);
  if (!board.fill) {
    for (std::size_t i = 0; i < kTensors.size(); ++i) board.tensors[i] = literal(c, kTensors[i], t);
    board.whole = true;
    return board;
  }
  const Recipe recipe = recipe_of(c, *board.fill);
  Fill finite = *board.fill;
  finite.non_finite = false;
  const Data data = make_data(c, finite);
  Held plain = filled(c, data, t);
  const std::array draws{recipe.dy, recipe.x, recipe.dw, recipe.bias};
  const std::array scales{data.scale, data.scale + data.tiny, data.tiny, data.tiny};
  for (std::size_t i = 0; i < kTensors.size(); ++i)
    board.tensors[i] = drawn(c, kTensors[i], draws[i], scales[i], plain.tensors(), t);
  board.keep_every = recipe.keep_every;
  if (auto right = expected_bytes(c, *board.fill, promises, t)) {
    board.expected = digest_of(c.dtype, *right);
    board.dw = std::move(*right);
  }
  board.whole = !board.expected;
  return board;
}

}  // namespace wgradcheck::check
