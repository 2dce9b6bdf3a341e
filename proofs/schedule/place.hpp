#pragma once
#include <algorithm>
#include <vector>

#include "proofs/mutation.hpp"

namespace wgradcheck::proofs {

/// Where an operation stands in a schedule: its place among its siblings, from the outermost level in.
using Place = std::vector<int>;

/// While it lives, operations are known by their order inside the body at a place.
class InBody {
 public:
  explicit InBody(const Place& body) {
    Mutation::Site first = 1;
    for (const int child : body) first = first * kChildren + child;
    Mutation::current().next = first * kOperations;
  }
  ~InBody() { Mutation::current().next = outside_; }
  InBody(const InBody&) = delete;
  InBody& operator=(const InBody&) = delete;

 private:
  static constexpr Mutation::Site kChildren = 32, kOperations = 1000;  ///< more than a body has
  Mutation::Site outside_ = Mutation::current().next;
};

/// Where a walk through a schedule is on its way to some places.
class Guide {
 public:
  explicit Guide(std::vector<Place> places) : places_(std::move(places)) {}

  /// Passes an operation; true when its place is one of those.
  bool meet() {
    const bool met = std::ranges::find(places_, here_) != places_.end();
    ++here_.back();
    return met;
  }
  /// Passes a body; calls it when a place lies in it.
  template <class Body>
  void enter(const Body& body) {
    if (std::ranges::any_of(places_, [this](const Place& p) { return lies_in_here(p); })) {
      const InBody in_body(here_);
      here_.push_back(0);
      body();
      here_.pop_back();
    }
    ++here_.back();
  }

 private:
  bool lies_in_here(const Place& p) const {
    return p.size() > here_.size() && std::equal(here_.begin(), here_.end(), p.begin());
  }
  std::vector<Place> places_;
  Place here_{0};
};

}  // namespace wgradcheck::proofs
