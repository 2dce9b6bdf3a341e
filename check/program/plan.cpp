#include "check/report/plan.hpp"

#include <fmt/core.h>

#include <memory>

#include "check/kernel.hpp"
#include "check/program/commands.hpp"
#include "check/report/ascend_plan.hpp"
#include "check/report/files.hpp"

namespace wgradcheck::check {

namespace {

template <class Plan>
void write_plan(const Plan& plan, const std::string& json, int& status) {
  if (!json.empty()) require_writable(json);
  if (json != "-") fmt::print("{}", text_of(plan));
  if (!json.empty()) write_file(json, json_of(plan).dump(2) + "\n");
  status = 0;
}

}  // namespace

void add_plan(CLI::App& app, int& status) {
  struct Options {
    std::string line, target = "conv_grad_filter", dtype = "f32", json;
    PlanRequest request;
  };
  auto o = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("plan", "Say what a problem line is, which path it takes and what it needs");
  command->add_option("LINE", o->line, "A problem line, such as g1mb4ic4ih4oc4oh2kh3")->required();
  command->add_option("--target", o->target, "Whose rules: conv_grad_filter's, or Ascend's tiling")
      ->check(CLI::IsMember({"conv_grad_filter", "ascend"}))
      ->capture_default_str();
  auto* dtype = command->add_option("--dtype", o->dtype, "Element type")
                    ->check(CLI::IsMember({"f32", "f16"}))
                    ->capture_default_str();
  auto* cores = command->add_option("--cores", o->request.cores, "Cores taking part")
                    ->check(CLI::Range(1, 32))
                    ->capture_default_str();
  auto* buffer =
      command
          ->add_option("--buffer", o->request.buffer, "buffer_size_, bytes; 0x10000 or the least valid one")
          ->check(CLI::Range(std::int64_t{0}, std::int64_t{0x7fffffff}));
  command->add_option("--json", o->json, "Write the plan as JSON; - for standard output")->check(has_a_name);
  command->callback([=, &status] {
    if (o->target == "ascend") {
      for (const CLI::Option* option : {dtype, cores, buffer})
        if (option->count() > 0)
          throw BadInput{fmt::format("{} means nothing to --target ascend", option->get_name())};
      return write_plan(plan_for_ascend(o->line), o->json, status);
    }
    o->request.dtype = o->dtype == "f32" ? DType::f32 : DType::f16;
    write_plan(plan_line(o->line, o->request), o->json, status);
  });
}

}  // namespace wgradcheck::check
