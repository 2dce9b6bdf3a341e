#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/abi.hpp"
#include "check/executor.hpp"
#include "check/remote/runner_file.hpp"
#include "check/run/conv_param.hpp"

namespace wgradcheck::check {

/// The tensors of a case in memory of their own, without guards.
class Held {
 public:
  explicit Held(const Sizes&);
  Tensors tensors() { return {dy_, x_, dw_, bias_}; }

 private:
  std::vector<std::byte> dy_, x_, dw_, bias_;
};

/// A file of a case folder: its name and all of its bytes.
struct CaseFile {
  std::string name;
  std::string bytes;
};

/// The files that a kernel elsewhere reads, as README.md in this folder says: case.json, x.npy, dy.npy,
/// dw_in.npy, and bias.npy where there is one. The same case and numbers give the same bytes.
std::vector<CaseFile> files_of(const Abi&, const Case&, const Tensors&,
                               const std::map<std::string, Region>& memory_map = {});

/// Bytes of these files, at most.
std::int64_t folder_bytes(const Sizes&);

/// Makes the folder and writes the files. Throws BadInput.
void write_case(const std::filesystem::path& folder, const std::vector<CaseFile>&);

/// The bytes of a regular file of at most `most` bytes; throws BadInput that says what else it is. A link, a
/// pipe or a device is not opened.
std::string read_regular(const std::filesystem::path&, std::int64_t most);

/// Reads the folder's dw.npy into `dw`, or says in one sentence why what is there is not this case's dW.
std::optional<std::string> read_dw(const std::filesystem::path& folder, const Abi&, const Case&,
                                   std::span<std::byte> dw);

/// Whether there is a dw.npy, of whatever kind.
bool has_dw(const std::filesystem::path& folder);

}  // namespace wgradcheck::check
