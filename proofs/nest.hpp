#pragma once
#include <filesystem>
#include <vector>

#include "impl/trace.hpp"

/// What a loop nest does, shape by shape, as one program tells another.
namespace wgradcheck::proofs {

/// The products that a nest adds to dW on a shape, in order.
struct NestProducts {
  spec::Shape shape;
  std::vector<impl::Product> products;
};

/// The shapes of a small box, those of few products first: two images, one and several groups and channels.
std::vector<spec::Shape> box_of_shapes();

/// Writes them as text, and reads them back. Throws std::runtime_error: the file cannot be written or read.
void write_products(const std::vector<NestProducts>&, const std::filesystem::path&);
std::vector<NestProducts> read_products(const std::filesystem::path&);

}  // namespace wgradcheck::proofs
