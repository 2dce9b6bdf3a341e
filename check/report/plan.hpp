#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/case.hpp"
#include "spec/rules.hpp"

namespace wgradcheck::check {

/// Something that a caller should know before calling; `id` is stable.
struct Warning {
  std::string id, sentence;
};

/// Numbers of a plan. One that does not fit 64 bits is missing; without a call those of the chunks and the
/// workspace are. Workspace in bytes.
struct PlanSizes {
  using Size = std::optional<std::int64_t>;
  Size x, dy, dw, products;  ///< elements, and products with padding counted
  Size row, chunk, chunks;   ///< bytes of a row, positions of a chunk, chunks of an image and group
  Size limit, documented, safe;
};

/// What the documents make of a problem line: how it would be called, and what it needs.
struct LinePlan {
  spec::Shape shape{};
  DType dtype = DType::f32;
  std::optional<spec::Call<std::int64_t>> call;           ///< none for 3D, which ConvParameter cannot express
  std::optional<spec::Refusal> refusal;                   ///< why an entry point refuses the call
  std::vector<std::string> not_depthwise, not_pointwise;  ///< the conditions that fail, each in words
  PlanSizes sizes;
  std::vector<Warning> warnings;
};

/// What a caller asks for besides the line.
struct PlanRequest {
  DType dtype = DType::f32;
  std::int64_t cores = 1;
  std::optional<std::int64_t> buffer;  ///< bytes; when missing, the usual one or the limit if that is larger
};

/// Plans a line. Throws BadInput where it is refused.
LinePlan plan_line(std::string_view line, const PlanRequest&);

/// The plan on 80 columns.
std::string text_of(const LinePlan&);

/// The plan by stable names: those of the problem line, ConvParameter's `path` and `refusal`, and the sizes.
nlohmann::ordered_json json_of(const LinePlan&);

}  // namespace wgradcheck::check
