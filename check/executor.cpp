#include "check/executor.hpp"

#include <array>

namespace wgradcheck::check {

const char* name_of(BufferId id) {
  constexpr std::array<const char*, kBuffers> kNames{"dy", "x", "dw", "bias", "param", "workspace"};
  return kNames[static_cast<std::size_t>(id)];
}

}  // namespace wgradcheck::check
