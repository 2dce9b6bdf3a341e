#include "impl/trace.hpp"

#include <initializer_list>
#include <string>

namespace wgradcheck::impl {
namespace {

using Int = Loops::Int;

void nonempty(std::initializer_list<Int> extents) {
  for (const Int extent : extents)
    if (extent < 1) throw Stray("an extent of an operation is " + std::to_string(extent));
}

}  // namespace

Int inside(Int at, Int extent, const char* what) {
  if (at < 0 || at >= extent)
    throw Stray(std::string(what) + "[" + std::to_string(at) + "] lies outside its " +
                std::to_string(extent) + " elements");
  return at;
}

Trace::Trace(const spec::Call<Int>& call, const Block<Int>& block, const Machine& machine)
    : Trace(call, block, machine, extents_of(call)) {}

Trace::Trace(const spec::Call<Int>& call, const Block<Int>& block, const Machine& machine,
             const Extents<Int>& dw)
    : call_(call),
      block_(block),
      machine_(machine),
      dy_elems_(spec::dy_elems(spec::shape_of(call))),
      x_elems_(spec::x_elems(spec::shape_of(call))),
      dw_(dw),
      scratch_(static_cast<std::size_t>(scratch_elems(call, length(block.cols))), kUnwritten) {}

bool Trace::finite(const Term<Int>&, Int positions, Int rows, Int dy) {
  nonempty({positions, rows});
  for (Int p = 0; p < positions; ++p)
    for (Int i = 0; i < rows; ++i) read_dy(dy + p * call_.output_channel + i);
  return machine_.finite();
}

void Trace::clear(Int count) {
  for (Int i = 0; i < count; ++i) scratch(i) = kZero;
}

void Trace::stage(const Term<Int>&, Int count, Int channels, Int x, Int x_step, Int row, Int col, Int step) {
  nonempty({count, channels});
  for (Int i = 0; i < count; ++i)
    for (Int j = 0; j < channels; ++j)
      scratch((row + i) * step + inside(col + j, step, "a packed row")) = read_x(x + i * x_step + j);
}

void Trace::product(const Term<Int>&, Int rows, Int cols, Int depth, Int dy, Int step, Int col) {
  nonempty({rows, cols, depth});
  for (Int p = 0; p < depth; ++p)
    for (Int i = 0; i < rows; ++i)
      for (Int j = 0; j < cols; ++j) {
        const Int factor = read_dy(dy + p * call_.output_channel + i);
        const Int packed = scratch(p * step + j);
        if (packed == kUnwritten) throw Stray("scratch is read before it is written");
        if (packed != kZero) add(i, col + j, factor, packed);
      }
}

void Trace::product_in_place(const Term<Int>&, Int rows, Int cols, Int depth, Int dy, Int x) {
  nonempty({rows, cols, depth});
  for (Int p = 0; p < depth; ++p)
    for (Int i = 0; i < rows; ++i)
      for (Int j = 0; j < cols; ++j)
        add(i, j, read_dy(dy + p * call_.output_channel + i), read_x(x + p * call_.input_channel + j));
}

void Trace::channel_products(const Term<Int>&, Int channels, Int rows, Int cols, Int dy, Int x, Int row,
                             Int col) {
  nonempty({channels, rows, cols});
  for (Int l = 0; l < channels; ++l)
    for (Int i = 0; i < rows; ++i)
      for (Int j = 0; j < cols; ++j)
        add(row + l, col, read_dy(dy + (i * call_.output_w + j) * call_.output_channel + l),
            read_x(x + (i * call_.stride_h * call_.input_w + j * call_.stride_w) * call_.input_channel + l));
}

void Trace::add(Int row, Int col, Int dy, Int x) {
  inside(row, length(block_.rows), "a row of sums");
  inside(col, length(block_.cols), "a column of sums");
  products_.push_back({first_elem(dw_, block_) + row * dw_.cols + col, dy, x});
}

Int Trace::read_dy(Int at) const { return inside(at, dy_elems_, "dy"); }
Int Trace::read_x(Int at) const { return inside(at, x_elems_, "x"); }
Int& Trace::scratch(Int at) {
  return scratch_[static_cast<std::size_t>(inside(at, static_cast<Int>(scratch_.size()), "scratch"))];
}

}  // namespace wgradcheck::impl
