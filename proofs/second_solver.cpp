#include "proofs/second_solver.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>

namespace wgradcheck::proofs {
namespace {

/// What a shell command prints first, up to 100 bytes. Throws std::system_error.
std::string output_of(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (!pipe) throw std::system_error(errno, std::generic_category(), command);
  char text[101] = "";
  const std::size_t size = std::fread(text, 1, sizeof text - 1, pipe);
  pclose(pipe);
  return {text, size};
}

}  // namespace

bool has_cvc5() { return !output_of("command -v cvc5").empty(); }

Answer ask_cvc5(const Query& query) {
  // A file without a name, which the shell opens anew: nothing is left behind when this process is killed.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  if (!file || std::fputs(query.script.c_str(), file.get()) < 0 || std::fflush(file.get()) != 0)
    throw std::system_error(errno, std::generic_category(), "a query for cvc5");
  // --tlimit would abort it; --tlimit-per makes it say unknown.
  const std::string answer =
      output_of("cvc5 --lang=smt2 --tlimit-per=10000 2>&1 </dev/fd/" + std::to_string(fileno(file.get())));
  return answer.starts_with("unsat") ? Answer::unsatisfiable
         : answer.starts_with("sat") ? Answer::satisfiable
                                     : Answer::unknown;
}

void ask_again(Result& result, const std::string& name, const Query& query, Answer before) {
  const Answer answer = ask_cvc5(query);
  ++result.asked;
  if (answer == before)
    ++result.agreed;
  else if (answer == Answer::unknown || before == Answer::unknown)
    result.unanswered.push_back(name);
  else
    result.disputed.push_back(name);
}

}  // namespace wgradcheck::proofs
