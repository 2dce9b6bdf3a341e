#include "impl/partition.hpp"

#include "proofs/given.hpp"
#include "proofs/obligation.hpp"

/// Items split over cores: part() and owner().
namespace wgradcheck::proofs::obligations {
namespace {

/// Where there is an item, a share holds one.
template <class Reading, class Int>
void claim_share(Reading& p, const Int& total, const Int& cores) {
  const auto share = impl::share(total, cores);
  p.use(product(0 - share, cores));
  p.claim("a share holds an item", 1 <= share);
}

}  // namespace

std::vector<Obligation> partition() {
  return {
      holds("once", "Each item is in the part of its owner and in no other core's.",
            [](auto& p) {
              const auto total = at_least(p, 0, "total"), cores = at_least(p, 1, "cores");
              const auto item = index_below(p, "item", total), id = index_below(p, "id", cores);
              const auto [part, owner] = p.subject(
                  [&] { return std::pair(impl::part(total, cores, id), impl::owner(total, cores, item)); });
              const auto share = impl::share(total, cores);
              claim_share(p, total, cores);
              p.use(quotient(IntOf<decltype(p)>(0), item, share));
              p.use(quotient(cores, item, share));
              p.claim("the owner is a core", 0 <= owner && owner < cores);
              p.use(quotient(id, item, share));
              p.use(quotient(id + 1, item, share));
              p.claim("in the owner's part alone", iff(impl::contains(part, item), id == owner));
            }),
      holds("inside", "A part lies in the items: 0 <= first <= last <= total.",
            [](auto& p) {
              const auto total = at_least(p, 0, "total"), cores = at_least(p, 1, "cores");
              const auto id = index_below(p, "id", cores);
              const auto part = p.subject([&] { return impl::part(total, cores, id); });
              const auto share = impl::share(total, cores);
              p.use(product(0 - share - 1, cores));
              p.claim("a share is not negative", 0 <= share);
              p.use(product(id, share));
              p.claim("whole shares lie before it",
                      part.first == id * share || (part.first == total && total < id * share));
              const auto rest = total - part.first;
              p.claim("a share or the rest",
                      part.last - part.first == share || (part.last == total && rest < share));
              p.claim("inside", 0 <= part.first && part.last <= total);
              p.claim("in order", part.first <= part.last);
            }),
      holds("even", "No split has a smaller largest share: one item less, and cores would be too few.",
            [](auto& p) {
              const auto total = at_least(p, 1, "total"), cores = at_least(p, 1, "cores");
              const auto share = p.subject([&] { return impl::share(total, cores); });
              p.claim("enough", total <= share * cores);
              p.claim("not one more than needed", (share - 1) * cores < total);
            }),
  };
}

}  // namespace wgradcheck::proofs::obligations
