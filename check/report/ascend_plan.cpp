#include "check/report/ascend_plan.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "check/kernel.hpp"
#include "check/report/words.hpp"
#include "check/search/problem.hpp"
#include "spec/problem_line.hpp"
#include "targets/ascend/limits.hpp"

namespace wgradcheck::check {
namespace {

using Fields = std::vector<std::pair<const char*, std::uint64_t>>;

constexpr std::size_t kColumns = 79;

/// The fields of each struct, those that the problem line holds left out.
Fields cut_of(const Conv3DBackpropFilterTilingData& data) {
  const TConv3DBpFilterTiling& t = data.dwTiling;
  return {{"singleCoreM", data.basicBlockTiling.singleCoreM},
          {"singleCoreN", data.basicBlockTiling.singleCoreN},
          {"singleCoreK", data.basicBlockTiling.singleCoreK},
          {"baseM", t.baseM},
          {"baseN", t.baseN},
          {"baseK", t.baseK},
          {"stepM", t.stepM},
          {"stepN", t.stepN},
          {"stepKa", t.stepKa},
          {"stepKb", t.stepKb},
          {"al0Pbuffer", t.al0Pbuffer},
          {"bl0Pbuffer", t.bl0Pbuffer},
          {"cl0Pbuffer", t.cl0Pbuffer},
          {"al1Pbuffer", t.al1Pbuffer},
          {"bl1Pbuffer", t.bl1Pbuffer},
          {"bl1Bound", t.bl1Bound},
          {"iterateOrder", t.iterateOrder},
          {"singleCoreBatch", t.singleCoreBatch},
          {"singleCoreGroup", t.singleCoreGroup},
          {"singleCoreDk", t.singleCoreDk},
          {"singleCoreCout", t.singleCoreCout},
          {"singleCoreCin", t.singleCoreCin},
          {"singleCoreHo", t.singleCoreHo},
          {"totalL1Size", data.params.totalL1Size}};
}

Fields problem_of(const TConv3DBpFilterTiling& t) {
  return {{"batch", t.batch},
          {"cin", t.cin},
          {"cout", t.cout},
          {"cin1G", t.cin1G},
          {"cout1G", t.cout1G},
          {"dout", t.dout},
          {"ho", t.ho},
          {"wo", t.wo},
          {"di", t.di},
          {"hi", t.hi},
          {"wi", t.wi},
          {"dk", t.dk},
          {"hk", t.hk},
          {"wk", t.wk},
          {"group", t.group},
          {"strideD", t.strideD},
          {"strideH", t.strideH},
          {"strideW", t.strideW},
          {"padFront", t.padFront},
          {"padBack", t.padBack},
          {"padUp", t.padUp},
          {"padDown", t.padDown},
          {"padLeft", t.padLeft},
          {"padRight", t.padRight},
          {"dilationD", t.dilationD},
          {"dilationH", t.dilationH},
          {"dilationW", t.dilationW},
          {"channelSize", t.channelSize},
          {"m0", t.m0},
          {"k0", t.k0},
          {"n0", t.n0},
          {"hf32Flag", t.hf32Flag}};
}

std::string row(const char* label, const std::string& text) {
  constexpr std::size_t kLabel = 11;
  return fmt::format("  {:<9}{}\n", label, wrapped(text, kColumns - kLabel, kLabel));
}

}  // namespace

AscendPlan plan_for_ascend(std::string_view line) {
  const auto parsed = read_problem(line);
  if (const auto* refusal = std::get_if<spec::Refusal>(&parsed))
    throw BadInput{fmt::format("line {}: {}", line, refusal->reason)};
  AscendPlan plan{.shape = std::get<Problem>(parsed).shape, .tiling = {}, .warning = {}};
  plan.tiling = targets::ascend::documented_tiling(plan.shape);
  if (const auto* data = std::get_if<Conv3DBackpropFilterTilingData>(&plan.tiling))
    plan.warning = targets::ascend::refusal_of(data->dwTiling);
  return plan;
}

std::string text_of(const AscendPlan& plan) {
  std::string out = fmt::format("{}\n\n", spec::to_line(plan.shape));
  const auto* const data = std::get_if<Conv3DBackpropFilterTilingData>(&plan.tiling);
  if (data == nullptr) return out + row("refused", "GetTiling returns -1: " + std::get<1>(plan.tiling));
  const TConv3DBpFilterTiling& t = data->dwTiling;
  const auto& block = data->basicBlockTiling;
  out += row("block", fmt::format("singleCoreM {}, singleCoreN {}, singleCoreK {}", block.singleCoreM,
                                  block.singleCoreN, block.singleCoreK));
  out += row("L0", fmt::format("baseM {}, baseN {}, baseK {}, cl0Pbuffer {}", t.baseM, t.baseN, t.baseK,
                               t.cl0Pbuffer));
  out += row("L1", fmt::format("stepM {}, stepN {}, stepKa {}, stepKb {}, al1Pbuffer {}, bl1Pbuffer {}, "
                               "bl1Bound {} elements of Input",
                               t.stepM, t.stepN, t.stepKa, t.stepKb, t.al1Pbuffer, t.bl1Pbuffer, t.bl1Bound));
  out += row("order", t.iterateOrder == 0 ? "iterateOrder 0: N tiles run fastest"
                                          : "iterateOrder 1: M tiles run fastest");
  out += row("layouts", fmt::format("x and dy NDC1HWC0 with {} and {} blocks of 16 channels, dW FRACTAL_Z_3D",
                                    t.cin1G, t.cout1G));
  if (!plan.warning.empty()) out += row("warning", "a device would get it wrong: " + plan.warning);
  return out;
}

nlohmann::ordered_json json_of(const AscendPlan& plan) {
  nlohmann::ordered_json json{{"line", spec::to_line(plan.shape)}, {"target", "ascend"}};
  const auto* const data = std::get_if<Conv3DBackpropFilterTilingData>(&plan.tiling);
  json["result"] = data == nullptr ? -1 : 0;
  if (data == nullptr) {
    json["refusal"] = std::get<std::string>(plan.tiling);
    return json;
  }
  for (const Fields& fields : {cut_of(*data), problem_of(data->dwTiling)})
    for (const auto& [name, value] : fields) json[name] = value;
  if (!plan.warning.empty()) json["warning"] = plan.warning;
  return json;
}

}  // namespace wgradcheck::check
