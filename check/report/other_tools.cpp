#include "check/report/other_tools.hpp"

#include <fmt/format.h>

#include "check/report/words.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

using Axis = spec::Axis<std::int64_t>;

/// An axis and the letter that names it in a problem line.
struct Named {
  const Axis& axis;
  char letter;
};

template <class Why>
std::string first_reason(const spec::Shape& s, Why why) {
  for (const Named& axis : {Named{s.depth, 'd'}, Named{s.height, 'h'}, Named{s.width, 'w'}})
    if (std::string reason = why(axis); !reason.empty()) return reason;
  return {};
}

/// oneDNN takes a pad after the input of more than -stride. Source: its description of a convolution is
/// refused from there on.
std::string benchdnn_refuses(const spec::Shape& s) {
  return first_reason(s, [](const Named& n) -> std::string {
    if (spec::pad_after(n.axis) > -n.axis.stride) return {};
    return fmt::format("o{0} = {1} leaves more of i{0} = {2} unread than a stride", n.letter, n.axis.output,
                       n.axis.input);
  });
}

/// MIOpen computes the output from one pad for both sides.
std::string miopen_refuses(const spec::Shape& s) {
  return first_reason(s, [](const Named& n) -> std::string {
    const std::int64_t output = spec::output_for(n.axis, n.axis.pad_before);
    if (output == n.axis.output) return {};
    return fmt::format("with a pad of {1} on both sides it computes o{0} = {2}, not {3}", n.letter,
                       n.axis.pad_before, output, n.axis.output);
  });
}

/// Any output is taken, but the weight gradient only of one group.
std::string cutlass_refuses(const spec::Shape& s) {
  return s.groups == 1 ? "" : fmt::format("its wgrad kernels take one group, not {}", s.groups);
}

std::string benchdnn(const spec::Shape& s, DType t) {
  return fmt::format("benchdnn --conv --dir=BWD_W --dt={} --stag=axb --dtag=axb {}", dtype_name(t),
                     spec::to_line(s));
}

const char* layout(const spec::Shape& s) { return s.depth == spec::kNoAxis ? "NHWC" : "NDHWC"; }

std::string miopen(const spec::Shape& s, DType t) {
  const Axis &d = s.depth, &h = s.height, &w = s.width;
  const bool deep = d != spec::kNoAxis;
  // The short names of depth's flags are signs that shells take for their own.
  const std::string depth =
      deep
          ? fmt::format("--spatial_dim 3 --in_d {} --fil_d {} --pad_d {} --conv_stride_d {} --dilation_d {} ",
                        d.input, d.kernel, d.pad_before, d.stride, d.dilation)
          : "";
  return fmt::format(
      "MIOpenDriver {} -n {} -c {} -H {} -W {} -k {} -y {} -x {} -p {} -q {} -u {} -v {} -l {} -j {} -g {} "
      "{}-F 4 -I {} -O {} -f {} -V 1",
      t == DType::f32   ? "conv"
      : t == DType::f16 ? "convfp16"
                        : "convbfp16",
      s.batch, s.in_channels, h.input, w.input, s.out_channels, h.kernel, w.kernel, h.pad_before,
      w.pad_before, h.stride, w.stride, h.dilation, w.dilation, s.groups, depth, layout(s), layout(s),
      layout(s));
}

std::string cutlass(const spec::Shape& s, DType t) {
  const Axis &d = s.depth, &h = s.height, &w = s.width;
  const bool deep = d != spec::kNoAxis;
  const std::string depth =
      deep ? fmt::format(" --d={} --t={} --z={} --pad_d={} --stride_d={} --dilation_d={}", d.input, d.kernel,
                         d.output, d.pad_before, d.stride, d.dilation)
           : fmt::format(" --g={}", s.groups);
  return fmt::format(
      "cutlass_profiler --operation=Conv{0}d --conv_kind=wgrad --Activation={1}:{2} --Filter={1}:{2} "
      "--Output={1}:{2} --n={3} --h={4} --w={5} --c={6} --k={7} --r={8} --s={9} --p={10} --q={11}{12} "
      "--pad_h={13} --pad_w={14} --stride_h={15} --stride_w={16} --dilation_h={17} --dilation_w={18}",
      deep ? 3 : 2, dtype_name(t), deep ? "ndhwc" : "nhwc", s.batch, h.input, w.input, s.in_channels,
      s.out_channels, h.kernel, w.kernel, h.output, w.output, depth, h.pad_before, w.pad_before, h.stride,
      w.stride, h.dilation, w.dilation);
}

}  // namespace

std::vector<ToolLine> other_tools(const spec::Shape& s, DType t) {
  std::vector<ToolLine> tools{{"benchdnn", benchdnn(s, t), benchdnn_refuses(s)},
                              {"MIOpenDriver", miopen(s, t), miopen_refuses(s)},
                              {"CUTLASS", cutlass(s, t), cutlass_refuses(s)}};
  for (ToolLine& tool : tools)
    if (!tool.why_not.empty()) tool.line.clear();
  return tools;
}

}  // namespace wgradcheck::check
