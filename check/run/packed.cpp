#include "check/run/packed.hpp"

#include <limits>

#include "targets/ascend/limits.hpp"
#include "targets/ascend/pack.hpp"

namespace wgradcheck::check {
namespace {

/// NaN in binary16 and in bfloat16.
constexpr std::uint16_t kNoNumber = 0xffe7;

std::vector<std::byte> bytes(std::int64_t elems, std::int64_t size) {
  return std::vector<std::byte>(static_cast<std::size_t>(elems * size));
}

const std::uint16_t* narrow(const std::vector<std::byte>& tensor) {
  return reinterpret_cast<const std::uint16_t*>(tensor.data());
}

template <class T>
T* packed(const Layout& layout, BufferId id) {
  return reinterpret_cast<T*>(layout[id].data);
}

}  // namespace

Unpacked::Unpacked(const Case& c)
    : shape_(c.shape),
      dy_(bytes(spec::dy_elems(c.shape), size_of(c.dtype))),
      x_(bytes(spec::x_elems(c.shape), size_of(c.dtype))),
      dw_(bytes(spec::dw_elems(c.shape), size_of(c.dw_type()))) {}

void Unpacked::pack(const Layout& to) const {
  using namespace targets::ascend;
  pack_dy(shape_, narrow(dy_), kNoNumber, packed<std::uint16_t>(to, BufferId::dy));
  pack_x(shape_, narrow(x_), kNoNumber, packed<std::uint16_t>(to, BufferId::x));
  pack_dw(shape_, reinterpret_cast<const float*>(dw_.data()), std::numeric_limits<float>::quiet_NaN(),
          packed<float>(to, BufferId::dw));
}

void Unpacked::unpack(const Layout& from) {
  targets::ascend::unpack_dw(shape_, packed<float>(from, BufferId::dw), reinterpret_cast<float*>(dw_.data()));
}

void fill(std::optional<Unpacked>& unpacked, const Layout& layout,
          const std::function<void(const Tensors&)>& prepare) {
  prepare(unpacked ? unpacked->tensors() : layout.tensors());
  if (unpacked) unpacked->pack(layout);
}

Tensors tensors_after(std::optional<Unpacked>& unpacked, const Layout& layout, const Outcome& outcome) {
  if (!unpacked) return layout.tensors();
  if (outcome.status == Outcome::Status::returned) unpacked->unpack(layout);
  return unpacked->tensors();
}

Answer answer_by_tiling(const Case& c) {
  const auto tiling = targets::ascend::tiling_of(c.shape);
  const auto* const why = std::get_if<std::string>(&tiling);
  return why == nullptr ? Answer{}
                        : Answer{0, {}, Outcome::instead(Outcome::Status::not_run, "not supported: " + *why)};
}

}  // namespace wgradcheck::check
