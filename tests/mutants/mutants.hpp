#pragma once
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/program/program.hpp"
#include "tests/structure/shell.hpp"
#include "tests/temporary.hpp"

namespace wgradcheck {

/// A row of mutants.tsv: a kernel, how it is compiled and checked, and what must be said of it.
struct Mutant {
  std::string name, source, flags, options;
  std::string property;    ///< of a wrong kernel's counterexample, or either/or; - of a right one
  std::string behaves_as;  ///< the slip's id; - where the family covers none
  std::string expected;    ///< found, missed (a wrong kernel known to escape) or passes

  bool is_right() const { return property == "-"; }
};

inline std::ostream& operator<<(std::ostream& out, const Mutant& m) { return out << m.name; }

/// The rows that are right, or those that are wrong.
inline std::vector<Mutant> mutants(bool right) {
  std::ifstream file(WGRADCHECK_SOURCE "/tests/mutants/mutants.tsv");
  std::vector<Mutant> rows;
  std::string line;
  for (std::getline(file, line); std::getline(file, line);) {
    std::istringstream in(line);
    Mutant m;
    for (std::string Mutant::*field : {&Mutant::name, &Mutant::source, &Mutant::flags, &Mutant::options,
                                       &Mutant::property, &Mutant::behaves_as, &Mutant::expected})
      std::getline(in, m.*field, '\t');
    if (m.is_right() == right) rows.push_back(m);
  }
  return rows;
}

/// What a check of a mutant said.
struct Checked {
  int status = -1;
  nlohmann::json report{};
};

inline std::string source_of(const Mutant& m) { return WGRADCHECK_SOURCE "/tests/mutants/" + m.source; }

/// Checks a mutant: `kernel` is its source with the compiler's flags, or a library of it.
inline Checked run_check(const Mutant& m, const std::string& kernel, int seed, const std::string& more) {
  const std::string report = temporary(m.name + std::string(".json"));
  const Ran ran = run_program("check " + kernel + " " + m.options + " --seed " + std::to_string(seed) + more +
                              " --json " + report);
  Checked checked{ran.status, {}};
  std::ifstream in(report);
  checked.report = nlohmann::json::parse(in, nullptr, false);
  std::remove(report.c_str());
  return checked;
}

inline Checked run_check(const Mutant& m, int seed, const std::string& more) {
  return run_check(m, source_of(m) + (m.flags.empty() ? "" : " --cflags='" + m.flags + "'"), seed, more);
}

/// A library of the mutant, whose many checks need not compile each time.
inline std::string library_of(const Mutant& m) {
  const std::string library = temporary(m.name + std::string(".so"));
  std::string flags;
  std::istringstream words(m.flags);
  for (std::string word; words >> word;) flags += " '" + word + "'";
  EXPECT_EQ(tests::sh("cc -O2 -g -fPIC -shared" + flags + " " + source_of(m) + " -lm -o " + library).status,
            0);
  return library;
}

/// Whether a report has the counterexample that the table asks for.
inline bool says(const nlohmann::json& report, const Mutant& m) {
  if (!report.is_object()) return false;
  const std::string properties = "/" + m.property + "/";
  for (const auto& found : report["counterexamples"])
    if (properties.find("/" + found["property"].get<std::string>() + "/") != std::string::npos &&
        (m.behaves_as == "-" || found["behaves_as"] == m.behaves_as))
      return true;
  return false;
}

/// How many of the right kernels are blamed in any of so many seeds; each must pass in all.
inline int blamed(int seeds) {
  int count = 0;
  for (const Mutant& m : mutants(true)) {
    int failed = 0;
    const std::string library = library_of(m);
    for (int seed = 1; seed <= seeds; ++seed) {
      // The first from its source, and so under sanitizers too.
      const Checked checked =
          seed == 1 ? run_check(m, seed, " --cases 1000") : run_check(m, library, seed, " --cases 1000");
      failed += checked.status == 1;
      EXPECT_EQ(checked.status, 0) << m << ", seed " << seed << ": " << checked.report.dump(1);
    }
    count += failed > 0;
    std::remove(library.c_str());
  }
  return count;
}

}  // namespace wgradcheck
