#include "check/remote/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <thread>

namespace wgradcheck::check {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMostText = 1 << 16;  ///< bytes of a line that are kept
constexpr int kMostParts = 64;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// Milliseconds to wait in poll, at most `most`.
int patience(Command::Clock::time_point until, int most) {
  const auto left = std::chrono::ceil<milliseconds>(until - Command::Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, most));
}

}  // namespace

/// Whether there was something; at the end the stream is closed.
bool Command::Stream::read_some() {
  std::array<char, 1 << 16> part;
  const ssize_t n = read(fd, part.data(), part.size());
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (n <= 0) {
    close();
    return false;
  }
  text.erase(0, taken);
  taken = 0;
  // Nobody takes a line without end.
  if (text.size() > kMostText) text.clear();
  text.append(part.data(), static_cast<std::size_t>(n));
  return true;
}

std::optional<std::string> Command::Stream::take_line() {
  const std::size_t end = text.find('\n', taken);
  // At the end of the stream what is left is a line too.
  if (end == std::string::npos && (fd >= 0 || taken == text.size())) return {};
  std::string line = text.substr(taken, end - taken);
  taken = end == std::string::npos ? text.size() : end + 1;
  if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  return line;
}

void Command::Stream::close() {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

Command::Command(const std::string& text) {
  std::array<int, 2> in{}, out{}, err{};
  // A socket, because writing to one that nobody reads need not raise a signal.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) != 0) fail("socketpair");
  if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0) fail("pipe2");
  input_ = in[0];
  out_.fd = out[0];
  err_.fd = err[0];
  for (const int fd : {out[0], err[0]}) fcntl(fd, F_SETFL, O_NONBLOCK);
  group_.start([&] {
    dup2(in[1], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", text.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  });
  for (const int fd : {in[1], out[1], err[1]}) close(fd);
}

Command::~Command() {
  end_input();
  out_.close();
  err_.close();
}

void Command::send(std::string_view text, Clock::time_point until) {
  while (!text.empty() && input_ >= 0) {
    const ssize_t n = ::send(input_, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
    } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
      end_input();
    } else {
      pollfd full{input_, POLLOUT, 0};
      if (poll(&full, 1, patience(until, 20)) == 0 && Clock::now() > until) return;
    }
  }
}

void Command::end_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

std::optional<std::string> Command::line(Clock::time_point until) {
  for (;;) {
    // The newest of standard error is all that is ever told of it.
    while (err_.take_line()) {
    }
    if (auto line = out_.take_line()) return line;
    if (death_ || Clock::now() > until) return {};
    wait(until);
  }
}

/// Until something is to be read, the process has ended or the time is over.
void Command::wait(Clock::time_point until) {
  std::array<pollfd, 2> streams{pollfd{out_.fd, POLLIN, 0}, pollfd{err_.fd, POLLIN, 0}};
  if (out_.fd < 0 && err_.fd < 0)
    // It closed both, and is about to end or lives on.
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  else
    // A process that it left behind may hold them open for ever.
    poll(streams.data(), streams.size(), patience(until, 20));
  bool heard = false;
  for (Stream* const s : {&out_, &err_})
    if (s->fd >= 0 && s->read_some()) heard = true;
  if (heard) return;
  death_ = group_.first_death();
  if (!death_) return;
  group_.end();
  // What it wrote last is there by now; what outlived its group may write for ever.
  for (Stream* const s : {&out_, &err_}) {
    for (int part = 0; part < kMostParts && s->fd >= 0 && s->read_some();) ++part;
    s->close();
  }
}

std::string Command::last_words() const {
  std::string words = err_.last.empty() ? out_.last : err_.last;
  std::ranges::replace_if(
      words, [](char c) { return c < ' ' || c > '~'; }, ' ');
  constexpr std::size_t kMost = 200;
  return words.size() > kMost ? words.substr(0, kMost) + "..." : words;
}

}  // namespace wgradcheck::check
