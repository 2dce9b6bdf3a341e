#pragma once
#include <compare>
#include <functional>
#include <stdexcept>
#include <vector>

#include "impl/loops.hpp"
#include "impl/schedule/blocks.hpp"
#include "spec/rules.hpp"

namespace wgradcheck::impl {

/// Offsets of a product's factors and of the dW element that it is added to.
struct Product {
  std::int64_t dw, dy, x;
  auto operator<=>(const Product&) const = default;
};

/// Thrown where a schedule leaves what it was given: an array, the scratch, the block's sums, or what it has
/// written to scratch.
struct Stray : std::logic_error {
  using std::logic_error::logic_error;
};

/// An index of what has so many elements. Throws Stray where it is none.
std::int64_t inside(std::int64_t at, std::int64_t extent, const char* what);

/// The environment in which a schedule tells what it does: it runs, and each operation is recorded. Sums are
/// the block's part of dW itself.
class Trace : public Loops {
 public:
  /// What the machine chooses and no result may depend on.
  struct Machine {
    Int channel_tile, line_tile;   ///< at least 1
    std::function<bool()> finite;  ///< what finite() answers
  };

  Trace(const spec::Call<Int>& call, const Block<Int>& block, const Machine& machine);
  /// The same where dW is other matrices than the call's path has.
  Trace(const spec::Call<Int>& call, const Block<Int>& block, const Machine& machine, const Extents<Int>& dw);

  bool finite(const Term<Int>&, Int positions, Int rows, Int dy);
  void clear(Int count);
  void stage(const Term<Int>&, Int count, Int channels, Int x, Int x_step, Int row, Int col, Int step);
  void product(const Term<Int>&, Int rows, Int cols, Int depth, Int dy, Int step, Int col);
  void product_in_place(const Term<Int>&, Int rows, Int cols, Int depth, Int dy, Int x);
  void channel_products(const Term<Int>&, Int channels, Int rows, Int cols, Int dy, Int x, Int row, Int col);
  Int channel_tile() const { return machine_.channel_tile; }
  Int line_tile() const { return machine_.line_tile; }

  /// The products added so far, in their order. Those of a packed 0 and a finite number are none.
  const std::vector<Product>& products() const { return products_; }

 private:
  static constexpr Int kUnwritten = -2, kZero = -1;

  void add(Int row, Int col, Int dy, Int x);
  Int read_dy(Int at) const;
  Int read_x(Int at) const;
  Int& scratch(Int at);

  spec::Call<Int> call_;
  Block<Int> block_;
  Machine machine_;
  Int dy_elems_, x_elems_;
  Extents<Int> dw_;
  std::vector<Int> scratch_;  ///< offsets in x, or one of the two marks
  std::vector<Product> products_;
};

}  // namespace wgradcheck::impl
