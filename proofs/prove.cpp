#include "proofs/prove.hpp"

#include <fnmatch.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <system_error>

#include "proofs/report.hpp"
#include "proofs/second_solver.hpp"

namespace wgradcheck::proofs {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

void write_query(const std::filesystem::path& path, const Query& query) {
  std::ofstream file(path);
  file << query.script;
  if (!file.flush()) fail(path.c_str());
}

void send(int out, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = ::write(out, text.data() + sent, text.size() - sent);
    if (n < 0 && errno != EINTR) fail("a result");
    if (n > 0) sent += static_cast<std::size_t>(n);
  }
}

/// The child's part: a line for each obligation, as soon as it is judged.
void judge_all(const Subject& subject, const Options& options, int out) {
  std::map<std::string, Result> again;  // by the obligation's name
  const auto asked = [&](const std::string& name, const Query& query, Answer answer) {
    if (!options.smt2.empty()) write_query(options.smt2 / (name + ".smt2"), query);
    if (options.cvc5) ask_again(again[name.substr(0, name.rfind('.'))], name, query, answer);
  };
  judge(subject, asked, [&](Result result) {
    const Result& second = again[result.name];
    result.asked = second.asked;
    result.agreed = second.agreed;
    result.unanswered = second.unanswered;
    result.disputed = second.disputed;
    send(out, to_line(result) + "\n");
  });
}

/// A process that judges a subject. It is killed when it takes too long, and when this one ends.
class Prover {
 public:
  Prover(const Subject& subject, const Options& options)
      : deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(options.seconds))) {
    int ends[2];
    if (pipe(ends) != 0) fail("pipe");
    child_ = fork();
    if (child_ < 0) fail("fork");
    if (child_ == 0) {
      setpgid(0, 0);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(ends[0]);
      try {
        judge_all(subject, options, ends[1]);
        _exit(0);
      } catch (const std::exception& e) {
        const std::string why = std::string("!") + e.what() + "\n";
        _exit(::write(ends[1], why.data(), why.size()) > 0 ? 0 : 1);
      }
    }
    close(ends[1]);
    in_ = ends[0];
  }
  Prover(const Prover&) = delete;
  Prover& operator=(const Prover&) = delete;
  ~Prover() {
    kill(-child_, SIGKILL);  // and what it has started
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    close(in_);
  }

  /// The next line, or nothing when there are no more: the process has ended or its time is over.
  std::optional<std::string> line() {
    for (;;) {
      if (const auto end = text_.find('\n'); end != std::string::npos) {
        std::string line = text_.substr(0, end);
        text_.erase(0, end + 1);
        return line;
      }
      if (!read_more()) return {};
    }
  }
  bool late() const { return late_; }

 private:
  bool read_more() {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
    pollfd poll_in{in_, POLLIN, 0};
    const int ready =
        left <= 0 ? 0 : poll(&poll_in, 1, static_cast<int>(std::min<std::int64_t>(left + 1, 1 << 30)));
    if (ready < 0 && errno == EINTR) return true;
    late_ = ready == 0;
    if (ready <= 0) return false;
    char buffer[4096];
    const ssize_t n = ::read(in_, buffer, sizeof buffer);
    if (n > 0) text_.append(buffer, static_cast<std::size_t>(n));
    return n > 0 || (n < 0 && errno == EINTR);
  }

  Clock::time_point deadline_;
  pid_t child_ = -1;
  int in_ = -1;
  bool late_ = false;
  std::string text_;
};

std::vector<Result> prove_subject(const Subject& subject, const Options& options) {
  std::vector<Result> results;
  const auto add = [&](const Result& result) {
    results.push_back(result);
    if (options.done) options.done(result);
  };
  Prover prover(subject, options);
  std::string why = "the prover's process ended without an answer";
  while (const auto line = prover.line()) {
    if (line->starts_with('!'))
      why = line->substr(1);
    else
      add(from_line(*line));
  }
  if (prover.late()) why = "no answer within the time that a subject has";
  for (std::size_t i = results.size(); i < subject.obligations.size(); ++i) {
    const Obligation& missing = subject.obligations[i];
    Result result;
    result.name = subject.name + "." + missing.name;
    result.sentence = missing.sentence;
    result.expected = missing.expected;
    result.detail = why;
    add(result);
  }
  return results;
}

/// The subject with the obligations whose full name contains the pattern.
Subject selected(const Subject& subject, const std::string& pattern) {
  const std::string anywhere = "*" + pattern + "*";
  Subject chosen{subject.name, {}};
  for (const Obligation& obligation : subject.obligations)
    if (fnmatch(anywhere.c_str(), (subject.name + "." + obligation.name).c_str(), 0) == 0)
      chosen.obligations.push_back(obligation);
  return chosen;
}

}  // namespace

std::vector<Result> prove(const std::vector<Subject>& subjects, const Options& options) {
  if (!options.smt2.empty()) std::filesystem::create_directories(options.smt2);
  std::vector<Result> results;
  for (const Subject& subject : subjects) {
    const Subject chosen = selected(subject, options.pattern);
    if (chosen.obligations.empty()) continue;
    const auto judged = prove_subject(chosen, options);
    results.insert(results.end(), judged.begin(), judged.end());
  }
  return results;
}

bool matches_any(const std::vector<Subject>& subjects, const std::string& pattern) {
  return std::ranges::any_of(
      subjects, [&](const Subject& subject) { return !selected(subject, pattern).obligations.empty(); });
}

int status_of(const std::vector<Result>& results) {
  if (results.empty()) return 2;
  const auto unexpected = [](const Result& r) { return !r.as_expected(); };
  const auto wrong = [&](const Result& r) {
    return unexpected(r) && (r.verdict != Verdict::unknown || !r.disputed.empty());
  };
  if (std::ranges::any_of(results, wrong)) return 1;
  return std::ranges::any_of(results, unexpected) ? 3 : 0;
}

}  // namespace wgradcheck::proofs
