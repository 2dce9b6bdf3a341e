#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <variant>

#include "proofs/judge.hpp"
#include "spec/problem_line.hpp"
#include "spec/rules.hpp"
#include "tests/optional.hpp"

/// Each witness against a documented rule, replayed from its text in plain 64-bit integers.
namespace wgradcheck::proofs {
namespace {

using Call = spec::Call<std::int64_t>;

std::string witness_of(const std::string& name) {
  for (const Subject& subject : subjects())
    for (const Obligation& obligation : subject.obligations)
      if (subject.name + "." + obligation.name == name) return judge(subject.name, obligation).witness;
  return {};
}

/// The call that a witness's text describes: a problem line, then field=value.
Call replayed(const std::string& witness) {
  std::istringstream words(witness);
  std::string line;
  words >> line;
  std::map<std::string, std::int64_t> fields;
  for (std::string word; words >> word;)
    fields[word.substr(0, word.find('='))] = std::stoll(word.substr(word.find('=') + 1));
  const auto shape = spec::parse_line(line);
  if (!std::holds_alternative<spec::Shape>(shape)) throw std::runtime_error("no shape: " + line);
  Call call = spec::call_of(std::get<spec::Shape>(shape), fields.at("elem_bytes"), fields.at("core_num"),
                            fields.at("buffer_size_"));
  call.limit = fields.at("limit");
  return call;
}

constexpr std::int64_t kMaxInt = std::numeric_limits<int>::max();

struct Case {
  std::string name;
  bool valid;
  std::function<bool(const Call&)> claim;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class Witnesses : public testing::TestWithParam<Case> {};

TEST_P(Witnesses, BreakTheClaimWhenRun) {
  if (!GetParam().name.starts_with("chunks")) WGRADCHECK_LONG();
  const std::string witness = witness_of(GetParam().name);
  ASSERT_FALSE(witness.empty());
  const Call call = replayed(witness);
  EXPECT_EQ(!spec::refuse(call), GetParam().valid) << witness;
  EXPECT_FALSE(GetParam().claim(call)) << witness;
}

INSTANTIATE_TEST_SUITE_P(
    All, Witnesses,
    testing::Values(
        Case{"chunks.without_limit", false, [](const Call& c) { return spec::chunk(c) >= 1; }},
        Case{"chunks.suggested_2048", false, [](const Call& c) { return spec::buffer_limit(c) <= 2048; }},
        Case{"workspace.scratch_and_partials", true,
             [](const Call& c) {
               return spec::chunk_workspace(c) + spec::partial_workspace(c) <= spec::documented_workspace(c);
             }},
        Case{"widths.buffer_times_4", true,
             [](const Call& c) { return spec::chunk_workspace(c) <= kMaxInt; }},
        Case{"widths.cores_times_dw", true,
             [](const Call& c) { return c.core_num * spec::dw_elems(c) <= kMaxInt; }},
        Case{"paths.no_depthwise", true,
             [](const Call& c) { return spec::path_of(c) != spec::Path::depthwise; }},
        Case{"paths.no_pointwise", true,
             [](const Call& c) { return spec::path_of(c) != spec::Path::pointwise; }},
        Case{"paths.no_general", true, [](const Call& c) { return spec::path_of(c) != spec::Path::general; }},
        Case{"paths.never_both", true, [](const Call& c) { return !(is_depthwise(c) && is_pointwise(c)); }}),
    [](const auto& test) {
      std::string name = test.param.name;
      std::ranges::replace(name, '.', '_');
      return name;
    });

TEST(LeastWitness, OfTheSuggestedBufferIsOneChannelTooMany) {
  const Call call = replayed(witness_of("chunks.suggested_2048"));
  EXPECT_EQ(spec::row_bytes(call), 1026) << "a row of 1024 bytes fits half of 2048";
}

TEST(LeastWitness, OfTheBufferIn32BitsIsTwoToThe29) {
  EXPECT_EQ(replayed(witness_of("widths.buffer_times_4")).buffer_size, std::int64_t{1} << 29);
}

TEST(LeastWitness, OfTheGroupOrderIsTwoTapsInTwoGroups) {
  const std::string witness = witness_of("chunks.group_order_without_division");
  for (const char* field : {"kernel_h_=1", "kernel_w_=2", "group_=2", "input_channel_=1"})
    EXPECT_NE(witness.find(field), std::string::npos) << witness;
  EXPECT_EQ(spec::floor_div<std::int64_t>(1 * 2 * 1, 2), 1);
  EXPECT_EQ(1 * 2 * spec::floor_div<std::int64_t>(1, 2), 0);
}

TEST(LeastWitness, OfWidthsAndBuffersAreThoseThatKernelsAreRunOn) {
  WGRADCHECK_LONG();
  EXPECT_TRUE(witness_of("widths.x_offset").starts_with("mb1ic1ih2iw2147483647oc1oh2ow2kh1kw1pw0 "));
  EXPECT_TRUE(witness_of("chunks.suggested_2048").starts_with("mb1ic513ih1oc1oh1kh1 "));
  EXPECT_TRUE(witness_of("chunks.without_limit").starts_with("mb1ic1ih1oc1oh1kh1 "));
  EXPECT_TRUE(witness_of("workspace.scratch_and_partials").starts_with("mb1ic1ih1oc1oh1kh1 "));
}

}  // namespace
}  // namespace wgradcheck::proofs
