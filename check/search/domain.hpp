#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/abi.hpp"
#include "check/case.hpp"
#include "spec/rules.hpp"

namespace wgradcheck::check {

class Promises;

/// How many bytes a case's workspace_ gets: the document's formula, the sum that is always enough, or a
/// number.
struct WorkspaceSize {
  enum class Kind { documented, safe, bytes } kind = Kind::documented;
  std::int64_t bytes = 0;
};

/// The cases that a check may run: what the convention can express, what the kernel takes and what the user
/// fixed.
struct Domain {
  const Abi* abi = nullptr;
  std::function<bool(const spec::Shape&)> where;  ///< empty: every shape
  std::optional<std::int64_t> buffer;             ///< fixed buffer_size_ in bytes
  WorkspaceSize workspace;
  std::vector<std::uint32_t> core_masks{1};  ///< the masks to choose from
  std::vector<Bias> biases{Bias::none};      ///< what the bias argument may hold
  std::int64_t align = 0, read_slack = 0;    ///< of every case, bytes
  bool bias_on_depthwise = false;            ///< whether the depthwise path takes one
  bool accumulate = true;                    ///< whether a host kernel is asked to add to dW
  bool guarded = true;  ///< whether buffers lie between guard pages; else all placements are one
  std::vector<std::int64_t> implementations{0};  ///< of a host kernel, to choose from
};

/// Makes a domain one of cases that keep to what a kernel's promises ask of its caller: alignment, slack,
/// what is done with dW and with bias.
void keep_to(const Promises&, Domain&);

inline constexpr std::int64_t kUsualBuffer = 0x10000;  ///< the document's usual buffer_size_, bytes

/// The call that a 2D case makes.
spec::Call<std::int64_t> call_of(const Case&);

/// How often a case that is given is run while it passes, as its size allows: a kernel may fail only after an
/// earlier call, and several cores may come out differently each time.
std::size_t repeats_of(const Case&);

/// Sets what follows from the rest (element type, workspace, a missing buffer) and returns why the case is
/// outside the domain, or nothing. A buffer of 0 becomes the usual one, or the limit where that is larger.
std::optional<std::string> admit(const Domain&, Case&);

}  // namespace wgradcheck::check
