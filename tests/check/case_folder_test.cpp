#include "check/remote/case_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "check/judge/data.hpp"
#include "check/report/files.hpp"
#include "check/report/npy.hpp"
#include "tests/check/verdicts.hpp"

namespace wgradcheck::check {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kLine = "g2mb3ic4ih5iw6oc6oh4ow4kh2kw3";

/// A case, its tensors filled, and a folder that vanishes.
struct Folder {
  const Abi& abi;
  Case test;
  Held held;
  ScratchFolder scratch{};
  fs::path path = scratch.path() + "/case";

  explicit Folder(const char* name)
      : abi(*find_abi(name)), test(case_on(abi)), held(std::get<CallImage>(image_of(abi, test)).sizes) {
    write_tensors(test, make_data(test, {}), held.tensors());
    write_case(path, files_of(abi, test, held.tensors()));
  }
  static Case case_on(const Abi& abi) {
    Domain domain;
    domain.abi = &abi;
    Case c{.shape = std::get<spec::Shape>(spec::parse_line(kLine)), .seed = 7};
    if (admit(domain, c)) ADD_FAILURE();
    return c;
  }
  /// What read_dw says; empty where it is content.
  std::string read() { return read_dw(path, abi, test, held.tensors().dw).value_or(""); }
  std::string with(const Npy& dw) {
    fs::remove(path / "dw.npy");
    write_npy(path / "dw.npy", dw);
    return read();
  }
};

TEST(CaseFolder, HoldsTheTensorsInTheLayoutsOfTheConvention) {
  Folder host("host_f32"), machine("mt7004_fp32_p");
  EXPECT_EQ(read_npy(host.path / "x.npy").shape, (std::vector<std::int64_t>{3, 1, 5, 6, 4}));
  EXPECT_EQ(read_npy(host.path / "dy.npy").shape, (std::vector<std::int64_t>{3, 1, 4, 4, 6}));
  EXPECT_EQ(read_npy(host.path / "dw_in.npy").shape, (std::vector<std::int64_t>{2, 3, 1, 2, 3, 2}));
  EXPECT_EQ(read_npy(machine.path / "x.npy").shape, (std::vector<std::int64_t>{3, 5, 6, 4}));
  EXPECT_EQ(read_npy(machine.path / "dw_in.npy").shape, (std::vector<std::int64_t>{2, 3, 2, 3, 2}));
  const std::string x = read_npy(host.path / "x.npy").bytes;
  EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(x)), host.held.tensors().x));
}

TEST(CaseFolder, DescribesTheProblemByTheConventionsNames) {
  Folder host("host_f16"), machine("mt7004_fp32_s");
  const auto json = [](const Folder& f) { return nlohmann::json::parse(read_file(f.path / "case.json")); };
  EXPECT_EQ(json(host)["dtype"], "f16");
  EXPECT_EQ(json(host)["threads"], 1);
  EXPECT_EQ(json(host)["height"]["kernel"], 2);
  EXPECT_EQ(json(host)["width"]["pad_after"], 0);
  EXPECT_EQ(json(machine)["param"]["kernel_w_"], 3);
  EXPECT_EQ(json(machine)["param"]["group_"], 2);
  EXPECT_EQ(json(machine)["workspace_bytes"], machine.test.workspace);
  EXPECT_FALSE(json(host).contains("param"));
}

TEST(CaseFolder, SaysWhetherTheSumIsAddedOrStored) {
  for (const char* name : {"host_f32", "mt7004_fp32_p"})
    for (const bool adds : {true, false}) {
      const Folder f(name);
      Domain domain;
      domain.abi = &f.abi;
      domain.accumulate = adds;
      Case c = f.test;
      ASSERT_FALSE(admit(domain, c));
      const auto files = files_of(f.abi, c, Held(std::get<CallImage>(image_of(f.abi, c)).sizes).tensors());
      EXPECT_EQ(nlohmann::json::parse(files.back().bytes)["accumulate"], adds) << name;
    }
}

TEST(CaseFolder, ReadsBackADwOfThisCase) {
  Folder f("host_f32");
  std::string bytes(f.held.tensors().dw.size(), '\1');
  EXPECT_EQ(f.with({"<f4", {2, 3, 1, 2, 3, 2}, bytes}), "");
  EXPECT_EQ(f.held.tensors().dw[5], std::byte{1});
}

TEST(CaseFolder, SaysInASentenceWhyADwIsNone) {
  Folder f("host_f32");
  EXPECT_EQ(f.read(), "dw.npy is missing");
  const std::string bytes(f.held.tensors().dw.size(), '\0');
  EXPECT_EQ(f.with({"<f8", {2, 3, 1, 2, 3, 1}, bytes}), "dw.npy holds elements of type <f8, not <f4");
  EXPECT_EQ(f.with({"<f4", {2, 3, 2, 3, 2}, bytes}),
            "dw.npy has the shape (2, 3, 2, 3, 2), not (2, 3, 1, 2, 3, 2)");
  EXPECT_THAT(f.with({">f4", {2, 3, 1, 2, 3, 2}, bytes}), HasSubstr("does not hold little-endian numbers"));
  EXPECT_THAT(f.with({"<f4", {2, 3, 1, 2, 3, 2}, bytes.substr(1)}), HasSubstr("bytes, but its shape says"));
  EXPECT_THAT(f.with({"<f4", {2, 3, 1, 2, 3, 2}, std::string(1 << 20, '\0')}),
              HasSubstr("more than the 4384 that it can need"));
}

TEST(CaseFolder, TakesNoFileThatWouldMisleadOrNeverEnd) {
  Folder f("host_f32");
  const fs::path dw = f.path / "dw.npy";
  const auto with = [&](const std::string& bytes) {
    fs::remove(dw);
    std::ofstream(dw, std::ios::binary) << bytes;
    return f.read();
  };
  EXPECT_EQ(with(""), "dw.npy is not an array file of NumPy's");
  EXPECT_EQ(with("dw"), "dw.npy is not an array file of NumPy's");
  const std::string whole = to_text(Npy{"<f4", {2, 3, 1, 2, 3, 2}, std::string(288, '\0')});
  EXPECT_EQ(with(whole), "");
  for (std::size_t cut = 0; cut < whole.size(); cut += 7) EXPECT_NE(with(whole.substr(0, cut)), "") << cut;
  EXPECT_THAT(with(std::string("\x93NUMPY\1\0\xff\xff", 10) + std::string(4000, ' ')),
              HasSubstr("cut short"));
  std::string fortran = whole;
  fortran.replace(fortran.find("False"), 5, "True ");
  EXPECT_EQ(with(fortran), "dw.npy is in Fortran order; save it in C order");
  fs::remove(dw);
  fs::create_symlink("/dev/zero", dw);
  EXPECT_EQ(f.read(), "dw.npy is no regular file");
  fs::remove(dw);
  fs::create_symlink(f.path / "dw_in.npy", dw);
  EXPECT_EQ(f.read(), "dw.npy is no regular file");
  fs::remove(dw);
  ASSERT_EQ(mkfifo(dw.c_str(), 0600), 0);
  EXPECT_EQ(f.read(), "dw.npy is no regular file");
  fs::remove(dw);
  fs::create_directory(dw);
  EXPECT_EQ(f.read(), "dw.npy is no regular file");
}

TEST(CaseFolder, HoldsBfloat16AsTheBitsOfIntegers) {
  Folder f("host_bf16");
  EXPECT_EQ(read_npy(f.path / "x.npy").dtype, "<u2");
  EXPECT_EQ(f.with({"<u2", {2, 3, 1, 2, 3, 2}, std::string(144, '\0')}), "");
  EXPECT_NE(f.with({"<f2", {2, 3, 1, 2, 3, 2}, std::string(144, '\0')}), "");
}

TEST(CaseFolder, IsTheSameForTheSameCaseAndTakesNoMoreThanItSays) {
  Folder a("host_f32"), b("host_f32");
  std::int64_t bytes = 0;
  for (const auto& entry : fs::directory_iterator(a.path)) {
    EXPECT_EQ(read_file(entry.path()), read_file(b.path / entry.path().filename()));
    bytes += static_cast<std::int64_t>(entry.file_size());
  }
  EXPECT_LE(bytes, folder_bytes(std::get<CallImage>(image_of(a.abi, a.test)).sizes));
}

}  // namespace
}  // namespace wgradcheck::check
