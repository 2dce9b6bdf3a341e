#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "check/fuzz/mutate.hpp"
#include "check/search/source.hpp"

namespace wgradcheck::check {

/// Trials from byte strings. One whose run came where none had is kept, and changed further; others come from
/// the generator, whose classes have equal shares. Of a kernel that tells nothing none is kept but those
/// given.
class Guided : public Source {
 public:
  /// With `raw`, half of the calls have parameters that are anything; only such as the rules refuse are among
  /// them, so the kernel must promise to refuse those.
  Guided(std::uint64_t seed, bool raw) : seed_(seed), dice_(seed), raw_(raw) {}

  /// Takes the byte strings of a folder's files, and from now on writes those that it keeps there. A folder
  /// that is not there is made. Throws BadInput.
  void open(const std::filesystem::path& folder);

  std::vector<Trial> next(const Domain&, const Promises&, int exact_bits, std::int64_t count) override;
  void learn(std::span<const Trial>, std::span<const Ruling>) override;

  /// Byte strings kept because they reached something new.
  std::int64_t kept() const { return kept_; }

 private:
  /// A trial and the bytes that make it.
  struct Made {
    Trial trial;
    std::string bytes;
  };
  Made make(const Domain&, const Promises&, int exact_bits);
  std::optional<Made> changed(const Domain&, const Promises&, int exact_bits);
  void keep(const std::string& bytes);

  std::uint64_t seed_;
  Dice dice_;
  bool raw_;
  std::filesystem::path folder_;  ///< of byte strings; may be empty
  std::vector<std::string> corpus_;
  std::size_t replayed_ = 0;   ///< byte strings of the corpus that were run as they are
  std::vector<Made> pending_;  ///< given, and not yet told of
  std::int64_t drawn_ = 0, kept_ = 0;
};

}  // namespace wgradcheck::check
