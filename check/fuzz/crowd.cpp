#include "check/fuzz/crowd.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <system_error>

#include "check/kernel.hpp"
#include "check/report/fields.hpp"
#include "check/report/files.hpp"

namespace wgradcheck::check {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string folder_of(const std::string& parent, int number) {
  return fmt::format("{}/job{}", parent, number);
}

void write(const std::string& folder, const Scouted& scouted) {
  for (std::size_t i = 0; i < scouted.found.size(); ++i)
    write_file(fmt::format("{}/{}.json", folder, i), to_text(scouted.found[i]));
  // Last, since it says that all is there.
  write_file(folder + "/counts", Json{{"run", scouted.run}, {"refused", scouted.refused}}.dump());
}

Scouted read(const std::string& folder) {
  Scouted scouted;
  if (!fs::exists(folder + "/counts")) return scouted;
  const Fields counts = Fields::read(folder + "/counts", "what a job counted");
  scouted.run = counts.get<std::int64_t>("run");
  scouted.refused = counts.get<std::int64_t>("refused");
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json") scouted.found.push_back(load_saved(entry.path()));
  return scouted;
}

}  // namespace

Crowd::Crowd(int count, std::string folder, const std::function<Scouted(int)>& search)
    : folder_(std::move(folder)) {
  const pid_t parent = getpid();
  for (int number = 1; number <= count; ++number) {
    fs::create_directories(folder_of(folder_, number));
    const pid_t pid = fork();
    if (pid < 0) throw std::system_error(errno, std::generic_category(), "cannot start a job");
    processes_.push_back(pid);
    if (pid != 0) continue;
    // The folder of temporary files is the parent's to remove.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);
    try {
      write(folder_of(folder_, number), search(number));
    } catch (const BadInput&) {
      _exit(2);
    } catch (const std::exception&) {
      _exit(3);
    }
    _exit(0);
  }
}

std::vector<Scouted> Crowd::wait() {
  std::vector<Scouted> all;
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    waitpid(processes_[i], nullptr, 0);
    all.push_back(read(folder_of(folder_, static_cast<int>(i) + 1)));
  }
  return all;
}

}  // namespace wgradcheck::check
