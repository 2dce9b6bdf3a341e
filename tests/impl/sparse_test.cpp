#include <gtest/gtest.h>
#include <sys/mman.h>

#include "impl/conv_grad_filter.hpp"
#include "spec/checked.hpp"
#include "spec/problem_line.hpp"
#include "spec/wgrad.hpp"
#include "tests/impl/guarded.hpp"

/// What the proofs of widths and buffers refute, run for real.
namespace wgradcheck::impl {
namespace {

using Int = std::int64_t;

/// Address space for elements that are 0 until they are written; null where it cannot be had.
class Sparse {
 public:
  explicit Sparse(Int elements) : bytes_(static_cast<std::size_t>(elements) * sizeof(Half)) {
    void* const base =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base != MAP_FAILED) data = static_cast<Half*>(base);
  }
  ~Sparse() {
    if (data != nullptr) munmap(data, bytes_);
  }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;
  Half* data = nullptr;

 private:
  std::size_t bytes_;
};

spec::Call<Int> call_of(const char* line, Int buffer) {
  return spec::call_of(std::get<spec::Shape>(spec::parse_line(line)), sizeof(Half), 1, buffer);
}

TEST(Refuted, AnOffsetBeyond32BitsIsReadWhereItLies) {
  const auto call = call_of("mb1ic1ih2iw2147483647oc1oh2ow2kh1kw1pw0", 4);
  const spec::Shape s = spec::shape_of(call);
  EXPECT_THROW((spec::x_offset<spec::Checked<std::int32_t>>(spec::as<spec::Checked<std::int32_t>>(s), 0, 0, 1,
                                                            1, 0, 0)),
               spec::Overflow);
  const Sparse x(spec::x_elems(s));
  if (x.data == nullptr) GTEST_SKIP() << "no address space of 8 GiB";
  const Guarded<Half> dy({to_half(1), to_half(2), to_half(4), to_half(8)}), dw({to_half(0)});
  const Guarded<float> workspace(std::vector<float>(4));
  x.data[spec::x_offset<Int>(s, 0, 0, 0, 1, 0, 0)] = to_half(3);
  x.data[spec::x_offset<Int>(s, 0, 0, 1, 1, 0, 0)] = to_half(5);
  run_private<Half>(call, {dy.data(), x.data, dw.data(), nullptr}, workspace.data());
  EXPECT_EQ(to_float(dw.copy()[0]), 2 * 3 + 8 * 5);
}

TEST(Refuted, TheSuggestedBufferIsRefusedWhereItIsTooSmall) {
  EXPECT_EQ(spec::refuse(call_of("mb1ic513ih1oc1oh1kh1", 2052)), std::nullopt);
  const auto refusal = spec::refuse(call_of("mb1ic513ih1oc1oh1kh1", 2048));
  ASSERT_NE(refusal, std::nullopt);
  EXPECT_EQ(refusal->field, "buffer_size_");
}

TEST(Refuted, ABufferWhoseChunkIsEmptyIsRefused) {
  const auto call = call_of("mb1ic1ih1oc1oh1kh1", 1);
  EXPECT_EQ(spec::chunk(call), 0);
  EXPECT_NE(spec::refuse(call), std::nullopt);
}

TEST(Refuted, ScratchAndAPartialPassTheEndOfTheDocumentedWorkspace) {
  for (const char* line : {"mb1ic1ih1oc1oh1kh1", "mb2ic3ih5oc4oh3kh3"}) {
    const auto shape = std::get<spec::Shape>(spec::parse_line(line));
    const auto ones = [](Int count) { return std::vector<float>(static_cast<std::size_t>(count), 1.0f); };
    const Guarded<float> dy(ones(spec::dy_elems(shape))), x(ones(spec::x_elems(shape)));
    const Int buffer = spec::buffer_limit(spec::call_of(shape, sizeof(float), 1, 0));
    const auto call = spec::call_of(shape, sizeof(float), 1, buffer);
    // The one core's scratch lies first, its partial behind.
    const auto last_of_partial = [&](Int bytes) {
      const Guarded<float> workspace(std::vector<float>(static_cast<std::size_t>(bytes / spec::kFloatBytes)));
      float* const partial = workspace.data() + spec::chunk_workspace(call) / spec::kFloatBytes;
      run_private<float>(call, {dy.data(), x.data(), partial, nullptr}, workspace.data());
      return partial[spec::dw_elems(call) - 1];
    };
    EXPECT_EQ(last_of_partial(spec::safe_workspace(call)),
              static_cast<float>(shape.batch * shape.height.output * shape.width.output));
    EXPECT_DEATH(last_of_partial(spec::documented_workspace(call)), "") << line;
  }
}

}  // namespace
}  // namespace wgradcheck::impl
