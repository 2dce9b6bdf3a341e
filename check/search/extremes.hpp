#pragma once
#include <string>

#include "check/executor.hpp"

namespace wgradcheck::check {

/// How far the cases that ran went.
class Extremes {
 public:
  void add(const Case&, const Outcome&);

  /// The largest value of each size, each by itself, such as `up to mb9 g8 ic67 ... kw7, 1204224 products`;
  /// empty where nothing ran.
  std::string sizes() const;
  /// The largest share of its workspace that a case used; empty where none used any.
  std::string workspace() const;

 private:
  spec::Shape largest_;
  std::int64_t products_ = 0;
  Case fullest_;           ///< the case that used the largest share of its workspace
  std::int64_t used_ = 0;  ///< what it used, bytes
};

}  // namespace wgradcheck::check
