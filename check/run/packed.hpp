#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "check/run/answer.hpp"
#include "check/run/arena.hpp"

namespace wgradcheck::check {

/// The tensors of an Ascend case as the checker sees them, beside the packed ones that the kernel gets.
class Unpacked {
 public:
  explicit Unpacked(const Case&);

  Tensors tensors() { return {dy_, x_, dw_, {}}; }
  /// Fills the kernel's buffers: x and dy as NDC1HWC0, dW as FRACTAL_Z_3D, with NaN in every padding lane.
  void pack(const Layout&) const;
  /// Takes dW back.
  void unpack(const Layout&);

 private:
  spec::Shape shape_;
  std::vector<std::byte> dy_, x_, dw_;
};

/// Has the tensors of a case filled: those of the buffers, or those that the buffers then hold packed.
void fill(std::optional<Unpacked>&, const Layout&, const std::function<void(const Tensors&)>& prepare);

/// The same tensors once the case has run.
Tensors tensors_after(std::optional<Unpacked>&, const Layout&, const Outcome&);

/// Whether the convention has a tiling for the case; it needs no workspace.
Answer answer_by_tiling(const Case&);

}  // namespace wgradcheck::check
