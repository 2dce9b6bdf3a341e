#include "check/search/domain.hpp"

#include <algorithm>

#include "check/judge/promises.hpp"
#include "targets/ascend/limits.hpp"

namespace wgradcheck::check {

void keep_to(const Promises& promises, Domain& domain) {
  domain.align = std::max(domain.align, promises.alignment().value_or(0));
  domain.read_slack = promises.read_slack();
  domain.accumulate = promises.adds();
  if (const auto bias = promises.bias(); bias && *bias != Bias::none) domain.biases = {Bias::none, *bias};
}

spec::Call<std::int64_t> call_of(const Case& c) {
  return spec::call_of(c.shape, size_of(c.dtype), c.cores(), c.buffer);
}

std::size_t repeats_of(const Case& c) {
  constexpr std::int64_t kOneCore = 4, kSeveral = 100, kProducts = 1 << 26;
  return static_cast<std::size_t>(
      std::clamp<std::int64_t>(kProducts / spec::products(c.shape), 1, c.cores() == 1 ? kOneCore : kSeveral));
}

std::optional<std::string> admit(const Domain& domain, Case& c) {
  if (auto refusal = spec::refuse(c.shape)) return refusal->reason;
  if (!domain.abi->host && c.shape.depth != spec::kNoAxis)
    return "the convention " + std::string(domain.abi->name) + " is 2D";
  if (domain.abi->ascend) {
    const auto tiling = targets::ascend::tiling_of(c.shape);
    if (const auto* why = std::get_if<std::string>(&tiling))
      return std::string(domain.abi->name) + " does not take it: " + *why;
  }
  if (domain.where && !domain.where(c.shape)) return "it is outside --where";
  c.dtype = domain.abi->dtype;
  c.align = domain.align;
  c.read_slack = domain.read_slack;
  c.host = domain.abi->host;
  c.ascend = domain.abi->ascend;
  if (!domain.guarded) c.placement = Placement::flush_end;
  c.accumulate = domain.accumulate;
  if (c.host) {
    c.buffer = c.workspace = 0;
    c.bias = Bias::none;
    return {};
  }
  if (domain.buffer) c.buffer = *domain.buffer;
  if (c.buffer == 0) c.buffer = std::max(kUsualBuffer, spec::buffer_limit(call_of(c)));
  const spec::Call<std::int64_t> call = call_of(c);
  if (c.bias != Bias::none && spec::path_of(call) == spec::Path::depthwise && !domain.bias_on_depthwise)
    c.bias = Bias::none;
  if (auto refusal = spec::refuse(call)) return refusal->field + " " + refusal->reason;
  switch (domain.workspace.kind) {
    case WorkspaceSize::Kind::documented:
      c.workspace = spec::documented_workspace(call);
      break;
    case WorkspaceSize::Kind::safe:
      c.workspace = spec::safe_workspace(call);
      break;
    case WorkspaceSize::Kind::bytes:
      c.workspace = domain.workspace.bytes;
      break;
  }
  return {};
}

}  // namespace wgradcheck::check
