#include "oracle/sampling.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/check.h"
#include "oracle/check_row.h"

namespace passdiff {

Sampling Sampling::of_campaigns() {
  Sampling sampling;
  for (const Check& check : all_checks()) sampling.one_in_.push_back(check.one_in);
  return sampling;
}

Sampling Sampling::every_case() {
  Sampling sampling;
  sampling.one_in_.assign(all_checks().size(), 1);
  return sampling;
}

void Sampling::set(std::string_view check, unsigned one_in) {
  const Check* row = find_check(check);
  CHECK(row != nullptr && row->is_sampled()) << check << ": not a sampled check";
  one_in_.resize(all_checks().size(), 0);
  one_in_[static_cast<std::size_t>(row - all_checks().data())] = one_in;
}

unsigned Sampling::one_in(const Check& check) const {
  if (!check.is_sampled()) return 1;
  return one_in_.empty() ? 0 : one_in_[static_cast<std::size_t>(&check - all_checks().data())];
}

unsigned Sampling::compiling_one_in() const {
  unsigned most_frequent = 0;
  for (const Check& check : all_checks()) {
    const unsigned rate = check.compiles ? one_in(check) : 0;
    if (rate != 0 && (most_frequent == 0 || rate < most_frequent)) most_frequent = rate;
  }
  return most_frequent;
}

std::string to_string(const Sampling& sampling) {
  std::string text;
  for (const Check& check : all_checks()) {
    if (!check.is_sampled()) continue;
    const unsigned one_in = sampling.one_in(check);
    text += fmt::format("{}{}={}{}", text.empty() ? "" : ",", check.name, one_in > 1 ? "1/" : "", one_in);
  }
  return text;
}

}  // namespace passdiff
