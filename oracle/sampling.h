// How often the costly checks are made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace passdiff {

struct Check;

// For each sampled check: on one case in so many; 0: never. A case is sampled by its structural hash, so that a replay of the
// same case samples alike.
class Sampling {
 public:
  // No sampled check is made.
  Sampling() = default;
  // Each as often as its row says.
  static Sampling of_campaigns();
  // Each on every case.
  static Sampling every_case();

  // CHECKs that there is a sampled check of this name.
  void set(std::string_view check, unsigned one_in);
  // 1 for a check that is not sampled.
  unsigned one_in(const Check& check) const;
  // Of the checks that have the subject compile, the most frequent; 0: nothing may be compiled.
  unsigned compiling_one_in() const;

 private:
  std::vector<unsigned> one_in_;  // in the order of all_checks(); empty: 0 for each
};

// The rates of all sampled checks: `repeatable=1/64,sequential=1,vm-agrees=0`.
std::string to_string(const Sampling& sampling);

}  // namespace passdiff
