#include "proofs/nest.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "spec/problem_line.hpp"

namespace wgradcheck::proofs {
namespace {

using Int = std::int64_t;

/// Axes whose numbers are small: every one of them.
std::vector<spec::Axis<Int>> small_axes() {
  std::vector<spec::Axis<Int>> all;
  for (Int input = 1; input <= 3; ++input)
    for (Int output = 1; output <= 2; ++output)
      for (Int kernel = 1; kernel <= 2; ++kernel)
        for (Int stride = 1; stride <= 2; ++stride)
          for (Int dilation = 1; dilation <= 2; ++dilation)
            for (Int pad = 0; pad <= 1; ++pad) all.push_back({input, output, kernel, stride, dilation, pad});
  return all;
}

/// Some of them: of one element, dense, padded, dilated and strided.
constexpr spec::Axis<Int> kAxes[] = {
    {1, 1, 1, 1, 1, 0}, {2, 2, 1, 1, 1, 0}, {2, 2, 2, 1, 1, 1}, {3, 2, 2, 1, 2, 1}, {3, 2, 1, 2, 1, 0}};

}  // namespace

std::vector<spec::Shape> box_of_shapes() {
  struct Channels {
    Int groups, in, out;
  };
  std::vector<spec::Shape> all;
  for (const auto& height : small_axes())
    for (const auto& width : kAxes)
      for (const auto& [groups, in, out] : {Channels{1, 1, 1}, {1, 2, 3}, {2, 2, 2}, {2, 4, 2}})
        all.push_back({2, groups, in, out, spec::kNoAxis, height, width});
  std::ranges::stable_sort(all, {}, [](const spec::Shape& s) { return spec::products(s); });
  return all;
}

void write_products(const std::vector<NestProducts>& all, const std::filesystem::path& path) {
  std::ofstream file(path);
  for (const auto& [shape, products] : all) {
    file << spec::to_line(shape) << ' ' << products.size();
    for (const auto& [dw, dy, x] : products) file << ' ' << dw << ' ' << dy << ' ' << x;
    file << '\n';
  }
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::vector<NestProducts> read_products(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::vector<NestProducts> all;
  std::size_t count = 0;
  for (std::string line; file >> line >> count;) {
    all.push_back({std::get<spec::Shape>(spec::parse_line(line)), std::vector<impl::Product>(count)});
    for (auto& [dw, dy, x] : all.back().products) file >> dw >> dy >> x;
  }
  if (!file.eof()) throw std::runtime_error("cannot read " + path.string());
  return all;
}

}  // namespace wgradcheck::proofs
