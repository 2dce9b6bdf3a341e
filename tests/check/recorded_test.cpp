#include "check/remote/recorded.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "check/kernel.hpp"
#include "check/report/files.hpp"
#include "check/search/generate.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Status = Outcome::Status;

constexpr RecordLimits kAmple{1 << 20, 1 << 24};

const Abi& abi() { return *find_abi("host_f32"); }

std::vector<Case> some_cases(std::int64_t count) {
  Domain domain;
  domain.abi = &abi();
  domain.guarded = false;
  return nth_cases(cases(domain), 1, 0, count);
}

/// What a record in a folder says of cases whose tensors are all 0.
std::vector<Outcome> outcomes(Recorded& record, std::int64_t count) {
  std::vector<Outcome> all;
  record.run(
      some_cases(count), [](std::size_t, const Tensors&) {},
      [&](std::size_t, const Tensors&, const Outcome& o) { all.push_back(o); });
  return all;
}

/// Puts dw.npy into every folder of a round.
void answer(const fs::path& round) {
  for (const auto& one : fs::directory_iterator(round))
    fs::copy(one / fs::path("dw_in.npy"), one / fs::path("dw.npy"));
}

TEST(Recorded, ACaseIsOpenUntilItsFolderHasADw) {
  const ScratchFolder folder;
  {
    Recorded record(abi(), folder.path(), kAmple);
    for (const Outcome& o : outcomes(record, 5)) EXPECT_TRUE(o.open);
    EXPECT_EQ(record.asked(), 5);
    EXPECT_EQ(record.finish_round(), folder.path() + "/round1");
  }
  Recorded record(abi(), folder.path(), kAmple);
  EXPECT_EQ(record.rounds(), 1);
  for (const Outcome& o : outcomes(record, 5)) EXPECT_EQ(o.detail, "no dw.npy in its folder");
  EXPECT_EQ(record.asked(), 0);
  answer(folder.path() + "/round1");
  for (const Outcome& o : outcomes(record, 5)) {
    EXPECT_EQ(o.status, Status::returned);
    EXPECT_THAT(o.folder, HasSubstr("/round1/"));
  }
}

TEST(Recorded, ACaseLargerThanThisMachineCanMakeIsNotRun) {
  const ScratchFolder folder;
  constexpr std::int64_t kEndless = std::int64_t{1} << 46;
  Recorded record(abi(), folder.path(), {kEndless, kEndless});
  Case huge = some_cases(1).front();
  huge.shape = std::get<spec::Shape>(spec::parse_line("mb1000ic1000ih500oc1oh500kh1"));
  Outcome became;
  record.run(
      {&huge, 1}, [](std::size_t, const Tensors&) {},
      [&](std::size_t, const Tensors&, const Outcome& o) { became = o; });
  EXPECT_THAT(became.detail, HasSubstr("GiB, more than a quarter of this machine's memory"));
  EXPECT_FALSE(became.open);
}

TEST(Recorded, WhatIsAskedTwiceIsWrittenOnceAndWhatIsNotFinishedVanishes) {
  const ScratchFolder folder;
  {
    Recorded record(abi(), folder.path(), kAmple);
    outcomes(record, 5);
    outcomes(record, 7);
    EXPECT_EQ(record.asked(), 7);
    EXPECT_FALSE(fs::is_empty(folder.path()));
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Recorded, AnInputThatWasAlteredIsRefused) {
  for (const char* name : {"x.npy", "dy.npy", "dw_in.npy", "case.json"}) {
    const ScratchFolder folder;
    Recorded record(abi(), folder.path(), kAmple);
    outcomes(record, 3);
    const fs::path round = record.finish_round();
    answer(round);
    const fs::path file = fs::directory_iterator(round)->path() / name;
    const std::string text = read_file(file);
    const auto refusal = [&]() -> std::string {
      try {
        outcomes(record, 3);
      } catch (const BadInput& bad) {
        return bad.sentence;
      }
      return "";
    };
    std::string altered = text;
    altered.back() ^= 1;
    std::ofstream(file, std::ios::binary) << altered;
    EXPECT_THAT(refusal(), HasSubstr(std::string(name) + " was altered"));
    std::ofstream(file, std::ios::binary) << text << ' ';
    EXPECT_THAT(refusal(), HasSubstr("more than the"));
    fs::remove(file);
    EXPECT_THAT(refusal(), HasSubstr(std::string(name) + " is missing"));
    fs::create_symlink("/dev/zero", file);
    EXPECT_THAT(refusal(), HasSubstr(std::string(name) + " is no regular file"));
    fs::remove(file);
    std::ofstream(file, std::ios::binary) << text;
    EXPECT_EQ(refusal(), "");
  }
}

TEST(Recorded, LimitsHoldForACaseAndForARound) {
  const ScratchFolder folder;
  Measuring sizes(abi());
  sizes.run(some_cases(30), {}, [](std::size_t, const Tensors&, const Outcome&) {});
  const std::int64_t budget = 100'000, largest = sizes.largest_within(budget);
  Recorded record(abi(), folder.path(), {largest, budget});
  outcomes(record, 30);
  EXPECT_GT(record.asked(), 0);
  EXPECT_EQ(record.asked() + std::ssize(record.too_large()), 30);
  std::int64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(record.finish_round()))
    if (entry.is_regular_file()) bytes += static_cast<std::int64_t>(entry.file_size());
  EXPECT_LE(bytes, budget);
  EXPECT_EQ(sizes.largest_within(100), 0);
}

}  // namespace
}  // namespace wgradcheck::check
