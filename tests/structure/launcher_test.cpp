#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "structure/shell.hpp"

namespace wgradcheck::tests {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// What is said before a first build.
const std::string kBuilding = "wgradcheck: building in build/release, which takes minutes the first time\n";

/// The launcher in a small tree of its own, before stand-ins for cmake, dpkg-query, apt-get, sudo and id that
/// write down how they are called. The stand-in for cmake "builds" a program that says where it runs and with
/// what.
class Launcher : public testing::Test {
 protected:
  Launcher() {
    std::filesystem::create_directory(scratch.path("tree"));
    std::filesystem::copy_file(WGRADCHECK_SOURCE "/wgradcheck", scratch.path("tree/wgradcheck"));
    scratch.write("tree/CMakeLists.txt", "");
    scratch.write("tree/spec/a.cpp", "");
    scratch.write("user/kernel.c", "");
    scratch.write_script("bin/cmake", R"(echo "cmake $*" >>"$CALLS"
case $1 in
  --preset) echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >>"build/$2/CMakeCache.txt" ;;
  --build)
    sleep 0.05; echo chatter; eval "$DURING_BUILD"
    printf '#!/bin/sh\necho "in $PWD:"; for a; do echo "[$a]"; done; exit ${STATUS-0}\n' >"build/$3/wgradcheck"
    chmod +x "build/$3/wgradcheck" ;;
esac
)");
    scratch.write_script("bin/ctest", R"(cat >build/release/junit.xml; exit ${STATUS-0}
)");
    scratch.write_script("bin/dpkg-query", R"(shift 2
for p; do case " $ABSENT " in *" $p "*) ;; *) echo "ii  $p" ;; esac; done
)");
    scratch.write_script("bin/apt-get", "echo \"apt-get $*\" >>\"$CALLS\"; exit ${APT-0}\n");
    scratch.write_script("bin/id", "echo ${ID-0}\n");
    scratch.write_script("bin/sudo",
                         "[ -n \"$SUDO\" ] || exit 1; echo \"sudo $*\" >>\"$CALLS\"; shift; exec \"$@\"\n");
  }

  /// Runs the launcher from the user's folder; `variables` steer the stand-ins.
  Ran run(const std::string& arguments, const std::string& variables = "") const {
    return sh(command(arguments, variables));
  }
  std::string command(const std::string& arguments, const std::string& variables = "") const {
    return "cd " + scratch.word("user") + " && env -u WGRADCHECK_PRESET PATH=" + scratch.word("bin") +
           ":\"$PATH\" CALLS=" + scratch.word("calls") + " " + variables + " ../tree/wgradcheck " + arguments;
  }
  int builds() const {
    int count = 0;
    const std::string calls = scratch.read("calls");
    for (auto at = calls.find("cmake --build"); at != std::string::npos;
         at = calls.find("cmake --build", at + 1))
      ++count;
    return count;
  }

  Scratch scratch;
};

TEST_F(Launcher, HandsTheArgumentsOverUnchangedInTheCallersFolder) {
  run("targets");
  const Ran ran = run("check kernel.c --where 'ic%8==0 && kh==3' '' '*'");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.output, "in " + scratch.path("user") +
                            ":\n[check]\n[kernel.c]\n[--where]\n[ic%8==0 && kh==3]\n[]\n[*]\n");
}

TEST_F(Launcher, PassesTheProgramsStatusOn) {
  for (const int status : {0, 1, 2, 3})
    EXPECT_EQ(run("check kernel.c", "STATUS=" + std::to_string(status)).status, status);
}

TEST_F(Launcher, IsFoundThroughASymbolicLink) {
  std::filesystem::create_symlink("../tree/wgradcheck", scratch.path("bin/wgradcheck"));
  const Ran ran = sh("cd / && env -u WGRADCHECK_PRESET CALLS=" + scratch.word("calls") +
                     " PATH=" + scratch.word("bin") + ":\"$PATH\" wgradcheck targets");
  EXPECT_EQ(ran.output, kBuilding + "in /:\n[targets]\n");
  EXPECT_TRUE(std::filesystem::exists(scratch.path("tree/build/release/wgradcheck")));
}

TEST_F(Launcher, BuildsAgainOnlyWhenASourceHasChanged) {
  run("targets");
  run("targets");
  scratch.write("tree/README.md", "");
  scratch.write("tree/tests/a_test.cpp", "");
  EXPECT_EQ(run("targets").status, 0);
  EXPECT_EQ(builds(), 1);
  scratch.write("tree/spec/a.cpp", "// edited");
  run("targets");
  EXPECT_EQ(builds(), 2) << "after an edit";
  scratch.write("tree/spec/b.cpp", "");
  run("targets");
  EXPECT_EQ(builds(), 3) << "after a new file";
  std::filesystem::remove(scratch.path("tree/spec/b.cpp"));
  run("targets");
  EXPECT_EQ(builds(), 4) << "after a file went";
}

TEST_F(Launcher, SaysOnlyBeforeTheFirstBuildThatItTakesLong) {
  EXPECT_THAT(run("targets").output, StartsWith(kBuilding));
  scratch.write("tree/spec/a.cpp", "// edited");
  EXPECT_THAT(run("targets").output, Not(HasSubstr("building")));
}

TEST_F(Launcher, BuildsAgainWhatWasEditedDuringABuild) {
  run("targets", "DURING_BUILD='echo //late >spec/a.cpp'");
  run("targets");
  EXPECT_EQ(builds(), 2);
}

TEST_F(Launcher, BuildsOnceForSeveralCallersAtATime) {
  const std::string one = "( " + command("targets", "DURING_BUILD='sleep 0.3'") + " ) & ";
  const Ran ran = sh(one + one + one + "wait");
  EXPECT_EQ(builds(), 1);
  const std::string said = "in " + scratch.path("user") + ":\n[targets]\n";
  EXPECT_EQ(ran.output.size(), kBuilding.size() + 3 * said.size()) << ran.output;
}

TEST_F(Launcher, ConfiguresAnewATreeThatWasMoved) {
  run("targets");
  std::filesystem::rename(scratch.path("tree"), scratch.path("other"));
  std::filesystem::create_directory_symlink("other", scratch.path("tree"));
  scratch.write("other/build/release/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\nOLD=1\n");
  run("targets");
  EXPECT_EQ(builds(), 2);
  EXPECT_THAT(scratch.read("other/build/release/CMakeCache.txt"), Not(HasSubstr("OLD")));
}

TEST_F(Launcher, ShowsAFailedBuildAndEndsWithThree) {
  const Ran failed = run("targets", "DURING_BUILD='echo error: no such thing; exit 1'");
  EXPECT_EQ(failed.status, 3);
  EXPECT_THAT(failed.output, HasSubstr("error: no such thing"));
  EXPECT_THAT(failed.output, Not(HasSubstr("[targets]")));
  EXPECT_EQ(run("targets").status, 0);
  EXPECT_EQ(builds(), 2);
}

TEST_F(Launcher, NamesTheOneLineToRunWhereItMayNotInstall) {
  const Ran ran = run("targets", "ID=1000 ABSENT='libz3-dev libfmt-dev'");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.output, EndsWith("\nsudo apt-get update && sudo apt-get install --no-install-recommends -y "
                                   "libz3-dev libfmt-dev\n"));
  EXPECT_EQ(scratch.read("calls"), "");
}

TEST_F(Launcher, InstallsWhatIsMissingAndNothingElseAsRoot) {
  const Ran ran = run("targets", "ABSENT='libz3-dev libcli11-dev'");
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.output, HasSubstr("installing libz3-dev libcli11-dev with apt-get\n"));
  EXPECT_THAT(scratch.read("calls"),
              HasSubstr("install --no-install-recommends libz3-dev libcli11-dev\ncmake"));
}

TEST_F(Launcher, InstallsBySudoThatAsksForNoPassword) {
  EXPECT_EQ(run("targets", "ID=1000 SUDO=1 ABSENT=libz3-dev").status, 0);
  EXPECT_THAT(scratch.read("calls"), HasSubstr("install --no-install-recommends libz3-dev\ncmake"));
}

TEST_F(Launcher, DoesNotBuildWhenTheInstallationFails) {
  const Ran ran = run("targets", "APT=100 ABSENT=libz3-dev");
  EXPECT_EQ(ran.status, 3);
  EXPECT_EQ(builds(), 0);
}

TEST_F(Launcher, BuildsInTheFolderOfThePresetAskedFor) {
  run("targets");
  run("targets", "WGRADCHECK_PRESET=debug");
  EXPECT_TRUE(std::filesystem::exists(scratch.path("tree/build/debug/wgradcheck")));
}

TEST_F(Launcher, CountsSkippedTestsAndPassesTheSuitesStatusOn) {
  const std::string junit = scratch.word("junit");
  scratch.write("junit", "<testsuite name=\"(empty)\"\n\ttests=\"9\"\n\tfailures=\"1\"\n\tskipped=\"2\"\n");
  const Ran ran = run("test < " + junit, "STATUS=8");
  EXPECT_EQ(ran.status, 8);
  EXPECT_EQ(ran.output, kBuilding + "wgradcheck: 2 skipped, named above\n");
}

TEST_F(Launcher, HelpNeedsNoBuildAndNamesEveryVerb) {
  const Ran ran = run("--help");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(scratch.read("calls"), "");
  for (const char* verb : {"test", "coverage", "format", "install"}) EXPECT_THAT(ran.output, HasSubstr(verb));
  EXPECT_THAT(ran.output, HasSubstr("commands are listed here once it is built."));
  run("targets");
  const std::string built = run("--help").output;
  EXPECT_THAT(built, HasSubstr("commands are listed above."));
  std::istringstream lines(ran.output + built);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

}  // namespace
}  // namespace wgradcheck::tests
