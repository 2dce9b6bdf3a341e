#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "check/kernel.hpp"
#include "check/profile/profile.hpp"

namespace wgradcheck::check {

/// A profile and what it is of.
struct ProfileReport {
  const Kernel& kernel;
  const Profile& profile;
  double seconds;  ///< that it took
};

/// On 80 columns; what a path has in common with the others is told once.
std::string text_of(const ProfileReport&);

/// By stable names, with every shape and every tree in brackets.
nlohmann::ordered_json json_of(const ProfileReport&);

/// The promises as the text of a file that `check --promises` takes.
std::string promises_of(const ProfileReport&);

}  // namespace wgradcheck::check
