#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>
#include <regex>
#include <span>

#include "check/report/npy.hpp"
#include "spec/wgrad.hpp"
#include "tests/program/program.hpp"

namespace wgradcheck {
namespace {

using testing::HasSubstr;

std::string program(const std::string& name) {
  return std::string(WGRADCHECK_SOURCE) + "/tests/program/programs/" + name;
}

std::vector<float> integers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> pick(-9, 9);
  std::vector<float> numbers(count);
  for (float& f : numbers) f = static_cast<float>(pick(random));
  return numbers;
}

std::string saved(const std::string& name, const std::vector<float>& numbers) {
  const std::string bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
  check::write_npy(temporary(name), {"<f4", {static_cast<std::int64_t>(numbers.size())}, bytes});
  return temporary(name);
}

std::vector<float> loaded(const std::string& file) {
  const check::Npy array = check::read_npy(file);
  std::vector<float> numbers(array.bytes.size() / sizeof(float));
  std::memcpy(numbers.data(), array.bytes.data(), array.bytes.size());
  return numbers;
}

/// Programs run where the machine's memories can be had at their addresses: not under AddressSanitizer or
/// ThreadSanitizer, whose own memory lies there.
class Run : public testing::Test {
 protected:
  void SetUp() override {
    const Ran ran = run_program("run " + program("half.c"));
    if (ran.text.find("cannot be mapped") == std::string::npos) return;
    ASSERT_EQ(ran.status, 3) << ran.text;
    GTEST_SKIP() << ran.text;
  }
};

/// The document's shape: 4 images, 4x4x4 -> 2x2x4, kernel 3.
const spec::Shape kExample{4, 1, 4, 4, spec::kNoAxis, {4, 2, 3, 1, 1, 0}, {4, 2, 3, 1, 1, 0}};

std::vector<float> example_dw(const std::vector<float>& dy, const std::vector<float>& x) {
  std::vector<float> dw;
  for (std::int64_t i = 0; i < spec::dw_elems(kExample); ++i)
    dw.push_back(static_cast<float>(
        spec::element<double>(kExample, spec::element_at(kExample, i), std::span(dy), std::span(x)).value));
  return dw;
}

/// The document's examples as they stand in it, without its line numbers.
std::vector<std::string> examples() {
  std::ifstream in(WGRADCHECK_SHARED "/seeds/conv2d_backprop_filter_fusion.txt");
  std::vector<std::string> found;
  int expected = 0;
  for (std::string line; std::getline(in, line);) {
    std::smatch part;
    if (!std::regex_match(line, part, std::regex(" ?([0-9]+)(.*)"))) {
      expected = 0;
      continue;
    }
    const int number = std::stoi(part[1]);
    if (number == 1) found.emplace_back();
    expected = number == 1 ? 2 : number == expected ? expected + 1 : 0;
    if (expected != 0) found.back() += part[2].str() + "\n";
  }
  std::erase_if(found, [](const std::string& text) { return text.find("void main()") == std::string::npos; });
  return found;
}

TEST_F(Run, TheDocumentsExamplesAsTheyStand) {
  const auto sources = examples();
  if (sources.empty()) GTEST_SKIP() << "the document is not in " WGRADCHECK_SHARED;
  ASSERT_EQ(sources.size(), 2U);
  const auto dy = integers(64, 1), x = integers(256, 2);
  const std::string words[] = {
      "--cores 4 --load 0x86000000:{dy} --load 0x87000000:{x} --dump 0x88000000:144:f32:{dw}",
      "--load 0x10000000:{dy} --load 0x10010000:{x} --dump 0x10020000:144:f32:{dw}"};
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string source = temporary("example.c"), dw = temporary("dw.npy");
    std::ofstream(source) << sources[i];
    std::string line = "run " + source + ' ' + words[i];
    for (const auto& [name, file] :
         {std::pair{"{dy}", saved("dy.npy", dy)}, {"{x}", saved("x.npy", x)}, {"{dw}", dw}})
      line.replace(line.find(name), std::strlen(name), file);
    const Ran ran = run_program(line);
    EXPECT_EQ(ran.status, 0) << ran.text;
    EXPECT_EQ(loaded(dw), example_dw(dy, x));
  }
}

TEST_F(Run, CoresShareDdrAndOwnTheirAm) {
  const Ran ran =
      run_program("run " + program("cores.c") +
                  " --cores 3 --dump 0x80000000:3:f32 --dump 2@0x100bfffc:1:f32 --dump 0x100bfffc:1:f32");
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_EQ(ran.text,
            "0x80000000: 3 f32\n           21         21.5         23.5\n"
            "0x100bfffc: 1 f32\n            3\n"
            "0x100bfffc: 1 f32\n            1\n");
}

TEST_F(Run, ALoadIntoAmGoesToEveryCoreUnlessOneIsNamed) {
  const std::string file = saved("one.npy", {5});
  const std::string dumps = " --dump 0@0x10000100:1:f32 --dump 1@0x10000100:1:f32";
  const auto words = [&](const std::string& place) {
    return "run " + program("half.c") + " --cores 2 --load " + place + "0x10000100:" + file + dumps;
  };
  const std::string zero = "0x10000100: 1 f32\n            0\n", five = "0x10000100: 1 f32\n            5\n";
  EXPECT_EQ(run_program(words("")).text, five + five);
  EXPECT_EQ(run_program(words("1@")).text, zero + five);
}

TEST_F(Run, Float16IsDumpedAsItsValue) {
  const Ran ran = run_program("run " + program("half.c") + " --dump 0x80000004:1:f16");
  EXPECT_EQ(ran.text, "0x80000004: 1 f16\n            7\n");
}

TEST_F(Run, AProgramsOwnKernelComesBeforeTheBundledOne) {
  const Ran ran = run_program("run " + program("own_kernel.c") + " --dump 0x80000008:1:f32");
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_EQ(ran.text, "0x80000008: 1 f32\n           42\n");
}

/// A program that goes wrong, and what is said of it.
struct Wrong {
  const char* name;
  std::string words, says;
};

class RunWrong : public Run, public testing::WithParamInterface<Wrong> {};

TEST_P(RunWrong, IsToldInOneSentenceWithExitStatus1) {
  const Ran ran = run_program("run " + GetParam().words);
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.text, "wgradcheck: " + GetParam().says + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    Machine, RunWrong,
    testing::Values(
        Wrong{"PastTheEnd", program("past_the_end.c") + " --cores 2",
              "core 1 accessed an address outside the machine's memories: 0x90000010, 16 bytes past the "
              "end of DDR (0x80000000 to 0x8fffffff)"},
        Wrong{"Null", program("null.c"),
              "core 0 accessed an address outside the machine's memories: 0x4, 268435452 bytes before "
              "the start of AM (0x10000000 to 0x100bffff)"},
        Wrong{"Refused", program("refused.c"),
              "core 0 had its last call refused: output_batch_ is 0, which must be at least 1"},
        Wrong{"Aborts", program("aborts.c"), "core 0 died of SIGABRT"},
        Wrong{"WaitsForCoresThatAreNot", program("cores.c") + " --cores 2 --timeout 0.5",
              "the program has not ended after 0.5 s; core 0 waits in sys_bar(3); core 1 waits in "
              "sys_bar(3)"},
        Wrong{"HalfOnFt78ne", program("half.c") + " --target ft78ne",
              "core 0 had its last call refused: float16 is not supported by FT78NE, which computes "
              "fp32 alone"}),
    [](const auto& wrong) { return wrong.param.name; });

TEST(RunBadInput, GetsOneSentenceAndExitStatus2) {
  const std::string half = "run " + program("half.c");
  const std::string file = saved("two.npy", {1, 2});
  const std::pair<std::string, std::string> cases[] = {
      {"run no_such_program.c", "no_such_program.c"},
      {"run " + kernel("right.c"), "right.c defines no main"},
      {half + " --load 0x70000000:" + file, "no memory of the machine holds 0x70000000"},
      {half + " --load 0x8ffffffc:" + file, "8 bytes at 0x8ffffffc end past DDR"},
      {half + " --load 1@0x10000000:" + file, "there is no core 1 among 1"},
      {half + " --load here:" + file, "\"here\" is not a number"},
      {half + " --load 0x80000000:" + program("half.c"), "half.c is not an array file"},
      {half + " --dump 0x80000000:1:f64", "\"f64\" is neither f32 nor f16"},
      {half + " --dump 0x80000000:0:f32", "it asks for 0 elements"},
      {half + " --dump 0x80000000:1:f32:/no/such/a.npy", "/no/such/a.npy"}};
  for (const auto& [words, says] : cases) {
    const Ran ran = run_program(words);
    EXPECT_EQ(ran.status, 2) << words << '\n' << ran.text;
    EXPECT_THAT(ran.text, HasSubstr(says));
    EXPECT_EQ(std::count(ran.text.begin(), ran.text.end(), '\n'), 1) << ran.text;
  }
}

}  // namespace
}  // namespace wgradcheck
