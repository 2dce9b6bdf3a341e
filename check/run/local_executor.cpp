#include "check/run/local_executor.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <functional>
#include <new>
#include <numeric>
#include <optional>
#include <variant>
#include <vector>

#include "check/run/answer.hpp"
#include "check/run/crew.hpp"
#include "check/run/packed.hpp"

namespace wgradcheck::check {
namespace {

using Status = Outcome::Status;

/// Cases whose buffers fit the pages of these have a slot whose pages stay open: running one takes no system
/// call, unless its workspace has other pages than the one before.
constexpr Sizes kSmall{4096, 4096, 4096, 4096, 4096, 256 << 10};

/// Cases that together have more bytes than this make more than one batch, so that caches hold a batch.
constexpr std::int64_t kBatchBytes = 2 << 20;

/// Address space for the larger cases of a batch. For a case that needs more the arena grows, and gives the
/// memory back afterwards.
constexpr std::int64_t kRoom = 256 << 20;

/// Cases that may hang of those handed over together; each takes the whole time limit, and so would the rest.
constexpr int kMostHangs = 2;

Sizes slot_pages() { return pages_for(kSmall, Case()); }

/// A case of the current batch.
struct Item {
  CallImage call;
  Answer answer;
  std::optional<Unpacked> unpacked{};  ///< of an Ascend kernel
  Sizes pages{};
  std::int64_t at = 0;  ///< offset of its buffers in the arena

  bool small() const { return std::ranges::equal(pages, slot_pages(), std::less_equal<>{}); }
};

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

  Capabilities capabilities() const override { return {.batch = kMaxTasks}; }
  void restart() override { crew_.reset(); }
  void limit(std::optional<double> seconds) override {
    deadline_ = nanoseconds(seconds.value_or(usual_deadline_));
    crew_.reset();
  }

  void run(std::span<const Case> cases, const Prepare& prepare, const Done& done) override {
    for (const Case& c : cases) cores_ = std::max(cores_, kernel_.abi->shared ? c.cores() : 1);
    answers_.clear();
    hangs_ = 0;
    for (std::size_t first = 0; first < cases.size(); first += batch_.size()) {
      auto next = cases.subspan(first);
      if (kernel_.abi->host && answers_.empty()) ask(next);
      if (kernel_.abi->host) next = next.first(answers_.size());
      plan(next);
      for (std::size_t i = 0; i < batch_.size(); ++i)
        if (set_up(i, cases[first + i]))
          fill(batch_[i].unpacked, control_.tasks[i].layout,
               [&](const Tensors& tensors) { prepare(first + i, tensors); });
      carry_out([&](std::size_t i, const Tensors& tensors, const Outcome& outcome) {
        done(first + i, tensors, outcome);
      });
    }
  }

 private:
  void ask(std::span<const Case> cases);
  void plan(std::span<const Case> cases);
  void open_arena(std::int64_t bytes);
  bool set_up(std::size_t i, const Case&);
  void carry_out(const Done& done);
  Ending run_tasks(int first, int count);
  Outcome look_at(std::size_t i, const Ending&) const;
  bool is_another_cases(std::size_t i, const std::byte* address) const;
  void restore(std::size_t i, const Outcome&);

  Kernel kernel_;
  double usual_deadline_;  ///< seconds
  std::chrono::nanoseconds deadline_;
  std::int64_t slot_extent_ = extent_of(slot_pages());
  SharedMemory control_memory_;
  Control& control_;
  std::optional<SharedMemory> arena_;            ///< a slot for each task, then room for the larger cases
  std::array<std::int64_t, kMaxTasks> clean_{};  ///< bytes of a slot's workspace up to which all its pages
                                                 ///< carry the pattern
  std::unique_ptr<Crew> crew_;                   ///< none before the first batch and after a death
  int cores_ = 1;
  int hangs_ = 0;               ///< in the cases handed over together
  std::deque<Answer> answers_;  ///< to the cases that come next, of a host kernel
  std::vector<Item> batch_;     ///< by task
};

/// Asks the kernel, in its worker, about as many of the cases as make a batch.
void LocalExecutor::ask(std::span<const Case> cases) {
  const int count = static_cast<int>(std::min<std::size_t>(cases.size(), kMaxTasks));
  if (!has_query(*kernel_.abi))
    return std::ranges::transform(cases.first(static_cast<std::size_t>(count)), std::back_inserter(answers_),
                                  answer_by_tiling),
           void();
  open_arena(kMaxTasks * slot_extent_);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    Task& task = control_.tasks[i];
    task.entered = task.left = 0;
    task.core_mask = 1;
    task.problem = problem_of(cases[i]);
  }
  control_.asks = true;
  for (int next = 0; next < count;) {
    const Ending ending = run_tasks(next, count);
    for (; next < count && next <= ending.next; ++next) {
      const Task& task = control_.tasks[static_cast<std::size_t>(next)];
      answers_.push_back(answer_of(task.workspace, task.text, next < ending.next ? Ending{} : ending));
    }
  }
  control_.asks = false;
}

/// Takes as many of the cases as make a batch, at least one.
void LocalExecutor::plan(std::span<const Case> cases) {
  batch_.clear();
  const std::int64_t slots = kMaxTasks * slot_extent_;
  std::int64_t end = slots, bytes = 0;
  for (Case c : cases.first(std::min<std::size_t>(cases.size(), kMaxTasks))) {
    Item item;
    if (kernel_.abi->host) {
      item.answer = answers_[batch_.size()];
      c.workspace = item.answer.workspace;
    }
    auto image = image_of(*kernel_.abi, c);
    auto* const fitting = std::get_if<CallImage>(&image);
    if (auto* const misfit = std::get_if<std::string>(&image)) {
      item.answer.instead = Outcome::instead(Status::not_run, *misfit);
    } else if (const auto why = too_large(fitting->room)) {
      item.answer.instead = Outcome::instead(Status::not_run, *why);
    } else if (!item.answer.instead) {
      item.call = *fitting;
      item.pages = pages_for(item.call.room, c);
      bytes += std::accumulate(item.pages.begin(), item.pages.end(), std::int64_t{0});
      if (!batch_.empty() && bytes > kBatchBytes) break;
      item.at = item.small() ? std::ssize(batch_) * slot_extent_ : end;
      if (!item.small()) end += extent_of(item.pages);
    }
    batch_.push_back(std::move(item));
  }
  if (kernel_.abi->host) answers_.erase(answers_.begin(), answers_.begin() + std::ssize(batch_));
  open_arena(end);
}

/// Makes the arena at least so large.
void LocalExecutor::open_arena(std::int64_t bytes) {
  if (arena_ && arena_->size() >= bytes) return;
  crew_.reset();
  arena_.emplace(std::max(bytes, kMaxTasks * slot_extent_ + kRoom));
  clean_ = {};
}

/// Lays out a case's buffers, or tells that it is refused.
bool LocalExecutor::set_up(std::size_t i, const Case& c) {
  Item& item = batch_[i];
  Task& task = control_.tasks[i];
  task.entered = task.left = 0;
  for (Barrier& b : task.barriers) b.waiting = b.generation = 0;
  task.core_mask = item.answer.instead ? 0 : kernel_.abi->shared ? c.core_mask : 1;
  if (task.core_mask == 0) return false;
  task.has_bias = c.bias != Bias::none;
  task.floats_altered = task.reached_new = 0;
  // Threads that a host kernel leaves behind must not reach the buffers of a call that is over.
  task.resident = item.small() && !kernel_.abi->host;
  task.layout = lay_out(arena_->data() + item.at, item.pages, item.call, c);
  if (!task.resident || clean_[i] < task.layout[BufferId::workspace].page_bytes) poison_around(task.layout);
  if (c.ascend) item.unpacked.emplace(c);
  item.call.param.workspace = task.layout[BufferId::workspace].data;
  std::ranges::copy(item.call.parameter(), task.layout[BufferId::param].data);
  return true;
}

/// Runs the batch to its end, however many crews that takes.
void LocalExecutor::carry_out(const Done& done) {
  const int count = static_cast<int>(batch_.size());
  for (int next = 0; next < count;) {
    const Ending ending = run_tasks(next, count);
    for (; next < count && next <= ending.next; ++next) {
      const auto i = static_cast<std::size_t>(next);
      if (batch_[i].answer.instead) {
        done(i, {}, *batch_[i].answer.instead);
        continue;
      }
      const Outcome outcome = look_at(i, next < ending.next ? Ending{} : ending);
      done(i, tensors_after(batch_[i].unpacked, control_.tasks[i].layout, outcome), outcome);
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
  if (hangs_ >= kMostHangs)
    return {.status = Status::not_run, .detail = "not run after two that hung", .next = first};
  if (crew_ && crew_->cores() < cores_) crew_.reset();
  if (!crew_) crew_ = std::make_unique<Crew>(kernel_, *arena_, control_, cores_, deadline_);
  if (crew_->loaded().status != Status::returned) {
    Ending ending = crew_->loaded();
    ending.next = first;
    return ending;
  }
  const Ending ending = crew_->run(first, count);
  hangs_ += ending.status == Status::hung;
  if (ending.status != Status::returned) crew_.reset();
  return ending;
}

Outcome LocalExecutor::look_at(std::size_t i, const Ending& ending) const {
  const Layout& layout = control_.tasks[i].layout;
  Outcome outcome;
  outcome.status = ending.status;
  outcome.code = ending.code;
  outcome.raised = ending.raised;
  outcome.limit = ending.limit;
  outcome.detail = ending.detail;
  if (ending.fault_address) {
    const auto* const address = reinterpret_cast<const std::byte*>(*ending.fault_address);
    if (is_another_cases(i, address))
      outcome.detail = "a thread went on after its call had returned, and met a closed buffer";
    else if (arena_->holds(address))
      outcome.stray = locate(layout, address, ending.write);
    else if (outcome.detail.empty())
      outcome.detail = far_access(*ending.fault_address, ending.write);
  }
  inspect(layout, batch_[i].call, outcome);
  outcome.floats_altered = control_.tasks[i].floats_altered != 0;
  outcome.reached_new = control_.tasks[i].reached_new != 0;
  if (kernel_.abi->host) {
    outcome.workspace = batch_[i].answer.workspace;
    outcome.implementation = batch_[i].answer.implementation;
    if (outcome.status == Status::returned) outcome.code = control_.tasks[i].returned;
  }
  return outcome;
}

/// Whether the address lies in a buffer of an earlier case of the batch.
bool LocalExecutor::is_another_cases(std::size_t i, const std::byte* address) const {
  const auto holds = [address](const Place& p) {
    return address >= p.pages && address < p.pages + p.page_bytes;
  };
  for (std::size_t earlier = 0; kernel_.abi->host && earlier < i; ++earlier)
    if (!batch_[earlier].answer.instead && std::ranges::any_of(control_.tasks[earlier].layout.places, holds))
      return true;
  return false;
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
