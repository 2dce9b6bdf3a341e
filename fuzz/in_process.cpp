#include "fuzz/in_process.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "check/run/answer.hpp"
#include "check/run/lent.hpp"
#include "check/run/packed.hpp"

namespace wgradcheck::fuzz {

using namespace check;

namespace {

/// Bytes of pages that are kept for cases to come.
constexpr std::int64_t kKept = 128 << 20;

/// Pages for a buffer that needs so many bytes of them: few sizes, so that those at hand often serve, and
/// none much larger than asked for, since all of them are looked at after each call.
std::int64_t rounded(std::int64_t bytes) {
  std::int64_t pages = 8192;
  while (pages < bytes) pages *= 4;
  return pages;
}

}  // namespace

/// Pages for one case's buffers, whose slack carries the pattern at all times, and between them addresses
/// that nobody may touch.
struct InProcess::Memory {
  explicit Memory(const Sizes& sizes) : pages(sizes), arena(extent_of(sizes)) {
    mprotect(arena.data(), static_cast<std::size_t>(arena.size()), PROT_NONE);
    std::byte* at = arena.data() + kGap;
    for (const std::int64_t bytes : pages) {
      mprotect(at, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE);
      poison(at, bytes);
      at += bytes + std::max(kGap, bytes);
    }
  }

  /// Gives what a call may have written the pattern again.
  static void restore(const Layout& layout, const Outcome& outcome) {
    for (const Place& p : layout.places)
      if (outcome.stray)
        poison(p.pages, p.page_bytes);
      else
        poison(p.data, p.bytes);
  }

  Sizes pages;
  SharedMemory arena;
};

InProcess::InProcess(const Kernel& kernel) : kernel_(kernel) {
  const auto loaded = Entry::load(kernel);
  if (const auto* const why = std::get_if<std::string>(&loaded))
    throw BadInput{fmt::format("{} does not load: {}", kernel.library, *why)};
  entry_ = std::get<Entry>(loaded);
}

InProcess::Memory& InProcess::memory_for(Sizes pages) {
  std::ranges::transform(pages, pages.begin(), rounded);
  if (const auto found = kept_.find(pages); found != kept_.end()) return *found->second;
  const auto bytes = std::accumulate(pages.begin(), pages.end(), std::int64_t{0});
  if (kept_bytes_ + bytes > kKept) {
    kept_.clear();
    kept_bytes_ = 0;
  }
  kept_bytes_ += bytes;
  return *(kept_[pages] = std::make_shared<Memory>(pages));
}

void InProcess::call(const Case& c, CallImage image, std::int64_t workspace_shift,
                     const std::function<void(const Tensors&)>& before, const Look& after) {
  Sizes pages = pages_for(image.room, c);
  if (workspace_shift != 0) pages.back() += 4096;
  Memory& memory = memory_for(pages);
  Layout layout = lay_out(memory.arena.data(), memory.pages, image, c);
  Place& workspace = layout.places.back();
  workspace.data +=
      workspace.data + workspace.bytes + workspace_shift > workspace.pages + workspace.page_bytes
          ? workspace_shift - 4
          : workspace_shift;
  image.param.workspace = workspace.data;
  std::optional<Unpacked> unpacked;
  if (c.ascend) unpacked.emplace(c);
  std::ranges::copy(image.parameter(), layout[BufferId::param].data);
  fill(unpacked, layout, before);
  Outcome outcome;
  outcome.status = Outcome::Status::returned;
  for (int rank = 0; rank < (kernel_.abi->ascend ? c.cores() : 1); ++rank) {
    lend({kernel_.abi->ascend ? rank : physical_id(c.core_mask, 0), nullptr, nullptr});
    outcome.code = entry_.call(layout, c.bias != Bias::none, c.core_mask, rank);
  }
  inspect(layout, image, outcome);
  after(tensors_after(unpacked, layout, outcome), outcome);
  Memory::restore(layout, outcome);
}

void InProcess::run(std::span<const Case> cases, const Prepare& prepare, const Done& done) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Case c = cases[i];
    Answer answer;
    if (has_query(*kernel_.abi)) {
      std::array<char, WGRAD_TEXT> text{};
      const std::int64_t workspace = entry_.ask(problem_of(c), text);
      answer = answer_of(workspace, text, {});
      c.workspace = answer.workspace;
    }
    auto image = image_of(*kernel_.abi, c);
    if (const auto* const misfit = std::get_if<std::string>(&image))
      answer.instead = Outcome::instead(Outcome::Status::not_run, *misfit);
    if (answer.instead) {
      done(i, {}, *answer.instead);
      continue;
    }
    call(
        c, std::get<CallImage>(image), 0, [&](const Tensors& t) { prepare(i, t); },
        [&](const Tensors& t, Outcome outcome) {
          if (kernel_.abi->host) outcome.workspace = answer.workspace;
          done(i, t, outcome);
        });
  }
}

}  // namespace wgradcheck::fuzz
