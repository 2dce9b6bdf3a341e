#include "targets/peers/onednn/convolution.hpp"

#include <dnnl_debug.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <vector>

namespace wgradcheck::targets::onednn {
namespace {

using Dims = std::vector<dnnl_dim_t>;

void require(dnnl_status_t status, const char* what) {
  if (status != dnnl_success) throw NotSupported{std::string(what) + ": " + dnnl_status2str(status)};
}

/// The library's object that a call hands over by its first argument.
template <class Owner, class Make>
Owner made(const char* what, Make make) {
  typename Owner::pointer object = nullptr;
  require(make(&object), what);
  return Owner(object);
}

dnnl_data_type_t type_of(std::int64_t type) {
  switch (type) {
    case WGRAD_F32:
      return dnnl_f32;
    case WGRAD_F16:
      return dnnl_f16;
    case WGRAD_BF16:
      return dnnl_bf16;
    default:
      throw NotSupported{"an unknown element type"};
  }
}

bool is_there(const wgrad_axis& a) {
  return a.input != 1 || a.output != 1 || a.kernel != 1 || a.pad_before != 0;
}

/// The axes that the library is told of: height and width, and depth in 3D.
std::vector<wgrad_axis> axes_of(const wgrad_problem& p) {
  std::vector<wgrad_axis> axes{p.height, p.width};
  if (is_there(p.depth)) axes.insert(axes.begin(), p.depth);
  return axes;
}

/// Of every axis, one number.
template <class Read>
Dims of_each(const std::vector<wgrad_axis>& axes, Read read) {
  Dims numbers;
  for (const wgrad_axis& a : axes) numbers.push_back(read(a));
  return numbers;
}

/// Padding after the input. Rows that no tap reads need none as long as the floor equation gives the output.
dnnl_dim_t pad_after(const wgrad_axis& a) {
  const dnnl_dim_t exact =
      (a.output - 1) * a.stride + (a.kernel - 1) * a.dilation + 1 - a.input - a.pad_before;
  return exact < 0 && exact > -a.stride ? 0 : exact;
}

/// A tensor of images, channels last.
dnnl_memory_desc_t images(const wgrad_problem& p, std::int64_t channels, const Dims& extents) {
  Dims dims{p.batch, channels};
  dims.insert(dims.end(), extents.begin(), extents.end());
  dnnl_memory_desc_t desc{};
  require(dnnl_memory_desc_init_by_tag(&desc, static_cast<int>(dims.size()), dims.data(), type_of(p.in_type),
                                       extents.size() == 3 ? dnnl_ndhwc : dnnl_nhwc),
          "tensor");
  return desc;
}

/// dw in the layout of wgrad_kernel.h.
dnnl_memory_desc_t plain_weights(const wgrad_problem& p, const Dims& taps) {
  const dnnl_dim_t outs = p.out_channels / p.groups, ins = p.in_channels / p.groups;
  dnnl_dim_t row = ins;
  Dims steps(taps.size());
  for (std::size_t i = taps.size(); i-- > 0; row *= taps[i]) steps[i] = row;
  Dims dims{outs, ins}, strides{row, 1};
  dims.insert(dims.end(), taps.begin(), taps.end());
  strides.insert(strides.end(), steps.begin(), steps.end());
  if (p.groups > 1) {
    dims.insert(dims.begin(), p.groups);
    strides.insert(strides.begin(), outs * row);
  }
  dnnl_memory_desc_t desc{};
  require(dnnl_memory_desc_init_by_strides(&desc, static_cast<int>(dims.size()), dims.data(),
                                           type_of(p.out_type), strides.data()),
          "diff_weights");
  return desc;
}

/// The same dimensions in whatever layout an implementation likes.
dnnl_memory_desc_t in_any_layout(const dnnl_memory_desc_t& plain) {
  dnnl_memory_desc_t desc{};
  require(dnnl_memory_desc_init_by_tag(&desc, plain.ndims, plain.dims, plain.data_type, dnnl_format_tag_any),
          "diff_weights");
  return desc;
}

/// The implementation of that number, counted around; the library lists them one after another.
Descriptor chosen(const dnnl_convolution_desc_t& operation, std::int64_t number, dnnl_engine_t engine) {
  const auto attributes = made<Attributes>("attributes", dnnl_primitive_attr_create);
  require(dnnl_primitive_attr_set_scratchpad_mode(attributes.get(), dnnl_scratchpad_mode_user), "scratchpad");
  const auto iterator = made<Iterator>("convolution", [&](auto* out) {
    return dnnl_primitive_desc_iterator_create(out, &operation, attributes.get(), engine, nullptr);
  });
  std::vector<Descriptor> all;
  do {
    all.emplace_back(dnnl_primitive_desc_iterator_fetch(iterator.get()));
  } while (number > 0 && dnnl_primitive_desc_iterator_next(iterator.get()) == dnnl_success);
  return std::move(all[static_cast<std::size_t>(number) % all.size()]);
}

void prepare_library() {
  const dnnl_version_t& version = *dnnl_version();
  const std::string number = std::to_string(version.major) + "." + std::to_string(version.minor);
  if (version.major != DNNL_VERSION_MAJOR)
    throw NotSupported{"libdnnl is " + number + ", the peer was built for " +
                       std::to_string(DNNL_VERSION_MAJOR) + ".x"};
  if (version.cpu_runtime != DNNL_RUNTIME_OMP) throw NotSupported{"libdnnl was not built for OpenMP"};
  // With its cache the library lists a primitive made before in the place of other implementations.
  require(dnnl_set_primitive_cache_capacity(0), "primitive cache");
}

const dnnl_memory_desc_t& layout_of(const Descriptor& descriptor, dnnl_query_t what) {
  return *dnnl_primitive_desc_query_md(descriptor.get(), what, 0);
}

Memory memory_at(const dnnl_memory_desc_t& layout, dnnl_engine_t engine, void* data) {
  return made<Memory>("memory", [&](auto* out) { return dnnl_memory_create(out, &layout, engine, data); });
}

}  // namespace

Convolution::Convolution(const wgrad_problem& p) {
  prepare_library();
  if (p.accumulate != 0) throw NotSupported{"dW is overwritten, not added to"};
  omp_set_num_threads(static_cast<int>(p.threads));
  const auto axes = axes_of(p);
  src_ = images(p, p.in_channels, of_each(axes, [](const wgrad_axis& a) { return a.input; }));
  diff_dst_ = images(p, p.out_channels, of_each(axes, [](const wgrad_axis& a) { return a.output; }));
  plain_ = plain_weights(p, of_each(axes, [](const wgrad_axis& a) { return a.kernel; }));
  const dnnl_memory_desc_t any = in_any_layout(plain_);
  const Dims strides = of_each(axes, [](const wgrad_axis& a) { return a.stride; });
  const Dims dilates = of_each(axes, [](const wgrad_axis& a) { return a.dilation - 1; });
  const Dims before = of_each(axes, [](const wgrad_axis& a) { return a.pad_before; });
  const Dims after = of_each(axes, pad_after);
  dnnl_convolution_desc_t operation{};
  require(dnnl_dilated_convolution_backward_weights_desc_init(&operation, dnnl_convolution_direct, &src_,
                                                              &any, nullptr, &diff_dst_, strides.data(),
                                                              dilates.data(), before.data(), after.data()),
          "convolution");
  engine_ = made<Engine>("engine", [](auto* out) { return dnnl_engine_create(out, dnnl_cpu, 0); });
  stream_ = made<Stream>("stream", [this](auto* out) {
    return dnnl_stream_create(out, engine_.get(), dnnl_stream_default_flags);
  });
  descriptor_ = chosen(operation, p.implementation, engine_.get());
}

std::int64_t Convolution::scratchpad_bytes() const {
  return static_cast<std::int64_t>(
      dnnl_memory_desc_get_size(&layout_of(descriptor_, dnnl_query_scratchpad_md)));
}

std::string Convolution::implementation() const {
  const char* name = nullptr;
  dnnl_primitive_desc_query(descriptor_.get(), dnnl_query_impl_info_str, 0, &name);
  return name == nullptr ? "" : name;
}

dnnl_status_t Convolution::prepare() {
  dnnl_primitive_t made_primitive = nullptr;
  if (const auto status = dnnl_primitive_create(&made_primitive, descriptor_.get()); status != dnnl_success)
    return status;
  primitive_.reset(made_primitive);
  const dnnl_memory_desc_t& layout = layout_of(descriptor_, dnnl_query_diff_weights_md);
  if (dnnl_memory_desc_equal(&layout, &plain_) != 0) return dnnl_success;
  reordered_ = std::make_unique<Guarded>(dnnl_memory_desc_get_size(&layout));
  dnnl_primitive_desc_t descriptor = nullptr;
  if (const auto status = dnnl_reorder_primitive_desc_create(&descriptor, &layout, engine_.get(), &plain_,
                                                             engine_.get(), nullptr);
      status != dnnl_success)
    return status;
  const Descriptor owned(descriptor);
  dnnl_primitive_t made_reorder = nullptr;
  const auto status = dnnl_primitive_create(&made_reorder, descriptor);
  reorder_.reset(made_reorder);
  return status;
}

dnnl_status_t Convolution::run(const void* dy, const void* x, void* dw, void* scratchpad, Manner manner) {
  if (!primitive_)
    if (const auto status = prepare(); status != dnnl_success) return status;
  if (reordered_ && manner.poison) reordered_->poison();
  // The library's arguments are not const; these two it only reads.
  const Memory src = memory_at(src_, engine_.get(), const_cast<void*>(x));
  const Memory diff_dst = memory_at(diff_dst_, engine_.get(), const_cast<void*>(dy));
  const Memory plain = memory_at(plain_, engine_.get(), dw);
  const Memory scratch =
      memory_at(layout_of(descriptor_, dnnl_query_scratchpad_md), engine_.get(), scratchpad);
  const Memory weights = reordered_ ? memory_at(layout_of(descriptor_, dnnl_query_diff_weights_md),
                                                engine_.get(), reordered_->data())
                                    : nullptr;
  const std::array arguments{dnnl_exec_arg_t{DNNL_ARG_SRC, src.get()},
                             dnnl_exec_arg_t{DNNL_ARG_DIFF_DST, diff_dst.get()},
                             dnnl_exec_arg_t{DNNL_ARG_DIFF_WEIGHTS, weights ? weights.get() : plain.get()},
                             dnnl_exec_arg_t{DNNL_ARG_SCRATCHPAD, scratch.get()}};
  if (const auto status = dnnl_primitive_execute(primitive_.get(), stream_.get(),
                                                 static_cast<int>(arguments.size()), arguments.data());
      status != dnnl_success)
    return status;
  if (weights && manner.reorder) {
    const std::array moved{dnnl_exec_arg_t{DNNL_ARG_FROM, weights.get()},
                           dnnl_exec_arg_t{DNNL_ARG_TO, plain.get()}};
    if (const auto status = dnnl_primitive_execute(reorder_.get(), stream_.get(),
                                                   static_cast<int>(moved.size()), moved.data());
        status != dnnl_success)
      return status;
  }
  return dnnl_stream_wait(stream_.get());
}

}  // namespace wgradcheck::targets::onednn
