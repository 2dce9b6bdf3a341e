#pragma once
#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "check/kernel.hpp"

namespace wgradcheck::check {

/// Bytes of a file that holds a JSON object, at most.
inline constexpr std::size_t kMostJson = 1 << 20;

/// The fields of a JSON object that a file holds; each failure is a BadInput that names file and field.
class Fields {
 public:
  /// Reads a file of at most kMostJson bytes; `what` says in words what it should be.
  static Fields read(const std::string& path, const char* what);
  /// The same of a text that the file holds.
  static Fields parse(const std::string& path, const std::string& text, const char* what);

  bool has(const char* name) const { return json_.contains(name); }

  template <class T>
  T get(const char* name) const {
    if (!has(name)) bad(name, "is missing");
    // What is negative or has a fraction would be cut to fit.
    if (std::unsigned_integral<T> && !std::same_as<T, bool> && !json_.at(name).is_number_unsigned())
      bad(name, "is no whole number of at least 0: " + json_.at(name).dump());
    try {
      return json_.at(name).get<T>();
    } catch (const nlohmann::ordered_json::exception&) {
      bad(name, "has the wrong type: " + json_.at(name).dump());
    }
  }

  /// An integer from `least` to `most`.
  std::int64_t number(const char* name, std::int64_t least, std::int64_t most) const;
  /// Refuses a field that is none of these.
  void only(std::span<const char* const> names) const;
  /// Everything that the object holds.
  const nlohmann::ordered_json& all() const { return json_; }
  /// The fields of an object inside this one.
  Fields inside(const char* name) const;

  [[noreturn]] void bad(const std::string& name, const std::string& why) const;

 private:
  Fields(std::string file, nlohmann::ordered_json json) : file_(std::move(file)), json_(std::move(json)) {}

  std::string file_;
  nlohmann::ordered_json json_;
};

}  // namespace wgradcheck::check
