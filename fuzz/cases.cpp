#include "fuzz/cases.hpp"

#include <fmt/format.h>

#include "check/fuzz/genes.hpp"
#include "check/run/local_executor.hpp"
#include "fuzz/in_process.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::fuzz {

using namespace check;

/// A kernel, run here where one core is asked for, else by worker processes.
struct Cases::Subject {
  explicit Subject(const Kernel& k)
      : kernel(k), promises(Promises::bundled(*k.abi)), here(k), alone(here, promises) {
    domain.abi = kernel.abi;
    if (kernel.abi->host) domain.core_masks = {1, 1, 1, 1, 1, 3, 7};
    // Processes that wait for each other take as long as dozens of cases.
    else if (kernel.abi->shared)
      domain.core_masks = {1, 2, 0x80000000, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 0xa, 7};
    if (kernel.abi->host) domain.implementations = {0, 0, 1, 2, 3};
    keep_to(promises, domain);
  }

  Court& court_of(const Case& c) {
    if (kernel.abi->host || c.cores() == 1) return alone;
    if (!workers) {
      workers = local_executor(kernel, {.deadline = 20});
      together = std::make_unique<Court>(*workers, promises);
    }
    return *together;
  }

  Kernel kernel;
  Promises promises;
  Domain domain;
  InProcess here;
  Court alone;
  std::unique_ptr<Executor> workers;
  std::unique_ptr<Court> together;
};

Cases::Cases(const std::vector<Kernel>& kernels) {
  for (const Kernel& kernel : kernels) subjects_.push_back(std::make_unique<Subject>(kernel));
}

Cases::~Cases() = default;

std::string Cases::fault_of(std::string_view bytes) {
  ++inputs_;
  for (const auto& subject : subjects_)
    if (std::string fault = fault_of(*subject, bytes); !fault.empty()) return fault;
  return {};
}

std::string Cases::fault_of(Subject& s, std::string_view bytes) {
  const auto trial = trial_of(bytes, s.domain, s.promises);
  if (!trial) {
    ++outside_;
    return {};
  }
  const Ruling ruling = s.court_of(trial->test).judge({&*trial, 1}).front();
  ++runs_;
  const auto told = [&](std::string_view what) {
    return fmt::format("{}: {} on {} with {} cores", s.kernel.name, what, spec::to_line(trial->test.shape),
                       trial->test.cores());
  };
  if (ruling.outcome.status == Outcome::Status::not_run)
    return told(fmt::format("not run, {},", ruling.outcome.detail));
  for (const Finding& f : ruling.findings)
    if (f.counterexample) return told(fmt::format("{}, {}", name_of(f.property), f.detail));
  return {};
}

std::vector<Kernel> own_targets() {
  std::vector<Kernel> own;
  for (const Kernel& kernel : bundled_kernels())
    if (kernel.name != "onednn_f32") own.push_back(kernel);
  return own;
}

}  // namespace wgradcheck::fuzz
