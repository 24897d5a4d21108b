// How often the costly checks are made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace passdiff {

struct Check;

// The rate of each sampled check: of each pipeline it is made on one case in so many, or never if the rate is 0. Whether it is made depends
// on the structural hash of the source and on the pipeline, so that a replay makes the same checks.
class Sampling {
 public:
  // No sampled check is made.
  Sampling() = default;
  // Each check as often as its row says.
  static Sampling of_campaigns();
  // Each check on every case.
  static Sampling every_case();

  // CHECKs that there is a sampled check of this name.
  void set(std::string_view check, unsigned one_in);
  // 1 for a check that is not sampled.
  unsigned one_in(const Check& check) const;
  // The rate of the most frequent check that has the subject compile; 0: nothing may be compiled.
  unsigned compiling_one_in() const;

 private:
  std::vector<unsigned> one_in_;  // in the order of all_checks(); empty: 0 for each
};

// The rates of all sampled checks: `repeatable=1/64,sequential=1,vm-agrees=0`.
std::string to_string(const Sampling& sampling);

}  // namespace passdiff
