#include "check/onnx/convs.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

namespace {

using Json = nlohmann::ordered_json;
using Types = std::map<std::string, onnx::TypeProto_Tensor>;
using Ints = google::protobuf::RepeatedField<google::protobuf::int64>;

/// Why a node has no problem line.
struct WhyNot {
  std::string sentence;
};

/// Values that have no batch: constants, and what a convolution takes for its weights and bias.
std::set<std::string> without_batch(const onnx::GraphProto& graph) {
  std::set<std::string> names;
  for (const onnx::TensorProto& tensor : graph.initializer()) names.insert(tensor.name());
  for (const onnx::NodeProto& node : graph.node())
    for (int i = 1; node.op_type() == "Conv" && i < node.input_size(); ++i) names.insert(node.input(i));
  return names;
}

/// Gives the inputs the sizes asked for. What the model says of values that follow from them may be of other
/// sizes, so it is inferred anew. Throws WhyNot: a name that no dimension has.
void set_sizes(onnx::GraphProto& graph, const Json& dims, std::int64_t batch) {
  std::set<std::string> unused;
  for (const auto& [name, value] : dims.items()) unused.insert(name);
  const std::set<std::string> fixed = without_batch(graph);
  for (onnx::ValueInfoProto& input : *graph.mutable_input()) {
    if (!input.type().tensor_type().has_shape()) continue;
    auto& sizes = *input.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim();
    for (int i = 0; i < sizes.size(); ++i) {
      if (i == 0 && batch != 0 && !fixed.contains(input.name())) sizes[i].set_dim_value(batch);
      if (!sizes[i].has_dim_param() || !dims.contains(sizes[i].dim_param())) continue;
      const std::string name = sizes[i].dim_param();
      sizes[i].set_dim_value(dims.at(name).get<std::int64_t>());
      unused.erase(name);
    }
  }
  if (!unused.empty()) throw WhyNot{fmt::format("no input has a dimension {}", *unused.begin())};
  if (dims.empty() && batch == 0) return;
  graph.clear_value_info();
  for (onnx::ValueInfoProto& output : *graph.mutable_output())
    if (output.type().has_tensor_type()) output.mutable_type()->mutable_tensor_type()->clear_shape();
}

void add_types(const onnx::GraphProto& graph, Types& types) {
  for (const auto* values : {&graph.input(), &graph.value_info(), &graph.output()})
    for (const onnx::ValueInfoProto& value : *values)
      if (value.type().has_tensor_type()) types[value.name()] = value.type().tensor_type();
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    onnx::TypeProto_Tensor type;
    type.set_elem_type(tensor.data_type());
    for (const auto size : tensor.dims()) type.mutable_shape()->add_dim()->set_dim_value(size);
    types[tensor.name()] = type;
  }
}

/// The sizes of one of a node's inputs. Throws WhyNot where one is unknown.
std::vector<std::int64_t> sizes_of(const onnx::NodeProto& node, int input, const char* what,
                                   const Types& types) {
  const auto found = node.input_size() > input ? types.find(node.input(input)) : types.end();
  if (found == types.end() || !found->second.has_shape())
    throw WhyNot{fmt::format("the shape of its {} cannot be inferred", what)};
  std::vector<std::int64_t> sizes;
  for (const auto& size : found->second.shape().dim()) {
    if (!size.has_dim_value())
      throw WhyNot{fmt::format("dimension {} of its {} is {}", sizes.size(), what,
                               size.has_dim_param()
                                   ? fmt::format("{0}; --dim {0}=N gives it", size.dim_param())
                                   : std::string("unknown"))};
    sizes.push_back(size.dim_value());
  }
  return sizes;
}

const onnx::AttributeProto* attribute(const onnx::NodeProto& node, const char* name) {
  const auto found = std::ranges::find(node.attribute(), name, &onnx::AttributeProto::name);
  return found == node.attribute().end() ? nullptr : &*found;
}

/// A list of `count` numbers, `otherwise` where the node has no such attribute.
std::vector<std::int64_t> numbers(const onnx::NodeProto& node, const char* name, std::size_t count,
                                  std::int64_t otherwise) {
  const onnx::AttributeProto* const found = attribute(node, name);
  if (found == nullptr) return std::vector<std::int64_t>(count, otherwise);
  std::vector<std::int64_t> values(found->ints().begin(), found->ints().end());
  if (values.size() != count)
    throw WhyNot{fmt::format("{} has {} numbers, not {}", name, values.size(), count)};
  return values;
}

struct Axis {
  std::int64_t input, kernel, stride, dilation, before, after;
};

/// Source: the operator's description of auto_pad.
void pad_by_itself(Axis& a, const std::string& how) {
  if (how == "VALID") {
    a.before = a.after = 0;
    return;
  }
  if (how != "SAME_UPPER" && how != "SAME_LOWER") throw WhyNot{fmt::format("auto_pad is {}", how)};
  const std::int64_t output = (a.input + a.stride - 1) / a.stride;
  const std::int64_t all =
      std::max<std::int64_t>((output - 1) * a.stride + (a.kernel - 1) * a.dilation + 1 - a.input, 0);
  a.before = how == "SAME_UPPER" ? all / 2 : (all + 1) / 2;
  a.after = all - a.before;
}

std::vector<Axis> axes_of(const onnx::NodeProto& node, const std::vector<std::int64_t>& x,
                          const std::vector<std::int64_t>& w) {
  const std::size_t count = x.size() - 2;
  const auto strides = numbers(node, "strides", count, 1), dilations = numbers(node, "dilations", count, 1);
  const auto pads = numbers(node, "pads", 2 * count, 0);
  const onnx::AttributeProto* const how = attribute(node, "auto_pad");
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < count; ++i) {
    Axis a{x[i + 2], w[i + 2], strides[i], dilations[i], pads[i], pads[count + i]};
    constexpr std::int64_t kMost = 1 << 30;
    for (const auto size : {a.input, a.kernel, a.stride, a.dilation, a.before + 1, a.after + 1})
      if (size < 1 || size > kMost)
        throw WhyNot{fmt::format("axis {} has a size, step or pad out of range", i)};
    if (how != nullptr && how->s() != "NOTSET") pad_by_itself(a, how->s());
    axes.push_back(a);
  }
  return axes;
}

std::string line_of(const onnx::NodeProto& node, const Types& types) {
  const auto x = sizes_of(node, 0, "input", types), w = sizes_of(node, 1, "weights", types);
  if (x.size() < 3 || x.size() > 5 || w.size() != x.size())
    throw WhyNot{fmt::format("its input has {} dimensions and its weights {}", x.size(), w.size())};
  const onnx::AttributeProto* const group = attribute(node, "group");
  std::string line = fmt::format("g{}mb{}ic{}oc{}", group ? group->i() : 1, x[0], x[1], w[0]);
  const std::vector<Axis> axes = axes_of(node, x, w);
  const std::string letters = std::string("dhw").substr(3 - axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Axis& a = axes[i];
    const std::int64_t room = a.input + a.before + a.after - (a.kernel - 1) * a.dilation - 1;
    if (room < 0) throw WhyNot{fmt::format("the kernel does not fit into the padded axis {}", i)};
    line += fmt::format("i{0}{1}o{0}{2}k{0}{3}s{0}{4}p{0}{5}d{0}{6}", letters[i], a.input,
                        room / a.stride + 1, a.kernel, a.stride, a.before, a.dilation - 1);
  }
  return line;
}

Json dtype_of(const onnx::NodeProto& node, const Types& types) {
  const auto found = node.input_size() > 0 ? types.find(node.input(0)) : types.end();
  switch (found == types.end() ? 0 : found->second.elem_type()) {
    case onnx::TensorProto_DataType_FLOAT:
      return "f32";
    case onnx::TensorProto_DataType_FLOAT16:
      return "f16";
    case onnx::TensorProto_DataType_BFLOAT16:
      return "bf16";
    default:
      return nullptr;
  }
}

void add_convs(const onnx::GraphProto& graph, Types types, Json& convs) {
  add_types(graph, types);
  for (const onnx::NodeProto& node : graph.node()) {
    for (const onnx::AttributeProto& a : node.attribute())
      if (a.has_g()) add_convs(a.g(), types, convs);
    if (node.op_type() != "Conv" || !(node.domain().empty() || node.domain() == "ai.onnx")) continue;
    Json one{{"name", node.name().empty() ? fmt::format("Conv of {}", node.output(0)) : node.name()}};
    try {
      one["line"] = line_of(node, types);
      one["dtype"] = dtype_of(node, types);
    } catch (const WhyNot& why) {
      one["why_not"] = why.sentence;
    }
    convs.push_back(std::move(one));
  }
}

/// Of a model's own functions no sizes are known.
void add_functions(const onnx::ModelProto& model, Json& convs) {
  for (const auto& function : model.functions())
    for (const onnx::NodeProto& node : function.node())
      if (node.op_type() == "Conv")
        convs.push_back({{"name", node.name()}, {"why_not", "it lies in the function " + function.name()}});
}

Json read(const char* bytes, std::size_t count, const Json& dims, std::int64_t batch) {
  onnx::ModelProto model;
  if (!model.ParseFromArray(bytes, static_cast<int>(count)) || !model.has_graph() || model.ir_version() == 0)
    return {{"error", "it is no ONNX model"}};
  Json convs = Json::array();
  try {
    set_sizes(*model.mutable_graph(), dims, batch);
    onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(), {false, 0, true});
    add_convs(model.graph(), {}, convs);
    add_functions(model, convs);
  } catch (const WhyNot& why) {
    return {{"error", why.sentence}};
  } catch (const std::exception& e) {
    return {{"error", fmt::format("its shapes cannot be inferred: {}", e.what())}};
  }
  return {{"convs", convs}};
}

}  // namespace

[[gnu::visibility("default")]] char* wgradcheck_onnx_convs(const char* model, std::size_t bytes,
                                                           const char* dims, std::int64_t batch) {
  const Json found = read(model, bytes, Json::parse(dims), batch);
  return strdup(found.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
}
