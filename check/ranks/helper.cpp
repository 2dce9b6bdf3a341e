#include "check/ranks/helper.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <new>
#include <system_error>

#include "check/kernel.hpp"

namespace wgradcheck::check {

struct Shared {
  std::atomic<bool> stop = false;
};

namespace {

using Json = Helper::Json;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// Read end and write end, both closed in programs that this process becomes or starts.
std::array<int, 2> a_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  return ends;
}

/// A text that ends in a line's end, whole or until the other side is gone.
void write_line(int to, const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = write(to, text.data() + at, text.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

/// A line, without its end; shorter where the other side is gone.
std::string read_line(int from) {
  std::string line;
  for (char c = 0;;) {
    const ssize_t n = read(from, &c, 1);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 || c == '\n') return line;
    line += c;
  }
}

}  // namespace

Helper::Helper(const std::function<void(const Json&, const Owner&)>& work) {
  void* const memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("mmap");
  shared_ = new (memory) Shared;
  const auto [order_read, order_write] = a_pipe();
  const auto [told_read, told_write] = a_pipe();
  std::fflush(nullptr);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ < 0) fail("fork");
  to_ = process_ == 0 ? told_write : order_write;
  from_ = process_ == 0 ? order_read : told_read;
  for (const int end :
       process_ == 0 ? std::array{order_write, told_read} : std::array{order_read, told_write})
    close(end);
  if (process_ == 0) live(parent, work);
  fcntl(from_, F_SETFL, O_NONBLOCK);
  std::signal(SIGPIPE, SIG_IGN);
}

void Helper::live(pid_t parent, const std::function<void(const Json&, const Owner&)>& work) {
  // What ends all of mpirun's processes ends this one by its owner, which first asks for what is known.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const std::string order = getppid() == parent ? read_line(from_) : "";
  if (order.empty()) _exit(0);
  const Owner owner{[this](const Json& json) { write_line(to_, json); },
                    [this] { return shared_->stop.load(); }};
  try {
    work(Json::parse(order), owner);
  } catch (const BadInput& bad) {
    owner.tell({{"error", bad.sentence}, {"status", 2}});
  } catch (const std::exception& e) {
    owner.tell({{"error", e.what()}, {"status", 3}});
  }
  _exit(0);
}

Helper::~Helper() {
  close(to_);
  close(from_);
  if (process_ > 0) {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }
  munmap(shared_, sizeof(Shared));
}

void Helper::order(const Json& json) { write_line(to_, json); }

void Helper::stop() { shared_->stop = true; }

std::optional<Json> Helper::next() {
  std::array<char, 4096> part;
  for (ssize_t n = 0; (n = read(from_, part.data(), part.size())) > 0;)
    unread_.append(part.data(), static_cast<std::size_t>(n));
  const std::size_t end = unread_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  const std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return Json::parse(line);
}

std::optional<std::string> Helper::death() {
  int status = 0;
  if (process_ <= 0 || waitpid(process_, &status, WNOHANG) != process_) return std::nullopt;
  process_ = -1;
  return WIFSIGNALED(status) ? fmt::format("was killed by signal {}", WTERMSIG(status))
                             : fmt::format("ended with status {}", WEXITSTATUS(status));
}

}  // namespace wgradcheck::check
