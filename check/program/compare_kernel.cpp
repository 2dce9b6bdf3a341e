#include <fmt/format.h>

#include <memory>
#include <optional>

#include "check/judge/counted.hpp"
#include "check/judge/finding.hpp"
#include "check/program/commands.hpp"
#include "check/program/kernel_options.hpp"
#include "check/search/domain.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

/// A product of which the kernel counts more or fewer than the nest.
struct Difference {
  impl::Product product;
  double nest = 0, kernel = 0;
};

/// The first one on a shape, in the order of dW's elements. `products` are the nest's in order.
std::optional<Difference> first_difference(const spec::Shape& s, const std::vector<impl::Product>& products,
                                           const Counted& counted) {
  auto next = products.begin();
  const std::int64_t dys = spec::dy_elems(s), xs = spec::x_elems(s);
  for (std::int64_t dw = 0; dw < spec::dw_elems(s); ++dw)
    for (std::int64_t dy = 0; dy < dys; ++dy)
      for (std::int64_t x = 0; x < xs; ++x) {
        const impl::Product product{dw, dy, x};
        double nest = 0;
        for (; next != products.end() && *next == product; ++next) ++nest;
        const double kernel =
            counted.products[static_cast<std::size_t>(dy * xs + x)][static_cast<std::size_t>(dw)];
        if (kernel != nest) return Difference{product, nest, kernel};
      }
  return {};
}

/// How the kernel and the nest differ on a shape, in lines; empty where they do not.
std::string difference(Court& court, const Case& c, const std::vector<impl::Product>& products) {
  const auto counted = counted_products(court, c);
  const spec::Shape& s = c.shape;
  if (!counted) return "  The kernel did not return.\n";
  if (const auto d = first_difference(s, products, *counted))
    return fmt::format("  {}: {} * {}\n  is added {:.9g} times by the kernel, {:.9g} times by the nest.\n",
                       describe(spec::element_at(s, d->product.dw), s),
                       describe_pixel(BufferId::dy, s, d->product.dy),
                       describe_pixel(BufferId::x, s, d->product.x), d->kernel, d->nest);
  return add_up(c, *counted) ? "" : "  Single products do not explain what the kernel makes of dense data.\n";
}

}  // namespace

int compare_kernel(const std::string& what, const std::vector<proofs::NestProducts>& nest) {
  KernelOptions options;
  options.what = {what};
  const ScratchFolder scratch(options.scratch());
  const Kernel kernel = options.open(scratch.path());
  const auto executor = options.executor(kernel, scratch.path());
  const Promises promises = options.promises_of(kernel);
  Court court(*executor, promises);
  Domain domain;
  domain.abi = kernel.abi;
  keep_to(promises, domain);
  std::int64_t shapes = 0, products = 0;
  for (const auto& [shape, all] : nest) {
    Case c{.shape = shape};
    if (admit(domain, c)) continue;
    if (const std::string lines = difference(court, c, all); !lines.empty()) {
      fmt::print("{} uses other products than the nest, first on\n  {}\n{}\n", what, spec::to_line(shape),
                 lines);
      return 1;
    }
    ++shapes;
    products += std::ssize(all);
  }
  if (shapes == 0) {
    fmt::print("{} takes no shape of the box that the nest takes.\n\n", what);
    return 3;
  }
  fmt::print("{} uses the nest's products, {} on {} shapes, and no others.\n\n", what, products, shapes);
  return 0;
}

}  // namespace wgradcheck::check
