#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "check/executor.hpp"
#include "spec/index.hpp"

namespace wgradcheck::check {

/// What a kernel is held to; each is one way of being wrong.
enum class Property { formula, memory, rules, rounding, nonfinite, crash, hang };
inline constexpr std::array kProperties{Property::formula,  Property::memory,    Property::rules,
                                        Property::rounding, Property::nonfinite, Property::crash,
                                        Property::hang};
const char* name_of(Property);
std::optional<Property> property_named(std::string_view);

/// Something seen in one run: a counterexample to a promise, or a note where nothing was promised.
struct Finding {
  Property property = Property::formula;
  bool counterexample = true;
  std::string detail;                    ///< one sentence
  std::optional<spec::Element> element;  ///< the first wrong element of dW, where there is one
  double got = 0, expected = 0;          ///< its value, and what it should be
  std::optional<Stray> stray{};          ///< the access that no buffer allows, where that is known
  bool of_two_calls = false;             ///< it compares two calls: to repeat one of them shows nothing
};

/// The stray access in words: which buffer, which byte, and the element that would be there.
std::string describe(const Stray&, const Case&);

/// Bytes of a buffer of the case.
std::int64_t bytes_of(const Case&, BufferId);

/// A dW element as `dW[g0][co1][kh0][kw2][ci0]`; the depth tap only where there are several.
std::string describe(const spec::Element&, const spec::Shape&);

/// Coordinates of an element of dy or x.
struct Pixel {
  std::int64_t n, d, h, w, c;
};

/// The element of that index, counted on beyond the tensor's ends.
Pixel pixel_at(BufferId, const spec::Shape&, std::int64_t index);

/// An element of dy or x as `x[n0][h1][w2][c0]`, counted on beyond the tensor's ends.
std::string describe_pixel(BufferId, const spec::Shape&, std::int64_t index);

/// The same of an element's place in the buffer that the kernel was given, which may be packed.
std::string describe_input(const Case&, BufferId, std::int64_t index);

}  // namespace wgradcheck::check
