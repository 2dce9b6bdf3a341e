#pragma once
#include <string>

#include "check/report/replay.hpp"
#include "check/report/verdict.hpp"
#include "check/search/domain.hpp"
#include "spec/problem_line.hpp"

namespace wgradcheck::check {

/// A case of a problem line as the documents would call it, on mt7004_fp32_p.
inline Case case_of(const std::string& line) {
  Domain domain;
  domain.abi = find_abi("mt7004_fp32_p");
  Case c{.shape = std::get<spec::Shape>(spec::parse_line(line)), .seed = 7};
  c.magnitude = 9;
  if (admit(domain, c)) c.buffer = -1;
  return c;
}

/// A counterexample to the formula: the first element of dW, of which product `i` is missing and a product
/// that is none is extra.
inline Counterexample counterexample_of(const std::string& line) {
  const Case c = case_of(line);
  Counterexample found{{c, {}}, {}, c, {}, 0};
  found.finding.detail = "1 of 2 elements of dW is wrong";
  found.finding.element = spec::Element{};
  found.finding.got = 24;
  found.finding.expected = 9;
  return found;
}

/// A verdict with these counterexamples, and pass without any.
inline Verdict verdict_of(std::vector<Counterexample> found) {
  Verdict v;
  v.answer = found.empty() ? Verdict::Answer::pass : Verdict::Answer::fail;
  v.kernel = "k.c: fp_conv_grad_filter_p";
  v.abi = "mt7004_fp32_p";
  v.domain = "ic<8 && oc>1";
  v.promises = "acc=f32 dw=add";
  v.seed = 3;
  v.run = 200;
  v.by_class = {{"dense", 150}, {"grouped", 50}};
  v.started = {};
  v.seconds = 1.5;
  v.counterexamples = std::move(found);
  return v;
}

inline Invocation invocation() {
  return {.program = "./wgradcheck",
          .kernel = {"k.c"},
          .options = {},
          .rerun = {"./wgradcheck", "check", "k.c", "--where", "ic<8 && oc>1", "--seed", "3"}};
}

}  // namespace wgradcheck::check
