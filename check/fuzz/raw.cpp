#include "check/fuzz/raw.hpp"

namespace wgradcheck::check {

RawCall raw_call_of(std::string_view bytes) {
  const auto byte = [&](std::size_t at) {
    return at < bytes.size() ? static_cast<std::uint8_t>(bytes[at]) : std::uint8_t{0};
  };
  RawCall raw;
  for (std::size_t i = 0; i < raw.fields.size(); ++i) {
    std::uint32_t value = 0;
    for (std::size_t b = 4; b-- > 0;) value = value << 8 | byte(4 * i + b);
    raw.fields[i] = static_cast<std::int32_t>(value);
  }
  raw.workspace = static_cast<RawCall::Workspace>(byte(80) % 3);
  raw.target = byte(81);
  raw.seed = byte(82);
  return raw;
}

std::string bytes_of(const RawCall& raw) {
  std::string bytes;
  for (const std::int32_t field : raw.fields)
    for (int b = 0; b < 4; ++b)
      bytes.push_back(static_cast<char>(static_cast<std::uint32_t>(field) >> 8 * b & 0xff));
  bytes.push_back(static_cast<char>(raw.workspace));
  bytes.push_back(static_cast<char>(raw.target));
  bytes.push_back(static_cast<char>(raw.seed));
  return bytes;
}

spec::Call<std::int64_t> rules_call_of(const RawCall& raw, std::int64_t elem_bytes, std::int64_t cores) {
  spec::Call<std::int64_t> call{};
  for (std::size_t i = 0; i < kCallFields.size(); ++i) call.*kCallFields[i] = raw.fields[i];
  call.elem_bytes = elem_bytes;
  call.core_num = cores;
  call.limit = std::int64_t{1} << 46;
  return call;
}

RawCall raw_call_of(const spec::Call<std::int64_t>& call) {
  RawCall raw;
  for (std::size_t i = 0; i < kCallFields.size(); ++i)
    raw.fields[i] = static_cast<std::int32_t>(call.*kCallFields[i]);
  return raw;
}

}  // namespace wgradcheck::check
