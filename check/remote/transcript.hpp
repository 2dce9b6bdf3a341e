#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/executor.hpp"

namespace wgradcheck::check {

/// What a log says of one case.
struct BoardAnswer {
  enum class Status {
    returned,  ///< the kernel returned from every call
    stopped,   ///< the last that the program said is that it makes this call
    lost       ///< `why` says what became of its lines; nothing is known of the kernel
  };
  Status status = Status::lost;
  std::string why = "the log does not have it";
  std::uint64_t digest = 0;
  std::int64_t workspace_used = 0;
  std::optional<Stray> stray{};  ///< always a write
  std::optional<std::pair<BufferId, std::int64_t>>
      altered{};               ///< an input and its first element that changed
  std::optional<int> field{};  ///< of ConvParameter that changed, in the documents' order; -1: workspace_
  unsigned areas = 0;     ///< bit i: dW depends on the bytes around buffer i; 6: on those in the workspace
  bool unsteady = false;  ///< two calls that nothing tells apart gave another dW
  std::map<std::int64_t, std::string> dw{};  ///< pieces of dW by their first element: their digits
};

/// What a log says of one program.
struct BoardLog {
  std::int64_t cases = 0;  ///< that it makes
  std::map<std::int64_t, BoardAnswer> answers;
  bool ended = false;  ///< whether it came to its end
  bool full = false;   ///< whether it had no more room for results

  /// The answer of a case, lost where there is none.
  BoardAnswer answer(std::int64_t number) const;
};

/// What a pasted log, or a dump of memory, says: by the programs' ids. Records may be broken by line ends and
/// blanks, repeated, or stand among anything else; one that is damaged counts for nothing but that it was
/// there. `damaged`, where given, counts those.
std::map<std::uint32_t, BoardLog> read_transcript(std::string_view log, std::int64_t* damaged = nullptr);

/// The element bits of dW where all of it is there and has the digest; `elems` elements of `bytes` bytes.
std::optional<std::vector<std::uint32_t>> whole_dw(const BoardAnswer&, std::int64_t elems,
                                                   std::int64_t bytes);

/// CRC-32 of a text, as records have it. Source: ISO 3309, reflected, 0xedb88320.
std::uint32_t crc_of(std::string_view text);

}  // namespace wgradcheck::check
