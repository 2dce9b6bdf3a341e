#include "check/fuzz/genes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "check/fuzz/mutate.hpp"
#include "check/fuzz/raw.hpp"
#include "check/search/classes.hpp"
#include "check/search/generate.hpp"

namespace wgradcheck::check {
namespace {

Domain domain_of(const Abi& abi) {
  Domain domain;
  domain.abi = &abi;
  domain.core_masks = {1, 3};
  domain.implementations = {0, 1, 2, 3};
  keep_to(Promises::bundled(abi), domain);
  return domain;
}

std::string any_bytes() {
  const auto numbers = *rc::gen::container<std::vector<std::uint8_t>>(
      *rc::gen::inRange<std::size_t>(0, 2 * kGenes + 4), rc::gen::arbitrary<std::uint8_t>());
  return {numbers.begin(), numbers.end()};
}

RC_GTEST_PROP(Genes, EveryByteStringIsACaseOfEveryConvention, ()) {
  const std::string bytes = any_bytes();
  const Largest most;
  for (const Abi& abi : abis()) {
    const spec::Shape shape = shape_of(bytes, abi);
    RC_ASSERT(!spec::refuse(shape));
    RC_ASSERT(abi.ascend || static_cast<double>(spec::products(shape)) <= most.products);
    const auto trial = trial_of(bytes, domain_of(abi), Promises::bundled(abi));
    // Of Ascend some shapes have no tiling.
    RC_ASSERT(abi.ascend || trial.has_value());
    if (trial) RC_ASSERT(trial->test.shape == shape);
  }
}

RC_GTEST_PROP(Genes, AShapeComesBackFromItsBytes, (std::uint64_t seed, std::uint64_t rest)) {
  const Abi& abi = *find_abi(*rc::gen::element<std::string>("mt7004_fp32_p", "host_f32"));
  const spec::Shape shape = nth_case(cases(domain_of(abi)), seed, *rc::gen::inRange(0, 60)).shape;
  const Largest any{.products = 1e18, .elements = 1e18};
  RC_ASSERT(shape_of(bytes_of(shape, rest), abi, any) == shape);
}

RC_GTEST_PROP(Genes, ChangedBytesAreOfOneLengthAndMostlyOther, (std::uint64_t seed)) {
  Dice dice(seed);
  const std::string bytes = any_bytes();
  const std::string changed = mutated_genes(bytes, {}, dice);
  RC_ASSERT(changed.size() == 2 * kGenes);
  RC_CLASSIFY(changed.substr(0, bytes.size()) != bytes, "other");
}

TEST(Genes, ChangesReachEveryClassOfShapes) {
  const Abi& abi = *find_abi("mt7004_fp32_p");
  const Domain domain = domain_of(abi);
  std::set<std::string> classes;
  std::string bytes;
  Dice dice(1);
  for (int i = 0; i < 4000; ++i) {
    bytes = mutated_genes(bytes, {}, dice);
    const auto trial = trial_of(bytes, domain, Promises::bundled(abi));
    for (const ShapeClass& c : shape_classes(abi))
      if (c.contains(trial->test)) classes.insert(c.name);
  }
  EXPECT_EQ(classes.size(), shape_classes(abi).size());
}

RC_GTEST_PROP(Raw, ACallComesBackFromItsBytes, (std::uint64_t seed)) {
  Dice dice(seed);
  RawCall raw;
  for (int i = 0; i < 20; ++i) raw = mutated(raw, dice);
  const RawCall again = raw_call_of(bytes_of(raw));
  RC_ASSERT(again.fields == raw.fields);
  RC_ASSERT(again.workspace == raw.workspace);
  RC_ASSERT(again.target == raw.target);
  RC_ASSERT(bytes_of(raw).size() == kRawBytes);
}

TEST(Raw, ChangesMakeValidCallsAndEachReasonToRefuse) {
  std::set<std::string> fields;
  int valid = 0;
  Dice dice(1);
  RawCall raw;
  for (int i = 0; i < 40000; ++i) {
    raw = mutated(raw, dice);
    const auto refusal = spec::refuse(rules_call_of(raw, 4, 1));
    refusal ? static_cast<void>(fields.insert(refusal->field)) : static_cast<void>(++valid);
  }
  EXPECT_GT(valid, 400);
  // Each of the 20 but core_mask, which a raw call does not have.
  EXPECT_EQ(fields.size(), kParamFields.size());
}

}  // namespace
}  // namespace wgradcheck::check
