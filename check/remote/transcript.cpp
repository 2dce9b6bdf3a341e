#include "check/remote/transcript.hpp"

#include <algorithm>
#include <iterator>

#include "check/judge/random.hpp"
#include "check/run/conv_param.hpp"
#include "check/text.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::string_view kMark = "@wg";
constexpr std::size_t kDigits = 8;        ///< of the program's id and of the checksum
constexpr std::size_t kMostRecord = 160;  ///< characters

template <class Int>
std::optional<Int> hexadecimal(std::string_view digits) {
  return whole_number<Int>(digits, 16);
}

/// What stands between a mark and its semicolon.
struct Found {
  std::string text{};
  bool closed = false;  ///< whether there was a semicolon, before anything that a record cannot have
  bool cut = false;     ///< whether the log ended first
};

Found record_at(std::string_view log, std::size_t at) {
  Found found;
  for (const std::size_t most = at + kMostRecord; at < most; ++at) {
    if (at >= log.size()) {
      found.cut = true;
      return found;
    }
    const char c = log[at];
    if (c == ';') {
      found.closed = true;
      return found;
    }
    if (c == kMark.front()) return found;
    found.text += c;
  }
  return found;
}

/// The record without its checksum, where that is right.
std::optional<std::string_view> checked(const Found& found) {
  const std::string_view text = found.text;
  const std::size_t star = text.find('*');
  if (!found.closed || star == std::string_view::npos || star <= kDigits) return {};
  const auto crc = hexadecimal<std::uint32_t>(text.substr(star + 1));
  return text.size() == star + 1 + kDigits && crc == crc_of(text.substr(0, star))
             ? std::optional(text.substr(0, star))
             : std::nullopt;
}

/// A number behind a letter, and one behind a colon where there is one.
std::pair<std::int64_t, std::int64_t> numbers(std::string_view item) {
  const auto parts = split(item.substr(1), ':');
  return {hexadecimal<std::int64_t>(parts[0]).value_or(0),
          parts.size() > 1 ? hexadecimal<std::int64_t>(parts[1]).value_or(0) : 0};
}

std::optional<BufferId> buffer(std::int64_t from_one) {
  if (from_one < 1 || from_one > kBuffers) return {};
  return static_cast<BufferId>(from_one - 1);
}

void read_item(std::string_view item, BoardAnswer& a) {
  if (item.empty()) return;
  const auto [first, second] = numbers(item);
  switch (item.front()) {
    case 'b':
    case 'w':
      if (const auto id = buffer(first)) a.stray = Stray{*id, item.front() == 'b' ? -second : second, true};
      break;
    case 'i':
      if (const auto id = buffer(first); id && *id <= BufferId::bias && second >= 0)
        a.altered = {*id, second};
      break;
    case 'p':
      if (first >= 1 && first <= std::ssize(kParamFields) + 1) a.field = static_cast<int>(first) - 2;
      break;
    case 'a':
      a.areas = static_cast<unsigned>(first);
      break;
    case 'u':
      a.unsteady = true;
      break;
    default:
      break;
  }
}

/// Reads the records of one log in their order.
class Reader {
 public:
  void read(std::string_view pasted) {
    // Lines may be broken anywhere.
    std::string log;
    std::ranges::copy_if(pasted, std::back_inserter(log),
                         [](char c) { return c != '\r' && c != '\n' && c != ' ' && c != '\t'; });
    for (std::size_t at = log.find(kMark); at != std::string_view::npos; at = log.find(kMark, at)) {
      at += kMark.size();
      const Found found = record_at(log, at);
      if (const auto text = checked(found))
        take(*text);
      else
        damage(found);
    }
    if (log.ends_with(kMark.substr(0, 1)) || log.ends_with(kMark.substr(0, 2))) broken_ = Broken::cut;
    // What was said last of a case that nothing came after.
    for (auto& [program, number] : running_) {
      BoardAnswer& a = logs_[program].answers[number];
      if (a.status == BoardAnswer::Status::returned) continue;
      a.status = broken_ == Broken::no ? BoardAnswer::Status::stopped : BoardAnswer::Status::lost;
      a.why = broken_ == Broken::cut ? "the log is cut short in its line" : "its line is damaged";
    }
  }

  std::map<std::uint32_t, BoardLog> logs() && { return std::move(logs_); }
  std::int64_t damaged() const { return damaged_; }

 private:
  enum class Broken { no, damaged, cut };

  void damage(const Found& found) {
    ++damaged_;
    broken_ = found.cut ? Broken::cut : Broken::damaged;
  }

  void take(std::string_view text) {
    const auto id = hexadecimal<std::uint32_t>(text.substr(0, kDigits));
    if (!id) return;
    const char kind = text[kDigits];
    const auto fields = split(text.substr(kDigits + 1), ',');
    const std::int64_t number = hexadecimal<std::int64_t>(fields[0]).value_or(-1);
    BoardLog& log = logs_[*id];
    if (kind == 'd') {
      // Told when all calls have returned.
      running_.erase(*id);
      return take_piece(log, number, fields);
    }
    if (kind == 'r') take_result(log, number, fields);
    // Whatever else it says, it no longer runs the case that ran before, unless it began anew.
    leave(*id, log, kind);
    if (kind == 'p') log.cases = number;
    if (kind == 'c' && number >= 0) running_[*id] = number;
    if (kind == 'e') log.ended = true;
    if (kind == 'f') log.full = true;
    broken_ = Broken::no;
  }

  void leave(std::uint32_t id, BoardLog& log, char kind) {
    const auto running = running_.find(id);
    if (running == running_.end()) return;
    BoardAnswer& a = log.answers[running->second];
    running_.erase(running);
    if (a.status == BoardAnswer::Status::returned) return;
    // A program that begins anew while a case runs came back from a crash.
    a.status =
        kind == 'p' && broken_ == Broken::no ? BoardAnswer::Status::stopped : BoardAnswer::Status::lost;
    a.why = broken_ == Broken::no ? "its line is missing" : "its line is damaged";
  }

  static void take_piece(BoardLog& log, std::int64_t number, const std::vector<std::string_view>& fields) {
    if (fields.size() != 3) return;
    BoardAnswer& a = log.answers[number];
    if (const auto first = hexadecimal<std::int64_t>(fields[1])) a.dw[*first] = std::string(fields[2]);
    if (a.status != BoardAnswer::Status::returned) a.why = "its line is missing";
  }

  static void take_result(BoardLog& log, std::int64_t number, const std::vector<std::string_view>& fields) {
    if (fields.size() < 3) return;
    const auto digest = hexadecimal<std::uint64_t>(fields[1]);
    const auto used = hexadecimal<std::int64_t>(fields[2]);
    if (!digest || !used) return;
    BoardAnswer& a = log.answers[number];
    // The same case twice: nothing tells its calls apart.
    if (a.status == BoardAnswer::Status::returned && a.digest != *digest) a.unsteady = true;
    a.status = BoardAnswer::Status::returned;
    a.why.clear();
    a.digest = *digest;
    a.workspace_used = *used;
    for (std::size_t i = 3; i < fields.size(); ++i) read_item(fields[i], a);
  }

  std::map<std::uint32_t, BoardLog> logs_;
  std::map<std::uint32_t, std::int64_t> running_;  ///< the case that a program said last that it runs
  Broken broken_ = Broken::no;                     ///< what came since the last record that is whole
  std::int64_t damaged_ = 0;
};

}  // namespace

std::uint32_t crc_of(std::string_view text) {
  std::uint32_t crc = 0xffffffff;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  }
  return ~crc;
}

BoardAnswer BoardLog::answer(std::int64_t number) const {
  const auto found = answers.find(number);
  if (found != answers.end()) return found->second;
  BoardAnswer none;
  if (full) none.why = "there was no more room for its results";
  return none;
}

std::map<std::uint32_t, BoardLog> read_transcript(std::string_view log, std::int64_t* damaged) {
  Reader reader;
  reader.read(log);
  if (damaged) *damaged = reader.damaged();
  return std::move(reader).logs();
}

std::optional<std::vector<std::uint32_t>> whole_dw(const BoardAnswer& a, std::int64_t elems,
                                                   std::int64_t bytes) {
  const auto digits = static_cast<std::size_t>(2 * bytes);
  std::vector<std::uint32_t> dw;
  auto h = static_cast<std::uint64_t>(elems);
  for (const auto& [first, piece] : a.dw) {
    if (first != std::ssize(dw)) return {};
    for (std::size_t at = 0; at + digits <= piece.size(); at += digits) {
      const auto bits = hexadecimal<std::uint32_t>(std::string_view(piece).substr(at, digits));
      if (!bits) return {};
      dw.push_back(*bits);
      h = scrambled(h, *bits);
    }
  }
  if (std::ssize(dw) != elems || h != a.digest) return {};
  return dw;
}

}  // namespace wgradcheck::check
