#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "check/case.hpp"

/// Names and numbers as every report writes them.
namespace wgradcheck::check {

/// f32, f16 or bf16.
const char* dtype_name(DType);
/// The type of that name; nothing where none has it.
std::optional<DType> dtype_named(std::string_view);

/// none, column or cout, as --bias takes it.
const char* bias_name(Bias);

/// end, start, aligned or least, as --placement takes it.
const char* placement_name(Placement);

/// The documents' path that the case takes: general, depthwise or pointwise.
const char* path_name(const Case&);

/// A case's call in words: path, cores, buffer, bias.
std::string call_in_words(const Case&);

/// An element's value, to the nine digits that tell floats apart.
std::string number(double value);

/// A count with commas between thousands.
std::string grouped(std::int64_t count);

/// A share of a whole in percent, rounded to the nearest.
std::int64_t percent(std::int64_t part, std::int64_t whole);

/// Breaks a text at spaces into lines of at most `width` characters, those after the first behind `indent`
/// spaces.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

}  // namespace wgradcheck::check
