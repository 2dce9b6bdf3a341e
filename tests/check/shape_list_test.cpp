#include "check/search/shape_list.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "check/kernel.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {
namespace {

/// A folder of files that lives as long as a test.
class ShapeList : public testing::Test {
 protected:
  ShapeList() { std::filesystem::create_directories(folder_ / "deep"); }
  ~ShapeList() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static std::string error(const std::string& path) {
    try {
      read_shapes(path);
      return "accepted";
    } catch (const BadInput& bad) {
      return bad.sentence;
    }
  }
  static std::string line(const ListedShape& listed) {
    const auto* s = std::get_if<spec::Shape>(&listed.shape);
    return s ? spec::to_line(*s) : std::get<spec::Refusal>(listed.shape).reason;
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("wgradcheck-shape-list-" + std::to_string(getpid()));
};

TEST_F(ShapeList, ReadsLinesAndSkipsCommentsBlankLinesAndOptions) {
  const auto shapes = read_shapes(file("a",
                                       "# shapes\n"
                                       "\n"
                                       "ic4ih4oc4kh3n\"net:conv*3\"   # a comment\r\n"
                                       "\t--dir=BWD_W --mb=7 mb1ic1ih1oc1kh1 ic2ih2oc2kh2\n"
                                       "ic3ih3oc3kh3n\"two words #1\" ic5ih5oc5kh5n\"open"));
  ASSERT_EQ(shapes.size(), 5U);
  EXPECT_EQ(line(shapes[0]), "ic4ih4oc4oh2kh3");
  EXPECT_EQ(shapes[0].line_number, 3);
  EXPECT_EQ(shapes[0].line, "ic4ih4oc4kh3n\"net:conv*3\"");
  EXPECT_EQ(line(shapes[1]), "mb1ic1ih1oc1oh1kh1");
  EXPECT_EQ(shapes[2].line_number, 4);
  EXPECT_EQ(line(shapes[3]), "ic3ih3oc3oh1kh3");
  EXPECT_EQ(line(shapes[4]), "ic5ih5oc5oh1kh5");
}

TEST_F(ShapeList, KeepsALineThatIsNoShapeWithItsReason) {
  const auto shapes = read_shapes(file("a", "ic3ih4oc4kh3g2\nic4ih4oc4kh3\n"));
  ASSERT_EQ(shapes.size(), 2U);
  EXPECT_EQ(line(shapes[0]), "ic is 3, which g = 2 does not divide");
  EXPECT_EQ(line(shapes[1]), "ic4ih4oc4oh2kh3");
}

TEST_F(ShapeList, ReplacesEveryBatch) {
  const std::string path = file("a", "mb50ic4ih4oc4kh3\nic4ih4oc4kh3\nmb1ic4611686018427387903ih1oc1kh1\n");
  const auto shapes = read_shapes(path, 3);
  EXPECT_EQ(line(shapes[0]), "mb3ic4ih4oc4oh2kh3");
  EXPECT_EQ(line(shapes[1]), "mb3ic4ih4oc4oh2kh3");
  EXPECT_EQ(line(shapes[2]), "x needs more elements than 2^62");
  EXPECT_EQ(line(read_shapes(path, 0)[0]), "mb is 0; it must be at least 1");
}

TEST_F(ShapeList, IncludesFilesNextToTheOneThatNamesThem) {
  file("deep/inner", "ic1ih1oc1kh1\n");
  file("deep/middle", "--batch=inner\nic2ih2oc2kh2\n--batch=inner");
  const auto shapes = read_shapes(file("outer", "--conv --reset --batch=deep/middle ic3ih3oc3kh3"));
  ASSERT_EQ(shapes.size(), 4U);
  EXPECT_EQ(line(shapes[0]), "ic1ih1oc1oh1kh1");
  EXPECT_EQ(line(shapes[1]), "ic2ih2oc2oh1kh2");
  EXPECT_EQ(shapes[1].file, (folder_ / "deep/middle").string());
  EXPECT_EQ(shapes[1].line_number, 2);
  EXPECT_EQ(line(shapes[2]), "ic1ih1oc1oh1kh1");
}

TEST_F(ShapeList, RefusesAFileThatIncludesItself) {
  file("deep/b", "ic1ih1oc1kh1\n--batch=../a");
  const std::string path = file("a", "--batch=deep/b");
  EXPECT_EQ(error(path),
            (folder_ / "deep/b").string() + ":2: " + (folder_ / "deep/../a").string() + " includes itself");
}

TEST_F(ShapeList, NamesAFileThatCannotBeRead) {
  const std::string missing = (folder_ / "missing").string();
  EXPECT_EQ(error(missing), "cannot read " + missing + ": No such file or directory");
  EXPECT_EQ(error(folder_.string()), "cannot read " + folder_.string() + ": it is a folder");
  EXPECT_EQ(error("/dev/zero"), "cannot read /dev/zero: it has more than 16777216 bytes");
  const std::string path = file("a", "\n--batch=missing");
  EXPECT_EQ(error(path), path + ":2: cannot read " + missing + ": No such file or directory");
}

TEST(BenchdnnFiles, HoldNoLineThatIsRefused) {
  const std::filesystem::path folder = std::filesystem::path(WGRADCHECK_SHARED) / "cases/benchdnn";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder;
  std::size_t lines = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (!file.path().filename().string().starts_with("shapes_")) continue;
    for (const ListedShape& listed : read_shapes(file.path().string(), 2)) {
      const auto* refusal = std::get_if<spec::Refusal>(&listed.shape);
      EXPECT_FALSE(refusal) << listed.file << ":" << listed.line_number << ": " << refusal->reason;
      ++lines;
    }
  }
  EXPECT_EQ(lines, 32416U);
}

}  // namespace
}  // namespace wgradcheck::check
