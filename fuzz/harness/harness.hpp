#pragma once
#include <string>
#include <string_view>

/// What a harness is: a file of this folder defines both for its kind of input.
namespace wgradcheck::fuzz {

/// What is wrong with what is made of the bytes, one sentence; empty where all is well. Every byte string is
/// an input. A crash is the program's.
std::string fault_of(std::string_view bytes);

/// The bytes with some fields changed; `seed` chooses which and how. At most `most` bytes.
std::string mutated(std::string_view bytes, std::size_t most, unsigned seed);

/// What was done with the inputs so far, a line.
std::string counts();

}  // namespace wgradcheck::fuzz
