#include "check/report/c_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "check/judge/data.hpp"
#include "check/judge/number.hpp"
#include "check/judge/rounding.hpp"
#include "check/report/account.hpp"
#include "check/report/c_text.hpp"
#include "check/report/words.hpp"
#include "check/run/arena.hpp"
#include "check/run/conv_param.hpp"
#include "check/run/host_call.hpp"
#include "check/search/refusal.hpp"
#include "embedded.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kMostLiteral = 4096;      ///< elements of a tensor that are written one by one
constexpr std::int64_t kMostProducts = 1 << 26;  ///< beyond, only the element in question is looked at
constexpr std::int64_t kMargin = 4096, kMostMargin = 1 << 20;  ///< bytes around a buffer that are looked at

/// Everything that the program is made of.
struct Source {
  const Case& test;
  const Finding& finding;
  const Abi& abi;
  CallImage image;
  Recipe recipe;
  Data data;
  bool masked;

  /// A host kernel's threads are its own.
  int processes() const { return abi.host ? 1 : test.cores(); }
  bool generated() const {
    // Masked data follow no draw.
    return !masked &&
           std::ranges::any_of(kTensors, [this](BufferId id) { return draw(id).elems > kMostLiteral; });
  }
  const Draw& draw(BufferId id) const {
    return id == BufferId::dy   ? recipe.dy
           : id == BufferId::x  ? recipe.x
           : id == BufferId::dw ? recipe.dw
                                : recipe.bias;
  }
};

/// Bytes around a buffer that hold the stray access, where that is known.
std::int64_t margin(const Source& s) {
  if (!s.finding.stray) return kMargin;
  const Stray& stray = *s.finding.stray;
  const std::int64_t far = stray.offset < 0 ? -stray.offset : stray.offset - bytes_of(s.test, stray.buffer);
  return std::clamp((far / kMargin + 2) * kMargin, kMargin, kMostMargin);
}

std::string comment(const Source& s, const Account& a) {
  constexpr std::size_t kColumns = 77;  // behind the comment's mark, in 80
  std::string says = fmt::format(
      "{} The program prints the first wrong element and ends with 1, or with 0 where the kernel is right. "
      "It sees writes up to {} bytes outside a buffer; build it with -fsanitize=address to see reads.",
      s.abi.host ? "A source may need -I for wgrad_kernel.h, in targets/include."
                 : "A source that does not bring ConvParameter itself also needs -include "
                   "conv_grad_filter.h, from targets/include.",
      margin(s));
  if (s.processes() > 1) says += " Each core is a process, which needs POSIX beyond C99.";
  return c_comment(in_text(a, kColumns) +
                   "Build it with the kernel, KERNEL being its sources, objects or library:\n"
                   "    cc repro.c KERNEL -o repro && ./repro\n" +
                   wrapped(says, kColumns, 0));
}

/// How far behind a multiple of 64 bytes the buffer starts where the checker places it.
std::int64_t shift(const Source& s, BufferId id) {
  constexpr std::int64_t kLine = 64;
  const auto buffer = static_cast<std::size_t>(id);
  const std::int64_t pages = pages_for(s.image.room, s.test)[buffer];
  return offset_in_pages(pages, s.image.room[buffer], id, s.test) % kLine;
}

std::string definitions(const Source& s, const Kernel& kernel, const Account& a) {
  std::string out;
  const auto define = [&out](const std::string& name, const auto& value) {
    out += fmt::format("#define {} {}\n", name, value);
  };
  define("REPLAY", c_string(a.replay));
  define("KERNEL", kernel.symbol);
  define("HOST", s.abi.host ? 1 : 0);
  define("MACHINE", s.abi.shared ? 1 : 0);
  define("CORES", s.processes());
  define("CORE_MASK", fmt::format("{:#x}u", s.test.core_mask));
  define("REFUSED", is_invalid(s.test) ? 1 : 0);
  define("GENERATED", s.generated() ? 1 : 0);
  define("MARGIN", margin(s));
  define("ELEM_BYTES", size_of(s.test.dtype));
  define("FRACTION_BITS", s.test.dtype == DType::bf16 ? 7 : 10);
  define("OUTS", spec::out_per_group(s.test.shape));
  define("INS", spec::in_per_group(s.test.shape));
  for (const auto& [name, axis] :
       {std::pair{"KD", s.test.shape.depth}, {"KH", s.test.shape.height}, {"KW", s.test.shape.width}})
    define(name, axis.kernel);
  for (const BufferId id : kTensors) define(c_upper(name_of(id)) + "_ELEMS", s.draw(id).elems);
  define("WORKSPACE_BYTES", s.abi.host ? 0 : s.test.workspace);
  for (const BufferId id : {BufferId::dy, BufferId::x, BufferId::dw, BufferId::bias, BufferId::workspace})
    define(c_upper(name_of(id)) + "_SHIFT", shift(s, id));
  return out;
}

/// The convention's header, which may have been there first, and the kernel's prototypes.
std::string host_declarations(const Kernel& kernel) {
  return fmt::format(
      "{0}\n#define KERNEL_WORKSPACE {1}\nint64_t {1}(const wgrad_problem*, char[WGRAD_TEXT]);\n"
      "int {2}(const wgrad_problem*, const void*, const void*, void*, void*);\n",
      kWgradKernelHeader, query_symbol(kernel), kernel.symbol);
}

/// The documents' struct and the kernel's prototype, unless the documented header was there first.
std::string declarations(const Source& s, const Kernel& kernel) {
  if (s.abi.host) return host_declarations(kernel);
  const char* const type = s.test.dtype == DType::f32 ? "float" : "void";
  std::string fields;
  for (const char* const name : kParamFields) fields += fmt::format("  int {};\n", name);
  const std::string prototype = fmt::format("void {}({}*, {}*, {}*, {}*, ConvParameter*{});\n", kernel.symbol,
                                            type, type, type, type, s.abi.shared ? ", int" : "");
  const std::string structure =
      "typedef struct ConvParameter {\n  void* workspace_;\n" + fields + "} ConvParameter;\n";
  // The header declares the documented symbols, with its own element type.
  return kernel.symbol == s.abi.symbol ? "#ifndef CONV_GRAD_FILTER_H\n" + structure + prototype + "#endif\n"
                                       : "#ifndef CONV_GRAD_FILTER_H\n" + structure + "#endif\n" + prototype;
}

std::string literal(const Source& s, BufferId id) {
  const Integers& values = integers_of(s.data, id);
  if (values.empty()) return {};
  std::vector<std::string> elements;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = element_of(s.data, id, static_cast<std::int64_t>(i));
    elements.push_back(s.test.dtype == DType::f32   ? c_float(value)
                       : s.test.dtype == DType::f16 ? fmt::format("{:#06x}", to_f16(value))
                                                    : fmt::format("{:#06x}", to_bf16(value)));
  }
  return fmt::format("static const {} given_{}[] = {{{}}};\n",
                     s.test.dtype == DType::f32 ? "float" : "uint16_t", name_of(id),
                     wrapped(fmt::format("{}", fmt::join(elements, ", ")), 96, 4));
}

std::string fill(const Source& s) {
  std::string arrays, body;
  for (const BufferId id : kTensors) {
    const Draw& draw = s.draw(id);
    if (draw.elems == 0) continue;
    if (!s.generated()) {
      arrays += literal(s, id);
      body += fmt::format("  memcpy({0}.start, given_{0}, sizeof given_{0});\n", name_of(id));
      continue;
    }
    body += fmt::format("  draw(&{}, UINT64_C({:#x}), {}, {}, {}, {});\n", name_of(id), draw.stream,
                        draw.magnitude, scale_of(s.data, id), id == BufferId::dy ? s.recipe.keep_every : 1,
                        id == BufferId::dy ? s.test.shape.out_channels : 1);
  }
  if (s.generated())
    for (const auto& [name, specials] :
         {std::pair{"dy", &s.data.dy_special}, {"x", &s.data.x_special}, {"dw", &s.data.dw_special}})
      for (const Special& e : *specials)
        body += fmt::format("  put({}.start + {}L * ELEM_BYTES, {});\n", name, e.index, c_double(e.value));
  return arrays + "\nstatic void fill(void) {\n" + body + "}\n";
}

std::string set_parameter(const Source& s) {
  std::string body = s.abi.host ? "" : "  p->workspace_ = workspace.start;\n";
  const auto set = [&body](const char* field, std::int64_t value) {
    body += fmt::format("  p->{} = {};\n", field, value);
  };
  if (s.abi.host)
    for (const auto& [field, value] : fields_of(s.image.problem)) set(field, value);
  else
    for (std::size_t i = 0; i < kParamFields.size(); ++i) set(kParamFields[i], s.image.param.fields[i]);
  return "static void set_parameter(PARAMETER* p) {\n" + body + "}\n";
}

/// What is expected of dW: of every element where that is little, else of the one that was wrong.
std::string expectations(const Source& s, const Promises& promises) {
  if (is_invalid(s.test)) return {};
  std::vector<std::string> rows;
  const auto add = [&](std::int64_t index, double least, double most, double exact) {
    rows.push_back(
        fmt::format("{{{}, {}, {}, {}}}", index, c_double(least), c_double(most), c_double(exact)));
  };
  const spec::Shape& shape = s.test.shape;
  std::vector<std::int64_t> shown;
  if (s.finding.element) shown = {spec::offset_of(shape, *s.finding.element)};
  if (is_special(s.data)) {
    for (const std::int64_t i : shown) add(i, s.finding.expected, s.finding.expected, s.finding.expected);
  } else {
    if (spec::dw_elems(shape) <= kMostLiteral && spec::products(shape) <= kMostProducts) {
      shown.resize(static_cast<std::size_t>(spec::dw_elems(shape)));
      std::iota(shown.begin(), shown.end(), 0);
    }
    const std::vector<Allowed> allowed = allowed_elements(s.test, s.data, promises, shown);
    for (std::size_t i = 0; i < shown.size(); ++i)
      add(shown[i], allowed[i].least, allowed[i].most, allowed[i].exact);
  }
  if (rows.empty()) add(0, -INFINITY, INFINITY, 0);
  return fmt::format(
      "/* What elements of dW may hold, rounded once; where `least` is NaN, nothing finite. */\n"
      "static const struct {{\n  long index;\n  double least, most, exact;\n}} expected[] = {{\n    {}}};\n",
      wrapped(fmt::format("{}", fmt::join(rows, ", ")), 96, 4));
}

}  // namespace

std::string c_program(const Counterexample& found, const Kernel& kernel, const Promises& promises,
                      const Invocation& how) {
  const Trial& trial = found.trial;
  const Account account = account_of(found, how);
  const Source s{trial.test,
                 found.finding,
                 *kernel.abi,
                 std::get<CallImage>(image_of(*kernel.abi, trial.test)),
                 recipe_of(trial.test, trial.fill),
                 make_data(trial.test, trial.fill),
                 trial.fill.masked != 0};
  std::string out = comment(s, account);
  if (s.processes() > 1) out += "#define _DEFAULT_SOURCE\n";
  for (const char* const header : {"math", "stdint", "stdio", "stdlib", "string"})
    out += fmt::format("#include <{}.h>\n", header);
  if (s.processes() > 1)
    for (const char* const header : {"sched", "sys/mman", "sys/wait", "unistd"})
      out += fmt::format("#include <{}.h>\n", header);
  return out + "\n" + definitions(s, kernel, account) + "\n" + declarations(s, kernel) + "\n" +
         expectations(s, promises) + "\n" + kStandalone + "\n" + fill(s) + "\n" + set_parameter(s);
}

}  // namespace wgradcheck::check
