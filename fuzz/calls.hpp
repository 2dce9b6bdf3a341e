#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "check/fuzz/raw.hpp"
#include "check/kernel.hpp"

namespace wgradcheck::fuzz {

/// Byte strings as calls of conv_grad_filter with any parameters, of kernels that promise to refuse what the
/// rules refuse: a call is refused with a reason and no byte touched, or right.
class Calls {
 public:
  /// Of kernels that are called so; bundled ones say why they refuse. Throws BadInput where one does not
  /// load.
  explicit Calls(const std::vector<check::Kernel>&);
  ~Calls();

  /// What one of the kernels, by the bytes' choice, does wrong; empty where it does not. A kernel that
  /// touches what it must not ends the process.
  std::string fault_of(std::string_view bytes);

  std::int64_t refused() const { return refused_; }
  std::int64_t run() const { return run_; }
  /// Valid calls that were not made: over 64 MiB of buffers, or as long to run as to time out.
  std::int64_t planned() const { return planned_; }

 private:
  struct Subject;
  std::string refused(Subject&, const check::RawCall&, const std::string& field);
  std::string planned(Subject&, const check::RawCall&, const spec::Call<std::int64_t>&);
  std::string run(Subject&, const check::RawCall&, const spec::Call<std::int64_t>&);

  std::vector<std::unique_ptr<Subject>> subjects_;
  std::int64_t refused_ = 0, run_ = 0, planned_ = 0;
};

/// The bundled targets that conv_grad_filter.h describes.
std::vector<check::Kernel> targets_that_refuse();

}  // namespace wgradcheck::fuzz
