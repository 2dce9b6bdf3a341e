#pragma once
#include <span>
#include <string>
#include <vector>

namespace wgradcheck::check {

/// The promises of a file, each as Promises::make takes it. A line holds one; what follows a `#` is a remark.
/// Throws BadInput with the file's name and the line's number: an unknown key, a value that it does not take,
/// one key twice.
std::vector<std::string> read_promises(const std::string& path);

/// The same of the text of such a file.
std::vector<std::string> to_promises(const std::string& path, const std::string& text);

/// The same promises as the text of such a file, behind remarks, each a line.
std::string promises_text(std::span<const std::string> remarks, std::span<const std::string> promises);

}  // namespace wgradcheck::check
