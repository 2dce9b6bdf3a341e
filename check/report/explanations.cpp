#include "check/report/explanations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "check/judge/finding.hpp"
#include "check/kernel.hpp"
#include "check/report/words.hpp"

namespace wgradcheck::check {
namespace {

struct Explanation {
  Property property;
  const char *means, *matters, *example, *causes, *next;
};

constexpr std::array<Explanation, 7> kExplanations{{
    {Property::formula,
     "Each element of dW is the sum of dy times x over the images and the output positions whose input "
     "position "
     "lies inside x. The data are integers whose sums are exact in any order, so elements are compared bit "
     "by "
     "bit: a difference is a product that is missing, doubled or of the wrong elements, never rounding.",
     "A network trained with such a gradient often still learns, only worse, so that nothing else shows it.",
     "A kernel with kh = 2 and dilation_h = 2 that reads row oh*stride_h + kh in place of oh*stride_h + 2*kh "
     "is "
     "right for the first tap and wrong for the second.",
     "a step, pad or dilation of the other axis; a last row, chunk or channel block that is skipped or done "
     "twice; groups that share channels; dW stored where it should be added to, or the reverse; sums in a "
     "type "
     "too narrow for their length.",
     "The report lists the products of the wrong elements and, where one fits, the slip that makes all of "
     "them."},
    {Property::memory,
     "The kernel may read dy, x, bias and the parameters, and read and write dW and the workspace, each to "
     "the "
     "byte of its documented size. Every buffer touches a page that nobody may touch; what may not be read "
     "is "
     "NaN, what may not be written carries a pattern; sources are run under sanitizers besides.",
     "The same access reads a neighbour's numbers or breaks them elsewhere: right today, wrong with another "
     "allocator, another batch or another thread.",
     "With ow = 7 a loop that loads eight numbers at once reads one past the last row of x.",
     "vector loads at a row's end without a tail; an address of a padded tap that is formed and read before "
     "it "
     "is masked; a workspace sized for one core, one chunk or one type and used for more; a local array of "
     "fixed size.",
     "Where a kernel may read further, or needs aligned buffers, say so: --promise read_slack=N, align=N."},
    {Property::rules,
     "What else the convention asks: dy, x, bias, parameters and the processor's modes are left as they "
     "were; "
     "the same call gives the same bits, whatever ran before and on however many cores; calls that must be "
     "refused are refused and touch nothing.",
     "Such a kernel disturbs its caller or the next layer, where the error is looked for in vain.",
     "A kernel that clears dW first, and then refuses the parameters, has destroyed a gradient that was to "
     "be "
     "added to.",
     "scratch that is read before it is written; static state; a race between cores that rounding hides; "
     "flushing of subnormals left on; a check that comes after the first store.",
     "Equal bits on any number of cores and refusals are asked of a kernel that promises them (--promise "
     "repeat=bits, refuses=yes); else differences in rounding are notes."},
    {Property::rounding,
     "On real numbers each element lies within the error that the promised accumulation allows: about n*u "
     "times "
     "the sum of the absolute products for n terms in a type of unit roundoff u, and one rounding to the "
     "type "
     "of dW. The exact sum is taken in integers.",
     "It catches what exact data cannot show: an accumulator or a partial sum of fewer bits than promised, "
     "which spoils long sums alone.",
     "Partial sums kept in f16 are exact for small integers, and lose 13 of 24 bits on real data.",
     "accumulating in the elements' type; rounding to it once a chunk; fast-math; products taken in bf16 or "
     "TF32.",
     "`wgradcheck profile` probes how the kernel sums; --promise acc=, height= and partials= state it."},
    {Property::nonfinite,
     "Infinities and NaN in x or dy reach exactly those elements of dW that have a product with them, -0 is "
     "treated as a number, and where it is promised what padding stands for stays out of the sum.",
     "An overflow that is lost, or a NaN that spreads to other weights, misleads loss scaling and the search "
     "for "
     "where training broke.",
     "A kernel that multiplies a padded tap by 0 in place of leaving it out turns an infinite dy into NaN.",
     "masks by multiplication; reading past the input and cancelling; max or min that drop NaN; a transform "
     "(Winograd, FFT), which spreads it over its tile.",
     "Padding is held to this where --promise nonfinite_padding=skip is made; a transform says so by "
     "algorithm=transform."},
    {Property::crash,
     "The kernel ended its process: a signal, an abort, an exit, an exception, or a fault that lies in none "
     "of "
     "its buffers. Each case runs in a process of its own, so the check goes on.",
     "In a training run it takes everything else with it.",
     "A chunk of 0 positions, from a buffer smaller than one of them, ends in a division by zero.",
     "division by a size that may be 0; a stack array sized by a parameter; an instruction that the "
     "processor "
     "lacks; an assertion; NULL bias or workspace.",
     "Run the replay command's shape in a debugger: --c FILE writes the case as a C program."},
    {Property::hang,
     "The kernel had not returned after the time that a case may take (--timeout). For a kernel of several "
     "cores the report says which of them wait in a barrier.",
     "A hang costs a whole job, and often shows under some shapes alone.",
     "A kernel in which a core without rows returns before a barrier that the other cores wait in never "
     "ends.",
     "a barrier that not every core reaches, or with the wrong count; a loop whose step may be 0; a lock "
     "left by "
     "a return; threads started per call.",
     "If the case is only slow, --timeout SECONDS allows it more."},
}};

std::string paragraph(const char* label, const std::string& text) {
  constexpr std::size_t kColumns = 80, kLabel = 10;
  return fmt::format("{:<{}}{}\n\n", label, kLabel, wrapped(text, kColumns - kLabel, kLabel));
}

}  // namespace

std::string explanation_of(const std::string& property) {
  const auto found = std::ranges::find_if(
      kExplanations, [&](const Explanation& e) { return property == name_of(e.property); });
  if (found == kExplanations.end()) {
    std::vector<const char*> names;
    for (const Explanation& e : kExplanations) names.push_back(name_of(e.property));
    throw BadInput{fmt::format("--explain{}: properties are {}", property.empty() ? "" : " " + property,
                               fmt::join(names, ", "))};
  }
  return paragraph(name_of(found->property), found->means) + paragraph("matters", found->matters) +
         paragraph("example", found->example) + paragraph("causes", std::string("Usual: ") + found->causes) +
         paragraph("further", found->next);
}

}  // namespace wgradcheck::check
