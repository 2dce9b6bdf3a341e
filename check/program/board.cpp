#include "check/program/board.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/bundled.hpp"
#include "check/program/commands.hpp"
#include "check/remote/board.hpp"
#include "check/remote/board_executor.hpp"
#include "check/report/files.hpp"
#include "check/report/replay.hpp"
#include "check/text.hpp"

namespace wgradcheck::check {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostCases = 2000;  ///< of a program
constexpr const char* kOpening = "/* What wgradcheck vectors verify reads of this program:\n";
constexpr const char* kClosing = "\n*/\n";

/// What a program says of itself besides its calls, the same in all programs of a check.
struct Setup {
  MemoryMap map;
  Json json;  ///< what described() says; memory, as it was given; full, in bytes

  explicit Setup(Json said)
      : map(parse_memory_map(said.at("memory").get<std::string>())), json(std::move(said)) {}
  std::string memory() const { return json.at("memory"); }
};

/// JSON that stands in a comment: a solidus may be escaped, and nothing here needs a question mark.
std::string in_comment(const Json& json) {
  std::string text;
  for (const char c : json.dump(1)) text += c == '/' ? "\\/" : c == '?' ? "\\u003f" : std::string(1, c);
  return kOpening + text + kClosing;
}

/// Generated cases are such that fit; those that were asked for by their shapes are left out by name.
void keep_to(const MemoryMap& map, Plan& plan) {
  if (!plan.shapes.empty()) return;
  plan.domain.where = [domain = plan.domain, map](const spec::Shape& shape) {
    Case c{.shape = shape};
    if (admit(domain, c)) return false;
    const auto image = image_of(*domain.abi, c);
    const auto* const fitting = std::get_if<CallImage>(&image);
    return fitting && std::holds_alternative<Spots>(place(map, *domain.abi, *fitting, c));
  };
}

Setting setting_of(const std::string& name, const VectorOptions& o, const MemoryMap& map) {
  Setting s(name, o);
  if (s.kernel.abi->host)
    throw BadInput{
        fmt::format("--abi is {}: a program for a board calls kernels of conv_grad_filter.h, such as "
                    "fp_conv_grad_filter_p",
                    s.kernel.abi->name)};
  // What starts a board's other cores is not known here.
  if (o.search.call.cores == 0 && o.search.call.core_mask.empty()) s.plan.domain.core_masks = {1};
  keep_to(map, s.plan);
  return s;
}

std::string comment(const Setting& s, const Setup& setup, const BoardExecutor& board, std::size_t calls) {
  std::string text = fmt::format(
      "{} calls of {} on memory {}, from wgradcheck {}.\n\n"
      "Compile it with the kernel and call wgradcheck_main on one core. It needs no\n"
      "library. Define, where it helps:\n"
      "  WGRADCHECK_PUTCHAR  a function as putchar, which is given the results and holds\n"
      "                      none of them back; without it they are left in\n"
      "                      wgradcheck_results, to be dumped\n"
      "  WGRADCHECK_HEADER   the header, in quotes, that declares ConvParameter, the\n"
      "                      kernel and the function above\n"
      "  WGRADCHECK_KERNEL   the kernel's name\n"
      "  WGRADCHECK_RUN      a macro of (dy, x, dw, bias, parameter, core_mask) that\n"
      "                      calls the kernel, for caches and other cores\n"
      "  WGRADCHECK_FIRST    the number of the call to begin with\n"
      "  WGRADCHECK_RESULTS  bytes of wgradcheck_results\n"
      "  WGRADCHECK_PEEK, WGRADCHECK_POKE\n"
      "                      macros of (at) and (at, byte) that read and write a byte\n"
      "                      of a buffer where plain code cannot\n",
      calls, s.kernel.abi->symbol, setup.memory(), WGRADCHECK_VERSION);
  for (const Memory& m : setup.map)
    text += fmt::format("  {:<18}  where {} begins\n", "WGRADCHECK_" + m.name, m.name);
  if (s.kernel.abi->shared && s.plan.domain.core_masks == std::vector<std::uint32_t>{1})
    text += "\nThe kernel is called on one core, with a core_mask of 1.\n";
  if (board.left_out().empty()) return text;
  text += "\nLeft out:\n";
  for (const std::string& what : board.left_out()) text += "  " + what + "\n";
  return text;
}

void write_program(const std::string& file, const Setting& s, const Setup& setup,
                   const BoardExecutor& board) {
  const auto& wanted = board.wanted();
  BoardProgram program{.abi = s.kernel.abi,
                       .memory = setup.map,
                       .cases = {wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(
                                                                      std::min(wanted.size(), kMostCases))},
                       .full = setup.json.at("full")};
  program.comment = comment(s, setup, board, program.cases.size());
  Json json = setup.json;
  for (const BoardCase& b : program.cases) json["calls"].push_back(fmt::format("{:016x}", b.key));
  write_file(file, to_c(program) + "\n" + in_comment(json));
}

/// What was read of a program.
struct Program {
  std::string file;
  Setup setup;
  VectorOptions options;
  std::vector<std::uint64_t> calls;  ///< their keys
};

std::optional<Program> program_of(const std::string& file, const std::string& text) {
  const std::size_t at = text.rfind(kOpening);
  if (at == std::string::npos) return {};
  const std::size_t from = at + std::string_view(kOpening).size(), end = text.find("\n*/", from);
  const Fields fields =
      Fields::parse(file, text.substr(from, end == std::string::npos ? end : end - from), "a whole program");
  const VectorOptions options = VectorOptions::read(fields, {"memory", "full", "calls"});
  fields.get<std::string>("memory");
  fields.number("full", 0, std::int64_t{1} << 46);
  Json setup = fields.all();
  setup.erase("calls");
  Program p{.file = file, .setup = Setup(std::move(setup)), .options = options, .calls = {}};
  for (const std::string& digits : fields.get<std::vector<std::string>>("calls")) {
    const auto key = whole_number<std::uint64_t>(digits, 16);
    if (!key) fields.bad("calls", "holds no key: " + digits);
    p.calls.push_back(*key);
  }
  return p;
}

/// The programs and the logs among files.
struct Brought {
  std::vector<Program> programs;
  std::string log;

  explicit Brought(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      const std::string text = read_file(file);
      if (auto program = program_of(file, text))
        programs.push_back(std::move(*program));
      else
        log += text + "\n";
    }
    if (programs.empty())
      throw BadInput{fmt::format("{} is no folder of vectors and no program that `vectors export --c` wrote",
                                 fmt::join(files, ", "))};
    for (const Program& p : programs)
      if (p.setup.json != programs.front().setup.json)
        throw BadInput{
            fmt::format("{} and {} are programs of different checks", programs.front().file, p.file)};
  }

  /// What the logs say, by the calls' keys; a sentence for each program that they do not know.
  std::map<std::uint64_t, BoardAnswer> answers(std::vector<std::string>& notes) const {
    std::int64_t damaged = 0;
    const auto logs = read_transcript(log, &damaged);
    std::map<std::uint64_t, BoardAnswer> answers;
    for (const Program& p : programs) {
      const auto found = logs.find(id_of(p.calls));
      if (found == logs.end()) {
        notes.push_back(fmt::format("no log of {} is here", p.file));
        continue;
      }
      if (!found->second.ended)
        notes.push_back(fmt::format("the log of {} does not come to the program's end", p.file));
      for (std::size_t k = 0; k < p.calls.size(); ++k) {
        const BoardAnswer a = found->second.answer(static_cast<std::int64_t>(k));
        if (a.status == BoardAnswer::Status::stopped)
          notes.push_back(fmt::format(
              "the log of {} ends in call {}; with -DWGRADCHECK_FIRST={} the program begins behind it",
              p.file, k, k + 1));
        // A call that an earlier program lost may have been made by a later one.
        if (a.status != BoardAnswer::Status::lost || !answers.contains(p.calls[k])) answers[p.calls[k]] = a;
      }
    }
    if (damaged)
      notes.push_back(damaged == 1 ? "1 damaged line of the log counts for nothing"
                                   : fmt::format("{} damaged lines of the log count for nothing", damaged));
    return answers;
  }
};

std::vector<std::string> unseen_on_boards() {
  return {
      fmt::format(
          "memory: writes more than {} bytes outside a buffer, reads outside it that change no bit of "
          "dW, and alignment below 64 bytes unless promised",
          kBoardMargin),
      "crash and hang: calls are not apart from each other, and one that does not return ends the program"};
}

}  // namespace

void BoardOptions::add_to(CLI::App& command) {
  command
      .add_option("--c", c,
                  "Instead of a folder, a freestanding C89 program that makes the calls on a board; "
                  "`verify` reads it and the log of what it prints")
      ->check(has_a_name);
  command
      .add_option("--memory", memory,
                  "Where that program places buffers: AM=0x10000000:768K,DDR=0x80000000:256M; private "
                  "kernels work in the first, shared ones in the last, a buffer named as in "
                  "L2=0x10800000:1M:workspace+dw there; without an address, in an array")
      ->capture_default_str();
  command.add_option("--full", full, "Bytes of a dW that it prints whole where that is not the right one")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40))
      ->capture_default_str();
}

int export_program(const CLI::App& command, const VectorOptions& o, const BoardOptions& b) {
  const MemoryMap map = parse_memory_map(b.memory);
  const Setting s = setting_of("kernel on a board", o, map);
  require_writable(b.c);
  BoardExecutor board(*s.kernel.abi, s.promises, map, {});
  check_kernel(board, nullptr, s.promises, s.plan, {});
  if (board.wanted().empty())
    throw BadInput{fmt::format("--memory {}: not one case fits; {}", b.memory,
                               board.left_out().empty() ? "none was generated" : board.left_out().front())};
  Json json = described(command, {"--c", "--memory", "--full", "--budget"}, s.plan);
  json["memory"] = b.memory;
  json["full"] = b.full;
  write_program(b.c, s, Setup(std::move(json)), board);
  if (b.c == "-") return 0;
  fmt::print(
      "{} calls in {}: run it with the kernel, keep what it prints, then\n  {} vectors verify {} LOG --next "
      "NEXT.c\n",
      std::min(board.wanted().size(), kMostCases), b.c, quoted(program_name()), quoted(b.c));
  for (const std::string& what : board.left_out()) fmt::print("left out: {}\n", what);
  return 0;
}

int verify_programs(const std::vector<std::string>& files, const std::string& next, const Outputs& outputs) {
  const Brought brought(files);
  const Program& first = brought.programs.front();
  const Setting s = setting_of("kernel on a board", first.options, first.setup.map);
  std::vector<std::string> notes;
  BoardExecutor board(*s.kernel.abi, s.promises, first.setup.map, brought.answers(notes));
  Verdict v = check_kernel(board, nullptr, s.promises, s.plan, {});
  introduce(v, s.kernel, s.promises, first.options.search.condition(), board.capabilities());
  v.domain += fmt::format(", as far as it fits {}", first.setup.memory());
  v.unseen = unseen_on_boards();
  v.notes.insert(v.notes.end(), notes.begin(), notes.end());
  v.notes.insert(v.notes.end(), board.notes().begin(), board.notes().end());
  v.further = static_cast<std::int64_t>(std::min(board.wanted().size(), kMostCases));
  if (v.further) v.further_in = next.empty() ? "the program that --next FILE writes" : next;
  if (v.further && !next.empty()) write_program(next, s, first.setup, board);
  Invocation how;
  how.rerun = {program_name(), "vectors", "verify"};
  how.rerun.insert(how.rerun.end(), files.begin(), files.end());
  how.whole = true;
  outputs.write({v, how, s.kernel, s.promises, {}});
  return status_of(v);
}

}  // namespace wgradcheck::check
