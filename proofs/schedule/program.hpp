#pragma once
#include <algorithm>

#include "proofs/nest.hpp"
#include "proofs/schedule/obligations.hpp"

namespace wgradcheck::proofs {

/// What a program that proves one schedule can do.
struct OneSchedule {
  std::string name;
  std::vector<Obligation> (*obligations)();
  std::vector<NestProducts> (*products)();
};

/// The main function of such a program: `prove` with its options but without a pattern; or, with --products
/// FILE, what the schedule does on a box of shapes. What is no schedule is told, with status 1.
int prove_one(const OneSchedule&, int argc, char** argv);

/// The products of a schedule on a call, in order. Throws impl::Stray.
template <class Schedule>
std::vector<impl::Product> products_on(const Schedule& schedule, const spec::Call<std::int64_t>& c) {
  using Int = std::int64_t;
  const impl::Extents<Int> e{schedule.groups(c), schedule.rows(c), spec::row_elems(c)};
  std::vector<impl::Product> all;
  for (Int group = 0; group < e.groups; ++group) {
    const impl::Block<Int> block{group, {0, e.rows}, {0, e.cols}, {0, c.output_batch}};
    impl::Trace trace(c, block, {2, 2, [] { return true; }}, e);
    schedule.run(trace, c, block);
    all.insert(all.end(), trace.products().begin(), trace.products().end());
  }
  std::ranges::sort(all);
  return all;
}

/// The products of a schedule on each shape of the box that it takes.
template <class Schedule>
std::vector<NestProducts> products_on_box() {
  std::vector<NestProducts> all;
  for (const spec::Shape& s : box_of_shapes()) {
    const auto call = spec::call_of(s, 4, 1, spec::buffer_limit(spec::call_of(s, 4, 1, 0)));
    if (Schedule{}.takes(call)) all.push_back({s, products_on(Schedule{}, call)});
  }
  return all;
}

/// The main function of a program that proves a schedule.
template <class Schedule>
int prove_schedule(const std::string& name, int argc, char** argv) {
  return prove_one({name, [] { return Obligations(Schedule{}).made(); }, products_on_box<Schedule>}, argc,
                   argv);
}

}  // namespace wgradcheck::proofs
