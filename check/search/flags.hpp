#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "check/search/problem.hpp"

namespace wgradcheck::check {

/// The flags of a tool's command, by their names, each given once at most. What is wrong is thrown as a
/// spec::Refusal.
class Flags {
 public:
  /// `as_given` is how a refusal quotes the flag.
  void add(const std::string& name, const std::string& as_given, const std::string& value);
  /// A number that fits an int, as the tools read it.
  std::int64_t number(const std::string& name, std::int64_t otherwise) const;
  std::string text(const std::string& name, const std::string& otherwise) const;
  bool has(const std::string& name) const { return given_.contains(name); }
  /// Refuses the flag, quoted with its value.
  [[noreturn]] void refuse(const std::string& name, const std::string& why) const;

 private:
  struct Given {
    std::string flag, value;
  };
  std::map<std::string, Given> given_;
};

/// The shape that the fields of a problem line make, so that a tool's shapes are judged as lines are.
spec::Shape shape_of(std::span<const std::pair<std::string, std::int64_t>> fields);

/// Read the words behind the tool's name. Throw spec::Refusal.
Problem read_benchdnn(std::span<const std::string> words);
Problem read_miopen(std::span<const std::string> words);
Problem read_cutlass(std::span<const std::string> words);

}  // namespace wgradcheck::check
