#include "check/search/onnx_model.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "check/bundled.hpp"
#include "check/kernel.hpp"
#include "check/onnx/convs.h"
#include "check/report/files.hpp"
#include "check/report/words.hpp"
#include "check/text.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = std::size_t{1} << 31;  ///< protobuf takes no more

/// The reader of the bundled library, which stays loaded. Throws BadInput where it was not built.
decltype(&wgradcheck_onnx_convs) reader(const std::string& path) {
  const std::string library = bundled_library("onnx");
  if (!std::filesystem::exists(library))
    throw BadInput{
        fmt::format("cannot read {}: ONNX models are read where wgradcheck was built with libonnx-dev, "
                    "and this one was not",
                    path)};
  void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const found = loaded ? dlsym(loaded, "wgradcheck_onnx_convs") : nullptr;
  if (!found) throw BadInput{fmt::format("cannot read {}: {}", path, dlerror())};
  return reinterpret_cast<decltype(&wgradcheck_onnx_convs)>(found);
}

std::variant<spec::Shape, spec::Refusal> shape_of(const Json& conv, std::optional<std::int64_t> batch) {
  if (conv.contains("why_not")) return spec::Refusal{"", conv.at("why_not").get<std::string>()};
  auto shape = spec::parse_line(conv.at("line").get<std::string>());
  if (auto* s = std::get_if<spec::Shape>(&shape); s && batch) {
    s->batch = *batch;
    if (auto refusal = spec::refuse(*s)) return *refusal;
  }
  return shape;
}

}  // namespace

std::pair<std::string, std::int64_t> dimension_of(const std::string& text) {
  const auto parts = split(text, '=');
  const auto value = whole_number<std::int32_t>(parts.back());
  if (parts.size() != 2 || parts.front().empty() || !value || *value < 1)
    throw BadInput{
        fmt::format("--dim is {}; it must be a name and a number of at least 1, as height=224", text)};
  return {std::string(parts.front()), *value};
}

bool is_model(const std::string& path) { return path.ends_with(".onnx"); }

std::vector<ListedShape> read_model(const std::string& path, std::optional<std::int64_t> batch,
                                    const Dimensions& dims) {
  const std::string bytes = read_file(path, kMostBytes - 1);
  const std::unique_ptr<char, decltype(&std::free)> text(
      reader(path)(bytes.data(), bytes.size(), Json(dims).dump().c_str(), batch.value_or(0)), std::free);
  const Json found = Json::parse(text.get());
  if (found.contains("error"))
    throw BadInput{fmt::format("cannot read {}: {}", path, found.at("error").get<std::string>())};
  std::vector<ListedShape> shapes;
  for (const Json& conv : found.at("convs")) {
    const Json dtype = conv.value("dtype", Json());
    shapes.push_back({path, std::ssize(shapes) + 1, conv.at("name").get<std::string>(), shape_of(conv, batch),
                      dtype_named(dtype.is_string() ? dtype.get<std::string>() : "")});
  }
  return shapes;
}

std::vector<ListedShape> read_list(const std::string& path, std::optional<std::int64_t> batch,
                                   const std::vector<std::string>& dims) {
  Dimensions given;
  for (const std::string& dim : dims) given.insert(dimension_of(dim));
  if (is_model(path)) return read_model(path, batch, given);
  if (!dims.empty()) throw BadInput{fmt::format("--dim means nothing to {}, which is no ONNX model", path)};
  return read_shapes(path, batch);
}

}  // namespace wgradcheck::check
