#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include "tests/program/program.hpp"

namespace wgradcheck {
namespace {

using testing::HasSubstr;

/// Writes messages of protobuf, whose fields ONNX numbers in onnx.proto.
class Message {
 public:
  Message& number(int field, std::uint64_t value) {
    varint(static_cast<std::uint64_t>(field) << 3);
    varint(value);
    return *this;
  }
  Message& bytes(int field, const std::string& value) {
    varint(static_cast<std::uint64_t>(field) << 3 | 2);
    varint(value.size());
    text_ += value;
    return *this;
  }
  Message& message(int field, const Message& value) { return bytes(field, value.text_); }
  const std::string& text() const { return text_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_ += static_cast<char>(value | 0x80);
    text_ += static_cast<char>(value);
  }
  std::string text_;
};

Message ints(const char* name, const std::vector<std::uint64_t>& values) {
  constexpr int kInts = 7;
  Message attribute;
  attribute.bytes(1, name).number(20, kInts);
  for (const std::uint64_t value : values) attribute.number(8, value);
  return attribute;
}

Message integer(const char* name, std::uint64_t value) {
  return Message().bytes(1, name).number(20, 2).number(3, value);
}

Message word(const char* name, const char* value) {
  return Message().bytes(1, name).number(20, 3).bytes(4, value);
}

Message node(const char* op, const char* name, const std::vector<const char*>& in, const char* out,
             const std::vector<Message>& attributes) {
  Message n;
  for (const char* input : in) n.bytes(1, input);
  n.bytes(2, out).bytes(3, name).bytes(4, op);
  for (const Message& a : attributes) n.message(5, a);
  return n;
}

/// A float tensor; a size that is no number is symbolic.
Message tensor(const char* name, const std::vector<std::string>& sizes) {
  Message shape;
  for (const std::string& size : sizes)
    shape.message(1, size.find_first_not_of("0123456789") == std::string::npos
                         ? Message().number(1, std::stoull(size))
                         : Message().bytes(2, size));
  return Message().bytes(1, name).message(2, Message().message(1, Message().number(1, 1).message(2, shape)));
}

/// Three convolutions, the sizes of two of which follow from those before; the last is 3x3 depthwise.
std::string model(const std::string& height) {
  Message graph;
  graph.message(1, node("Conv", "first", {"x", "w0"}, "a",
                        {ints("strides", {2, 2}), ints("pads", {3, 3, 3, 3}), ints("kernel_shape", {7, 7})}));
  graph.message(1,
                node("MaxPool", "pool", {"a"}, "b", {ints("kernel_shape", {2, 2}), ints("strides", {2, 2})}));
  graph.message(1, node("Conv", "second", {"b", "w1"}, "c", {ints("pads", {0, 1, 1, 1})}));
  graph.message(1, node("Conv", "third", {"c", "w2"}, "y",
                        {integer("group", 8), ints("dilations", {2, 2}), word("auto_pad", "SAME_UPPER")}));
  graph.bytes(2, "g");
  graph.message(11, tensor("x", {"batch", "3", height, "32"}));
  graph.message(11, tensor("w0", {"4", "3", "7", "7"}));
  graph.message(11, tensor("w1", {"8", "4", "3", "3"}));
  graph.message(11, tensor("w2", {"8", "1", "3", "3"}));
  graph.message(12, tensor("y", {"batch", "8", "h", "w"}));
  return Message().number(1, 8).message(8, Message().bytes(1, "").number(2, 13)).message(7, graph).text();
}

class Onnx : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(std::string(WGRADCHECK_BUILD) + "/libwgradcheck_onnx.so"))
      GTEST_SKIP() << "built without libonnx-dev";
    std::ofstream(file_, std::ios::binary) << model("32");
  }
  ~Onnx() override { std::filesystem::remove(file_); }

  const std::string file_ = testing::TempDir() + "wgradcheck_" + std::to_string(getpid()) + ".onnx";
};

TEST_F(Onnx, TheConvolutionsOfAModelHaveTheirSizesInferred) {
  const Ran ran = run_program("convert " + file_ + " --to line --mb 4");
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_EQ(ran.text,
            "mb4ic3ih32oc4oh16kh7sh2ph3\n"
            "mb4ic4ih8iw8oc8oh7ow8kh3kw3\n"
            "g8mb4ic8ih7iw8oc8oh7ow8kh3kw3dh1dw1\n");
}

TEST_F(Onnx, ASymbolicDimensionIsNamedUntilItIsGiven) {
  std::ofstream(file_, std::ios::binary) << model("height");
  const Ran open = run_program("convert " + file_ + " --to line --mb 4");
  EXPECT_EQ(open.status, 3) << open.text;
  EXPECT_THAT(open.text,
              HasSubstr(":1: first: dimension 2 of its input is height; --dim height=N gives it\n"));
  EXPECT_THAT(open.text, HasSubstr("3 of 3 problems skipped"));
  const Ran given = run_program("convert " + file_ + " --to line --dim batch=4 --dim height=32");
  EXPECT_EQ(given.status, 0) << given.text;
  EXPECT_THAT(given.text, HasSubstr("mb4ic3ih32oc4oh16kh7sh2ph3\n"));
  const Ran wrong = run_program("convert " + file_ + " --to line --dim heigth=32");
  EXPECT_EQ(wrong.status, 2) << wrong.text;
  EXPECT_THAT(wrong.text, HasSubstr("no input has a dimension heigth"));
}

TEST_F(Onnx, AModelIsAListOfShapes) {
  const Ran ran = run_program("check mt7004_fp32_p --seed 1 --mb 2 --shapes " + file_);
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("No counterexample in 3 runs."));
  const Ran open = run_program("check mt7004_fp32_p --seed 1 --shapes " + file_);
  EXPECT_EQ(open.status, 2) << open.text;
  EXPECT_THAT(open.text, HasSubstr(":1: first: dimension 0 of its input is batch; --dim batch=N gives it"));
}

TEST_F(Onnx, WhatIsNoModelIsRefused) {
  std::ofstream(file_, std::ios::binary) << "ic4ih4oc4kh3\n";
  const Ran ran = run_program("convert " + file_ + " --to line");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.text, HasSubstr("it is no ONNX model"));
}

}  // namespace
}  // namespace wgradcheck
