#include "check/bench/bench.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "check/bench/machine.hpp"
#include "check/kernel.hpp"
#include "check/program/commands.hpp"
#include "check/report/files.hpp"
#include "check/search/shape_list.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

/// Layers of ResNet-50, MobileNet, ResNeXt, dilated ones, and small and odd shapes.
constexpr const char* kShapes[] = {
    "mb8ic64ih56oc64kh1",          "mb8ic64ih56oc64kh3ph1",          "mb8ic64ih56oc256kh1",
    "mb8ic128ih28oc128kh3ph1",     "mb8ic256ih28oc512kh1sh2",        "mb8ic256ih14oc256kh3ph1",
    "mb8ic512ih7oc512kh3ph1",      "mb8ic3ih224oc64kh7sh2ph3",       "g32mb8ic32ih112oc32kh3ph1",
    "g144mb8ic144ih56oc144kh3ph1", "g192mb8ic192ih28oc192kh3sh2ph1", "g576mb8ic576ih14oc576kh3ph1",
    "g960mb8ic960ih14oc960kh5ph2", "mb8ic64ih28oc64kh3ph2dh1",       "mb8ic64ih28oc64kh3ph4dh3",
    "g32mb8ic128ih56oc128kh3ph1",  "g32mb8ic512ih14oc512kh3ph1",     "mb4ic4ih4oc4kh3",
    "mb16ic8ih16oc8kh3ph1",        "mb1ic17ih32oc19kh3ph1",          "mb2ic3ih64oc8kh3sh2ph1",
};

struct Options {
  std::vector<std::string> lines;
  std::string shapes, dtype = "f32", json;
  int threads = 1;
};

constexpr double kGiga = 1e9, kMicro = 1e6, kPercent = 100;

std::vector<spec::Shape> shapes_of(const Options& o) {
  std::vector<spec::Shape> shapes;
  const auto take = [&shapes](const std::variant<spec::Shape, spec::Refusal>& shape,
                              const std::string& where) {
    if (const auto* why = std::get_if<spec::Refusal>(&shape))
      throw BadInput{fmt::format("{}: {}: {}", where, why->field, why->reason)};
    shapes.push_back(std::get<spec::Shape>(shape));
  };
  for (const std::string& line : o.lines) take(read_listed(line).shape, line);
  if (o.shapes.empty()) {
    if (o.lines.empty())
      for (const char* line : kShapes) take(spec::parse_line(line), line);
    return shapes;
  }
  for (const ListedShape& listed : read_shapes(o.shapes))
    take(listed.shape, fmt::format("{}:{}", listed.file, listed.line_number));
  if (shapes.size() == o.lines.size()) throw BadInput{fmt::format("--shapes {} lists no shape", o.shapes)};
  return shapes;
}

double gflops(const spec::Shape& s, double seconds) {
  return 2 * static_cast<double>(spec::products(s)) / seconds / kGiga;
}

/// What of the machine's best a measurement reaches, parts of 1.
struct Shares {
  double of_peak, of_bandwidth;

  Shares(const Measured& m, DType t, const Peak& peak)
      : of_peak(gflops(m.shape, m.warm) * kGiga / peak.flops),
        of_bandwidth(bytes_of(m.shape, t) / m.cold / peak.bytes) {}
};

nlohmann::ordered_json json_of(const Measured& m, const Shares& shares) {
  nlohmann::ordered_json j{{"shape", spec::to_line(m.shape)},
                           {"path", m.path},
                           {"workspace_bytes", m.workspace},
                           {"cold_seconds", m.cold},
                           {"cold_gflops", gflops(m.shape, m.cold)},
                           {"warm_seconds", m.warm},
                           {"warm_gflops", gflops(m.shape, m.warm)},
                           {"warm_share_of_fma_peak", shares.of_peak},
                           {"cold_share_of_bandwidth", shares.of_bandwidth}};
  if (m.peer)
    j["onednn"] = {{"implementation", m.peer->implementation},
                   {"cold_seconds", m.peer->seconds},
                   {"ratio_cold", m.peer->ratio},
                   {"ratio_cold_without_reorder", m.peer->ratio_unordered},
                   {"ratio_warm", m.peer->ratio_warm},
                   {"same_bits", m.peer->same}};
  else
    j["onednn"] = {{"reason", m.no_peer}};
  return j;
}

void print_line(const Measured& m, const Shares& shares) {
  fmt::print("{}\n  {:<8}{:>10.1f}{:>8.1f}{:>8.1f}{:>8.0f}{:>8.0f}", spec::to_line(m.shape), m.path,
             m.cold * kMicro, gflops(m.shape, m.cold), gflops(m.shape, m.warm), kPercent * shares.of_peak,
             kPercent * shares.of_bandwidth);
  if (m.peer)
    fmt::print("{:>8.2f}{:>8.2f}{:>8.2f}\n", m.peer->ratio, m.peer->ratio_unordered, m.peer->ratio_warm);
  else
    fmt::print("       -\n");
  std::fflush(stdout);
}

int bench(const Options& o) {
  if (!o.json.empty()) require_writable(o.json);
  const DType t = o.dtype == "f32" ? DType::f32 : o.dtype == "f16" ? DType::f16 : DType::bf16;
  const std::vector<spec::Shape> shapes = shapes_of(o);
  const Bench library;
  const Peak peak = measure_peak(o.threads);
  const bool text = o.json != "-";
  if (text) {
    const bool one = o.threads == 1;
    fmt::print("dW of the host library, {}, {}.\n{} {:.0f} GFLOP/s and {} {:.1f} GB/s.\n", o.dtype,
               one ? "1 thread" : fmt::format("{} threads", o.threads),
               one ? "A core does" : fmt::format("{} cores do", o.threads), peak.flops / kGiga,
               one ? "reads" : "read", peak.bytes / kGiga);
    fmt::print("Ratios: oneDNN's time over the library's, medians of pairs.\n");
    if (!library.without_peer().empty())
      fmt::print("There are none: onednn_f32 is {}.\n", library.without_peer());
    constexpr const char* kHead = "{:<10}{:>10}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}\n";
    fmt::print("\n");
    fmt::print(kHead, "", "cold", "cold", "warm", "warm, %", "cold, %", "cold", "no re-", "warm");
    fmt::print(kHead, "  path", "us", "GF/s", "GF/s", "of peak", "of GB/s", "ratio", "order", "ratio");
  }
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  int status = 0;
  double logs = 0;
  int pairs = 0;
  for (const spec::Shape& shape : shapes) {
    const Measured m = library.measure(shape, t, o.threads);
    const Shares shares(m, t, peak);
    if (text) print_line(m, shares);
    all.push_back(json_of(m, shares));
    if (!m.peer) continue;
    logs += std::log(m.peer->ratio);
    ++pairs;
    if (t == DType::f32 && !m.peer->same) {
      status = 1;
      fmt::print(stderr, "wgradcheck: {}: the library's dW is not oneDNN's\n", spec::to_line(shape));
    }
  }
  if (text && pairs > 0) fmt::print("\nGeometric mean of the cold ratios: {:.2f}\n", std::exp(logs / pairs));
  if (!o.json.empty())
    write_file(o.json, nlohmann::ordered_json{{"dtype", o.dtype},
                                              {"threads", o.threads},
                                              {"fma_peak_gflops", peak.flops / kGiga},
                                              {"read_gbytes", peak.bytes / kGiga},
                                              {"shapes", all}}
                               .dump(2) +
                           "\n");
  return status;
}

}  // namespace

void add_bench(CLI::App& app, int& status) {
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("bench", "Measure how fast the host library is, beside oneDNN");
  command->add_option(
      "LINE", o->lines,
      "Problem lines, or commands of benchdnn, MIOpenDriver or cutlass_profiler (one argument "
      "each); by default 21 well-known layers");
  command->add_option("--shapes", o->shapes, "Problem lines of a file, besides")->check(has_a_name);
  command->add_option("--threads", o->threads, "Threads to compute with; one is measured in processor time")
      ->check(CLI::Range(1, 32))
      ->capture_default_str();
  command->add_option("--dtype", o->dtype, "Type of the tensors: f32, f16 or bf16")
      ->check(CLI::IsMember({"f32", "f16", "bf16"}))
      ->capture_default_str();
  command->add_option("--json", o->json, "Write the measurements as JSON; - for standard output")
      ->check(has_a_name);
  command->callback([o, &status] { status = bench(*o); });
}

}  // namespace wgradcheck::check
