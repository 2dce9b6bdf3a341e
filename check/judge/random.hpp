#pragma once
#include <cstdint>

namespace wgradcheck::check {

/// The i-th number of a stream, uniform over 64 bits; a generator without state. Source: the finaliser of
/// SplitMix64.
constexpr std::uint64_t scrambled(std::uint64_t stream, std::uint64_t i) {
  std::uint64_t z = stream + i * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

}  // namespace wgradcheck::check
