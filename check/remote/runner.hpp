#pragma once
#include <memory>
#include <string>

#include "check/abi.hpp"
#include "check/executor.hpp"
#include "check/remote/runner_file.hpp"

namespace wgradcheck::check {

/// A command that runs a kernel somewhere else, as README.md in this folder says.
struct Runner {
  std::string command;  ///< for the shell; {case} or {cases} in it stand for case folders
  const Abi* abi = nullptr;
  RunnerFile can{};
  double deadline = 10;  ///< seconds that one case may take

  /// Whether it stays and is sent folders, because its command takes none.
  bool stays() const;
  /// Whether one launch takes several folders.
  bool takes_several() const;
};

/// Runs cases through the command, in folders under `scratch`, which are removed again. Where its shell does
/// not find the command, a run throws BadInput. Launches that the runner's file allows are counted; of a
/// command that stays, cases are.
std::unique_ptr<Executor> runner_executor(const Runner&, const std::string& scratch);

}  // namespace wgradcheck::check
