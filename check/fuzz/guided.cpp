#include "check/fuzz/guided.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/fuzz/genes.hpp"
#include "check/kernel.hpp"
#include "check/report/files.hpp"
#include "check/report/hash.hpp"
#include "check/search/refusal.hpp"
#include "check/search/trial.hpp"

namespace wgradcheck::check {
namespace {

namespace fs = std::filesystem;

/// The trial with a raw call's parameters in place of its own, where the rules refuse those.
std::optional<Trial> with_parameters(const RawCall& raw, Trial trial) {
  const auto own = raw_call_of(call_of(trial.test));
  for (std::size_t i = 0; i < raw.fields.size(); ++i)
    if (raw.fields[i] != own.fields[i]) trial.test.tamper.set(i, raw.fields[i]);
  trial.fill = {};
  return is_invalid(trial.test) ? std::optional(trial) : std::nullopt;
}

}  // namespace

void Guided::open(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw BadInput{
        fmt::format("--corpus {}: {}", folder.string(), error ? error.message() : "it is no folder")};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) corpus_.push_back(read_file(file.string()).substr(0, 2 * kGenes));
  folder_ = folder;
}

std::vector<Trial> Guided::next(const Domain& domain, const Promises& promises, int exact_bits,
                                std::int64_t count) {
  pending_.clear();
  std::vector<Trial> trials;
  while (std::ssize(trials) < count) {
    pending_.push_back(make(domain, promises, exact_bits));
    trials.push_back(pending_.back().trial);
  }
  return trials;
}

Guided::Made Guided::make(const Domain& domain, const Promises& promises, int exact_bits) {
  while (replayed_ < corpus_.size()) {
    const std::string& bytes = corpus_[replayed_++];
    if (const auto trial = trial_of(bytes, domain, promises, exact_bits)) return {*trial, bytes};
  }
  if (!corpus_.empty() && dice_.below(4) != 0)
    if (const auto made = changed(domain, promises, exact_bits)) return *made;
  const Case c = nth_case(cases(domain), seed_, drawn_);
  Trial trial{c, nth_fill(drawn_++, exact_bits, promises, c.dtype)};
  if (raw_ && dice_.below(2) == 0)
    if (const auto raw = with_parameters(mutated(raw_call_of(call_of(c)), dice_), trial)) trial = *raw;
  return {trial, bytes_of(c.shape, dice_.next())};
}

std::optional<Guided::Made> Guided::changed(const Domain& domain, const Promises& promises, int exact_bits) {
  // What was reached last leads on most often.
  const std::size_t recent = std::min<std::size_t>(corpus_.size(), 4);
  const std::string& from = dice_.below(2) == 0 ? corpus_[corpus_.size() - 1 - dice_.below(recent)]
                                                : corpus_[dice_.below(corpus_.size())];
  const std::string bytes = mutated_genes(from, corpus_[dice_.below(corpus_.size())], dice_);
  const auto trial = trial_of(bytes, domain, promises, exact_bits);
  if (!trial) return {};
  if (raw_ && dice_.below(2) == 0)
    if (const auto raw = with_parameters(mutated(raw_call_of(call_of(trial->test)), dice_), *trial))
      return Made{*raw, bytes};
  return Made{*trial, bytes};
}

void Guided::learn(std::span<const Trial> trials, std::span<const Ruling> rulings) {
  if (trials.size() != pending_.size()) return;
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (rulings[i].outcome.reached_new && !trials[i].test.tamper.any()) keep(pending_[i].bytes);
  pending_.clear();
}

void Guided::keep(const std::string& bytes) {
  ++kept_;
  if (std::ranges::find(corpus_, bytes) != corpus_.end()) return;
  if (replayed_ == corpus_.size()) ++replayed_;
  corpus_.push_back(bytes);
  if (folder_.empty()) return;
  Hash hash;
  hash.add(bytes);
  write_file((folder_ / hash.text()).string(), bytes);
}

}  // namespace wgradcheck::check
