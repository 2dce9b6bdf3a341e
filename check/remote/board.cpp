#include "check/remote/board.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/judge/random.hpp"
#include "check/report/c_text.hpp"
#include "check/report/words.hpp"
#include "embedded.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kTextPerByte = 4;       ///< characters that return a byte of dW, at most
constexpr std::int64_t kTextPerCase = 256;     ///< and a case besides
constexpr std::int64_t kUnexpected = 1 << 16;  ///< room for results that are not what is expected

std::string wide(std::uint64_t v) { return fmt::format("{{{:#x}UL, {:#x}UL}}", v >> 32, v & 0xffffffff); }

std::string list(const std::vector<std::string>& items) {
  return fmt::format("{{{}}}", fmt::join(items, ", "));
}

template <class Items, class Text>
std::string list_of(const Items& items, Text text) {
  std::vector<std::string> all;
  for (const auto& item : items) all.push_back(text(item));
  return list(all);
}

std::string plain(std::int64_t v) { return fmt::format("{}", v); }

std::int64_t dw_bytes(const BoardCase& b) { return b.image.sizes[static_cast<std::size_t>(BufferId::dw)]; }

/// When dW is returned, as board_types.h counts it.
int returns(const BoardCase& b, std::int64_t full) {
  return b.whole ? 2 : b.expected && dw_bytes(b) <= full ? 1 : 0;
}

std::string row(const BoardCase& b, std::int64_t full) {
  using T = BoardTensor;
  const std::vector<std::string> fields{
      list_of(b.image.param.fields, plain),
      fmt::format("{:#x}", b.test.core_mask),
      list_of(b.spots, [](const Spot& s) { return plain(static_cast<std::int64_t>(s.memory)); }),
      list_of(b.spots, [](const Spot& s) { return plain(s.offset); }),
      list_of(b.tensors, [](const T& t) { return plain(t.draw.elems); }),
      plain(b.image.sizes[static_cast<std::size_t>(BufferId::workspace)]),
      list_of(b.tensors, [](const T& t) { return wide(t.draw.stream); }),
      list_of(b.tensors, [](const T& t) { return plain(t.draw.magnitude); }),
      list_of(b.tensors, [](const T& t) { return plain(t.scale); }),
      plain(b.keep_every),
      plain(b.test.shape.out_channels),
      list_of(b.tensors, [](const T& t) { return plain(std::ssize(t.others)); }),
      wide(b.expected.value_or(0)),
      plain(returns(b, full))};
  return wrapped(list(fields), 96, 4);
}

std::string tables(const BoardProgram& p) {
  std::string cases, others;
  for (std::size_t i = 0; i < p.cases.size(); ++i) {
    const BoardCase& b = p.cases[i];
    cases += fmt::format("  /* {}: {}{} */\n  {},\n", i, spec::to_line(b.test.shape),
                         b.fill ? "" : ", numbers given", row(b, p.full));
    for (const BoardTensor& t : b.tensors)
      for (const Bits& e : t.others) others += fmt::format("{{{}, {:#x}UL}}, ", e.index, e.bits);
  }
  // C89 has no empty arrays.
  if (others.empty()) others = "{0, 0}";
  return fmt::format("static const struct wg_case wg_cases[WG_CASES] = {{\n{}}};\n\n", cases) +
         fmt::format("static const struct wg_other wg_others[] = {{\n  {}}};\n\n", wrapped(others, 96, 2));
}

/// Bytes of the memory that the cases use.
std::int64_t used_of(const BoardProgram& p, std::size_t memory) {
  std::int64_t used = 1;
  for (const BoardCase& b : p.cases)
    for (std::size_t i = 0; i < b.spots.size(); ++i)
      if (b.spots[i].memory == memory)
        used = std::max(used, b.spots[i].offset + std::max(b.image.room[i], kParameterRoom) + kBoardMargin);
  return used;
}

/// An address may be replaced when the program is compiled.
std::string memories(const BoardProgram& p) {
  std::string bases, choice;
  for (std::size_t m = 0; m < p.memory.size(); ++m) {
    const Memory& memory = p.memory[m];
    const std::string macro = "WGRADCHECK_" + memory.name;
    const std::string base =
        memory.base ? fmt::format("((unsigned char*){:#x}UL)", *memory.base)
                    : fmt::format("(wg_array{0} + (64 - (unsigned long)wg_array{0} % 64) % 64)", m);
    bases += fmt::format("#ifndef {0}\n", macro);
    if (!memory.base) bases += fmt::format("static unsigned char wg_array{}[{}L];\n", m, used_of(p, m) + 63);
    bases += fmt::format("#define {0} {1}\n#endif\n", macro, base);
    choice += m + 1 < p.memory.size() ? fmt::format("  if (number == {}) return {};\n", m, macro)
                                      : fmt::format("  (void)number;\n  return {};\n", macro);
  }
  return bases + "\nstatic unsigned char* wg_region(int number) {\n" + choice + "}\n\n";
}

std::string parameter() {
  std::string set = "  p->workspace_ = workspace;\n", look = "  if (p->workspace_ != workspace) return 1;\n";
  for (std::size_t i = 0; i < kParamFields.size(); ++i) {
    set += fmt::format("  p->{0} = c->param[{1}];\n", kParamFields[i], i);
    look += fmt::format("  if (p->{0} != c->param[{1}]) return {2};\n", kParamFields[i], i, i + 2);
  }
  return "static void wg_set_parameter(ConvParameter* p, const struct wg_case* c, void* workspace) {\n" +
         set +
         "}\n\nstatic int wg_changed_field(const ConvParameter* p, const struct wg_case* c, const void* "
         "workspace) {\n" +
         look + "  return 0;\n}\n\n";
}

std::int64_t results_bytes(const BoardProgram& p) {
  std::int64_t bytes = kUnexpected;
  for (const BoardCase& b : p.cases) bytes += kTextPerCase + (b.whole ? kTextPerByte * dw_bytes(b) : 0);
  return bytes;
}

std::string definitions(const BoardProgram& p) {
  std::vector<std::uint64_t> keys;
  for (const BoardCase& b : p.cases) keys.push_back(b.key);
  const auto several = std::ranges::any_of(p.cases, [](const BoardCase& b) { return b.test.core_mask != 1; });
  return fmt::format(
      "#define WG_PROGRAM {:#010x}UL\n#define WG_CASES {}\n#define WG_ELEM_BYTES {}\n#define WG_MARGIN {}\n"
      "#define WG_SEVERAL_CORES {}\n#ifndef WGRADCHECK_FIRST\n#define WGRADCHECK_FIRST 0\n#endif\n"
      "#ifndef WGRADCHECK_RESULTS\n#define WGRADCHECK_RESULTS {}L\n#endif\n\n",
      id_of(keys), p.cases.size(), size_of(p.abi->dtype), kBoardMargin, several ? 1 : 0, results_bytes(p));
}

/// The documents' struct and the kernel's prototype, unless the kernel's own header is named.
std::string declarations(const BoardProgram& p) {
  const char* const type = p.abi->dtype == DType::f32 ? "float" : "void";
  std::string fields;
  for (const char* const name : kParamFields) fields += fmt::format("  int {};\n", name);
  return fmt::format("#ifndef WGRADCHECK_KERNEL\n#define WGRADCHECK_KERNEL {}\n#endif\n", p.abi->symbol) +
         fmt::format(
             "#ifdef WGRADCHECK_HEADER\n#include WGRADCHECK_HEADER\n#else\n"
             "typedef struct ConvParameter {{\n  void* workspace_;\n{}}} ConvParameter;\n"
             "void WGRADCHECK_KERNEL({}*, {}*, {}*, {}*, ConvParameter*{});\n"
             "#ifdef WGRADCHECK_PUTCHAR\nint WGRADCHECK_PUTCHAR(int);\n#endif\n#endif\n"
             "void wgradcheck_main(void);\n"
             "typedef char wg_parameter_has_room[sizeof(ConvParameter) <= {} ? 1 : -1];\n\n",
             fields, type, type, type, type, p.abi->shared ? ", int" : "", kParameterRoom) +
         fmt::format(
             "#ifndef WGRADCHECK_RUN\n#if WG_SEVERAL_CORES\n"
             "#error \"wgradcheck: define WGRADCHECK_RUN, which calls the kernel on every core of the "
             "mask\"\n"
             "#endif\n#define WGRADCHECK_RUN(dy, x, dw, bias, parameter, core_mask) "
             "WGRADCHECK_KERNEL(dy, x, dw, bias, parameter{})\n#endif\n\n",
             p.abi->shared ? ", core_mask" : "");
}

std::string call(const BoardProgram& p) {
  const char* const cast = p.abi->dtype == DType::f32 ? "(float*)(void*)" : "(void*)";
  return fmt::format(
      "static void wg_call(unsigned char* dy, unsigned char* x, unsigned char* dw, unsigned char* bias,\n"
      "                    ConvParameter* parameter, int core_mask) {{\n"
      "  (void)dy, (void)x, (void)dw, (void)bias, (void)parameter, (void)core_mask;\n"
      "  WGRADCHECK_RUN({0}dy, {0}x, {0}dw, {0}bias, parameter, core_mask);\n}}\n\n",
      cast);
}

}  // namespace

std::uint32_t id_of(std::span<const std::uint64_t> keys) {
  std::uint64_t h = keys.size();
  for (const std::uint64_t key : keys) h = scrambled(h, key);
  return static_cast<std::uint32_t>(h >> 32);
}

std::string to_c(const BoardProgram& p) {
  return c_comment(p.comment) + definitions(p) + declarations(p) + kBoardTypes + "\n" + tables(p) +
         memories(p) + parameter() + call(p) + kBoardCalls + "\n" + kBoardRecords;
}

}  // namespace wgradcheck::check
