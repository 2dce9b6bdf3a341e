#include "fuzz/calls.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>

#include "check/judge/data.hpp"
#include "check/judge/judge.hpp"
#include "check/run/lent.hpp"
#include "fuzz/cases.hpp"
#include "fuzz/in_process.hpp"
#include "spec/rules.hpp"
#include "targets/include/conv_grad_filter.h"

namespace wgradcheck::fuzz {

using namespace check;

namespace {

constexpr std::int64_t kMostBytes = 64 << 20;
constexpr double kMostProducts = 1 << 20;

/// Addresses that nobody may touch, for the buffers of calls that must be refused.
std::byte* forbidden(BufferId id) {
  constexpr std::size_t kEach = 1 << 20;
  static std::byte* const pages =
      static_cast<std::byte*>(mmap(nullptr, kEach * kBuffers, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  return pages + kEach * static_cast<std::size_t>(id) + kEach / 2;
}

std::string say(const RawCall& raw) {
  std::string text;
  for (std::size_t i = 0; i < raw.fields.size(); ++i)
    text += fmt::format(" {}={}", kParamFields[i], raw.fields[i]);
  return text;
}

double bytes_of(const spec::Call<std::int64_t>& call) {
  const spec::Shape s = spec::shape_of(call);
  const auto elements = static_cast<double>(spec::x_elems(s)) + static_cast<double>(spec::dy_elems(s)) +
                        static_cast<double>(spec::dw_elems(s));
  return elements * static_cast<double>(call.elem_bytes) +
         static_cast<double>(spec::documented_workspace(call));
}

double products_of(const spec::Call<std::int64_t>& call) {
  const spec::Shape s = spec::shape_of(call);
  return static_cast<double>(s.batch) * static_cast<double>(s.height.output) *
         static_cast<double>(s.width.output) * static_cast<double>(spec::dw_elems(s));
}

/// The image of a case, but with the raw call's ints: pads behind the input follow from a shape, in which
/// they need not fit an int, and are anything here.
CallImage image_with(const RawCall& raw, const Case& c) {
  CallImage image;
  image.param.fields = raw.fields;
  image.sizes = {
      tensor_bytes(c, BufferId::dy),    tensor_bytes(c, BufferId::x), tensor_bytes(c, BufferId::dw),
      bias_elems(c) * size_of(c.dtype), parameter_bytes(c),           c.workspace};
  image.room = image.sizes;
  return image;
}

}  // namespace

struct Calls::Subject {
  explicit Subject(const Kernel& k) : kernel(k), promises(Promises::bundled(*k.abi)), here(k) {
    auto loaded = Entry::load(k);
    entry = std::get<Entry>(loaded);
    void* const library = dlopen(k.library.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto find = [library](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    };
    find(last_error, "conv_grad_filter_last_error");
    find(last_path, "conv_grad_filter_last_path");
    find(required, "required_workspace_bytes");
    find(safe, "safe_workspace_bytes");
  }

  std::string error() const {
    const char* const text = last_error ? last_error() : nullptr;
    return text ? text : "";
  }
  std::int64_t element() const { return size_of(kernel.abi->dtype); }

  Kernel kernel;
  Promises promises;
  InProcess here;
  Entry entry;
  decltype(&conv_grad_filter_last_error) last_error = nullptr;
  decltype(&conv_grad_filter_last_path) last_path = nullptr;
  decltype(&required_workspace_bytes) required = nullptr;
  decltype(&safe_workspace_bytes) safe = nullptr;
};

Calls::Calls(const std::vector<Kernel>& kernels) {
  for (const Kernel& kernel : kernels) subjects_.push_back(std::make_unique<Subject>(kernel));
}

Calls::~Calls() = default;

std::string Calls::fault_of(std::string_view bytes) {
  const RawCall raw = raw_call_of(bytes);
  Subject& s = *subjects_[raw.target % subjects_.size()];
  const auto call = rules_call_of(raw, s.element(), 1);
  const auto refusal = spec::refuse(call);
  std::string fault;
  if (refusal || raw.workspace == RawCall::Workspace::null)
    fault = refused(s, raw, refusal ? refusal->field : "workspace_");
  else if (bytes_of(call) > static_cast<double>(kMostBytes) || products_of(call) > kMostProducts)
    fault = planned(s, raw, call);
  else
    fault = run(s, raw, call);
  return fault.empty() ? fault : fmt::format("{}: {}:{}", s.kernel.name, fault, say(raw));
}

std::string Calls::refused(Subject& s, const RawCall& raw, const std::string& field) {
  ++refused_;
  ConvParam param{.workspace = nullptr, .fields = raw.fields};
  if (raw.workspace != RawCall::Workspace::null)
    param.workspace =
        forbidden(BufferId::workspace) + (raw.workspace == RawCall::Workspace::misaligned ? 1 : 0);
  const ConvParam given = param;
  Layout layout;
  for (const BufferId id : {BufferId::dy, BufferId::x, BufferId::dw, BufferId::bias})
    layout.places[static_cast<std::size_t>(id)].data = forbidden(id);
  layout.places[static_cast<std::size_t>(BufferId::param)].data = reinterpret_cast<std::byte*>(&param);
  lend({0, nullptr, nullptr});
  s.entry.call(layout, raw.seed % 2 != 0, 1, 0);
  if (std::memcmp(&given, &param, sizeof param) != 0)
    return "changed the parameter of a call that it refuses";
  if (s.last_error == nullptr) return {};
  const std::string error = s.error();
  if (error.empty()) return fmt::format("did not refuse a call for its {}", field);
  if (!error.starts_with(field + " "))
    return fmt::format("said \"{}\" of a call with a wrong {}", error, field);
  if (s.last_path()) return "told the path of a call that it refused";
  if (field != "workspace_" &&
      s.required(reinterpret_cast<ConvParameter*>(&param), 1, static_cast<int>(s.element())) != -1)
    return fmt::format("told the workspace of a call with a wrong {}", field);
  return {};
}

std::string Calls::planned(Subject& s, const RawCall& raw, const spec::Call<std::int64_t>& call) {
  ++planned_;
  if (s.required == nullptr) return {};
  ConvParam param{.workspace = nullptr, .fields = raw.fields};
  auto* const given = reinterpret_cast<ConvParameter*>(&param);
  const auto element = static_cast<int>(s.element());
  if (const auto told = s.required(given, 1, element); told != spec::documented_workspace(call))
    return fmt::format("told a workspace of {} bytes, not {}", told, spec::documented_workspace(call));
  if (const auto told = s.safe(given, 1, element); told < spec::documented_workspace(call))
    return fmt::format("told a safe workspace of {} bytes, under the documented one", told);
  return {};
}

std::string Calls::run(Subject& s, const RawCall& raw, const spec::Call<std::int64_t>& call) {
  ++run_;
  Case c{.shape = spec::shape_of(call), .dtype = s.kernel.abi->dtype};
  c.buffer = call.buffer_size;
  c.workspace = spec::documented_workspace(call);
  if (raw.seed % 2 != 0 && spec::path_of(call) != spec::Path::depthwise) c.bias = Bias::column;
  c.placement = kPlacements[raw.seed / 2 % kPlacements.size()];
  c.seed = raw.seed;
  const CallImage given = image_with(raw, c);
  const Data data = make_data(c, fill_for({}, s.promises));
  std::string fault;
  const bool misaligned = raw.workspace == RawCall::Workspace::misaligned;
  s.here.call(
      c, given, misaligned ? 1 : 0, [&](const Tensors& t) { write_tensors(c, data, t); },
      [&](const Tensors& t, const Outcome& outcome) {
        const std::string error = s.error();
        if (!error.empty() && (!misaligned || !error.starts_with("workspace_ "))) {
          fault = fmt::format("refused a valid call: {}", error);
        } else if (!error.empty()) {
          if (outcome.workspace_used != 0 || outcome.stray || !outcome.param_changed.empty() ||
              first_altered(c.dw_type(), data, BufferId::dw, t.dw) >= 0)
            fault = "touched the buffers of a call that it refused";
        } else {
          for (const Finding& f : judge(c, data, s.promises, outcome, t).findings)
            if (f.counterexample) fault = fmt::format("{}, {}", name_of(f.property), f.detail);
        }
      });
  return fault;
}

std::vector<Kernel> targets_that_refuse() {
  std::vector<Kernel> all = own_targets();
  std::erase_if(all, [](const Kernel& k) { return k.abi->host; });
  return all;
}

}  // namespace wgradcheck::fuzz
