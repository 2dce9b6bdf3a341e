#include "check/remote/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/kernel.hpp"
#include "check/remote/case_folder.hpp"
#include "check/report/hash.hpp"
#include "check/run/arena.hpp"

namespace wgradcheck::check {
namespace {

namespace fs = std::filesystem;
using Status = Outcome::Status;

/// The name of a case's folder.
std::string name_of(const std::vector<CaseFile>& files) {
  Hash hash;
  for (const CaseFile& file : files) {
    hash.add(file.name);
    hash.add(file.bytes);
  }
  return hash.text();
}

/// Throws BadInput where a file is not what was written.
void require_same(const fs::path& folder, const std::vector<CaseFile>& files) {
  for (const CaseFile& file : files)
    if (const fs::path path = folder / file.name; read_regular(path, std::ssize(file.bytes)) != file.bytes)
      throw BadInput{fmt::format("{} was altered: it is not what was exported", path.string())};
}

}  // namespace

Recorded::Recorded(const Abi& abi, fs::path folder, const RecordLimits& limits)
    : abi_(abi), folder_(std::move(folder)), limits_(limits) {
  while (fs::is_directory(round(rounds_ + 1))) ++rounds_;
  fs::remove_all(next());
}

Recorded::~Recorded() {
  std::error_code ignored;
  fs::remove_all(next(), ignored);
}

fs::path Recorded::round(int number) const { return folder_ / fmt::format("round{}", number); }

fs::path Recorded::next() const { return folder_ / fmt::format("round{}.part", rounds_ + 1); }

void Recorded::run(std::span<const Case> cases, const Prepare& prepare, const Done& done) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto image = image_of(abi_, cases[i]);
    if (const auto* const misfit = std::get_if<std::string>(&image)) {
      done(i, {}, Outcome::instead(Status::not_run, *misfit));
      continue;
    }
    const auto& fitting = std::get<CallImage>(image);
    const std::int64_t bytes = folder_bytes(fitting.sizes);
    if (bytes > limits_.largest) {
      too_large_.push_back(cases[i]);
      done(i, {},
           Outcome::instead(Status::not_run,
                            fmt::format("it takes more than the {} bytes left for a case", limits_.largest)));
      continue;
    }
    if (const auto why = check::too_large(fitting.room)) {
      done(i, {}, Outcome::instead(Status::not_run, *why));
      continue;
    }
    Held held(fitting.sizes);
    const Tensors tensors = held.tensors();
    prepare(i, tensors);
    const Outcome outcome = look_up(cases[i], tensors, bytes);
    done(i, tensors, outcome);
  }
}

/// What the record says of a case; a returned one's dW is put in place.
Outcome Recorded::look_up(const Case& c, const Tensors& tensors, std::int64_t bytes) {
  const std::vector<CaseFile> files = files_of(abi_, c, tensors);
  const std::string name = name_of(files);
  for (int n = 1; n <= rounds_; ++n) {
    const fs::path folder = round(n) / name;
    if (!fs::is_directory(folder)) continue;
    require_same(folder, files);
    if (!has_dw(folder)) return Outcome::unanswered("no dw.npy in its folder");
    const auto why = read_dw(folder, abi_, c, tensors.dw);
    Outcome o = Outcome::instead(why ? Status::unreadable : Status::returned, why.value_or(""));
    o.folder = folder.string();
    return o;
  }
  if (!asked_.contains(name) && bytes_ + bytes <= limits_.round) {
    std::error_code error;
    fs::create_directory(next(), error);
    if (error) throw BadInput{fmt::format("cannot make the folder {}: {}", next().string(), error.message())};
    write_case(next() / name, files);
    asked_.insert(name);
    bytes_ += bytes;
  }
  return Outcome::unanswered("not exported before");
}

fs::path Recorded::finish_round() {
  std::error_code error;
  fs::rename(next(), round(rounds_ + 1), error);
  if (error) throw BadInput{fmt::format("cannot make {}: {}", round(rounds_ + 1).string(), error.message())};
  asked_.clear();
  bytes_ = 0;
  return round(++rounds_);
}

void Measuring::run(std::span<const Case> cases, const Prepare&, const Done& done) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto image = image_of(abi_, cases[i]);
    if (const auto* const fitting = std::get_if<CallImage>(&image))
      bytes_.push_back(folder_bytes(fitting->sizes));
    done(i, {}, Outcome::unanswered("measured"));
  }
}

std::int64_t Measuring::largest_within(std::int64_t round) const {
  std::vector<std::int64_t> sorted = bytes_;
  std::ranges::sort(sorted);
  std::int64_t largest = 0;
  for (const std::int64_t bytes : sorted) {
    if (bytes > round) break;
    round -= bytes;
    largest = bytes;
  }
  return largest;
}

}  // namespace wgradcheck::check
