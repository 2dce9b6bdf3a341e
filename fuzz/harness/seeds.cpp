#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "check/fuzz/genes.hpp"
#include "check/fuzz/raw.hpp"
#include "check/report/files.hpp"
#include "check/report/hash.hpp"
#include "check/search/shape_list.hpp"
#include "fuzz/texts.hpp"
#include "fuzz/tilings.hpp"
#include "spec/problem_line.hpp"
#include "spec/rules.hpp"

namespace fs = std::filesystem;

namespace wgradcheck::fuzz {
namespace {

/// The shapes of published reports, and the first of each of benchdnn's lists.
std::vector<spec::Shape> shapes_in(const fs::path& reports, const fs::path& benchdnn) {
  std::vector<spec::Shape> shapes;
  const auto add = [&shapes](const std::variant<spec::Shape, spec::Refusal>& one) {
    if (const auto* const shape = std::get_if<spec::Shape>(&one)) shapes.push_back(*shape);
  };
  std::ifstream table(reports);
  for (std::string row, id, line; std::getline(table, row);) {
    std::istringstream fields(row);
    if (std::getline(fields, id, '\t') && std::getline(fields, line, '\t')) add(spec::parse_line(line));
  }
  std::set<fs::path> lists;
  for (const auto& entry : fs::directory_iterator(benchdnn))
    if (entry.path().filename().string().starts_with("shapes_")) lists.insert(entry.path());
  for (const fs::path& list : lists)
    if (const auto listed = check::read_shapes(list.string()); !listed.empty()) add(listed.front().shape);
  return shapes;
}

TilingQuestion question_of(const spec::Shape& s) {
  const auto after = [](const spec::Axis<std::int64_t>& a) {
    return std::max<std::int64_t>(0, spec::pad_after(a));
  };
  const auto &d = s.depth, &h = s.height, &w = s.width;
  return {{s.batch,      s.out_channels, s.in_channels, d.input,  h.input,  w.input,      d.output,
           h.output,     w.output,       d.kernel,      h.kernel, w.kernel, d.pad_before, after(d),
           h.pad_before, after(h),       w.pad_before,  after(w), d.stride, h.stride,     w.stride,
           d.dilation,   h.dilation,     w.dilation,    524288}};
}

/// A file named by what it holds.
void write(const fs::path& folder, const std::string& bytes) {
  check::Hash hash;
  hash.add(bytes);
  fs::create_directories(folder);
  check::write_file((folder / hash.text()).string(), bytes);
}

void write_all(const fs::path& corpus, const std::vector<spec::Shape>& shapes) {
  std::uint64_t rest = 0;
  for (const spec::Shape& shape : shapes) {
    rest += 0x123456789abcdefU;
    write(corpus / "cases", check::bytes_of(shape, rest));
    write(corpus / "tilings", bytes_of(question_of(shape)));
    write(corpus / "texts", std::string(1, '\0') + spec::to_line(shape));
    if (shape.depth != spec::kNoAxis) continue;
    auto call = spec::call_of(shape, 4, 1, 0);
    call.buffer_size = spec::buffer_limit(call);
    check::RawCall raw = check::raw_call_of(call);
    raw.target = raw.seed = static_cast<std::uint8_t>(rest >> 8);
    write(corpus / "calls", check::bytes_of(raw));
  }
  for (std::size_t kind = 0; kind < text_kinds().size(); ++kind)
    write(corpus / "texts", static_cast<char>(kind) + std::string(text_kinds()[kind].sample));
}

}  // namespace
}  // namespace wgradcheck::fuzz

/// Writes the inputs that the corpora grow from: seeds REPORTS.tsv BENCHDNN-FOLDER CORPUS-FOLDER.
int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "seeds: name the table of reports, benchdnn's folder and the folder of the corpora\n");
    return 2;
  }
  wgradcheck::fuzz::write_all(argv[3], wgradcheck::fuzz::shapes_in(argv[1], argv[2]));
}
