#pragma once
#include <string>
#include <variant>

#include "impl/schedule/block.hpp"
#include "proofs/cube/operation.hpp"
#include "proofs/host/operations.hpp"
#include "proofs/sym.hpp"

/// What a schedule asks of its environment, by the names and in the order of the functions of impl::Run, of
/// impl::host::Run and of Ascend's.
namespace wgradcheck::proofs {

template <class Int>
struct Tiles {
  Int size;
};
template <class Int>
struct Finite {
  impl::Term<Int> first;
  Int positions, rows, dy;
};
template <class Int>
struct Clear {
  Int count;
};
template <class Int>
struct Stage {
  impl::Term<Int> first;
  Int count, channels, x, x_step, row, col, step;
};
template <class Int>
struct Packed {
  impl::Term<Int> first;
  Int rows, cols, depth, dy, step, col;
};
template <class Int>
struct InPlace {
  impl::Term<Int> first;
  Int rows, cols, depth, dy, x;
};
template <class Int>
struct Channels {
  impl::Term<Int> first;
  Int channels, rows, cols, dy, x, row, col;
};

template <class Int>
using Operation =
    std::variant<Tiles<Int>, Finite<Int>, Clear<Int>, Stage<Int>, Packed<Int>, InPlace<Int>, Channels<Int>,
                 host::ClearIfNone<Int>, host::InPlace<Int>, host::PackDy<Int>, host::PackX<Int>,
                 host::ClearX<Int>, host::WidenX<Int>, host::FiniteDy<Int>, host::Product<Int>,
                 host::WidenLanes<Int>, host::SpreadDy<Int>, host::LaneProducts<Int>, cube::ClearSums<Int>,
                 cube::StageDy<Int>, cube::FinitePanel<Int>, cube::ZeroX<Int>, cube::StageX<Int>,
                 cube::Multiply<Int>, cube::Move<Int>>;

/// An operation that is known to be of a kind.
template <template <class> class Kind, class Int>
const Kind<Int>& as(const Operation<Int>& operation) {
  return std::get<Kind<Int>>(operation);
}

/// What an operation is called in the names of obligations.
std::string kind_of(const Operation<Sym>&);

/// Whether it adds products, and whether it packs what products of the host library read.
bool adds(const Operation<Sym>&);
bool packs(const Operation<Sym>&);

/// An operation with everything that is asked of it.
std::string to_string(const Operation<Sym>&);

/// The operations of an environment that hands each of them to Self's meet(operation). Self chooses whether
/// dy is finite, too.
template <class Int, class Self>
class Operations : public host::Operations<Int, Self>, public cube::Operations<Int, Self> {
 public:
  using Term = impl::Term<Int>;
  using host::Operations<Int, Self>::product;
  using host::Operations<Int, Self>::product_in_place;

  auto finite(const Term& first, const Int& positions, const Int& rows, const Int& dy) {
    self().meet(Finite<Int>{first, positions, rows, dy});
    return self().chosen_finite();
  }
  void clear(const Int& count) { self().meet(Clear<Int>{count}); }
  void stage(const Term& first, const Int& count, const Int& channels, const Int& x, const Int& x_step,
             const Int& row, const Int& col, const Int& step) {
    self().meet(Stage<Int>{first, count, channels, x, x_step, row, col, step});
  }
  void product(const Term& first, const Int& rows, const Int& cols, const Int& depth, const Int& dy,
               const Int& step, const Int& col) {
    self().meet(Packed<Int>{first, rows, cols, depth, dy, step, col});
  }
  void product_in_place(const Term& first, const Int& rows, const Int& cols, const Int& depth, const Int& dy,
                        const Int& x) {
    self().meet(InPlace<Int>{first, rows, cols, depth, dy, x});
  }
  void channel_products(const Term& first, const Int& channels, const Int& rows, const Int& cols,
                        const Int& dy, const Int& x, const Int& row, const Int& col) {
    self().meet(Channels<Int>{first, channels, rows, cols, dy, x, row, col});
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace wgradcheck::proofs
