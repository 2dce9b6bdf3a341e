#pragma once
#include <optional>
#include <string>

#include "check/case.hpp"

/// How fast the host library is, beside oneDNN in the same process.
namespace wgradcheck::check {

/// The peer's times beside the library's: seconds are medians, ratios medians of pairs measured one after the
/// other, peer over library: above 1 the library is faster.
struct Beside {
  double seconds;          ///< caches cold, dW brought to the plain layout
  double ratio;            ///< of that
  double ratio_unordered;  ///< caches cold, dW left in the peer's own layout
  double ratio_warm;       ///< caches warm, dW brought to the plain layout
  bool same;               ///< whether both gave the same dW bit by bit
  std::string implementation;
};

/// What was measured of a shape; seconds are medians, of processor time with one thread, else of time.
struct Measured {
  spec::Shape shape;
  std::string path;        ///< of the library
  double cold, warm;       ///< seconds with cold and with warm caches
  std::int64_t workspace;  ///< bytes
  std::optional<Beside> peer{};
  std::string no_peer{};  ///< why there is none
};

/// Bytes of the tensors.
double bytes_of(const spec::Shape&, DType);

/// Runs kernels of wgrad_kernel.h that this process loads.
class Bench {
 public:
  /// The host library beside oneDNN. Throws BadInput where the former is not there.
  Bench();
  /// A library, and a peer that exports wgrad_peer too; without one where its path is empty. Throws BadInput.
  Bench(const std::string& library, const std::string& peer);
  /// dW is stored over what was there. Throws BadInput where the library refuses the shape.
  Measured measure(const spec::Shape&, DType, int threads) const;
  /// Why there is no peer, or empty.
  const std::string& without_peer() const { return without_peer_; }

 private:
  void* library_ = nullptr;
  void* peer_ = nullptr;
  std::string without_peer_;
};

}  // namespace wgradcheck::check
