#pragma once
#include <span>
#include <string>
#include <vector>

#include "check/report/saved.hpp"

namespace wgradcheck::check {

/// The counterexamples of a kernel, kept from one check to the next.
class Kept {
 public:
  /// Of the kernel that `who` names, built as it says, in that folder; where its name is empty, nothing is
  /// kept.
  Kept(std::string folder, const Saved& who);

  /// What the last check kept. A file that cannot be read is left out.
  std::vector<Trial> trials() const;

  /// Keeps these instead. What cannot be written is not kept.
  void replace(std::span<const Saved>) const;

 private:
  std::string path_of(Property) const;
  std::string folder_, key_;
};

/// The folder for them in the user's cache, by the XDG base directory specification; empty without a home.
std::string usual_kept_folder();

}  // namespace wgradcheck::check
