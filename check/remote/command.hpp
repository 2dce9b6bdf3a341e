#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "check/run/process_group.hpp"

namespace wgradcheck::check {

/// A shell command that runs in a process group of its own, which ends with this object. It can be sent lines
/// and says lines; what it prints besides never makes it wait.
class Command {
 public:
  using Clock = std::chrono::steady_clock;

  /// Starts it. Throws std::system_error.
  explicit Command(const std::string& text);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  /// Writes to its standard input; to one that reads no more, in vain.
  void send(std::string_view text, Clock::time_point until);
  /// Its standard input ends.
  void end_input();
  /// The next line of its standard output; nothing when it has ended or `until` is over.
  std::optional<std::string> line(Clock::time_point until);
  /// How it ended, where it has.
  const std::optional<Death>& death() const { return death_; }
  /// The last line that it wrote to standard error, else to standard output; printable ASCII.
  std::string last_words() const;

 private:
  /// One of its streams, and what was read of it.
  struct Stream {
    int fd = -1;
    std::string text{};
    std::size_t taken = 0;  ///< bytes of it
    std::string last{};     ///< the last line taken that is not empty

    bool read_some();
    std::optional<std::string> take_line();
    void close();
  };

  void wait(Clock::time_point until);

  int input_ = -1;
  Stream out_, err_;
  ProcessGroup group_;
  std::optional<Death> death_;
};

}  // namespace wgradcheck::check
