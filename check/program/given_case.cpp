#include "check/program/given_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/kernel.hpp"
#include "check/report/words.hpp"
#include "check/run/conv_param.hpp"
#include "check/text.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

/// Sets a field of ConvParameter to a value, written `kernel_h_=0`.
void add(const std::string& text, Tamper& tamper) {
  const auto parts = split(text, '=');
  const auto field = std::ranges::find(kParamFields, parts.front());
  const auto value = whole_number<std::int32_t>(parts.back());
  if (field == kParamFields.end() || parts.size() != 2 || !value)
    throw BadInput{
        fmt::format("--param is {}; it must be a field of ConvParameter and an int, as kernel_h_=0", text)};
  tamper.set(static_cast<std::size_t>(field - kParamFields.begin()), *value);
}

}  // namespace

void GivenCase::add_to(CLI::App& command) {
  command.add_option("--magnitude", magnitude, "Largest integer in the data of --shape")
      ->check(CLI::Range(1, 2047));
  command
      .add_option("--placement", placement,
                  "Where --shape's buffers lie: the guard page at the end or start, or how aligned")
      ->check(CLI::IsMember({"end", "start", "aligned", "least"}));
  command.add_option("--bias", bias, "Bias argument of --shape")
      ->check(CLI::IsMember({"none", "column", "cout"}));
  command.add_option("--param", params,
                     "Hand --shape over with this int of ConvParameter replaced: kernel_h_=0; repeatable");
  command.add_flag("--nonfinite", non_finite,
                   "Put Inf and NaN into dy, x or dW of --shape, or -0 into dy and x");
  command.add_flag("--subnormal", subnormal, "Fill x and dW of --shape with subnormal numbers");
  command.add_flag("--rounding", rounds, "Fill --shape with numbers whose sums round");
  command
      .add_option("--masked", masked,
                  "Fill --shape with two large products that mask others in sums of so many bits")
      ->check(CLI::IsMember({8, 11, 24}));
  command.add_option("--exact-bits", exact_bits, "Sums of the data of --shape stay below 2^N")
      ->check(CLI::Range(2, 24));
}

std::vector<Trial> GivenCase::trials(const Domain& domain, const std::vector<spec::Shape>& shapes,
                                     std::uint64_t seed, const CallOptions& call) const {
  const bool given = magnitude || non_finite || subnormal || rounds || masked ||
                     exact_bits != Fill().exact_bits || !params.empty() || !bias.empty() ||
                     !placement.empty();
  std::vector<Trial> trials;
  if (domain.abi->host && (!params.empty() || !bias.empty()))
    throw BadInput{fmt::format("--param and --bias mean nothing to {}", domain.abi->name)};
  if (!given) return trials;
  if (shapes.empty())
    throw BadInput{
        "--param, --placement, --magnitude, --bias, --nonfinite, --subnormal, --rounding, --masked and "
        "--exact-bits need a --shape"};
  for (const spec::Shape& shape : shapes) {
    // As replay commands leave it out: one core, whatever the convention allows.
    const bool one = call.core_mask.empty() && call.cores == 0 && call.threads == 0;
    Trial t{.test = {.shape = shape,
                     .core_mask = one ? 1 : domain.core_masks.back(),
                     .implementation = domain.implementations.front(),
                     .seed = seed},
            .fill = {.exact_bits = exact_bits,
                     .non_finite = non_finite,
                     .subnormal = subnormal,
                     .rounds = rounds || masked != 0,
                     .masked = masked}};
    t.test.bias = bias == "column" ? Bias::column : bias == "cout" ? Bias::per_output : Bias::none;
    for (const Placement p : kPlacements)
      if (placement == placement_name(p)) t.test.placement = p;
    t.test.magnitude = magnitude;
    for (const std::string& param : params) add(param, t.test.tamper);
    if (auto why = admit(domain, t.test))
      throw BadInput{fmt::format("--shape {}: {}", spec::to_line(shape), *why)};
    trials.push_back(t);
  }
  return trials;
}

}  // namespace wgradcheck::check
