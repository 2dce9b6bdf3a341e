#include "check/bench/bench.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "check/bench/machine.hpp"
#include "check/judge/number.hpp"
#include "check/judge/random.hpp"
#include "check/kernel.hpp"
#include "check/run/host_call.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

using Query = std::int64_t (*)(const wgrad_problem*, char*);
using Kernel5 = int (*)(const wgrad_problem*, const void*, const void*, void*, void*);
using Peer = int (*)(const wgrad_problem*, const void*, const void*, void*, void*, int);

constexpr int kPairs = 15;
constexpr int kWarmings = 3;        ///< calls before those that are measured with warm caches
constexpr double kShortest = 2e-4;  ///< seconds that a measurement of warm caches takes at least

/// Memory of whole pages.
class Pages {
 public:
  explicit Pages(std::int64_t bytes) : bytes_(static_cast<std::size_t>(bytes)) {
    const std::size_t whole = (bytes_ + kPage) / kPage * kPage;
    data_.reset(static_cast<std::byte*>(std::aligned_alloc(kPage, whole)));
    if (!data_) throw std::bad_alloc();
    std::memset(data_.get(), 0xff, whole);
  }
  std::byte* data() const { return data_.get(); }
  std::span<std::byte> bytes() const { return {data_.get(), bytes_}; }

 private:
  static constexpr std::size_t kPage = 4096;
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> data_;
};

/// Small integers, whose sums are exact in float.
Pages filled(std::int64_t elems, DType t, std::uint64_t seed) {
  Pages pages(elems * size_of(t));
  constexpr std::uint64_t kMost = 4;
  for (std::int64_t i = 0; i < elems; ++i)
    store(t, pages.bytes(), i,
          static_cast<double>(scrambled(seed, static_cast<std::uint64_t>(i)) % (kMost + 1)) *
              (i % 2 == 0 ? 1.0 : -1.0));
  return pages;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Seconds that one call takes, of `calls`; processor time leaves out what others on the machine take.
template <class Call>
double seconds_of(bool processor, int calls, const Call& call) {
  const auto now = processor ? processor_seconds : clock_seconds;
  const double start = now();
  for (int i = 0; i < calls; ++i) call();
  return (now() - start) / calls;
}

template <class Function>
Function symbol_of(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

/// A library, or null with the reason in `why`.
void* open_library(const std::string& path, std::string& why) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) why = dlerror();
  return library;
}

/// The library of a bundled kernel, or null with the reason in `why`.
void* open_bundled(const char* name, std::string& why) {
  for (const Kernel& kernel : bundled_kernels()) {
    if (kernel.name != name) continue;
    why = absence(kernel);
    return why.empty() ? open_library(kernel.library, why) : nullptr;
  }
  return nullptr;
}

}  // namespace

double bytes_of(const spec::Shape& s, DType t) {
  return static_cast<double>((spec::x_elems(s) + spec::dy_elems(s) + spec::dw_elems(s)) * size_of(t));
}

Bench::Bench() {
  std::string why;
  library_ = open_bundled("cpu_f32", why);
  if (library_ == nullptr) throw BadInput{fmt::format("the bundled target cpu_f32 is {}", why)};
  peer_ = open_bundled("onednn_f32", without_peer_);
}

Bench::Bench(const std::string& library, const std::string& peer) {
  std::string why;
  library_ = open_library(library, why);
  if (library_ == nullptr) throw BadInput{why};
  if (!peer.empty()) peer_ = open_library(peer, without_peer_);
}

Measured Bench::measure(const spec::Shape& shape, DType t, int threads) const {
  Case test;
  test.shape = shape;
  test.dtype = t;
  test.core_mask = (1U << threads) - 1;
  test.accumulate = false;
  const wgrad_problem problem = problem_of(test);
  const auto run = symbol_of<Kernel5>(library_, "wgrad_kernel");
  std::array<char, WGRAD_TEXT> text{};
  const std::int64_t bytes = symbol_of<Query>(library_, "wgrad_kernel_workspace")(&problem, text.data());
  if (bytes < 0) throw BadInput{fmt::format("{}: {}", spec::to_line(shape), text.data())};
  const Pages dy = filled(spec::dy_elems(shape), t, 1), x = filled(spec::x_elems(shape), t, 2);
  const Pages dw(spec::dw_elems(shape) * size_of(t)), workspace(bytes);
  Measured m{shape, text.data(), 0, 0, bytes};

  const auto peer = peer_ == nullptr ? nullptr : symbol_of<Peer>(peer_, "wgrad_peer");
  std::array<char, WGRAD_TEXT> name{};
  std::int64_t peer_bytes = -1;
  if (peer == nullptr)
    m.no_peer = without_peer_;
  else if (peer_bytes = symbol_of<Query>(peer_, "wgrad_kernel_workspace")(&problem, name.data());
           peer_bytes < 0)
    m.no_peer = name.data();
  // oneDNN 2.6 writes past the scratchpad that it asks for.
  constexpr std::int64_t kSpare = 1 << 16;
  const Pages peer_dw(spec::dw_elems(shape) * size_of(t)),
      scratchpad(std::max<std::int64_t>(peer_bytes, 0) + kSpare);

  const bool processor = threads == 1;
  const auto ours = [&] {
    if (const int status = run(&problem, dy.data(), x.data(), dw.data(), workspace.data()))
      throw BadInput{fmt::format("{}: the kernel returns {}", spec::to_line(shape), status)};
  };
  int refused = 0;
  const auto theirs = [&](int reorder) {
    return [&, reorder] {
      if (refused == 0)
        refused = peer(&problem, dy.data(), x.data(), peer_dw.data(), scratchpad.data(), reorder);
    };
  };
  const auto cold = [&](const auto& call) {
    flush_caches();
    return seconds_of(processor, 1, call);
  };
  ours();
  const int calls = 1 + static_cast<int>(kShortest / seconds_of(processor, 1, ours));
  const auto warm = [&](const auto& call) {
    for (int i = 0; i < kWarmings; ++i) call();
    return seconds_of(processor, calls, call);
  };
  const bool paired = peer_bytes >= 0;
  if (paired) theirs(1)();
  std::vector<double> colds, warms, peers, ratios, unordered, ratios_warm;
  for (int i = 0; i < kPairs; ++i) {
    colds.push_back(cold(ours));
    if (paired && refused == 0) {
      peers.push_back(cold(theirs(1)));
      ratios.push_back(peers.back() / colds.back());
      unordered.push_back(cold(theirs(0)) / colds.back());
    }
    warms.push_back(warm(ours));
    if (paired && refused == 0) ratios_warm.push_back(warm(theirs(1)) / warms.back());
  }
  m.cold = median(colds);
  m.warm = median(warms);
  if (paired) theirs(1)();
  if (refused != 0) {
    m.no_peer = fmt::format("it returns {}", refused);
  } else if (paired) {
    const bool same = std::ranges::equal(dw.bytes(), peer_dw.bytes());
    m.peer = Beside{median(peers), median(ratios), median(unordered), median(ratios_warm), same, name.data()};
  }
  return m;
}

}  // namespace wgradcheck::check
