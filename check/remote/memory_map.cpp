#include "check/remote/memory_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "check/kernel.hpp"
#include "check/run/arena.hpp"
#include "check/text.hpp"
#include "spec/arith.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::int64_t kLine = 64;  ///< bytes that buffers are aligned against

/// Reads one entry, each failure a sentence that quotes it.
class Entry {
 public:
  explicit Entry(std::string_view text) : text_(text) {}

  Memory read() const {
    const std::size_t at = text_.find('=');
    if (at == std::string_view::npos) fail("is not NAME=BASE:SIZE");
    const auto parts = split(text_.substr(at + 1), ':');
    if (parts.size() < 2 || parts.size() > 3) fail("is not NAME=BASE:SIZE or NAME=BASE:SIZE:BUFFERS");
    Memory m{.name = name(text_.substr(0, at)), .base = base(parts[0]), .bytes = size(parts[1])};
    if (m.base && *m.base > std::numeric_limits<std::uint64_t>::max() - static_cast<std::uint64_t>(m.bytes))
      fail("ends beyond 64 bits");
    if (parts.size() == 3) m.buffers = buffers(parts[2]);
    return m;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw BadInput{fmt::format("--memory: {} {}", text_, why)};
  }

  std::string name(std::string_view name) const {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (name.empty() || digit(name.front()) || name.size() > 24 ||
        !std::ranges::all_of(name, [&](char c) { return letter(c) || digit(c); }))
      fail("must begin with a name of up to 24 letters, digits and _");
    return std::string(name);
  }

  std::uint64_t number(std::string_view digits, int base) const {
    const auto value = whole_number<std::uint64_t>(digits, base);
    if (!value) fail("has a number that cannot be read or is beyond 64 bits");
    return *value;
  }

  std::optional<std::uint64_t> base(std::string_view text) const {
    if (text.empty()) return {};
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    const std::uint64_t address = hexadecimal ? number(text.substr(2), 16) : number(text, 10);
    if (address % kLine != 0) fail(fmt::format("does not begin at a multiple of {} bytes", kLine));
    return address;
  }

  std::int64_t size(std::string_view text) const {
    constexpr std::string_view kUnits = "KMG";
    const std::size_t unit = text.empty() ? std::string_view::npos : kUnits.find(text.back());
    const bool plain = unit == std::string_view::npos;
    const int shift = plain ? 0 : 10 * (static_cast<int>(unit) + 1);
    const std::uint64_t count = number(plain ? text : text.substr(0, text.size() - 1), 10);
    if (count > std::uint64_t{1} << (62 - shift)) fail("has a size beyond 2^62 bytes");
    if (count == 0) fail("has no bytes");
    return static_cast<std::int64_t>(count << shift);
  }

  std::vector<BufferId> buffers(std::string_view text) const {
    std::vector<BufferId> all;
    for (const std::string_view name : split(text, '+')) {
      int id = 0;
      while (id < kBuffers && name != name_of(static_cast<BufferId>(id))) ++id;
      if (id == kBuffers) fail("may place dy, x, dw, bias, param and workspace, joined by +");
      all.push_back(static_cast<BufferId>(id));
    }
    return all;
  }

  std::string_view text_;
};

void require_apart(const Memory& a, const Memory& b) {
  if (a.name == b.name) throw BadInput{fmt::format("--memory: {} is named twice", a.name)};
  for (const BufferId id : a.buffers)
    if (std::ranges::find(b.buffers, id) != b.buffers.end())
      throw BadInput{fmt::format("--memory: {} is placed in {} and in {}", name_of(id), a.name, b.name)};
  if (!a.base || !b.base) return;
  const auto end = [](const Memory& m) { return *m.base + static_cast<std::uint64_t>(m.bytes); };
  if (*a.base < end(b) && *b.base < end(a))
    throw BadInput{fmt::format("--memory: {} and {} overlap", a.name, b.name)};
}

std::size_t memory_of(const MemoryMap& map, const Abi& abi, BufferId id) {
  for (std::size_t m = 0; m < map.size(); ++m)
    if (std::ranges::find(map[m].buffers, id) != map[m].buffers.end()) return m;
  return abi.shared ? map.size() - 1 : 0;
}

/// Bytes behind a multiple of kLine at which a buffer starts. Where an alignment is promised it gets no more
/// than that; where none is, nobody is blamed for needing a line's.
std::int64_t beyond_line(BufferId id, const Case& c) {
  return c.align == 0 || c.align >= kLine ? 0 : alignment_of(id, c);
}

}  // namespace

MemoryMap parse_memory_map(const std::string& text) {
  MemoryMap map;
  for (const std::string_view entry : split(text, ',')) {
    Memory memory = Entry(entry).read();
    for (const Memory& other : map) require_apart(other, memory);
    map.push_back(std::move(memory));
  }
  return map;
}

std::variant<Spots, std::string> place(const MemoryMap& map, const Abi& abi, const CallImage& image,
                                       const Case& c) {
  const std::int64_t unit = std::max(kLine, c.align);
  std::vector<std::int64_t> ends(map.size(), 0);
  Spots spots;
  for (std::size_t b = 0; b < kBuffers; ++b) {
    const auto id = static_cast<BufferId>(b);
    const std::size_t m = memory_of(map, abi, id);
    const Memory& memory = map[m];
    if (unit > kLine && !memory.base)
      return fmt::format("{} is aligned to {} bytes and not to {}", memory.name, kLine, unit);
    const auto base = static_cast<std::int64_t>(memory.base.value_or(0) % static_cast<std::uint64_t>(unit));
    const std::int64_t least = ends[m] + 2 * kBoardMargin;
    const std::int64_t start = spec::ceil_div(base + least, unit) * unit - base + beyond_line(id, c);
    const std::int64_t room = id == BufferId::param ? kParameterRoom : image.room[b];
    // Sizes come from shapes of any size.
    if (room > memory.bytes || start > memory.bytes - room - kBoardMargin)
      return fmt::format("its {} does not fit {}: it needs {} bytes and {} around it, {} of {} are left",
                         name_of(id), memory.name, room, 3 * kBoardMargin,
                         std::max<std::int64_t>(0, memory.bytes - ends[m]), memory.bytes);
    spots[b] = {m, start};
    ends[m] = start + room;
  }
  return spots;
}

}  // namespace wgradcheck::check
