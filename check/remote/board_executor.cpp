#include "check/remote/board_executor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/remote/case_folder.hpp"
#include "check/run/arena.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

using Status = Outcome::Status;

constexpr std::int64_t kMostGiven = 1 << 16;  ///< elements of a call that stand in a program

std::int64_t elements_given(const BoardCase& board) {
  std::int64_t count = 0;
  for (const BoardTensor& t : board.tensors) count += std::ssize(t.others);
  return count;
}

/// The memory on which dW depends.
std::string in_words(unsigned areas) {
  constexpr unsigned kInside = 1u << kBuffers, kAll = 2 * kInside - 1;
  if (areas == kAll) return "what lay around or in several buffers together";
  std::vector<std::string> around;
  for (int b = 0; b < kBuffers; ++b)
    if (areas >> b & 1) around.emplace_back(name_of(static_cast<BufferId>(b)));
  const bool inside = areas & kInside;
  if (around.empty()) return "what lay in workspace before the call";
  return fmt::format("bytes outside {}{}", fmt::join(around, ", "),
                     inside ? " and what lay in workspace" : "");
}

/// The program made the call, and said nothing more.
Outcome ended() { return Outcome::instead(Status::hung, "the log ends where the program makes the call"); }

/// Adds a sentence once.
void add(std::vector<std::string>& to, const std::string& text) {
  if (std::ranges::find(to, text) == to.end()) to.push_back(text);
}

}  // namespace

void BoardExecutor::run(std::span<const Case> cases, const Prepare& prepare, const Done& done) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto leave_out = [&](const std::string& why) {
      add(left_out_, spec::to_line(cases[i].shape) + ": " + why);
      done(i, {}, Outcome::instead(Status::not_run, why));
    };
    const auto image = image_of(abi_, cases[i]);
    const auto* const fitting = std::get_if<CallImage>(&image);
    if (!fitting) {
      leave_out(std::get<std::string>(image));
      continue;
    }
    // A device's memory is nothing that this machine need have.
    const auto spots = place(memory_, abi_, *fitting, cases[i]);
    const auto* const misfit = std::get_if<std::string>(&spots);
    if (const auto why = misfit ? std::optional(*misfit) : too_large(fitting->room)) {
      leave_out(*why);
      continue;
    }
    Held held(fitting->sizes);
    const Tensors tensors = held.tensors();
    prepare(i, tensors);
    const BoardCase board = board_case(*fitting, std::get<Spots>(spots), promises_, cases[i], tensors);
    if (elements_given(board) > kMostGiven) {
      done(i, tensors, Outcome::instead(Status::not_run, "its numbers are too many to be given one by one"));
      continue;
    }
    done(i, tensors, outcome_of(board, tensors));
  }
}

Outcome BoardExecutor::outcome_of(const BoardCase& board, const Tensors& t) {
  const auto found = answers_.find(board.key);
  if (found == answers_.end()) {
    want(board);
    return Outcome::unanswered("the board has not run it yet");
  }
  const BoardAnswer& a = found->second;
  switch (a.status) {
    case BoardAnswer::Status::returned:
      return answered(board, a, t);
    case BoardAnswer::Status::stopped:
      return ended();
    case BoardAnswer::Status::lost:
      break;
  }
  want(board);
  return Outcome::unanswered(a.why);
}

Outcome BoardExecutor::answered(const BoardCase& board, const BoardAnswer& a, const Tensors& t) {
  const bool exact = board.expected.has_value();
  // On exact data no order of sums is another dW; where sums round, reading NaN shows in dW itself.
  if (exact && a.areas) return Outcome::instead(Status::crashed, "dW depends on " + in_words(a.areas));
  if (exact && a.unsteady)
    return Outcome::instead(Status::crashed, "the same call gives another dW the next time, on exact data");
  if (board.fill && board.fill->rounds && (a.areas || a.unsteady)) {
    const std::string what = "the same call gives other bits the next time";
    if (promises_.repeats_bits()) return Outcome::instead(Status::unreadable, what);
    add(notes_, what);
  }
  if (!take_dw(board, a, t)) {
    BoardCase again = board;
    again.whole = true;
    want(again);
    return Outcome::unanswered(exact && a.dw.empty() ? "its dW is not the one expected, and was not returned"
                                                     : "lines of its dW are damaged or missing");
  }
  Outcome seen = Outcome::instead(Status::returned, {});
  seen.workspace_used = a.workspace_used;
  seen.stray = a.stray;
  if (a.field)
    seen.param_changed = *a.field < 0 ? "workspace_" : kParamFields[static_cast<std::size_t>(*a.field)];
  if (a.altered) {
    // That it changed is known, not what to.
    const auto [id, index] = *a.altered;
    const std::span<std::byte> tensor = t[id];
    if (index < std::ssize(tensor) / size_of(board.test.dtype))
      set_bits(board.test.dtype, tensor, index, ~bits_at(board.test.dtype, tensor, index));
  }
  return seen;
}

/// Whether dW is known: it was returned, or its digest is that of the right one.
bool BoardExecutor::take_dw(const BoardCase& board, const BoardAnswer& a, const Tensors& t) const {
  const DType type = board.test.dtype;
  if (board.expected == a.digest) {
    std::ranges::copy(board.dw, t.dw.begin());
    return true;
  }
  const auto dw = whole_dw(a, std::ssize(t.dw) / size_of(type), size_of(type));
  if (!dw) return false;
  for (std::size_t i = 0; i < dw->size(); ++i) set_bits(type, t.dw, static_cast<std::int64_t>(i), (*dw)[i]);
  return true;
}

void BoardExecutor::want(BoardCase board) {
  if (std::ranges::find(wanted_, board.key, &BoardCase::key) != wanted_.end()) return;
  board.dw = {};
  wanted_.push_back(std::move(board));
}

}  // namespace wgradcheck::check
