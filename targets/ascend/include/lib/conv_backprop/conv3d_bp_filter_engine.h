#ifndef CONV3D_BP_FILTER_ENGINE_H
#define CONV3D_BP_FILTER_ENGINE_H

#include <memory>
#include <stdexcept>

#include "conv3d_bp_filter_common.h"
#include "conv3d_bp_filter_tilingdata.h"

namespace ConvBackpropApi {

using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;

/// A call that a device would take and silently get wrong; what() begins with the method's name.
struct __attribute__((visibility("default"))) Refused : std::logic_error {
  using std::logic_error::logic_error;
};

namespace host {

enum class Element { half, bfloat16 };

/// The model behind Conv3DBackpropFilter, whose methods are these; in libwgradcheck_ascend.so. Every method
/// throws Refused and then changes nothing.
class __attribute__((visibility("default"))) Engine {
 public:
  explicit Engine(Element);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void init(const TConv3DBpFilterTiling*);
  void set_input(const void*);
  void set_grad(const void*);
  void set_shape(std::uint64_t m, std::uint64_t n, std::uint64_t k);
  void set_start(std::int64_t row);
  /// `first` is ctx.isFirstIter_: set before the block, cleared here.
  bool iterate(bool& first);
  void get(float* output, bool add, bool sequential);
  void end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace host
}  // namespace ConvBackpropApi

#endif
