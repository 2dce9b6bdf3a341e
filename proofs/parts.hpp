#pragma once
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "proofs/traced.hpp"

namespace wgradcheck::proofs {

/// Stands for a value of any type where only a type is asked for.
struct Anything {
  template <class T>
  operator T() const;
};

/// Whether an aggregate has as many fields.
template <class T, std::size_t... I>
constexpr bool has_fields(std::index_sequence<I...>) {
  return requires { T{(void(I), Anything{})...}; };
}
template <class T, std::size_t count>
constexpr bool kHasFields = has_fields<T>(std::make_index_sequence<count>{});

/// Calls visit(field) for each field of an aggregate of up to 8.
template <class T, class Visit>
void each_field(const T& value, const Visit& visit) {
  const auto all = [&visit](const auto&... fields) { (visit(fields), ...); };
  if constexpr (kHasFields<T, 8>) {
    const auto& [a, b, c, d, e, f, g, h] = value;
    all(a, b, c, d, e, f, g, h);
  } else if constexpr (kHasFields<T, 7>) {
    const auto& [a, b, c, d, e, f, g] = value;
    all(a, b, c, d, e, f, g);
  } else if constexpr (kHasFields<T, 6>) {
    const auto& [a, b, c, d, e, f] = value;
    all(a, b, c, d, e, f);
  } else if constexpr (kHasFields<T, 5>) {
    const auto& [a, b, c, d, e] = value;
    all(a, b, c, d, e);
  } else if constexpr (kHasFields<T, 4>) {
    const auto& [a, b, c, d] = value;
    all(a, b, c, d);
  } else if constexpr (kHasFields<T, 3>) {
    const auto& [a, b, c] = value;
    all(a, b, c);
  } else if constexpr (kHasFields<T, 2>) {
    const auto& [a, b] = value;
    all(a, b);
  } else {
    const auto& [a] = value;
    all(a);
  }
}

/// Calls visit(part) for each integer and each truth that a value is made of, in order.
template <class Int, class Truth, class T, class Visit>
void each_part(const T& value, const Visit& visit) {
  const auto inner = [&visit](const auto& part) { each_part<Int, Truth>(part, visit); };
  if constexpr (std::is_same_v<T, Int> || std::is_same_v<T, Truth>)
    visit(value);
  else if constexpr (std::is_same_v<T, Traced<Int>>)
    inner(value.values());
  else if constexpr (requires { value.index(); })
    std::visit(inner, value);
  else if constexpr (requires { value.second; })
    inner(value.first), inner(value.second);
  else if constexpr (requires { value.begin(); })
    for (const auto& part : value) inner(part);
  else if constexpr (!std::is_arithmetic_v<T>)
    each_field(value, inner);
}

}  // namespace wgradcheck::proofs
