// Steering: a pass that fails on many cases for one reason is given plainer ones now and then, so that what else is wrong there is seen.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "fuzz/campaign/plainer.h"

namespace passdiff {

// How often a pass was run on cases of one form, and how often that was a finding.
struct FormCount {
  std::int64_t checks = 0;
  std::int64_t findings = 0;
};
// By pass, and by form in the order of kPlainer.
using FormCounts = std::map<std::string, std::array<FormCount, kPlainer.size()>>;

void add(FormCounts& sum, const FormCounts& part);

class Steering {
 public:
  // The form in which this pass is given the case. As it was drawn, unless more than one check in ten of the pass is a finding: then half of the
  // cases come in another form: in each by turns, and once all were tried, in the one on which such passes fail least. They share it, since what
  // stands before lowering passes is run anew for each form of a case. Depends on the arguments and on the rounds that were added alone.
  Plainer form_for(std::string_view pass, std::uint64_t seed, std::int64_t index) const;
  // Adds what a round of cases has shown.
  const FormCounts& counts() const { return counts_; }
  void add(const FormCounts& round);

 private:
  FormCounts counts_;
  std::size_t shared_ = 0;  // the form in which passes share cases, found out once a round
};

}  // namespace passdiff
