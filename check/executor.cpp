#include "check/executor.hpp"

namespace wgradcheck::check {

const char* name_of(BufferId id) {
  constexpr std::array<const char*, kBuffers> kNames{"dy", "x", "dw", "bias", "param", "workspace"};
  return kNames[static_cast<std::size_t>(id)];
}

std::span<std::byte> Tensors::operator[](BufferId id) const {
  return id == BufferId::dy ? dy : id == BufferId::x ? x : id == BufferId::dw ? dw : bias;
}

Outcome Outcome::instead(Status status, const std::string& detail) {
  Outcome o;
  o.status = status;
  o.detail = detail;
  return o;
}

Outcome Outcome::unanswered(const std::string& why) {
  Outcome o = instead(Status::not_run, why);
  o.open = true;
  return o;
}

}  // namespace wgradcheck::check
