#include "check/program/commands.hpp"
#include "check/report/words.hpp"

namespace wgradcheck::check {
namespace {

constexpr std::size_t kColumns = 79, kLabels = 30;

}  // namespace

std::string HelpFormatter::make_description(const CLI::App* app) const {
  const std::string text = CLI::Formatter::make_description(app);
  // What holds line breaks of its own is laid out by hand.
  const std::string line = text.substr(0, text.find_last_not_of('\n') + 1);
  return line.find('\n') == std::string::npos ? wrapped(line, kColumns, 0) + "\n" : text;
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  return wrapped(CLI::Formatter::make_option_desc(option), kColumns - kLabels, 0);
}

std::string HelpFormatter::make_subcommand(const CLI::App* app) const {
  std::stringstream out;
  CLI::detail::format_help(out, app->get_name(), wrapped(app->get_description(), kColumns - kLabels, 0),
                           kLabels);
  return out.str();
}

}  // namespace wgradcheck::check
