#pragma once
#include <string>
#include <vector>

#include "check/judge/court.hpp"
#include "check/judge/relations.hpp"
#include "check/judge/slips.hpp"

namespace wgradcheck::check {

/// One product of a wrong element: what the kernel counted it as, and what the formula does.
struct WrongProduct {
  std::int64_t dy = 0, x = 0;  ///< offsets of its factors, elements
  double counted = 0, due = 0;
};

/// What a kernel computes instead of the formula.
struct Diagnosis {
  const Slip* slip = nullptr;          ///< the slip that predicts every run looked at, if any
  bool tried = false;                  ///< whether any was looked for
  int predicted = 0;                   ///< runs that it predicts, bit for bit
  std::vector<WrongProduct> products;  ///< of the first wrong element, read off with one product at a time
  spec::Element element;               ///< that element
  bool products_known = false;         ///< false where the case is too large for it or not bilinear
  Relations relations;                 ///< asked first: nothing is read off a kernel that breaks them
  bool bilinear = true;                ///< false where single products do not explain what dense data give
  double offset = 0;  ///< what the kernel adds to that element where dy, x, dW and bias are all 0
};

/// Reads the products of the minimal case's first wrong element off the kernel, and looks for a slip that
/// predicts dW on the minimal case and on `others`. Where several do, `spare` cases on which they differ
/// decide.
Diagnosis diagnose(Court&, const Trial& minimal, std::span<const Case> others,
                   std::span<const Case> spare = {});

/// The lines that a report prints: products missing, extra, doubled; then the slip, or that none fits.
std::vector<std::string> in_words(const Diagnosis&, const spec::Shape&);

}  // namespace wgradcheck::check
