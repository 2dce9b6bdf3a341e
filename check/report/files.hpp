#pragma once
#include <cstddef>
#include <string>

namespace wgradcheck::check {

/// A folder of the program's own that vanishes with this object.
class ScratchFolder {
 public:
  /// What it is for: a few files, in the folder for temporary ones, or very many that do not live long, in
  /// memory where there is room and TMPDIR does not say otherwise.
  enum class For { files, many_files };

  explicit ScratchFolder(For = For::files);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The whole text of a file of at most `most` bytes. Throws BadInput with the file's name and the reason.
std::string read_file(const std::string& path, std::size_t most = std::size_t{4} << 30);

/// Writes a file whole or not at all; `-` is standard output. Throws BadInput.
void write_file(const std::string& path, const std::string& text);

/// Throws BadInput when write_file could not write there; called before long work.
void require_writable(const std::string& path);

}  // namespace wgradcheck::check
