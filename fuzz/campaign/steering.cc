#include "fuzz/campaign/steering.h"

#include <algorithm>
#include <array>

#include <xxhash.h>

namespace passdiff {
namespace {

// So many checks tell a rate.
constexpr std::int64_t kEnough = 32;
constexpr double kOften = 0.1;

double rate(const FormCount& count) {
  return count.checks == 0 ? 0 : static_cast<double>(count.findings) / static_cast<double>(count.checks);
}

using PassForms = FormCounts::mapped_type;

bool fails_often(const PassForms& forms) {
  return forms[0].checks >= kEnough && rate(forms[0]) >= kOften;
}
bool is_tried(const PassForms& forms) {
  return std::ranges::all_of(forms, [](const FormCount& form) { return form.checks >= kEnough; });
}

// The form on which the passes that fail often, and were tried on each, fail least.
std::size_t least_failing(const FormCounts& counts) {
  std::array<double, kPlainer.size()> sums{};
  for (const auto& [pass, forms] : counts) {
    if (!fails_often(forms) || !is_tried(forms)) continue;
    // Where a form does not help a pass, it is given the case as it was drawn.
    for (std::size_t i = 0; i < forms.size(); ++i) sums[i] += std::min(rate(forms[i]), rate(forms[0]));
  }
  return static_cast<std::size_t>(std::ranges::min_element(sums) - sums.begin());
}

}  // namespace

Plainer Steering::form_for(std::string_view pass, std::uint64_t seed, std::int64_t index) const {
  const auto found = counts_.find(std::string(pass));
  if (found == counts_.end() || !fails_often(found->second)) return Plainer::as_drawn;
  const PassForms& forms = found->second;
  const std::array<std::uint64_t, 2> words = {seed, static_cast<std::uint64_t>(index)};
  const std::uint64_t draw = XXH3_64bits(words.data(), sizeof words);
  if (draw % 2 == 0) return Plainer::as_drawn;
  // A form that has not been tried enough goes first; each case tries another of them.
  for (std::size_t k = 0; k + 1 < forms.size(); ++k) {
    const std::size_t form = 1 + (draw / 2 + k) % (forms.size() - 1);
    if (forms[form].checks < kEnough) return kPlainer[form];
  }
  return rate(forms[shared_]) < rate(forms[0]) ? kPlainer[shared_] : Plainer::as_drawn;
}

void Steering::add(const FormCounts& round) {
  passdiff::add(counts_, round);
  shared_ = least_failing(counts_);
}

void add(FormCounts& sum, const FormCounts& part) {
  for (const auto& [pass, forms] : part) {
    auto& sums = sum[pass];
    for (std::size_t i = 0; i < forms.size(); ++i) {
      sums[i].checks += forms[i].checks;
      sums[i].findings += forms[i].findings;
    }
  }
}

}  // namespace passdiff
