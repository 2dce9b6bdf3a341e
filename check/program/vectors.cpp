#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "check/bundled.hpp"
#include "check/program/board.hpp"
#include "check/program/commands.hpp"
#include "check/program/outputs.hpp"
#include "check/program/vector_options.hpp"
#include "check/remote/recorded.hpp"
#include "check/report/files.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::int64_t kUsualBudget = 64 << 20, kMostBudget = std::int64_t{1} << 46;

/// What a folder of vectors says of itself.
struct Manifest {
  VectorOptions options;
  RecordLimits limits;
};

std::string manifest_of(const std::string& folder) { return folder + "/manifest.json"; }

Manifest read_manifest(const std::string& folder) {
  const std::string path = manifest_of(folder);
  if (!fs::exists(path)) throw BadInput{fmt::format("{} holds no vectors: there is no {}", folder, path)};
  const Fields fields = Fields::read(path, "a manifest of vectors");
  return {VectorOptions::read(fields, {"largest", "budget"}),
          {fields.number("largest", 1, kMostBudget), fields.number("budget", 1, kMostBudget)}};
}

/// A folder that is made, or was empty, and is so again unless what is written there is kept.
class Unfinished {
 public:
  /// Throws BadInput.
  explicit Unfinished(const std::string& folder) : folder_(folder) {
    std::error_code error;
    had_ = fs::exists(folder_, error);
    if (had_ && (!fs::is_directory(folder_, error) || !fs::is_empty(folder_, error)))
      throw BadInput{fmt::format("{} exists and is no empty folder", folder)};
    fs::create_directories(folder_, error);
    if (error) throw BadInput{fmt::format("cannot make the folder {}: {}", folder, error.message())};
  }
  ~Unfinished() {
    std::error_code ignored;
    if (done_) return;
    if (had_)
      for (const char* name : {"round1", "manifest.json"}) fs::remove_all(folder_ / name, ignored);
    else
      fs::remove_all(folder_, ignored);
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  void keep() { done_ = true; }

 private:
  fs::path folder_;
  bool had_ = false, done_ = false;
};

void tell_left_out(const std::vector<Case>& cases, std::int64_t largest) {
  constexpr std::size_t kMost = 20;
  if (cases.empty()) return;
  fmt::print("{} case{} left out, each larger than the {} bytes that the budget leaves to one:\n",
             cases.size(), cases.size() == 1 ? " is" : "s are", largest);
  for (std::size_t i = 0; i < std::min(kMost, cases.size()); ++i)
    fmt::print("  {}\n", spec::to_line(cases[i].shape));
  if (cases.size() > kMost) fmt::print("  and {} more\n", cases.size() - kMost);
}

int export_to(const CLI::App& command, const std::string& folder, const VectorOptions& o,
              std::int64_t budget) {
  const Setting setting("vectors in " + folder, o);
  Measuring sizes(*setting.kernel.abi);
  check_kernel(sizes, nullptr, setting.promises, setting.plan, {});
  const RecordLimits limits{sizes.largest_within(budget), budget};
  if (limits.largest == 0)
    throw BadInput{fmt::format("--budget {}: not one case of these fits in so many bytes", budget)};
  Unfinished unfinished(folder);
  Recorded record(*setting.kernel.abi, folder, limits);
  check_kernel(record, nullptr, setting.promises, setting.plan, {});
  const std::int64_t count = record.asked();
  const fs::path round = record.finish_round();
  Json manifest = described(command, {"--budget"}, setting.plan);
  manifest["largest"] = limits.largest;
  manifest["budget"] = limits.round;
  write_file(manifest_of(folder), manifest.dump(2) + "\n");
  unfinished.keep();
  fmt::print("{} cases in {}: write dw.npy into each folder, then\n  {}\n", count, round.string(),
             command_of({program_name(), "vectors", "verify", folder}));
  tell_left_out(record.too_large(), limits.largest);
  return 0;
}

int verify(const std::string& folder, const Outputs& outputs) {
  const Manifest m = read_manifest(folder);
  const Setting setting("vectors in " + folder, m.options);
  Recorded record(*setting.kernel.abi, folder, m.limits);
  Verdict v = check_kernel(record, nullptr, setting.promises, setting.plan, {});
  introduce(v, setting.kernel, setting.promises, m.options.search.condition(), record.capabilities());
  v.further = record.asked();
  if (v.further) v.further_in = record.finish_round().string();
  Invocation how;
  how.rerun = {program_name(), "vectors", "verify", folder};
  how.whole = true;
  outputs.write({v, how, setting.kernel, setting.promises, {}});
  return status_of(v);
}

/// Refuses before long work where what is asked for cannot be written.
void require_outputs(const std::vector<std::string>& brought, const std::string& next,
                     const Outputs& outputs) {
  if (!outputs.save.empty())
    throw BadInput{"--save means nothing to vectors: what was exported holds the cases"};
  outputs.require_writable();
  if (next.empty()) return;
  if (next == "-") throw BadInput{"--next is -, but standard output holds the verdict"};
  require_writable(next);
  std::error_code ignored;
  for (const std::string& file : brought)
    if (fs::equivalent(file, next, ignored))
      throw BadInput{fmt::format("--next {} is one of the files that are judged", next)};
}

}  // namespace

void add_vectors(CLI::App& app, int& status) {
  struct Options {
    std::string folder, next;
    std::vector<std::string> brought;
    VectorOptions vectors;
    BoardOptions board;
    Outputs outputs;
    std::int64_t budget = kUsualBudget;
  };
  auto o = std::make_shared<Options>();
  CLI::App* const vectors = app.add_subcommand(
      "vectors", "Check a kernel that runs elsewhere by folders of cases, or by a C program");
  vectors->require_subcommand(1);
  CLI::App* const exporting = vectors->add_subcommand(
      "export",
      "Write cases into a folder: x.npy, dy.npy, dw_in.npy and case.json each, to which a kernel adds "
      "dw.npy (check/remote/README.md says more)");
  exporting->add_option("DIR", o->folder, "A folder that is empty or not there yet; or --c");
  exporting->add_option("--budget", o->budget, "Bytes that the files of a round may have")
      ->check(CLI::Range(std::int64_t{1}, kMostBudget))
      ->capture_default_str();
  o->board.add_to(*exporting);
  o->vectors.add_to(*exporting);
  exporting->callback([o, exporting, &status] {
    if (o->folder.empty() == o->board.c.empty())
      throw BadInput{"vectors export writes to DIR or to --c FILE"};
    for (const char* const option : {"--memory", "--full"})
      if (!o->folder.empty() && exporting->count(option) > 0)
        throw BadInput{fmt::format("{} means nothing to a folder, only to --c", option)};
    if (o->folder.empty() && exporting->count("--budget") > 0)
      throw BadInput{"--budget means nothing to --c, only to a folder"};
    status = o->folder.empty() ? export_program(*exporting, o->vectors, o->board)
                               : export_to(*exporting, o->folder, o->vectors, o->budget);
  });
  CLI::App* const verifying = vectors->add_subcommand(
      "verify",
      "Judge the answers in a folder; a failure that further cases would shrink gets them as the next "
      "round");
  verifying
      ->add_option("WHAT", o->brought,
                   "A folder that `vectors export` wrote, or programs of its --c and logs of what they print")
      ->required();
  verifying->add_option("--next", o->next, "Where the program that makes such further calls is written")
      ->check(has_a_name);
  o->outputs.add_to(*verifying);
  verifying->callback([o, &status] {
    const bool folder = o->brought.size() == 1 && fs::is_directory(o->brought.front());
    if (folder && !o->next.empty())
      throw BadInput{
          fmt::format("--next {} means nothing to {}, which is a folder", o->next, o->brought.front())};
    require_outputs(o->brought, o->next, o->outputs);
    status =
        folder ? verify(o->brought.front(), o->outputs) : verify_programs(o->brought, o->next, o->outputs);
  });
}

}  // namespace wgradcheck::check
