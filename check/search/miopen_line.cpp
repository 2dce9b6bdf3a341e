#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "check/search/flags.hpp"

namespace wgradcheck::check {
namespace {

/// A flag of `MIOpenDriver conv`; source: the driver's list of its flags.
struct Flag {
  char brief;
  std::string_view name;
};

constexpr std::array kFlags = std::to_array<Flag>({{'n', "batchsize"},
                                                   {'c', "in_channels"},
                                                   {'k', "out_channels"},
                                                   {'g', "group_count"},
                                                   {'_', "spatial_dim"},
                                                   {'!', "in_d"},
                                                   {'H', "in_h"},
                                                   {'W', "in_w"},
                                                   {'@', "fil_d"},
                                                   {'y', "fil_h"},
                                                   {'x', "fil_w"},
                                                   {'#', "conv_stride_d"},
                                                   {'u', "conv_stride_h"},
                                                   {'v', "conv_stride_w"},
                                                   {'$', "pad_d"},
                                                   {'p', "pad_h"},
                                                   {'q', "pad_w"},
                                                   {'^', "dilation_d"},
                                                   {'l', "dilation_h"},
                                                   {'j', "dilation_w"},
                                                   {'m', "mode"},
                                                   {'z', "pad_mode"},
                                                   {'r', "pad_val"},
                                                   {'F', "forw"},
                                                   {'I', "in_layout"},
                                                   {'O', "out_layout"},
                                                   {'f', "fil_layout"},
                                                   {'%', "trans_output_pad_d"},
                                                   {'Y', "trans_output_pad_h"},
                                                   {'X', "trans_output_pad_w"},
                                                   {'i', "iter"},
                                                   {'V', "verify"},
                                                   {'C', "verification_cache"},
                                                   {'t', "time"},
                                                   {'w', "wall"},
                                                   {'s', "search"},
                                                   {'P', "printconv"},
                                                   {'o', "dump_output"},
                                                   {'d', "in_data"},
                                                   {'e', "weights"},
                                                   {'b', "bias"},
                                                   {'Z', "tensor_vect"},
                                                   {'L', "vector_length"},
                                                   {'a', "in_bias"},
                                                   {'D', "dout_data"},
                                                   {'S', "solution"},
                                                   {'G', "gpualloc"},
                                                   {'T', "in_cast_type"},
                                                   {'U', "out_cast_type"},
                                                   {'R', "wei_cast_type"}});

std::string name_of_flag(const std::string& word) {
  for (const Flag& flag : kFlags)
    if (word == fmt::format("-{}", flag.brief) || word == fmt::format("--{}", flag.name))
      return std::string(flag.name);
  throw spec::Refusal{word, fmt::format("{} is no flag of MIOpenDriver's conv", word)};
}

Flags flags_of(std::span<const std::string> words) {
  Flags flags;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::string name = name_of_flag(words[i]);
    if (i + 1 == words.size()) throw spec::Refusal{name, fmt::format("{} has no value", words[i])};
    flags.add(name, words[i], words[i + 1]);
  }
  return flags;
}

/// An axis by the driver's names and with its defaults.
struct Axis {
  std::int64_t input, kernel, stride, pad, dilation;
};

Axis axis_of(const Flags& flags, char letter) {
  const auto number = [&](const char* what, std::int64_t otherwise) {
    return flags.number(fmt::format("{}_{}", what, letter), otherwise);
  };
  return {number("in", 32), number("fil", 3), number("conv_stride", 1), number("pad", 0),
          number("dilation", 1)};
}

/// The pad that pad_mode asks for, which the driver looks at only where nothing is dilated.
std::int64_t pad_of(const Axis& a, const std::string& mode) {
  if (mode == "valid") return 0;
  if (mode != "same" || a.stride < 1) return a.pad;
  const std::int64_t rest = a.input % a.stride;
  return std::max<std::int64_t>(a.kernel - (rest == 0 ? a.stride : rest), 0) / 2;
}

DType dtype_of(const std::string& operation) {
  if (operation == "conv") return DType::f32;
  if (operation == "convfp16") return DType::f16;
  if (operation == "convbfp16") return DType::bf16;
  throw spec::Refusal{"conv", fmt::format("MIOpenDriver's operation is \"{}\"; conv, convfp16 and convbfp16 "
                                          "are read",
                                          operation)};
}

}  // namespace

Problem read_miopen(std::span<const std::string> words) {
  const DType dtype = dtype_of(words.empty() ? "" : words[0]);
  const Flags flags = flags_of(words.subspan(std::min<std::size_t>(1, words.size())));
  if (flags.text("mode", "conv") != "conv") flags.refuse("mode", "which is another operation than conv");
  if (flags.number("pad_val", 0) != 0) flags.refuse("pad_val", "but what lies outside the input is 0");
  const std::string pad_mode = flags.text("pad_mode", "default");
  if (pad_mode != "default" && pad_mode != "same" && pad_mode != "valid")
    flags.refuse("pad_mode", "which is none of default, same and valid");
  const std::int64_t dimensions = flags.number("spatial_dim", 2);
  if (dimensions != 2 && dimensions != 3) flags.refuse("spatial_dim", "which is neither 2 nor 3");

  std::vector<std::pair<char, Axis>> axes;
  for (const char letter : dimensions == 3 ? std::string("dhw") : std::string("hw"))
    axes.emplace_back(letter, axis_of(flags, letter));
  const auto none = [&](auto field) {
    return std::ranges::all_of(axes, [&](const auto& axis) { return axis.second.*field == 1; });
  };
  if (none(&Axis::dilation) || none(&Axis::kernel))
    for (auto& [letter, axis] : axes) axis.pad = pad_of(axis, pad_mode);

  std::vector<std::pair<std::string, std::int64_t>> fields{
      {"g", std::max<std::int64_t>(flags.number("group_count", 1), 1)},
      {"mb", flags.number("batchsize", 100)},
      {"ic", flags.number("in_channels", 3)},
      {"oc", flags.number("out_channels", 32)}};
  for (const auto& [letter, axis] : axes)
    for (const auto& [kind, value] : {std::pair{'i', axis.input},
                                      {'k', axis.kernel},
                                      {'s', axis.stride},
                                      {'p', axis.pad},
                                      {'d', axis.dilation - 1}})
      fields.emplace_back(std::string{kind, letter}, value);
  return {shape_of(fields), dtype};
}

}  // namespace wgradcheck::check
