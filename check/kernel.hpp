#pragma once
#include <string>
#include <vector>

#include "check/abi.hpp"

namespace wgradcheck::check {

/// A compiled kernel: an entry point of a shared object and how to call it.
struct Kernel {
  std::string name;     ///< as the user named it
  std::string library;  ///< path of the shared object
  std::string symbol;
  const Abi* abi = nullptr;
  bool bundled = false;
  bool from_sources = false;  ///< compiled by open_kernel
  /// Loaded before it: of a bundled peer a build of its library, or empty for the system's; of an Ascend
  /// kernel the model behind the header that it is written against.
  std::string peer_library{};
  bool elsewhere = false;  ///< it is no library here, but what a command runs or what a folder holds
};

/// Name of the function that tells a host kernel's workspace.
inline std::string query_symbol(const Kernel& k) { return k.symbol + "_workspace"; }

/// Whether the convention has that function.
inline bool has_query(const Abi& abi) { return abi.host && !abi.ascend; }

/// Bad usage or input: one sentence that names the field or file and the value. The program exits with 2.
struct BadInput {
  std::string sentence;
};

/// How sources are compiled.
struct Compile {
  std::string compiler{};  ///< empty: cc for C, c++ for C++
  std::string flags{};     ///< after the project's own
  bool sanitize = false;   ///< with address and undefined-behaviour sanitizers
  bool coverage = false;   ///< so that it tells where its calls come; gcc's and clang's trace-pc
};

/// Opens a kernel: a bundled target's name, a shared object, or C/C++ sources, which are compiled into
/// `scratch` (a folder). The symbol decides the convention unless `abi` names one; `symbol` overrides the
/// documented name. Throws BadInput: no such file, no such symbol, does not compile (with the compiler's
/// first error).
Kernel open_kernel(const std::vector<std::string>& what, const std::string& abi, const std::string& symbol,
                   const Compile&, const std::string& scratch);

/// A kernel that runs elsewhere and is called by a convention, by default host_f32. Throws BadInput: no such
/// convention.
Kernel kernel_elsewhere(const std::string& name, const std::string& abi);

/// Makes a bundled peer call this build of its library. Throws BadInput: the kernel is no peer, no such file,
/// not a build that the peer can call.
void use_peer_library(Kernel&, const std::string& path);

/// The bundled targets by name.
std::vector<Kernel> bundled_kernels();

/// Why a bundled target is not there, or empty where it is.
std::string absence(const Kernel&);

}  // namespace wgradcheck::check
