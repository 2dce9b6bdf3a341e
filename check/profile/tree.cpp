#include "check/profile/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "check/judge/random.hpp"

namespace wgradcheck::check {
namespace {

/// A large product, and a unit of which every sum of a line's is lost beside it but exact alone.
struct Mask {
  Factors large, unit;
};

/// Masks to try in turn: beside the first every accumulator up to double loses all units, or in binary16, up
/// to float; the second keeps its units normal there, for a binary16 accumulator that flushes.
std::vector<Mask> masks_of(DType t) {
  if (t == DType::f16) return {{{0x1p8, 0x1p7}, {0x1p-8, 0x1p-8}}, {{0x1p8, 0x1p7}, {0x1p-4, 0x1p-4}}};
  return {{{0x1p60, 0x1p60}, {1, 1}}};
}

/// What no binary tree explains.
struct NoTree {
  std::string why;
};

/// Asks for the sums of one line.
class Revealer {
 public:
  Revealer(const Probe& probe, const Line& line, bool adds, const Mask& mask)
      : probe_(probe), line_(line), mask_(mask), terms_(static_cast<int>(line.terms())), adds_(adds) {
    for (int i = 0; i < terms_; ++i) all_.push_back(i);
    if (adds_) all_.push_back(SumTree::kOld);
  }

  SumTree reveal() {
    require_plain_sum();
    tree_.set_root(build(all_));
    require_prediction();
    return tree_;
  }

 private:
  Question masked(int i, int j) const {
    std::vector<Factors> products(static_cast<std::size_t>(terms_), mask_.unit);
    double old = adds_ ? mask_.unit.product() : 0;
    for (const auto& [leaf, large] : {std::pair{i, mask_.large}, {j, -mask_.large}}) {
      if (leaf == SumTree::kOld)
        old = large.product();
      else
        products[static_cast<std::size_t>(leaf)] = large;
    }
    return with_products(line_, products, old);
  }

  void require_plain_sum() const {
    const Question q =
        with_products(line_, std::vector<Factors>(static_cast<std::size_t>(terms_), mask_.unit),
                      adds_ ? mask_.unit.product() : 0);
    const Reply r = probe_.ask(std::span(&q, 1)).front();
    if (!r.returned()) throw NoTree{r.outcome.detail.empty() ? "a sum did not return" : r.outcome.detail};
    if (r.element(line_.element) != static_cast<double>(all_.size()) * mask_.unit.product())
      throw NoTree{"a sum of equal terms comes out wrong"};
  }

  /// Leaves of the least subtree that holds the two of each pair.
  std::vector<int> sizes(const std::vector<std::pair<int, int>>& pairs) const {
    std::vector<Question> questions;
    for (const auto& [i, j] : pairs) questions.push_back(masked(i, j));
    const auto total = static_cast<double>(all_.size());
    std::vector<int> found;
    for (const Reply& r : probe_.ask(questions)) {
      const double left = r.element(line_.element) / mask_.unit.product();
      if (!std::isfinite(left)) throw NoTree{"a sum of finite terms is not finite"};
      if (!(left >= 0 && left <= total - 2 && left == std::trunc(left)))
        throw NoTree{fmt::format("of {} ones beside M and -M {:g} are left", total - 2, left)};
      found.push_back(static_cast<int>(total - left));
    }
    return found;
  }

  /// The subtree whose leaves these are: each set of leaves that meet the first one in a node of the same
  /// size is that node's other child.
  int build(const std::vector<int>& leaves) {
    int node = tree_.add_leaf(leaves.front());
    std::vector<std::pair<int, int>> pairs;
    for (std::size_t k = 1; k < leaves.size(); ++k) pairs.emplace_back(leaves.front(), leaves[k]);
    const std::vector<int> met = sizes(pairs);
    std::map<int, std::vector<int>> by_size;
    for (std::size_t k = 0; k < met.size(); ++k) by_size[met[k]].push_back(leaves[k + 1]);
    int size = 1;
    for (const auto& [whole, others] : by_size) {
      if (size + static_cast<int>(others.size()) != whole)
        throw NoTree{fmt::format("sums of {} and {} join to one of {}, which is no addition of two", size,
                                 others.size(), whole)};
      const int other = build(others);
      // The running sum stands left.
      node = tree_.add_node(node, other);
      size = whole;
    }
    return node;
  }

  void require_prediction() const {
    constexpr std::uint64_t kPairs = 24;
    std::vector<std::pair<int, int>> pairs;
    for (std::uint64_t k = 0; k < kPairs; ++k) {
      const auto at = [&](std::uint64_t n) { return all_[scrambled(k, n) % all_.size()]; };
      if (const auto i = at(1), j = at(2); i != j) pairs.emplace_back(i, j);
    }
    const std::vector<int> seen = sizes(pairs);
    for (std::size_t k = 0; k < pairs.size(); ++k)
      if (seen[k] != meeting(pairs[k].first, pairs[k].second))
        throw NoTree{"the tree found does not predict other sums"};
  }

  int meeting(int i, int j) const {
    int node = tree_.root();
    for (;;) {
      const auto holds_both = [&](int child) {
        const std::vector<int> leaves = tree_.leaves(child);
        return std::ranges::find(leaves, i) != leaves.end() && std::ranges::find(leaves, j) != leaves.end();
      };
      const auto& [left, right, leaf] = tree_[node];
      if (holds_both(left))
        node = left;
      else if (holds_both(right))
        node = right;
      else
        return static_cast<int>(tree_.leaves(node).size());
    }
  }

  const Probe& probe_;
  const Line& line_;
  const Mask& mask_;
  int terms_;
  bool adds_;
  std::vector<int> all_;
  SumTree tree_;
};

/// The tree without the old value's leaf.
SumTree without_old(const SumTree& whole) {
  SumTree rest;
  const std::function<int(int)> copy = [&](int node) {
    const auto& [left, right, leaf] = whole[node];
    if (whole.is_leaf(node)) return leaf == SumTree::kOld ? -1 : rest.add_leaf(leaf);
    const int a = copy(left), b = copy(right);
    return a < 0 ? b : b < 0 ? a : rest.add_node(a, b);
  };
  rest.set_root(copy(whole.root()));
  return rest;
}

bool is_old(const SumTree& t, int node) { return t.is_leaf(node) && t[node].leaf == SumTree::kOld; }

/// Whether some node adds the old value to a single product.
bool begins_with_old(const SumTree& t, int node) {
  if (t.is_leaf(node)) return false;
  const auto& [left, right, leaf] = t[node];
  if ((is_old(t, left) && t.is_leaf(right)) || (is_old(t, right) && t.is_leaf(left))) return true;
  return begins_with_old(t, left) || begins_with_old(t, right);
}

}  // namespace

Revealed reveal(const Probe& probe, const Line& line, bool adds) {
  Revealed r;
  for (const Mask& mask : masks_of(probe.dtype())) try {
      const SumTree whole = Revealer(probe, line, adds, mask).reveal();
      r.why.clear();
      r.tree = without_old(whole);
      r.text = whole.text();
      if (adds && !whole.is_leaf(whole.root())) {
        const auto& [left, right, leaf] = whole[whole.root()];
        r.old_last = is_old(whole, left) || is_old(whole, right);
        r.old_first = !r.old_last && begins_with_old(whole, whole.root());
      }
      return r;
    } catch (const NoTree& none) {
      if (r.why.empty()) r.why = none.why;
    }
  return r;
}

int SumTree::add_leaf(int leaf) {
  nodes_.push_back({-1, -1, leaf});
  return static_cast<int>(nodes_.size()) - 1;
}

int SumTree::add_node(int left, int right) {
  nodes_.push_back({left, right, -1});
  return static_cast<int>(nodes_.size()) - 1;
}

int SumTree::height(int node) const {
  return is_leaf(node) ? 0 : 1 + std::max(height((*this)[node].left), height((*this)[node].right));
}

std::vector<int> SumTree::leaves(int node) const {
  if (is_leaf(node)) return {(*this)[node].leaf};
  std::vector<int> all = leaves((*this)[node].left);
  const std::vector<int> right = leaves((*this)[node].right);
  all.insert(all.end(), right.begin(), right.end());
  return all;
}

std::optional<std::vector<int>> SumTree::one_by_one(int node) const {
  std::vector<int> order;
  while (!is_leaf(node)) {
    const auto& [left, right, leaf] = (*this)[node];
    if (!is_leaf(left) && !is_leaf(right)) return {};
    const int single = is_leaf(right) ? right : left;
    order.push_back((*this)[single].leaf);
    node = single == right ? left : right;
  }
  order.push_back((*this)[node].leaf);
  std::ranges::reverse(order);
  if (order.size() > 1) {
    const bool down = order.size() > 2 && order[2] < std::min(order[0], order[1]);
    if ((order[0] > order[1]) != down) std::swap(order[0], order[1]);
  }
  return order;
}

std::vector<std::vector<int>> SumTree::parts() const {
  std::vector<std::vector<int>> found;
  parts(root_, found);
  std::ranges::sort(found, {}, [](const std::vector<int>& part) { return std::ranges::min(part); });
  return found;
}

void SumTree::parts(int node, std::vector<std::vector<int>>& found) const {
  if (auto order = one_by_one(node)) return found.push_back(std::move(*order));
  parts((*this)[node].left, found);
  parts((*this)[node].right, found);
}

std::string SumTree::text() const { return text(root_); }

std::string SumTree::text(int node) const {
  const auto& [left, right, leaf] = (*this)[node];
  if (is_leaf(node)) return leaf == kOld ? "w" : std::to_string(leaf);
  // What a sum begins with stands first.
  if (is_leaf(left) && is_leaf(right) && (*this)[right].leaf == kOld)
    return fmt::format("({}+{})", text(right), text(left));
  return fmt::format("({}+{})", text(left), text(right));
}

}  // namespace wgradcheck::check
