#pragma once
#include <map>

#include "check/search/shape_list.hpp"

namespace wgradcheck::check {

/// Values of symbolic dimensions by name.
using Dimensions = std::map<std::string, std::int64_t>;

/// Reads `name=value`, as --dim takes it. Throws BadInput.
std::pair<std::string, std::int64_t> dimension_of(const std::string& text);

/// Whether a file's name ends as that of an ONNX model.
bool is_model(const std::string& path);

/// The convolutions of an ONNX model in the order of its graph, numbered from 1, under their nodes' names.
/// `batch` replaces the first dimension of every input. A convolution whose sizes cannot be inferred has the
/// reason instead of a shape. Throws BadInput: no model, a name that no dimension has, libonnx is not there.
std::vector<ListedShape> read_model(const std::string& path, std::optional<std::int64_t> batch,
                                    const Dimensions& dims);

/// What `read_model` or `read_shapes` reads of a file, by its name; `dims` are those of --dim. Throws
/// BadInput.
std::vector<ListedShape> read_list(const std::string& path, std::optional<std::int64_t> batch,
                                   const std::vector<std::string>& dims);

}  // namespace wgradcheck::check
