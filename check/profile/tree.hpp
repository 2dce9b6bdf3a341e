#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/profile/line.hpp"

namespace wgradcheck::check {

/// The order in which a sum is added up: a binary tree whose leaves are products by their places in the line.
class SumTree {
 public:
  /// A node is a leaf or has two children.
  struct Node {
    int left = -1, right = -1, leaf = -1;
  };
  static constexpr int kOld = -2;  ///< the leaf that is what dW held

  int add_leaf(int leaf);
  int add_node(int left, int right);
  void set_root(int node) { root_ = node; }
  int root() const { return root_; }
  const Node& operator[](int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  bool is_leaf(int node) const { return (*this)[node].left < 0; }

  /// Additions on the longest way from a leaf below the node, at most.
  int height(int node) const;
  /// Leaves below the node, left before right.
  std::vector<int> leaves(int node) const;
  /// The order in which leaves are added to one running sum below the node; nothing where it is another tree.
  /// Of the first two the lower one comes first, unless the places go down.
  std::optional<std::vector<int>> one_by_one(int node) const;
  /// The greatest parts of the tree that are added one by one.
  std::vector<std::vector<int>> parts() const;
  /// As ((0+1)+2), dW's old value being w.
  std::string text() const;

 private:
  std::string text(int node) const;
  void parts(int node, std::vector<std::vector<int>>& found) const;

  std::vector<Node> nodes_;
  int root_ = -1;
};

/// A tree, or why there is none.
struct Revealed {
  std::optional<SumTree> tree;  ///< of products alone
  std::string why{};
  std::string text{};      ///< brackets with dW's old value
  bool old_first = false;  ///< the old value is where the sum begins
  bool old_last = false;   ///< it is added to the whole sum
};

/// Reveals the tree of a line, of at most 64 terms: the products being ones but for M and -M at two places,
/// what is left of the sum is the number of ones outside the least subtree that holds both. Asks for one sum
/// a pair as far as needed, then for pairs at random, which the tree must predict. Source: P. Xie et al.,
/// FPRev: Revealing the Order of Floating-Point Summation by Numerical Testing, 2024 (arXiv 2411.00442).
Revealed reveal(const Probe&, const Line&, bool adds);

}  // namespace wgradcheck::check
