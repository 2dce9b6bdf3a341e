#include "spec/shape.hpp"

#include <tuple>
#include <utility>

#include "spec/checked.hpp"

namespace wgradcheck::spec {
namespace {

using Wide = Checked<std::int64_t>;
using Fault = std::optional<Refusal>;

Fault at_least(std::int64_t least, const std::string& field, std::int64_t value) {
  if (value >= least) return {};
  return Refusal{field,
                 field + " is " + std::to_string(value) + "; it must be at least " + std::to_string(least)};
}

Fault axis(const Axis<std::int64_t>& a, const std::string& name) {
  for (const auto& [letter, value, least] : {std::tuple{"i", a.input, 1},
                                             {"o", a.output, 1},
                                             {"k", a.kernel, 1},
                                             {"s", a.stride, 1},
                                             {"p", a.pad_before, 0}})
    if (auto fault = at_least(least, letter + name, value)) return fault;
  // A problem line counts the elements skipped between taps: one less than the dilation.
  return at_least(0, "d" + name, a.dilation - 1);
}

Fault divides(const std::string& field, std::int64_t channels, std::int64_t groups) {
  if (channels % groups == 0) return {};
  return Refusal{field, field + " is " + std::to_string(channels) + ", which g = " + std::to_string(groups) +
                            " does not divide"};
}

Fault too_large(const Shape& shape) {
  const auto s = as<Wide>(shape);
  const Wide most = std::int64_t{1} << 62;
  const auto fits = [&most](auto size) {
    try {
      return size() < most;
    } catch (const Overflow&) {
      return false;
    }
  };
  const char* why = " needs more elements than 2^62";
  if (!fits([&s] { return x_elems(s); })) return Refusal{"ih", std::string("x") + why};
  if (!fits([&s] { return dy_elems(s); })) return Refusal{"oh", std::string("dy") + why};
  if (!fits([&s] { return dw_elems(s); })) return Refusal{"kh", std::string("dW") + why};
  for (const auto& [name, a] : {std::pair{"d", s.depth}, {"h", s.height}, {"w", s.width}})
    if (!fits([&a] { return (a.output - 1) * a.stride + span(a) + a.pad_before; }))
      return Refusal{std::string("o") + name, std::string("the positions of axis ") + name + " exceed 2^62"};
  return {};
}

}  // namespace

std::optional<Refusal> refuse(const Shape& s) {
  for (const auto& [field, value] :
       {std::pair{"g", s.groups}, {"mb", s.batch}, {"ic", s.in_channels}, {"oc", s.out_channels}})
    if (auto fault = at_least(1, field, value)) return fault;
  if (auto fault = axis(s.depth, "d")) return fault;
  if (auto fault = axis(s.height, "h")) return fault;
  if (auto fault = axis(s.width, "w")) return fault;
  if (auto fault = divides("ic", s.in_channels, s.groups)) return fault;
  if (auto fault = divides("oc", s.out_channels, s.groups)) return fault;
  return too_large(s);
}

}  // namespace wgradcheck::spec
