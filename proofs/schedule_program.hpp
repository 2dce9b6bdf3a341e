#pragma once
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace wgradcheck::proofs {

/// Thrown where no program can be made of a header, with one sentence that says why.
struct NotBuilt : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A program that proves the schedule of a header, in a folder that is removed with it.
class ScheduleProgram {
 public:
  /// Makes it with the compiler that CXX names, or c++. The header defines `struct Schedule`, which derives
  /// from AnySchedule. Throws NotBuilt.
  explicit ScheduleProgram(const std::string& header);
  ~ScheduleProgram();
  ScheduleProgram(const ScheduleProgram&) = delete;
  ScheduleProgram& operator=(const ScheduleProgram&) = delete;

  /// Runs it with these options and returns its exit status.
  int run(const std::vector<std::string>& options) const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace wgradcheck::proofs
