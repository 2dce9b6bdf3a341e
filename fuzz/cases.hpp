#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "check/judge/court.hpp"
#include "check/kernel.hpp"
#include "check/search/domain.hpp"

namespace wgradcheck::fuzz {

/// Byte strings as valid cases: each is run on every kernel whose domain has its shape, and judged as `check`
/// does.
class Cases {
 public:
  /// Of bundled targets, which promise everything. Throws BadInput where one does not load.
  explicit Cases(const std::vector<check::Kernel>&);
  ~Cases();

  /// What a kernel does wrong on the case of these bytes, and on which; empty where all are right.
  std::string fault_of(std::string_view bytes);

  std::int64_t inputs() const { return inputs_; }
  std::int64_t runs() const { return runs_; }        ///< of a kernel on a case
  std::int64_t outside() const { return outside_; }  ///< of a kernel's domain

 private:
  struct Subject;
  std::string fault_of(Subject&, std::string_view bytes);

  std::vector<std::unique_ptr<Subject>> subjects_;
  std::int64_t inputs_ = 0, runs_ = 0, outside_ = 0;
};

/// The bundled targets that this project computes itself; what a peer gets wrong is not its to mend.
std::vector<check::Kernel> own_targets();

}  // namespace wgradcheck::fuzz
