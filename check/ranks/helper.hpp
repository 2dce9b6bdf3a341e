#pragma once
#include <sys/types.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace wgradcheck::check {

/// A process beside this one that does one piece of work and tells what comes of it. It ends with this
/// one, and what ends it leaves this one as it is.
class Helper {
 public:
  using Json = nlohmann::ordered_json;

  /// What the work has of its owner.
  struct Owner {
    std::function<void(const Json&)> tell;
    std::function<bool()> stopped;  ///< whether it asked the work to end soon
  };

  /// Starts the process, which waits for its order and then calls `work`. What `work` throws is told as
  /// {"error": sentence, "status": exit status}. Throws std::system_error.
  explicit Helper(const std::function<void(const Json& order, const Owner&)>& work);
  ~Helper();
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  void order(const Json&);
  void stop();
  /// What it told next, or nothing yet.
  std::optional<Json> next();
  /// How it ended, such as "was killed by signal 9", once; what it told before is still to be read.
  std::optional<std::string> death();

 private:
  [[noreturn]] void live(pid_t parent, const std::function<void(const Json&, const Owner&)>& work);

  pid_t process_ = -1;
  int to_ = -1, from_ = -1;  ///< pipes
  std::string unread_;
  struct Shared* shared_;  ///< memory that both see
};

}  // namespace wgradcheck::check
