#pragma once
#include <cstddef>
#include <cstdint>

extern "C" {

/// The Conv nodes of an ONNX model, in the order of the graph, as a JSON text that the caller frees:
/// {"convs": [{"name": ..., "dtype": "f32" or null, "line": a problem line} or {"name": ..., "why_not":
/// ...}]}, or {"error": a sentence}. `dims` is a JSON object of the values that symbolic dimensions take;
/// `batch`, where it is not 0, becomes the first dimension of every input but weights. Sizes that are not
/// given are inferred.
char* wgradcheck_onnx_convs(const char* model, std::size_t bytes, const char* dims, std::int64_t batch);
}
