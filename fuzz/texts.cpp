#include "fuzz/texts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "check/judge/promises.hpp"
#include "check/profile/promises_file.hpp"
#include "check/program/vector_options.hpp"
#include "check/remote/memory_map.hpp"
#include "check/remote/runner_file.hpp"
#include "check/remote/transcript.hpp"
#include "check/report/merged.hpp"
#include "check/report/npy.hpp"
#include "check/report/saved.hpp"
#include "check/search/shape_list.hpp"
#include "check/search/where.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::fuzz {
namespace {

using namespace check;
using Json = nlohmann::ordered_json;

/// What the program calls the file in its sentences.
const std::string kFile = "file";

std::string fault_of_line(const std::string& text) {
  const auto first = spec::parse_line(text);
  const auto* const shape = std::get_if<spec::Shape>(&first);
  if (shape == nullptr)
    return std::get<spec::Refusal>(first).reason.empty() ? "refused without a reason" : "";
  if (const auto refusal = spec::refuse(*shape)) return "taken, though " + refusal->reason;
  const std::string line = spec::to_line(*shape);
  return spec::parse_line(line) == first ? "" : "written as " + line + ", which reads back as another shape";
}

std::vector<spec::Shape> listed(const std::string& text) {
  std::vector<spec::Shape> shapes;
  for (const ListedShape& one : to_shapes(kFile, text))
    if (const auto* const shape = std::get_if<spec::Shape>(&one.shape)) shapes.push_back(*shape);
  return shapes;
}

std::string fault_of_shapes(const std::string& text) {
  // Other files are not for a fuzzer to name.
  if (text.find("--batch") != std::string::npos) return {};
  return round_trip(text, listed, [](const std::vector<spec::Shape>& shapes) {
    std::string lines;
    for (const spec::Shape& shape : shapes) lines += spec::to_line(shape) + "\n";
    return lines;
  });
}

/// The first field that `written` has with another value than `text`, those apart that are written anew.
std::string changed_field(const std::string& text, const std::string& written) {
  const Json was = Json::parse(text, nullptr, false), is = Json::parse(written, nullptr, false);
  for (const auto& [name, value] : is.items())
    if (name != "version" && name != "shape" && was.contains(name) && was[name] != value)
      return fmt::format("field {} of {} is read as {}", name, was[name].dump(), value.dump());
  return {};
}

std::string fault_of_saved(const std::string& text) {
  const auto read = [](const std::string& file) { return to_saved(kFile, file); };
  const auto write = [](const Saved& saved) { return to_text(saved); };
  if (std::string fault = round_trip(text, read, write); !fault.empty()) return fault;
  try {
    return changed_field(text, write(read(text)));
  } catch (const BadInput&) {
    return {};
  }
}

std::string fault_of_promises(const std::string& text) {
  return round_trip(
      text, [](const std::string& file) { return to_promises(kFile, file); },
      [](const std::vector<std::string>& promises) {
        Promises made, again;
        for (const std::string& promise : promises) made.make(promise);
        std::istringstream words(made.text());
        for (std::string word; words >> word;) again.make(word);
        return promises_text({}, promises) + (made.text() == again.text() ? "" : "# " + again.text() + "\n");
      });
}

std::string fault_of_array(const std::string& text) {
  return round_trip(
      text, [](const std::string& file) { return to_npy(kFile, file); },
      [](const Npy& array) { return to_text(array); });
}

std::string summary(const BoardAnswer& a) {
  std::string text = fmt::format("{} {} {:x} {} {} {} {}", static_cast<int>(a.status), a.why, a.digest,
                                 a.workspace_used, a.field.value_or(-2), a.areas, a.unsteady);
  if (a.stray) text += fmt::format(" stray {} {}", static_cast<int>(a.stray->buffer), a.stray->offset);
  if (a.altered) text += fmt::format(" altered {} {}", static_cast<int>(a.altered->first), a.altered->second);
  for (const auto& [first, piece] : a.dw) text += fmt::format(" {}:{}", first, piece);
  return text;
}

std::string summary(const std::string& log) {
  std::int64_t damaged = 0;
  std::string text;
  for (const auto& [id, program] : read_transcript(log, &damaged)) {
    text += fmt::format("{:x} {} {} {}\n", id, program.cases, program.ended, program.full);
    for (const auto& [number, answer] : program.answers) {
      text += fmt::format("{}: {}\n", number, summary(answer));
      whole_dw(answer, std::ssize(answer.dw), 4);
      program.answer(number + 1);
    }
  }
  return text + fmt::format("{} damaged", damaged);
}

/// Lines as records with the checksum that they should have; with one of their own they stay as they are.
std::string with_checksums(const std::string& text) {
  std::istringstream lines(text);
  std::string log;
  for (std::string line; std::getline(lines, line);)
    log += line.starts_with("@") ? line + "\n" : fmt::format("@wg{}*{:08x};\n", line, crc_of(line));
  return log;
}

/// Line ends and blanks say nothing, wherever they stand.
std::string fault_of_log(const std::string& text) {
  for (const std::string& log : {text, with_checksums(text)}) {
    std::string broken;
    for (std::size_t at = 0; at < log.size(); at += 7)
      broken += log.substr(at, 7) + (at % 2 == 0 ? "\r\n" : " ");
    if (summary(log) != summary(broken)) return "broken into lines the log says something else";
  }
  return {};
}

std::string fault_of_runner_file(const std::string& text) {
  return round_trip(
      text, [](const std::string& file) { return to_runner_file(kFile, file); },
      [](const RunnerFile& can) {
        Json json{{"launch_seconds", can.launch_seconds},
                  {"cases_per_launch", can.cases_per_launch},
                  {"repeats", can.repeats}};
        if (can.launches) json["launches"] = *can.launches;
        if (can.memory_bytes) json["memory_bytes"] = *can.memory_bytes;
        for (const auto& [name, region] : can.memory_map)
          json["memory_map"][name] = {{"base", region.base}, {"bytes", region.bytes}};
        return json.dump();
      });
}

std::string fault_of_memory_map(const std::string& text) {
  return round_trip(text, parse_memory_map, [](const MemoryMap& map) {
    std::vector<std::string> entries;
    for (const Memory& m : map) {
      std::vector<std::string> buffers;
      for (const BufferId id : m.buffers) buffers.emplace_back(name_of(id));
      entries.push_back(fmt::format("{}={}:{}{}{}", m.name, m.base ? fmt::format("{:#x}", *m.base) : "",
                                    m.bytes, buffers.empty() ? "" : ":", fmt::join(buffers, "+")));
    }
    return fmt::format("{}", fmt::join(entries, ","));
  });
}

/// A condition joined to itself holds where it holds.
std::string fault_of_where(const std::string& text) {
  return round_trip(text, Where::parse, [](const Where& where) {
    const auto values = [](const Where& w) {
      std::string holds;
      for (const char* line :
           {"g3ic6ih5oc9oh3kh3sh2", "mb1ic1ih1oc1oh1kh1", "mb7ic40id3ih9iw8oc16od2oh5ow7kd2kh3kw2dh1"})
        holds += w(std::get<spec::Shape>(spec::parse_line(line))) ? "1" : "0";
      return holds;
    };
    Where twice = where;
    twice &= where;
    return where.text() + (values(where) == values(Where::parse(twice.text())) ? "" : " && 0");
  });
}

std::string fault_of_manifest(const std::string& text) {
  return round_trip(
      text,
      [](const std::string& file) {
        return VectorOptions::read(Fields::parse(kFile, file, "a manifest"), {});
      },
      [](const VectorOptions& o) {
        return Json{{"tool", "wgradcheck"},          {"format", 1},
                    {"version", WGRADCHECK_VERSION}, {"options", Json::array()},
                    {"shapes", o.search.shapes},     {"seed", *o.search.seed}}
            .dump();
      });
}

std::string fault_of_report(const std::string& text) {
  return round_trip(
      text, [](const std::string& file) { return to_shard_report(kFile, file); },
      [](const ShardReport& report) {
        text_of_report(merged({&report, 1}));
        return report.json.dump();
      });
}

constexpr const char* kReport =
    R"({"tool": "wgradcheck", "version": "0.1.0", "schema": 1, "kernel": "k.c", "abi": "", "seed": 1, "domain": "",
"promises": "", "verdict": "none", "seconds": 0.5, "cases": {"run": 9, "skipped": 1, "open": 0, "refused": 0, "largest":
"up to mb4 ih7", "workspace": "at most 96 of 768 bytes used", "by_class": {"dense": 4}, "skipped_because": {"large": 1}},
"miss_below": null, "rounding_worst": 0.5, "neglected": [], "channels_skipped": [], "unseen": ["x"], "notes": [],
"counterexamples": [], "further": {"cases": 0, "folder": ""}, "against": null, "shard": {"index": 1, "count": 2, "of":
"check k.c"}, "replay": ""})";

constexpr const char* kSaved =
    R"({"tool": "wgradcheck", "version": "0.1.0", "kernel": ["k.c"], "abi": "", "symbol": "",
"compiler": "", "flags": "", "peer_library": "", "runner": "", "runner_file": "", "folder": "", "promises": ["acc=f32"],
"timeout": 10.0, "property": "formula", "shape": "mb1ic1ih2oc1oh1kh2", "dtype": 0, "core_mask": 1, "buffer": 65536,
"workspace": 262144, "bias": 0, "placement": 0, "align": 0, "read_slack": 0, "param_field": -1, "param_value": 0,
"implementation": 0, "magnitude": 9, "seed": 7, "exact_bits": 24, "non_finite": false, "subnormal": false,
"rounds": false, "masked": 0})";

}  // namespace

const std::array<TextKind, 11>& text_kinds() {
  static const std::array<TextKind, 11> kinds{{
      {"line", fault_of_line, "g2mb3ic4id5ih9iw8oc6od5oh3ow2kd1kh3kw4sd2sh3sw4pd1ph2pw1dd1dh2dw3_n\"name\""},
      {"shapes", fault_of_shapes,
       "# layers\n--dir=BWD_W mb2ic3ih9oc4kh3 ic8ih4oc8oh2kh3n\"a b\"\n\tg4ic4ih7oc4kh3ph1 # dw\r\n"},
      {"saved", fault_of_saved, kSaved},
      {"promises", fault_of_promises,
       "# of a "
       "kernel\nacc=f32\nheight=blocked:16\nsplits=4\npartials=bf16\ndw=overwrite\nalign=64\nread_slack=12\n"
       "bias=column\nnonfinite_padding=skip\nsubnormals=flush\nrepeat=bits\nalgorithm=direct\nrefuses=yes\n"},
      {"array", fault_of_array,
       "\x93NUMPY\1\0\x3e{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n1234"},
      {"log", fault_of_log,
       "0badcafep3\n0badcafec0\n0badcafer0,0123456789abcdef,40,b3:4,w6:10,i1:2,p3,a7,u\n0badcafed0,0,"
       "3f800000\n0badcafee"},
      {"runner", fault_of_runner_file,
       R"({"launch_seconds": 0.5, "launches": 9, "cases_per_launch": 4, "repeats": false, "memory_bytes": 65536,)"
       R"( "memory_map": {"x": {"base": "0x86000000", "bytes": 4096}}})"},
      {"memory", fault_of_memory_map, "AM=0x10000000:768K:dw+workspace,DDR=0x80000000:256M,HEAP=:1G:bias"},
      {"where", fault_of_where, "ic%8==0 && (kh<=3 || !(sh>1)) && oc/g*2-1!=-(ih+iw)"},
      {"manifest", fault_of_manifest,
       R"({"tool": "wgradcheck", "format": 1, "version": ")" WGRADCHECK_VERSION R"(", )"
       R"("options": ["--abi", "host_f32", "--promise", "acc=f32", "--where", "ic>1", "--threads", "2"],)"
       R"( "shapes": ["ic3ih4oc2kh3"], "seed": 5})"},
      {"report", fault_of_report, kReport},
  }};
  return kinds;
}

std::string fault_of_text(std::string_view bytes) {
  if (bytes.empty()) return {};
  const auto& kinds = text_kinds();
  const TextKind& kind = kinds[static_cast<unsigned char>(bytes[0]) % kinds.size()];
  const std::string fault = kind.fault_of(std::string(bytes.substr(1)));
  return fault.empty() ? fault : fmt::format("{}: {}", kind.name, fault);
}

}  // namespace wgradcheck::fuzz
