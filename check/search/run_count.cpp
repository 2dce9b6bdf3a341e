#include "check/search/run_count.hpp"

#include "check/search/refusal.hpp"

namespace wgradcheck::check {

void RunCount::add(const Case& c, const Outcome& outcome) {
  const bool ran = outcome.status != Outcome::Status::not_run;
  if (!ran) skip(outcome.detail);
  open_ += outcome.open;
  if (is_invalid(c)) {
    refused_ += ran;
    return;
  }
  run_ += ran;
  shares_.add(c, ran);
  if (ran) extremes_.add(c, outcome);
}

void RunCount::write_to(Verdict& v) const {
  v.run = run_;
  v.skipped = skipped_;
  v.open = open_;
  v.refused = refused_;
  v.skipped_because.assign(because_.begin(), because_.end());
  v.largest = extremes_.sizes();
  v.workspace = extremes_.workspace();
  v.by_class = shares_.ran();
}

}  // namespace wgradcheck::check
