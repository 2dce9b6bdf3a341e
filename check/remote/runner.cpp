#include "check/remote/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "check/kernel.hpp"
#include "check/remote/case_folder.hpp"
#include "check/remote/command.hpp"
#include "check/report/replay.hpp"
#include "check/run/arena.hpp"

namespace wgradcheck::check {
namespace {

namespace fs = std::filesystem;
using Clock = Command::Clock;
using Status = Outcome::Status;

constexpr std::int64_t kBatch = 64;             ///< cases that a command that stays is sent at once
constexpr std::int64_t kBatchBytes = 64 << 20;  ///< of the tensors of cases that wait in folders
constexpr int kSkips = 77;                      ///< exit status that says: not supported
constexpr int kMostHangs = 2;                   ///< of the cases handed over together
const std::string kUnsupported = "the runner does not support it";
constexpr const char *kOne = "{case}", *kSeveral = "{cases}";

/// A case that waits in its folder.
struct Item {
  Case test;
  Held held;
  fs::path folder{};
  std::optional<Outcome> outcome{};
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

class RunnerExecutor : public Executor {
 public:
  RunnerExecutor(const Runner& runner, const std::string& scratch)
      : runner_(runner),
        scratch_(scratch),
        left_(runner.can.launches.value_or(std::numeric_limits<std::int64_t>::max())) {}

  Capabilities capabilities() const override {
    const bool several = runner_.takes_several();
    return {.guard_pages = false,
            .memory = false,
            .batch = runner_.stays() ? kBatch
                     : several       ? runner_.can.cases_per_launch
                                     : 1,
            .repeats = runner_.can.repeats,
            .cheap = runner_.stays() && !runner_.can.launches,
            .rounds = several};
  }
  std::int64_t launches_left() const override { return left_; }
  void restart() override { process_.reset(); }
  void limit(std::optional<double> seconds) override { limit_ = seconds; }
  void run(std::span<const Case> cases, const Prepare& prepare, const Done& done) override;

 private:
  std::optional<std::string> does_not_fit(const CallImage&) const;
  void carry_out(std::span<Item* const>);
  std::size_t launch(std::span<Item* const>);
  std::size_t converse(std::span<Item* const>);
  bool hear(Item&);
  Outcome left_behind(Item&) const;
  Outcome ended(const Command&) const;
  Clock::duration allowed() const;

  Runner runner_;
  fs::path scratch_;
  std::int64_t left_, made_ = 0;  ///< launches, and folders
  std::optional<double> limit_;   ///< seconds, while a hang is made smaller
  double slowest_ = 0;            ///< seconds that a case took that did not hang
  int hangs_ = 0;                 ///< in the cases handed over together
  std::unique_ptr<Command> process_;
};

/// For a case. What cases took so far tells how much of a time limit is the launch's.
Clock::duration RunnerExecutor::allowed() const {
  const double usual = runner_.deadline + runner_.can.launch_seconds;
  const double seconds = limit_ && slowest_ > 0
                             ? std::min(usual, std::max(*limit_, 4 * slowest_) + runner_.can.launch_seconds)
                             : usual;
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// Elsewhere, or here, where its files are made.
std::optional<std::string> RunnerExecutor::does_not_fit(const CallImage& image) const {
  const auto bytes = [&](BufferId id) { return image.sizes[static_cast<std::size_t>(id)]; };
  std::int64_t all = 0;
  for (const BufferId id : {BufferId::x, BufferId::dy, BufferId::dw, BufferId::bias, BufferId::workspace}) {
    all += bytes(id);
    const auto region = runner_.can.memory_map.find(name_of(id));
    if (region != runner_.can.memory_map.end() && bytes(id) > region->second.bytes)
      return fmt::format("its {} is larger than the runner's {} bytes for it", name_of(id),
                         region->second.bytes);
  }
  if (runner_.can.memory_bytes && all > *runner_.can.memory_bytes)
    return fmt::format("it is larger than the runner's {} bytes", *runner_.can.memory_bytes);
  return too_large(image.room);
}

void RunnerExecutor::run(std::span<const Case> cases, const Prepare& prepare, const Done& done) {
  hangs_ = 0;
  for (std::size_t first = 0; first < cases.size();) {
    std::vector<Item> batch;
    std::vector<Item*> waiting;
    std::int64_t bytes = 0;
    const auto most = static_cast<std::size_t>(capabilities().batch);
    batch.reserve(most);
    for (; first + batch.size() < cases.size() && batch.size() < most && bytes < kBatchBytes;) {
      const std::size_t i = first + batch.size();
      const auto image = image_of(*runner_.abi, cases[i]);
      const auto* const fitting = std::get_if<CallImage>(&image);
      auto why = fitting ? does_not_fit(*fitting) : std::get<std::string>(image);
      Item& item = batch.emplace_back(Item{cases[i], Held(why ? Sizes{} : fitting->sizes)});
      if (why) {
        item.outcome = Outcome::instead(Status::not_run, *why);
        continue;
      }
      const Tensors tensors = item.held.tensors();
      prepare(i, tensors);
      item.folder = scratch_ / fmt::format("case-{}", ++made_);
      write_case(item.folder, files_of(*runner_.abi, item.test, tensors, runner_.can.memory_map));
      bytes += folder_bytes(fitting->sizes);
      waiting.push_back(&item);
    }
    carry_out(waiting);
    for (std::size_t k = 0; k < batch.size(); ++k) {
      std::error_code ignored;
      if (!batch[k].folder.empty()) fs::remove_all(batch[k].folder, ignored);
      done(first + k, batch[k].held.tensors(), *batch[k].outcome);
    }
    first += batch.size();
  }
}

/// Gives every item its outcome, however many launches that takes.
void RunnerExecutor::carry_out(std::span<Item* const> items) {
  while (!items.empty()) {
    std::size_t told = items.size();
    if (left_ <= 0 || hangs_ >= kMostHangs) {
      const Outcome o = left_ > 0 ? Outcome::instead(Status::not_run, "not run after two that hung")
                                  : Outcome::unanswered("no launch is left for it");
      for (Item* const item : items) item->outcome = o;
    } else {
      told = runner_.stays() ? converse(items) : launch(items);
    }
    items = items.subspan(told);
  }
}

/// Hands over as many as one launch takes; returns how many have an outcome now, at least one.
std::size_t RunnerExecutor::launch(std::span<Item* const> items) {
  if (!runner_.takes_several()) items = items.first(1);
  std::string folders;
  for (const Item* const item : items)
    folders += (folders.empty() ? "" : " ") + quoted(item->folder.string());
  --left_;
  const auto start = Clock::now();
  Command command(replaced(replaced(runner_.command, kSeveral, folders), kOne, folders));
  command.end_input();
  // In each of these times one case at least must be done.
  for (std::size_t reached = 0, before = 0; !command.death(); before = reached) {
    const auto until = Clock::now() + allowed();
    while (Clock::now() < until && command.line(until)) {
    }
    while (reached < items.size() && has_dw(items[reached]->folder)) ++reached;
    if (reached == before) break;
  }
  const Outcome end = ended(command);
  const bool well = end.status == Status::returned;
  if (well)
    slowest_ = std::max(slowest_, std::chrono::duration<double>(Clock::now() - start).count() /
                                      static_cast<double>(items.size()));
  hangs_ += end.status == Status::hung;
  // It takes them in order: the first that it left without a dW, or the last, is the one that it ended at.
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i]->outcome = left_behind(*items[i]);
    if (well || (items[i]->outcome->status == Status::returned && i + 1 < items.size())) continue;
    items[i]->outcome = end;
    return i + 1;
  }
  return items.size();
}

/// Sends all folders and hears the answers; returns how many there were, at least one.
std::size_t RunnerExecutor::converse(std::span<Item* const> items) {
  if (!process_) process_ = std::make_unique<Command>(runner_.command);
  const auto soon = Clock::now() + std::chrono::seconds(1);
  items = items.first(static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(items), left_)));
  std::string lines;
  for (const Item* const item : items) lines += item->folder.string() + "\n";
  process_->send(lines, soon);
  for (std::size_t i = 0; i < items.size(); ++i) {
    --left_;
    if (hear(*items[i])) continue;
    process_.reset();
    return i + 1;
  }
  return items.size();
}

/// Whether the command goes on after its answer to the next case.
bool RunnerExecutor::hear(Item& item) {
  const auto start = Clock::now();
  const auto until = start + allowed();
  while (Clock::now() < until) {
    const auto line = process_->line(until);
    if (!line) break;
    const std::size_t end = std::min(line->find_first_of(" \t\r"), line->size());
    const std::string word = line->substr(0, end);
    const std::string rest = line->substr(std::min(line->find_first_not_of(" \t\r", end), line->size()));
    if (word == "ok") {
      item.outcome = left_behind(item);
      slowest_ = std::max(slowest_, std::chrono::duration<double>(Clock::now() - start).count());
      return true;
    }
    if (word != "skip" && word != "fail") continue;
    item.outcome = word == "skip"
                       ? Outcome::instead(Status::not_run, kUnsupported + ": " + rest)
                       : Outcome::instead(Status::unreadable, "the runner reports a failure: " + rest);
    return true;
  }
  item.outcome = ended(*process_);
  if (item.outcome->status == Status::returned)
    item.outcome = Outcome::instead(Status::exited, "it ended without an answer");
  hangs_ += item.outcome->status == Status::hung;
  return false;
}

/// What a case's folder holds after a run that ended well.
Outcome RunnerExecutor::left_behind(Item& item) const {
  if (auto why = read_dw(item.folder, *runner_.abi, item.test, item.held.tensors().dw))
    return Outcome::instead(Status::unreadable, *why);
  return Outcome::instead(Status::returned, "");
}

/// How a launch ended. Throws BadInput where the shell did not find the command.
Outcome RunnerExecutor::ended(const Command& command) const {
  std::string words = command.last_words();
  if (words == "ok") words.clear();
  Outcome o = Outcome::instead(Status::hung, "");
  o.said = words;
  o.limit = std::chrono::duration<double>(allowed()).count();
  if (!command.death()) return o;
  const auto [member, status, code] = *command.death();
  const bool exited = status == Status::exited;
  if (exited && code == 0) return Outcome::instead(Status::returned, "");
  if (exited && (code == 126 || code == 127) && slowest_ == 0)
    throw BadInput{fmt::format("--runner {}: it cannot be run: {}", runner_.command, words)};
  if (exited && code == kSkips)
    return Outcome::instead(Status::not_run, kUnsupported + (words.empty() ? "" : ": " + words));
  // A shell tells of a signal so.
  const bool signal = exited && code > 128 && code <= 128 + 64;
  o.status = signal ? Status::crashed : status;
  o.code = signal ? code - 128 : code;
  return o;
}

}  // namespace

bool Runner::stays() const { return command.find(kOne) == std::string::npos && !takes_several(); }
bool Runner::takes_several() const { return command.find(kSeveral) != std::string::npos; }

std::unique_ptr<Executor> runner_executor(const Runner& runner, const std::string& scratch) {
  return std::make_unique<RunnerExecutor>(runner, scratch);
}

}  // namespace wgradcheck::check
