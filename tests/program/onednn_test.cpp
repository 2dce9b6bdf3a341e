#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>

#include "spec/problem_line.hpp"
#include "tests/optional.hpp"
#include "tests/program/program.hpp"

namespace wgradcheck {
namespace {

using testing::HasSubstr;

bool is_built() { return run_program("targets").text.find("not built: libdnnl-dev") == std::string::npos; }

#define WGRADCHECK_NEEDS_ONEDNN                                        \
  do {                                                                 \
    if (is_built()) break;                                             \
    if (tests::in_ci()) FAIL() << "libdnnl-dev is not installed here"; \
    GTEST_SKIP() << "libdnnl-dev is not installed here";               \
  } while (false)

TEST(OneDnn, TheOverrunOfItsScratchpadIsFoundUnaidedAndShrunk) {
  WGRADCHECK_NEEDS_ONEDNN;
  const std::string file = temporary("v.json");
  // The first fault is enough here; what follows from it differs from run to run.
  const Ran ran =
      run_program("check onednn_f32 --skip formula --skip rounding --skip hang --seconds 60 --json " + file);
  EXPECT_EQ(ran.status, 1) << ran.text;
  const std::regex overrun("wrote past the end of workspace: at byte [0-9]+ of [0-9]+");
  const auto found = json_of(file)["counterexamples"][0];
  EXPECT_EQ(found["property"], "memory");
  EXPECT_TRUE(std::regex_match(found["detail"].get<std::string>(), overrun)) << found;
  EXPECT_THAT(found["implementation_name"].get<std::string>(), HasSubstr("jit_1x1"));
  const auto shape = std::get<spec::Shape>(spec::parse_line(found["shape"].get<std::string>()));
  EXPECT_EQ(shape.height.kernel * shape.width.kernel, 1);
  EXPECT_LE(spec::x_elems(shape), 300) << found;

  std::string command = found["replay"];
  command.erase(0, command.find(" check ") + 1);
  const Ran again = run_program(command);
  EXPECT_EQ(again.status, 1) << again.text;
  EXPECT_THAT(again.text, HasSubstr("FAIL  memory"));
}

TEST(OneDnn, IsRightIn2DAnd3DWhereItDoesNotOverrun) {
  WGRADCHECK_NEEDS_ONEDNN;
  const std::string options = " --cases 300 --seed 3 --where 'sd*sh*sw==1'";
  const Ran ran = run_program("check onednn_f32" + options);
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("in 1 to 4 threads"));
}

TEST(OneDnn, AnotherBuildOfTheLibraryIsWhatIsCalled) {
  WGRADCHECK_NEEDS_ONEDNN;
  const std::string library = temporary("libdnnl.so"), source = file_of("libdnnl.c", R"(
static const struct { int major, minor, patch; const char *hash; unsigned cpu, gpu; } version = {9, 8};
const void *dnnl_version(void) { return &version; }
int dnnl_dilated_convolution_backward_weights_desc_init(void) { return 1; }
)");
  ASSERT_EQ(std::system(("cc -shared -fPIC -o " + library + " " + source).c_str()), 0);
  const std::string words = "check onednn_f32 --shape mb1ic17ih5oc9oh5kh3";
  const Ran other = run_program(words + " --peer-lib " + library);
  EXPECT_EQ(other.status, 3) << other.text;
  EXPECT_THAT(other.text, HasSubstr("4: not supported: libdnnl is 9.8, the peer was built for 2.x"));
  EXPECT_EQ(run_program(words).status, 0);
}

TEST(OneDnn, WhatIsNoBuildOfTheLibraryIsRefused) {
  WGRADCHECK_NEEDS_ONEDNN;
  const Ran none = run_program("check onednn_f32 --peer-lib no-such.so");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.text, HasSubstr("--peer-lib no-such.so is not an ELF file"));
  const Ran other = run_program("check onednn_f32 --peer-lib " WGRADCHECK_BUILD "/libwgradcheck_onednn.so");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.text, HasSubstr("has no function dnnl_dilated_convolution_backward_weights_desc_init"));
}

TEST(Host, OptionsOfAnotherConventionAreRefused) {
  for (const char* option : {"--buffer 4096", "--core-mask 3", "--workspace safe"}) {
    const Ran ran = run_program("check " + kernel("host.c") + " " + option);
    EXPECT_EQ(ran.status, 2) << ran.text;
    EXPECT_THAT(ran.text, HasSubstr("means nothing to the convention host_f32"));
  }
  EXPECT_EQ(run_program("check " + kernel("right.c") + " --threads 2").status, 2);
  EXPECT_EQ(run_program("check " + kernel("right.c") + " --peer-lib x.so").status, 2);
}

TEST(Host, AKernelThatIsBroughtIsCheckedIn3D) {
  const Ran ran = run_program("check " + kernel("host.c") + " --cases 1000 --seed 1 --promise acc=f32");
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("every 2D and 3D shape"));
  const Ran adds = run_program("check " + kernel("host.c") + " --cases 100 --seed 1 --promise dw=add");
  EXPECT_EQ(adds.status, 3) << adds.text;
  EXPECT_THAT(adds.text, HasSubstr("100: not supported: it overwrites dw"));
}

TEST(Host, ASavedCounterexampleFailsAgainWithItsThreads) {
  const std::string folder = temporary("saved");
  const std::string slip = " --cflags -DSLIP";
  const Ran found =
      run_program("check " + kernel("host.c") + slip + " --cases 500 --seed 1 --save " + folder);
  EXPECT_EQ(found.status, 1) << found.text;
  EXPECT_THAT(found.text, HasSubstr("2 threads, workspace 64 bytes, implementation 0, loops"));
  const Ran again = run_program("replay " + folder + "/memory.json");
  EXPECT_EQ(again.status, 1) << again.text;
  EXPECT_THAT(again.text, HasSubstr("FAIL  memory"));
}

}  // namespace
}  // namespace wgradcheck
