#include "check/remote/case_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "check/kernel.hpp"
#include "check/report/files.hpp"
#include "check/report/npy.hpp"
#include "check/report/words.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Extents = std::vector<std::int64_t>;

constexpr std::int64_t kHeader = 4096;  ///< bytes that an array file may have besides its elements

/// The element type in NumPy's words, which has none for bfloat16: its bits are those of an integer.
const char* npy_type(DType t) { return t == DType::f32 ? "<f4" : t == DType::f16 ? "<f2" : "<u2"; }

/// Kernels of conv_grad_filter.h know no depth.
Extents image(const Abi& abi, std::int64_t n, const spec::Shape& s,
              std::int64_t spec::Axis<std::int64_t>::*size, std::int64_t channels) {
  if (abi.host) return {n, s.depth.*size, s.height.*size, s.width.*size, channels};
  return {n, s.height.*size, s.width.*size, channels};
}

Extents dw_extents(const Abi& abi, const spec::Shape& s) {
  Extents e{s.groups, spec::out_per_group(s)};
  if (abi.host) e.push_back(s.depth.kernel);
  e.insert(e.end(), {s.height.kernel, s.width.kernel, spec::in_per_group(s)});
  return e;
}

std::string array(DType t, const Extents& shape, std::span<const std::byte> bytes) {
  return to_text(
      Npy{npy_type(t), shape, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())});
}

Json axis_of(const spec::Axis<std::int64_t>& a) {
  return {{"input", a.input},         {"output", a.output},     {"kernel", a.kernel},
          {"stride", a.stride},       {"dilation", a.dilation}, {"pad_before", a.pad_before},
          {"pad_after", pad_after(a)}};
}

/// ConvParameter's ints by the documents' names.
Json param_of(const Abi& abi, const Case& c) {
  const auto image = image_of(abi, c);
  Json param = Json::object();
  if (const auto* const fitting = std::get_if<CallImage>(&image))
    for (std::size_t i = 0; i < kParamFields.size(); ++i) param[kParamFields[i]] = fitting->param.fields[i];
  return param;
}

std::string description(const Abi& abi, const Case& c, const std::map<std::string, Region>& memory_map) {
  const spec::Shape& s = c.shape;
  Json json{{"format", 1},
            {"convention", abi.name},
            {"line", spec::to_line(s)},
            {"dtype", dtype_name(c.dtype)},
            {"batch", s.batch},
            {"groups", s.groups},
            {"in_channels", s.in_channels},
            {"out_channels", s.out_channels},
            {"depth", axis_of(s.depth)},
            {"height", axis_of(s.height)},
            {"width", axis_of(s.width)},
            {"dw_shape", dw_extents(abi, s)},
            {"accumulate", c.accumulate},
            {"seed", c.seed}};
  if (abi.host) {
    json["threads"] = c.cores();
    json["implementation"] = c.implementation;
  } else {
    json["param"] = param_of(abi, c);
    json["cores"] = c.cores();
    json["core_mask"] = c.core_mask;
    json["bias"] = bias_name(c.bias);
    json["workspace_bytes"] = c.workspace;
  }
  for (const auto& [buffer, region] : memory_map)
    json["memory_map"][buffer] = {{"base", region.base}, {"bytes", region.bytes}};
  return json.dump(1) + "\n";
}

}  // namespace

Held::Held(const Sizes& sizes) {
  const auto bytes = [&](BufferId id) {
    return static_cast<std::size_t>(sizes[static_cast<std::size_t>(id)]);
  };
  dy_.resize(bytes(BufferId::dy));
  x_.resize(bytes(BufferId::x));
  dw_.resize(bytes(BufferId::dw));
  bias_.resize(bytes(BufferId::bias));
}

std::vector<CaseFile> files_of(const Abi& abi, const Case& c, const Tensors& t,
                               const std::map<std::string, Region>& memory_map) {
  using A = spec::Axis<std::int64_t>;
  const spec::Shape& s = c.shape;
  std::vector<CaseFile> files{
      {"x.npy", array(c.dtype, image(abi, s.batch, s, &A::input, s.in_channels), t.x)},
      {"dy.npy", array(c.dtype, image(abi, s.batch, s, &A::output, s.out_channels), t.dy)},
      {"dw_in.npy", array(c.dtype, dw_extents(abi, s), t.dw)}};
  if (!t.bias.empty()) files.push_back({"bias.npy", array(c.dtype, {bias_elems(c)}, t.bias)});
  files.push_back({"case.json", description(abi, c, memory_map)});
  return files;
}

std::int64_t folder_bytes(const Sizes& sizes) {
  constexpr std::int64_t kHeaders = 4 * 128, kDescription = 2048;
  const auto bytes = [&](BufferId id) { return sizes[static_cast<std::size_t>(id)]; };
  return bytes(BufferId::dy) + bytes(BufferId::x) + bytes(BufferId::dw) + bytes(BufferId::bias) + kHeaders +
         kDescription;
}

void write_case(const fs::path& folder, const std::vector<CaseFile>& files) {
  std::error_code error;
  if (!fs::create_directory(folder, error))
    throw BadInput{
        fmt::format("cannot make the folder {}: {}", folder.string(), error ? error.message() : "it exists")};
  for (const CaseFile& file : files) {
    const fs::path path = folder / file.name;
    std::ofstream out(path, std::ios::binary);
    out << file.bytes;
    out.close();
    if (!out) throw BadInput{fmt::format("cannot write {}: {}", path.string(), std::strerror(errno))};
  }
}

std::string read_regular(const fs::path& path, std::int64_t most) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (!fs::exists(status)) throw BadInput{fmt::format("{} is missing", path.string())};
  if (!fs::is_regular_file(status)) throw BadInput{fmt::format("{} is no regular file", path.string())};
  const auto size = static_cast<std::int64_t>(fs::file_size(path, error));
  if (!error && size > most)
    throw BadInput{
        fmt::format("{} has {} bytes, more than the {} that it can need", path.string(), size, most)};
  return read_file(path, static_cast<std::size_t>(most));
}

std::optional<std::string> read_dw(const fs::path& folder, const Abi& abi, const Case& c,
                                   std::span<std::byte> dw) {
  const fs::path path = folder / "dw.npy";
  try {
    const Npy array = to_npy("dw.npy", read_regular(path, std::ssize(dw) + kHeader));
    if (array.dtype != npy_type(c.dtype))
      return fmt::format("dw.npy holds elements of type {}, not {}", array.dtype, npy_type(c.dtype));
    if (const Extents due = dw_extents(abi, c.shape); array.shape != due)
      return fmt::format("dw.npy has the shape ({}), not ({})", fmt::join(array.shape, ", "),
                         fmt::join(due, ", "));
    std::ranges::copy(std::as_bytes(std::span(array.bytes)), dw.begin());
    return {};
  } catch (const BadInput& bad) {
    // Where the folder lay for a moment is of no interest.
    std::string why = bad.sentence;
    if (const std::size_t at = why.find(path.string()); at != std::string::npos)
      why.replace(at, path.string().size(), "dw.npy");
    return why;
  }
}

bool has_dw(const fs::path& folder) {
  std::error_code error;
  return fs::exists(fs::symlink_status(folder / "dw.npy", error));
}

}  // namespace wgradcheck::check
