#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "check/remote/board_case.hpp"
#include "check/remote/transcript.hpp"

namespace wgradcheck::check {

/// Answers calls from what logs say, and remembers those that no log answers yet, for the next program.
class BoardExecutor : public Executor {
 public:
  /// `answers` by the calls' keys.
  BoardExecutor(const Abi& abi, const Promises& promises, MemoryMap memory,
                std::map<std::uint64_t, BoardAnswer> answers)
      : abi_(abi), promises_(promises), memory_(std::move(memory)), answers_(std::move(answers)) {}

  Capabilities capabilities() const override {
    Capabilities can = kAnswers;
    can.memory = true;
    return can;
  }
  void run(std::span<const Case>, const Prepare&, const Done&) override;

  /// The calls to make next, each once, in the order in which they were asked for.
  const std::vector<BoardCase>& wanted() const { return wanted_; }
  /// Cases that no program can make: their lines and why, each once.
  const std::vector<std::string>& left_out() const { return left_out_; }
  /// What a verdict must not keep back besides its findings: a sentence each.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  Outcome outcome_of(const BoardCase&, const Tensors&);
  Outcome answered(const BoardCase&, const BoardAnswer&, const Tensors&);
  bool take_dw(const BoardCase&, const BoardAnswer&, const Tensors&) const;
  void want(BoardCase);

  const Abi& abi_;
  const Promises& promises_;
  MemoryMap memory_;
  std::map<std::uint64_t, BoardAnswer> answers_;
  std::vector<BoardCase> wanted_;
  std::vector<std::string> left_out_, notes_;
};

}  // namespace wgradcheck::check
