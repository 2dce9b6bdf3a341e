#include "check/run/answer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace wgradcheck::check {
namespace {

using Status = Outcome::Status;

/// Bytes of workspace that a case may have: a quarter of the memory.
std::int64_t most_workspace() {
  static const std::int64_t most = sysconf(_SC_PHYS_PAGES) / 4 * sysconf(_SC_PAGESIZE);
  return most;
}

}  // namespace

std::string far_access(std::uintptr_t address, bool write) {
  const char* const verb = write ? "wrote to" : "read";
  if (address < 1 << 16) return fmt::format("{} address {:#x}, by a null pointer", verb, address);
  return fmt::format("{} an address near no buffer", verb);
}

std::string said_in(std::span<const char> text) {
  std::string said(text.data(), strnlen(text.data(), text.size()));
  std::ranges::replace_if(
      said, [](char c) { return c < ' ' || c > '~'; }, '?');
  return said;
}

Answer answer_of(std::int64_t workspace, std::span<const char> text, const Ending& ending) {
  const std::string said = said_in(text);
  if (ending.status != Status::returned) {
    Outcome outcome = Outcome::instead(ending.status, ending.detail);
    outcome.code = ending.code;
    outcome.raised = ending.raised;
    outcome.limit = ending.limit;
    outcome.in_query = ending.status != Status::not_run;
    if (ending.fault_address && outcome.detail.empty())
      outcome.detail = far_access(*ending.fault_address, ending.write);
    return {0, {}, outcome};
  }
  if (workspace < 0)
    return {
        0,
        {},
        Outcome::instead(Status::not_run, fmt::format("not supported{}{}", said.empty() ? "" : ": ", said))};
  if (workspace > most_workspace())
    return {0,
            {},
            Outcome::instead(Status::not_run,
                             fmt::format("its workspace is over the {} bytes there are", most_workspace()))};
  return {workspace, said, {}};
}

}  // namespace wgradcheck::check
