#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "check/report/saved.hpp"

namespace wgradcheck::check {

/// What a search in another process found.
struct Scouted {
  std::int64_t run = 0, refused = 0;
  std::vector<Saved> found;
};

/// Searches in processes beside this one, which write what they find into a folder.
class Crowd {
 public:
  /// Starts `count` of them; each calls `search` with its number, from 1 on. Throws std::system_error.
  Crowd(int count, std::string folder, const std::function<Scouted(int)>& search);
  /// Waits for them, and collects what those that came to their end found.
  std::vector<Scouted> wait();

 private:
  std::string folder_;
  std::vector<int> processes_;
};

}  // namespace wgradcheck::check
