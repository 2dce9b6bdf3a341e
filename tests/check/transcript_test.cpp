#include "check/remote/transcript.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "check/remote/board_case.hpp"

namespace wgradcheck::check {
namespace {

using Status = BoardAnswer::Status;

constexpr std::uint32_t kProgram = 0x1a2b3c4d;

std::string record(const std::string& body) {
  const std::string text = "1a2b3c4d" + body;
  // A call and what comes of it begin on one line.
  return fmt::format("@wg{}*{:08x};{}", text, crc_of(text), body.starts_with('c') ? "" : "\n");
}

/// What a program prints of three calls: right, wrong with all of its dW, and with everything to be told.
std::string log() {
  const std::array<std::uint32_t, 6> dw{0x3f800000, 0, 0x40000000, 1, 2, 3};
  const auto digest = digest_of(DType::f32, std::as_bytes(std::span(dw)));
  return record("p3,8,0") + record("c0") + record("r0,0123456789abcdef,60") + record("c1") +
         record("d1,0,3f80000000000000400000000000000100000002") + record("d1,5,00000003") +
         record(fmt::format("r1,{:016x},0", digest)) + record("c2") +
         record("r2,0000000000000001,0,b4:c,i2:1f,p13,a41,u") + record("e");
}

BoardLog read(const std::string& text) { return read_transcript(text)[kProgram]; }

Status status_of(const std::string& text, std::int64_t number) { return read(text).answer(number).status; }

/// The log without the record that begins so.
std::string without(const std::string& start) {
  std::string text = log();
  const std::size_t at = text.find("@wg1a2b3c4d" + start);
  return text.erase(at, text.find(';', at) + 1 - at);
}

TEST(Transcript, ChecksumIsTheCommonOne) { EXPECT_EQ(crc_of("123456789"), 0xcbf43926U); }

TEST(Transcript, ReadsWhatAProgramPrints) {
  const BoardLog l = read(log());
  EXPECT_EQ(l.cases, 3);
  EXPECT_TRUE(l.ended);
  EXPECT_EQ(l.answer(0).status, Status::returned);
  EXPECT_EQ(l.answer(0).digest, 0x0123456789abcdefU);
  EXPECT_EQ(l.answer(0).workspace_used, 0x60);
  EXPECT_FALSE(l.answer(0).stray);
  EXPECT_EQ(whole_dw(l.answer(1), 6, 4), (std::vector<std::uint32_t>{0x3f800000, 0, 0x40000000, 1, 2, 3}));
  const BoardAnswer a = l.answer(2);
  EXPECT_EQ(a.stray, (Stray{BufferId::bias, -12, true}));
  EXPECT_EQ(a.altered, std::pair(BufferId::x, std::int64_t{31}));
  EXPECT_EQ(a.field, 17);
  EXPECT_EQ(a.areas, 0x41U);
  EXPECT_TRUE(a.unsteady);
  EXPECT_EQ(l.answer(3).status, Status::lost);
}

TEST(Transcript, OtherTextLineEndsAndRepetitionChangeNothing) {
  const BoardLog plain = read(log());
  const auto same = [&](const std::string& text) {
    const BoardLog other = read(text);
    for (std::int64_t k = 0; k < 3; ++k) {
      EXPECT_EQ(other.answer(k).status, Status::returned) << text;
      EXPECT_EQ(other.answer(k).digest, plain.answer(k).digest);
      EXPECT_EQ(other.answer(k).dw, plain.answer(k).dw);
      EXPECT_EQ(other.answer(k).unsteady, plain.answer(k).unsteady);
    }
  };
  std::string crlf, wrapped, prompts;
  std::size_t column = 0;
  for (const char c : log()) {
    crlf += c == '\n' ? "\r\n" : std::string(1, c);
    if (++column % 40 == 0) wrapped += "\r\n";
    wrapped += c;
    prompts += c == '\n' ? "\n[   12.345] eth0: link up\nU-Boot> " : std::string(1, c);
  }
  same(crlf);
  same(wrapped);
  same(prompts);
  same(log() + log());
  same("U-Boot 2021\n" + log() + "halted\n");
  same(std::string(64, '\0') + "wgradcheck results\n" + log() + std::string(999, '\xff'));
}

TEST(Transcript, OfOneProgramSaysNothingOfAnother) {
  const auto logs = read_transcript(log());
  EXPECT_EQ(logs.size(), 1U);
  EXPECT_FALSE(logs.contains(kProgram + 1));
}

/// Whatever happens to one character, no answer becomes another one.
TEST(Transcript, ADamagedCharacterIsNeverAnotherAnswer) {
  const std::string text = log();
  const BoardLog plain = read(text);
  for (std::size_t at = 0; at < text.size(); ++at)
    for (const char c : {'0', 'f', ',', '*', ';', '@', 'r', ' ', '\0', '\xff'}) {
      std::string damaged = text;
      damaged[at] = c;
      const BoardLog l = read(damaged);
      for (std::int64_t k = 0; k < 3; ++k) {
        const BoardAnswer was = plain.answer(k), is = l.answer(k);
        ASSERT_NE(is.status, Status::stopped) << at << c;
        if (is.status == Status::lost) continue;
        ASSERT_EQ(is.digest, was.digest) << at << c;
        ASSERT_EQ(is.stray, was.stray) << at << c;
        const auto dw = whole_dw(is, 6, 4);
        ASSERT_TRUE(!dw || dw == whole_dw(was, 6, 4)) << at << c;
      }
    }
}

TEST(Transcript, ADamagedLineIsToldAsThat) {
  std::string text = log();
  text[text.find("60*")] = '7';
  std::int64_t damaged = 0;
  const auto logs = read_transcript(text, &damaged);
  EXPECT_EQ(damaged, 1);
  EXPECT_EQ(logs.at(kProgram).answer(0).status, Status::lost);
  EXPECT_EQ(logs.at(kProgram).answer(0).why, "its line is damaged");
  EXPECT_EQ(logs.at(kProgram).answer(1).status, Status::returned);
}

TEST(Transcript, AMissingLineIsToldAsThat) {
  EXPECT_EQ(read(without("r0,")).answer(0).why, "its line is missing");
  EXPECT_EQ(read(without("c2*")).answer(2).status, Status::returned);
  EXPECT_FALSE(whole_dw(read(without("d1,5,")).answer(1), 6, 4));
  EXPECT_FALSE(whole_dw(read(without("d1,0,")).answer(1), 6, 4));
}

TEST(Transcript, TheLastCallOfALogThatEndsInItStopped) {
  const std::string text = log(), upto = text.substr(0, text.find("@wg1a2b3c4dr2"));
  EXPECT_EQ(status_of(upto, 1), Status::returned);
  EXPECT_EQ(status_of(upto, 2), Status::stopped);
  EXPECT_EQ(status_of(upto + "\r\nData abort at 0x80001234\r\n", 2), Status::stopped);
}

TEST(Transcript, ALogCutShortInALineIsNoStop) {
  const std::string text = log();
  const std::size_t from = text.find("@wg1a2b3c4dr2");
  for (std::size_t length = 1; text[from + length] != ';'; ++length) {
    const BoardAnswer a = read(text.substr(0, from + length)).answer(2);
    EXPECT_EQ(a.status, Status::lost);
    EXPECT_EQ(a.why, "the log is cut short in its line");
  }
}

TEST(Transcript, ALogCutShortAfterALineIsNoStop) {
  const std::string text = log();
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
    for (std::int64_t k = 0; k < 3; ++k)
      EXPECT_NE(status_of(text.substr(0, at), k), Status::stopped) << text.substr(0, at);
}

TEST(Transcript, AProgramThatBeginsAnewCameFromAStop) {
  const std::string text = log(), upto = text.substr(0, text.find("@wg1a2b3c4dd1"));
  const std::string again = record("p3,8,0") + text.substr(text.find("@wg1a2b3c4dc2"));
  EXPECT_EQ(status_of(upto + "reset\n" + again, 1), Status::stopped);
  EXPECT_EQ(status_of(upto + "reset\n" + again, 2), Status::returned);
}

TEST(Transcript, TwoResultsOfOneCallThatDifferAreUnsteady) {
  EXPECT_FALSE(read(log() + record("r0,0123456789abcdef,60")).answer(0).unsteady);
  EXPECT_TRUE(read(log() + record("r0,0123456789abcdee,60")).answer(0).unsteady);
}

TEST(Transcript, ResultsWithoutRoomAreToldAsThat) {
  const BoardLog l = read(record("p3,8,0") + record("c0") + record("r0,0123456789abcdef,60") + record("f"));
  EXPECT_EQ(l.answer(0).status, Status::returned);
  EXPECT_EQ(l.answer(1).why, "there was no more room for its results");
}

TEST(Transcript, NumbersBeyondWhatACallHasAreNotTaken) {
  for (const char* const items :
       {"i4:0", "i5:1", "i7:0", "i0:0", "w7:1", "b0:1", "p0", "p16", "i2:-1", "p", "i2:", "x"}) {
    const BoardAnswer a =
        read(record("c0") + record(std::string("r0,0123456789abcdef,60,") + items)).answer(0);
    EXPECT_EQ(a.status, Status::returned);
    EXPECT_FALSE(a.stray) << items;
    EXPECT_FALSE(a.field) << items;
    EXPECT_TRUE(!a.altered || a.altered->first == BufferId::bias || a.altered->second == 0) << items;
  }
}

}  // namespace
}  // namespace wgradcheck::check
