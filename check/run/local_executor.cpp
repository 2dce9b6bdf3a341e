#include "check/run/local_executor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <new>
#include <numeric>
#include <optional>
#include <variant>
#include <vector>

#include "check/run/crew.hpp"

namespace wgradcheck::check {
namespace {

using Status = Outcome::Status;

/// Cases whose buffers fit these have a slot whose pages stay open: running one takes no system call, unless
/// its workspace has other pages than the one before.
constexpr Sizes kSmall{4096, 4096, 4096, 4096, 4096, 256 << 10};

/// Cases that together have more bytes than this make more than one batch, so that caches hold a batch.
constexpr std::int64_t kBatchBytes = 2 << 20;

/// Address space for the larger cases of a batch. For a case that needs more the arena grows, and gives the
/// memory back afterwards.
constexpr std::int64_t kRoom = 256 << 20;

/// A case of the current batch.
struct Item {
  CallImage call;
  std::string refusal;  ///< why it cannot run, or empty
  Sizes pages{};
  std::int64_t at = 0;  ///< offset of its buffers in the arena

  bool small() const { return std::ranges::equal(call.room, kSmall, std::less_equal<>{}); }
};

/// An access outside the arena. Only near zero does the address say more than how this run was laid out.
std::string far_access(std::uintptr_t address, bool write) {
  const char* const verb = write ? "wrote to" : "read";
  if (address < 1 << 16) return fmt::format("{} address {:#x}, by a null pointer", verb, address);
  return fmt::format("{} an address near no buffer", verb);
}

std::chrono::nanoseconds nanoseconds(double seconds) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
}

class LocalExecutor : public Executor {
 public:
  LocalExecutor(const Kernel& kernel, const LocalOptions& options)
      : kernel_(kernel),
        usual_deadline_(options.deadline),
        deadline_(nanoseconds(options.deadline)),
        control_memory_(sizeof(Control)),
        control_(*new(control_memory_.data()) Control) {}

  Capabilities capabilities() const override { return {true, kMaxTasks}; }
  void restart() override { crew_.reset(); }
  void limit(std::optional<double> seconds) override {
    deadline_ = nanoseconds(seconds.value_or(usual_deadline_));
    crew_.reset();
  }

  void run(std::span<const Case> cases, const Prepare& prepare, const Done& done) override {
    for (const Case& c : cases) cores_ = std::max(cores_, kernel_.abi->shared ? c.cores() : 1);
    for (std::size_t first = 0; first < cases.size(); first += batch_.size()) {
      plan(cases.subspan(first));
      for (std::size_t i = 0; i < batch_.size(); ++i)
        if (set_up(i, cases[first + i])) prepare(first + i, control_.tasks[i].layout.tensors());
      carry_out([&](std::size_t i, const Tensors& tensors, const Outcome& outcome) {
        done(first + i, tensors, outcome);
      });
    }
  }

 private:
  void plan(std::span<const Case> cases);
  bool set_up(std::size_t i, const Case&);
  void carry_out(const Done& done);
  Ending run_tasks(int first, int count);
  Outcome look_at(std::size_t i, const Ending&) const;
  void restore(std::size_t i, const Outcome&);

  Kernel kernel_;
  double usual_deadline_;  ///< seconds
  std::chrono::nanoseconds deadline_;
  std::int64_t slot_extent_ = extent_of(pages_for(kSmall));
  SharedMemory control_memory_;
  Control& control_;
  std::optional<SharedMemory> arena_;            ///< a slot for each task, then room for the larger cases
  std::array<std::int64_t, kMaxTasks> clean_{};  ///< bytes of a slot's workspace up to which all its pages
                                                 ///< carry the pattern
  std::unique_ptr<Crew> crew_;                   ///< none before the first batch and after a death
  int cores_ = 1;
  std::vector<Item> batch_;  ///< by task
};

std::string too_large(std::int64_t bytes) {
  constexpr double kGiB = 1 << 30;
  return fmt::format("its buffers have {:.1f} GiB, more than a quarter of this machine's memory",
                     static_cast<double>(bytes) / kGiB);
}

/// Bytes beyond which a case is not run: its numbers are held twice more, and the machine needs some as well.
std::int64_t most_bytes() {
  static const std::int64_t memory = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  return memory / 4;
}

/// Takes as many of the cases as make a batch, at least one.
void LocalExecutor::plan(std::span<const Case> cases) {
  batch_.clear();
  const std::int64_t slots = kMaxTasks * slot_extent_;
  std::int64_t end = slots, bytes = 0;
  for (const Case& c : cases.first(std::min<std::size_t>(cases.size(), kMaxTasks))) {
    Item item;
    auto image = image_of(*kernel_.abi, c);
    if (auto* const refusal = std::get_if<std::string>(&image)) {
      item.refusal = std::move(*refusal);
    } else {
      item.call = std::get<CallImage>(image);
      // Sizes that cannot be had at all are refused already, so their sum does not overflow.
      const auto needed = std::accumulate(item.call.room.begin(), item.call.room.end(), std::int64_t{0});
      if (needed > most_bytes()) item.refusal = too_large(needed);
    }
    if (item.refusal.empty()) {
      item.pages = pages_for(item.call.room);
      bytes += std::accumulate(item.pages.begin(), item.pages.end(), std::int64_t{0});
      if (!batch_.empty() && bytes > kBatchBytes) break;
      item.at = item.small() ? std::ssize(batch_) * slot_extent_ : end;
      if (!item.small()) end += extent_of(item.pages);
    }
    batch_.push_back(std::move(item));
  }
  if (arena_ && arena_->size() >= end) return;
  crew_.reset();
  arena_.emplace(std::max(end, slots + kRoom));
  clean_ = {};
}

/// Lays out a case's buffers, or tells that it is refused.
bool LocalExecutor::set_up(std::size_t i, const Case& c) {
  Item& item = batch_[i];
  Task& task = control_.tasks[i];
  task.entered = task.left = 0;
  for (Barrier& b : task.barriers) b.waiting = b.generation = 0;
  task.core_mask = !item.refusal.empty() ? 0 : kernel_.abi->shared ? c.core_mask : 1;
  if (task.core_mask == 0) return false;
  task.has_bias = c.bias != Bias::none;
  task.resident = item.small();
  task.layout = lay_out(arena_->data() + item.at, item.pages, item.call, c);
  if (!task.resident || clean_[i] < task.layout[BufferId::workspace].page_bytes) poison_around(task.layout);
  item.call.param.workspace = task.layout[BufferId::workspace].data;
  std::memcpy(task.layout[BufferId::param].data, &item.call.param, sizeof item.call.param);
  return true;
}

/// Runs the batch to its end, however many crews that takes.
void LocalExecutor::carry_out(const Done& done) {
  const int count = static_cast<int>(batch_.size());
  for (int next = 0; next < count;) {
    const Ending ending = run_tasks(next, count);
    for (; next < count && next <= ending.next; ++next) {
      const auto i = static_cast<std::size_t>(next);
      if (!batch_[i].refusal.empty()) {
        Outcome refused;
        refused.detail = batch_[i].refusal;
        done(i, {}, refused);
        continue;
      }
      const Outcome outcome = look_at(i, next < ending.next ? Ending{} : ending);
      done(i, control_.tasks[i].layout.tensors(), outcome);
      restore(i, outcome);
    }
  }
  if (arena_->size() > kMaxTasks * slot_extent_ + kRoom) {
    crew_.reset();
    arena_.reset();
  }
}

/// Runs tasks from `first` on, with a crew that is alive and large enough.
Ending LocalExecutor::run_tasks(int first, int count) {
  if (crew_ && crew_->cores() < cores_) crew_.reset();
  if (!crew_) crew_ = std::make_unique<Crew>(kernel_, *arena_, control_, cores_, deadline_);
  if (crew_->loaded().status != Status::returned) {
    Ending ending = crew_->loaded();
    if (ending.detail.empty()) ending.detail = "while its library was loaded";
    ending.next = first;
    return ending;
  }
  const Ending ending = crew_->run(first, count);
  if (ending.status != Status::returned) crew_.reset();
  return ending;
}

Outcome LocalExecutor::look_at(std::size_t i, const Ending& ending) const {
  const Layout& layout = control_.tasks[i].layout;
  Outcome outcome;
  outcome.status = ending.status;
  outcome.code = ending.code;
  outcome.detail = ending.detail;
  if (ending.fault_address) {
    const auto* const address = reinterpret_cast<const std::byte*>(*ending.fault_address);
    if (arena_->holds(address))
      outcome.stray = locate(layout, address, ending.write);
    else if (outcome.detail.empty())
      outcome.detail = far_access(*ending.fault_address, ending.write);
  }
  inspect(layout, batch_[i].call.param, outcome);
  return outcome;
}

/// Makes a slot carry the pattern again.
void LocalExecutor::restore(std::size_t i, const Outcome& outcome) {
  const Task& task = control_.tasks[i];
  const Place& workspace = task.layout[BufferId::workspace];
  if (!task.resident) return;
  for (const Place& p : task.layout.places) {
    if (outcome.stray)
      poison(p.pages, p.page_bytes);
    else
      poison(p.data, &p == &workspace ? outcome.workspace_used : p.bytes);
  }
  clean_[i] = std::max(clean_[i], workspace.page_bytes);
}

}  // namespace

std::unique_ptr<Executor> local_executor(const Kernel& kernel, const LocalOptions& options) {
  return std::make_unique<LocalExecutor>(kernel, options);
}

}  // namespace wgradcheck::check
