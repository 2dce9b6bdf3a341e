#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

namespace wgradcheck::check {

/// How many processes mpirun (Open MPI) started of which this is one; 1 where it did not start this one.
int ranks_of_mpirun();

/// Messages between rank 0 and the others of such a job. Nothing here waits for another rank but leave().
class Mail {
 public:
  using Json = nlohmann::ordered_json;

  /// Joins the job. Throws BadInput: the program was built without MPI, or MPI does not start.
  Mail();
  Mail(const Mail&) = delete;
  Mail& operator=(const Mail&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  void send(int to, const Json&) const;
  /// A message that has come and its sender, or nothing yet.
  std::optional<std::pair<int, Json>> next();
  /// Whether every message has left.
  bool is_idle() const;
  /// Leaves the job; every rank must do it, or none.
  void leave() const;

 private:
  struct Carrier* carrier_;
  int rank_ = 0, ranks_ = 1;
  std::map<int, std::string> unread_;  ///< beginnings of messages by sender
};

}  // namespace wgradcheck::check
