#include "check/library/testing.hpp"

#include <dlfcn.h>

#include <CLI/CLI.hpp>
#include <stdexcept>

#include "check/program/given_case.hpp"
#include "check/program/search_options.hpp"
#include "check/report/account.hpp"
#include "check/report/report.hpp"
#include "check/run/local_executor.hpp"

namespace {

/// The kernel that the workers, which are forked while it is checked, find in their copy of this memory.
const wgradcheck::TestedKernel* tested = nullptr;

}  // namespace

// What a worker looks up, as in a kernel's own library.
extern "C" {

[[gnu::visibility("default")]] std::int64_t wgradcheck_tested_workspace(const wgrad_problem* problem, char*) {
  return tested->workspace ? tested->workspace(*problem) : 0;
}

[[gnu::visibility("default")]] int wgradcheck_tested(const wgrad_problem* problem, const void* dy,
                                                     const void* x, void* dw, void* workspace) {
  return tested->run(*problem, dy, x, dw, workspace);
}
}

namespace wgradcheck {
namespace {

using check::BadInput;

constexpr const char* kProgram = "wgradcheck::verify";
constexpr std::int64_t kUsualCases = 2000;  ///< that a search generates

struct Words {
  check::SearchOptions search;
  check::GivenCase given;
  std::vector<std::string> promises;
  double timeout = 10;
  std::int64_t seconds = 3600;

  void parse(const std::vector<std::string>& words) {
    CLI::App app;
    search.add_to(app, std::to_string(kUsualCases));
    given.add_to(app);
    app.add_option("--promise", promises);
    app.add_option("--timeout", timeout)->check(CLI::Range(0.01, 86400.0));
    app.add_option("--seconds", seconds)->check(CLI::Range(1, 1 << 30));
    try {
      app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::ParseError& e) {
      throw BadInput{e.what()};
    }
  }
};

/// The replay lines of a report, which name the program's command, as a call of this library.
std::string as_call(std::string text) {
  const std::string command = std::string(kProgram) + " check ";
  for (std::size_t at = 0; (at = text.find(command, at)) != std::string::npos;)
    text.replace(at, command.size(), std::string(kProgram) + " ");
  return text;
}

check::Kernel kernel_of(const TestedKernel& k) {
  Dl_info own{};
  dladdr(reinterpret_cast<const void*>(&wgradcheck_tested), &own);
  const check::Abi* const abi = check::find_abi(k.convention);
  if (abi == nullptr || !check::has_query(*abi))
    throw BadInput{"the convention is " + k.convention + "; it must be host_f32, host_f16 or host_bf16"};
  if (!k.run) throw BadInput{"the kernel " + k.name + " has no function to run"};
  return {.name = k.name, .library = own.dli_fname, .symbol = "wgradcheck_tested", .abi = abi};
}

Checked run(const TestedKernel& k, const std::vector<std::string>& given) {
  Words words;
  words.parse(given);
  const check::Kernel kernel = kernel_of(k);
  words.search.call.require_meaning(*kernel.abi);
  check::Promises promises;
  promises.make("dw=overwrite");
  for (const std::string& promise : words.promises) promises.make(promise);
  check::Plan plan = words.search.plan(kernel, promises, kUsualCases);
  plan.time = std::chrono::seconds(words.seconds);
  plan.first = words.given.trials(plan.domain, plan.shapes, plan.seed, words.search.call);
  if (!plan.first.empty()) {
    plan.cases = 0;
    plan.shapes.clear();
    plan.domain.core_masks = {plan.first.front().test.core_mask};
  }
  const auto executor = check::local_executor(kernel, {.deadline = words.timeout});
  check::Verdict v = check::check_kernel(*executor, nullptr, promises, plan, {});
  check::introduce(v, kernel, promises, words.search.condition(), executor->capabilities());
  v.kernel = k.name;
  v.fresh_seed = !words.search.seed;
  check::Invocation how;
  how.program = kProgram;
  how.kernel = {k.name};
  for (const std::string& promise : words.promises)
    how.options.insert(how.options.end(), {"--promise", promise});
  how.rerun = {how.program, k.name};
  how.rerun.insert(how.rerun.end(), given.begin(), given.end());
  if (!words.search.seed) how.rerun.insert(how.rerun.end(), {"--seed", std::to_string(v.seed)});
  using Json = nlohmann::ordered_json;
  return {static_cast<Checked::Verdict>(v.answer), as_call(check::text_report(v, how)),
          as_call(check::json_report(v, how).dump(2, ' ', false, Json::error_handler_t::replace))};
}

}  // namespace

TestedKernel float_kernel(
    std::string name,
    std::function<void(const wgrad_problem&, const float* dy, const float* x, float* dw)> run) {
  return {.name = std::move(name),
          .run = [run = std::move(run)](const wgrad_problem& problem, const void* dy, const void* x, void* dw,
                                        void*) {
            run(problem, static_cast<const float*>(dy), static_cast<const float*>(x),
                static_cast<float*>(dw));
            return 0;
          }};
}

Checked verify(const TestedKernel& kernel, const std::vector<std::string>& words) {
  tested = &kernel;
  try {
    return run(kernel, words);
  } catch (const BadInput& bad) {
    throw std::invalid_argument(bad.sentence);
  }
}

}  // namespace wgradcheck
