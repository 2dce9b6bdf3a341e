#include "check/fuzz/mutate.hpp"

#include <algorithm>
#include <limits>

#include "check/fuzz/genes.hpp"
#include "check/judge/random.hpp"
#include "spec/checked.hpp"

namespace wgradcheck::check {
namespace {

using Limits = std::numeric_limits<std::int32_t>;

/// The edges of tiles, vectors and counters; genes count from a field's least value.
constexpr std::array<std::uint16_t, 26> kGeneLattice{
    0, 1, 2, 3, 4, 5, 6, 7, 8, 14, 15, 16, 17, 30, 31, 32, 47, 62, 63, 64, 126, 127, 128, 254, 255, 511};
constexpr std::array<std::int32_t, 34> kIntLattice{0,
                                                   1,
                                                   -1,
                                                   2,
                                                   3,
                                                   4,
                                                   7,
                                                   8,
                                                   9,
                                                   15,
                                                   16,
                                                   17,
                                                   31,
                                                   32,
                                                   33,
                                                   63,
                                                   64,
                                                   65,
                                                   127,
                                                   128,
                                                   255,
                                                   256,
                                                   0x7fff,
                                                   0x8000,
                                                   0xffff,
                                                   0x10000,
                                                   46340,
                                                   46341,
                                                   1 << 24,
                                                   1 << 30,
                                                   Limits::max(),
                                                   Limits::max() - 1,
                                                   Limits::min(),
                                                   Limits::min() + 1};

std::uint16_t get(const std::string& bytes, std::size_t i) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[2 * i]) |
                                    static_cast<unsigned char>(bytes[2 * i + 1]) << 8);
}

void set(std::string& bytes, std::size_t i, std::uint64_t value) {
  bytes[2 * i] = static_cast<char>(value & 0xff);
  bytes[2 * i + 1] = static_cast<char>(value >> 8 & 0xff);
}

/// Copies the numbers of one axis to another, or swaps them.
void change_axes(std::string& bytes, Dice& dice) {
  constexpr std::array kAxes{kDepth, kHeight, kWidth};
  const std::size_t from = dice.one_of(kAxes), to = dice.one_of(kAxes);
  const bool swaps = dice.below(2) == 0;
  for (std::size_t i = 0; i < kHeight - kDepth; ++i) {
    const std::uint16_t there = get(bytes, to + i);
    set(bytes, to + i, get(bytes, from + i));
    if (swaps) set(bytes, from + i, there);
  }
}

void change_gene(std::string& bytes, Dice& dice) {
  const std::size_t at = dice.below(kGenes);
  const std::uint16_t own = get(bytes, at);
  switch (dice.below(6)) {
    case 0:
      return set(bytes, at, own + 1U);
    case 1:
      return set(bytes, at, own == 0 ? 1U : own - 1U);
    case 2:
      return set(bytes, at, get(bytes, dice.below(kGenes)));
    case 3:
      return set(bytes, at, dice.next());
    default:
      return set(bytes, at, dice.one_of(kGeneLattice));
  }
}

/// A valid call on a small shape.
RawCall valid_call(Dice& dice) {
  std::string genes(2 * kGenes, '\0');
  for (char& byte : genes) byte = static_cast<char>(dice.below(256));
  const Largest small{.products = 1 << 10, .elements = 1 << 10};
  const spec::Shape shape = shape_of(genes, *find_abi("mt7004_fp32_p"), small);
  auto call = spec::call_of(shape, size_of(DType::f32), 1, 0);
  call.buffer_size = spec::buffer_limit(call) + static_cast<std::int64_t>(dice.below(64));
  RawCall raw = raw_call_of(call);
  raw.seed = static_cast<std::uint8_t>(dice.next());
  raw.target = static_cast<std::uint8_t>(dice.next());
  return raw;
}

constexpr std::size_t index_of(std::int64_t spec::Call<std::int64_t>::*field) {
  return static_cast<std::size_t>(std::ranges::find(kCallFields, field) - kCallFields.begin());
}

/// What holds between the fields of a valid call, or just does not.
void relate(RawCall& raw, Dice& dice) {
  using Call = spec::Call<std::int64_t>;
  const auto field = [&raw](std::int64_t Call::*of) -> std::int32_t& { return raw.fields[index_of(of)]; };
  const auto cut = [](std::int64_t value) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, Limits::min(), Limits::max()));
  };
  const std::int64_t off = static_cast<std::int64_t>(dice.below(3)) - 1;
  const auto times = static_cast<std::int64_t>(1 + dice.below(9));
  switch (dice.below(4)) {
    case 0:
      field(&Call::input_channel) = cut(field(&Call::group) * times + off);
      break;
    case 1:
      field(&Call::output_channel) = cut(field(&Call::group) * times + off);
      break;
    case 2:
      field(&Call::input_batch) = cut(field(&Call::output_batch) + off);
      break;
    default:
      try {
        auto call = spec::as<spec::Checked<std::int64_t>>(rules_call_of(raw, 4, 1));
        if (call.group > spec::Checked<std::int64_t>(0))
          field(&Call::buffer_size) = cut(spec::buffer_limit(call).value() + off);
      } catch (const spec::Overflow&) {
        field(&Call::buffer_size) = Limits::max();
      }
  }
}

}  // namespace

std::int32_t edge(Dice& dice) { return dice.one_of(kIntLattice); }

std::uint64_t Dice::next() { return scrambled(seed_, drawn_++); }

std::string mutated_genes(std::string_view bytes, std::string_view other, Dice& dice) {
  std::string changed(bytes.substr(0, 2 * kGenes));
  changed.resize(2 * kGenes);
  if (!other.empty() && dice.below(8) == 0)
    for (std::size_t at = 0; at < std::min(other.size(), changed.size()); ++at)
      if (dice.below(2) == 0) changed[at] = other[at];
  do {
    dice.below(12) == 0 ? change_axes(changed, dice) : change_gene(changed, dice);
  } while (dice.below(3) != 0);
  return changed;
}

RawCall mutated(RawCall raw, Dice& dice) {
  if (dice.below(6) == 0) raw = valid_call(dice);
  do {
    std::int32_t& field = raw.fields[dice.below(raw.fields.size())];
    switch (dice.below(8)) {
      case 0:
        relate(raw, dice);
        break;
      case 1:
        field = raw.fields[dice.below(raw.fields.size())];
        break;
      case 2:
        field = static_cast<std::int32_t>(dice.next());
        break;
      case 3:
        raw.workspace = static_cast<RawCall::Workspace>(dice.below(3));
        raw.target = static_cast<std::uint8_t>(dice.next());
        break;
      case 4:
        field = static_cast<std::int32_t>(dice.below(16));
        break;
      default:
        field = edge(dice);
    }
  } while (dice.below(3) == 0);
  return raw;
}

}  // namespace wgradcheck::check
