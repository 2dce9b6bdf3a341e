#include "check/report/npy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "check/kernel.hpp"
#include "tests/temporary.hpp"

namespace wgradcheck::check {
namespace {

std::string file_with(const std::string& bytes) {
  const std::string path = temporary("test.npy");
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

/// A file of a version with this header text, unpadded, and data.
std::string file_of(char version, const std::string& header, const std::string& data) {
  std::string bytes("\x93NUMPY", 6);
  bytes += {version, '\0', static_cast<char>(header.size()), '\0'};
  if (version > 1) bytes += std::string(2, '\0');
  return file_with(bytes + header + data);
}

std::string refusal(const std::string& path) {
  try {
    read_npy(path);
  } catch (const BadInput& bad) {
    return bad.sentence;
  }
  return "";
}

TEST(Npy, WhatIsWrittenIsReadAgain) {
  const std::string path = temporary("written.npy");
  for (const auto& shape : {std::vector<std::int64_t>{6}, {2, 3}, {1, 2, 3, 1}}) {
    write_npy(path, {"<f2", shape, "abcdefghijkl"});
    const Npy array = read_npy(path);
    EXPECT_EQ(array.dtype, "<f2");
    EXPECT_EQ(array.shape, shape);
    EXPECT_EQ(array.bytes, "abcdefghijkl");
  }
}

TEST(Npy, IsWrittenAsNumpyItselfDoes) {
  const std::string path = temporary("layout.npy");
  write_npy(path, {"<f4", {1}, "data"});
  std::ifstream in(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
  ASSERT_EQ(bytes.size(), 132U);
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\1\0\x76\0", 10));
  EXPECT_EQ(bytes.substr(10, header.size()), header);
  EXPECT_EQ(bytes.substr(127), "\ndata");
}

TEST(Npy, VersionsTwoAndThreeAndAScalarAreRead) {
  for (const char version : {'\1', '\2', '\3'}) {
    const Npy array =
        read_npy(file_of(version, "{'descr': '<i2', 'fortran_order': True, 'shape': (), }\n", "ab"));
    EXPECT_TRUE(array.shape.empty());
    EXPECT_EQ(array.bytes, "ab");
  }
}

TEST(Npy, WhatIsNotSuchAnArrayIsRefusedWithTheReason) {
  using testing::HasSubstr;
  EXPECT_THAT(refusal("/no/such.npy"), HasSubstr("/no/such.npy"));
  EXPECT_THAT(refusal(file_with("plain text, and long enough")), HasSubstr("is not an array file"));
  EXPECT_THAT(refusal(file_of(4, "{}", "")), HasSubstr("version"));
  EXPECT_THAT(refusal(file_with(std::string("\x93NUMPY\1\0\x76\0{'de", 14))), HasSubstr("cut short"));
  EXPECT_THAT(refusal(file_of(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", "abcd")),
              HasSubstr("little-endian"));
  EXPECT_THAT(refusal(file_of(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1), }", "abcd")),
              HasSubstr("Fortran"));
  EXPECT_THAT(refusal(file_of(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "abcd")),
              HasSubstr("holds 4 bytes, but its shape says 8"));
  EXPECT_THAT(refusal(file_of(
                  1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", "")),
              HasSubstr("no file can hold"));
}

}  // namespace
}  // namespace wgradcheck::check
