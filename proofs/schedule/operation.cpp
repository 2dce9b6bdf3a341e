#include "proofs/schedule/operation.hpp"

#include <initializer_list>

namespace wgradcheck::proofs {
namespace {

std::string joined(std::initializer_list<Sym> arguments) {
  std::string text;
  for (const Sym& argument : arguments) text += ", " + to_string(argument);
  return text;
}

std::string joined(const impl::Term<Sym>& t) {
  return joined({t.n, t.oh, t.ow, t.kh, t.kw, t.g, t.co, t.ci});
}

std::string joined(const impl::View<Sym>& v) { return joined({v.at, v.plane, v.line, v.pixel}); }
std::string joined(const host::Box<Sym>& b) { return joined({b.planes, b.lines, b.pixels}); }
std::string joined(const host::Staged<Sym>& s) { return joined({s.at, s.plane, s.line, s.pixel, s.area}); }
std::string joined(const impl::Range<Sym>& r) { return joined({r.first, r.last}); }
std::string joined(const Formula& truth) { return ", " + to_string(truth); }

struct Arguments {
  std::string operator()(const Tiles<Sym>& o) const { return joined({o.size}); }
  std::string operator()(const Finite<Sym>& o) const {
    return joined(o.first) + joined({o.positions, o.rows, o.dy});
  }
  std::string operator()(const Clear<Sym>& o) const { return joined({o.count}); }
  std::string operator()(const Stage<Sym>& o) const {
    return joined(o.first) + joined({o.count, o.channels, o.x, o.x_step, o.row, o.col, o.step});
  }
  std::string operator()(const Packed<Sym>& o) const {
    return joined(o.first) + joined({o.rows, o.cols, o.depth, o.dy, o.step, o.col});
  }
  std::string operator()(const InPlace<Sym>& o) const {
    return joined(o.first) + joined({o.rows, o.cols, o.depth, o.dy, o.x});
  }
  std::string operator()(const Channels<Sym>& o) const {
    return joined(o.first) + joined({o.channels, o.rows, o.cols, o.dy, o.x, o.row, o.col});
  }
  std::string operator()(const host::ClearIfNone<Sym>& o) const {
    return joined({o.outputs, o.first, o.taps});
  }
  std::string operator()(const host::InPlace<Sym>& o) const {
    return joined({o.extents.rows, o.extents.columns}) + joined(o.box) + joined(o.dy) + joined(o.x) +
           joined({o.tap}) + joined(o.first);
  }
  std::string operator()(const host::PackDy<Sym>& o) const {
    return joined({o.groups, o.count, o.channels, o.from, o.area, o.first});
  }
  std::string operator()(const host::PackX<Sym>& o) const {
    return joined({o.groups, o.count, o.channels, o.from, o.step, o.area, o.first});
  }
  std::string operator()(const host::ClearX<Sym>& o) const { return joined({o.count, o.at}); }
  std::string operator()(const host::WidenX<Sym>& o) const {
    return joined({o.count, o.channels, o.from, o.step, o.to});
  }
  std::string operator()(const host::FiniteDy<Sym>& o) const {
    return joined(o.needed) + joined(o.part.groups) + joined(o.part.outs) + joined(o.part.ins) +
           joined(o.outputs.depth) + joined(o.outputs.planes) + joined(o.outputs.lines) +
           joined(o.outputs.pixels);
  }
  std::string operator()(const host::WidenLanes<Sym>& o) const {
    return joined({o.count, o.channels, o.from, o.step, o.to});
  }
  std::string operator()(const host::SpreadDy<Sym>& o) const {
    return joined({o.count}) + joined(o.channels) + joined({o.from, o.to, o.map});
  }
  std::string operator()(const host::LaneProducts<Sym>& o) const {
    return joined({o.lanes, o.taps.rows, o.taps.columns, o.steps.row, o.steps.column}) + joined(o.box) +
           joined(o.dy) + joined({o.map}) + joined(o.x) + joined({o.sums.tap, o.sums.taps_of_row}) +
           joined(o.sums.first);
  }
  std::string operator()(const host::Product<Sym>& o) const {
    return joined({o.group, o.extents.rows, o.extents.columns}) + joined(o.box) + joined(o.dy) + joined(o.x) +
           joined({o.tap}) + joined(o.first);
  }
  std::string operator()(const cube::ClearSums<Sym>& o) const { return joined({o.rows, o.cols}); }
  std::string operator()(const cube::StageDy<Sym>& o) const {
    return joined({o.count, o.from, o.at, o.step});
  }
  std::string operator()(const cube::FinitePanel<Sym>& o) const { return joined({o.count, o.rows}); }
  std::string operator()(const cube::ZeroX<Sym>& o) const { return joined({o.count, o.at, o.step}); }
  std::string operator()(const cube::StageX<Sym>& o) const {
    return joined({o.count, o.from, o.from_step, o.row, o.at, o.step});
  }
  std::string operator()(const cube::Multiply<Sym>& o) const {
    return joined({o.rows, o.cols, o.depth, o.row, o.at, o.step});
  }
  std::string operator()(const cube::Move<Sym>& o) const { return joined({o.rows, o.from, o.step, o.to}); }
};

struct Adds {
  bool operator()(const auto&) const { return false; }
  bool operator()(const Packed<Sym>&) const { return true; }
  bool operator()(const InPlace<Sym>&) const { return true; }
  bool operator()(const Channels<Sym>&) const { return true; }
  bool operator()(const host::InPlace<Sym>&) const { return true; }
  bool operator()(const host::Product<Sym>&) const { return true; }
  bool operator()(const host::LaneProducts<Sym>&) const { return true; }
  bool operator()(const cube::Multiply<Sym>&) const { return true; }
};

struct Packs {
  bool operator()(const auto&) const { return false; }
  bool operator()(const host::PackDy<Sym>&) const { return true; }
  bool operator()(const host::PackX<Sym>&) const { return true; }
  bool operator()(const host::ClearX<Sym>&) const { return true; }
  bool operator()(const host::WidenX<Sym>&) const { return true; }
  bool operator()(const host::WidenLanes<Sym>&) const { return true; }
  bool operator()(const host::SpreadDy<Sym>&) const { return true; }
};

}  // namespace

std::string kind_of(const Operation<Sym>& operation) {
  static constexpr const char* kKinds[] = {"tiles",
                                           "finite",
                                           "clear",
                                           "stage",
                                           "product",
                                           "product_in_place",
                                           "channel_products",
                                           "clear_if_none",
                                           "product_in_place",
                                           "pack_dy",
                                           "pack_x",
                                           "clear_x",
                                           "widen_x",
                                           "finite_dy",
                                           "product",
                                           "widen_lanes",
                                           "spread_dy",
                                           "lane_products",
                                           "clear_sums",
                                           "stage_dy",
                                           "finite_panel",
                                           "zero_x",
                                           "stage_x",
                                           "multiply",
                                           "move"};
  return kKinds[operation.index()];
}

bool packs(const Operation<Sym>& operation) { return std::visit(Packs{}, operation); }

bool adds(const Operation<Sym>& operation) { return std::visit(Adds{}, operation); }

std::string to_string(const Operation<Sym>& operation) {
  return kind_of(operation) + "(" + std::visit(Arguments{}, operation).substr(2) + ")";
}

}  // namespace wgradcheck::proofs
