#include "fuzz/campaign/steering.h"

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

}  // namespace

Plainer Steering::form_for(std::string_view pass, std::uint64_t seed, std::int64_t index) const {
  const auto found = counts_.find(std::string(pass));
  if (found == counts_.end()) return Plainer::as_drawn;
  const auto& forms = found->second;
  if (forms[0].checks < kEnough || rate(forms[0]) < kOften) return Plainer::as_drawn;
  const std::array<std::uint64_t, 2> words = {seed, static_cast<std::uint64_t>(index)};
  const std::uint64_t draw = XXH3_64bits_withSeed(words.data(), sizeof words, XXH3_64bits(pass.data(), pass.size()));
  if (draw % 2 == 0) return Plainer::as_drawn;
  // A form that has not been tried enough goes first; each case tries another of them.
  std::size_t best = 0;
  for (std::size_t k = 1; k < forms.size(); ++k) {
    const std::size_t form = 1 + (draw / 2 + k) % (forms.size() - 1);
    if (forms[form].checks < kEnough) return kPlainer[form];
    if (rate(forms[form]) < rate(forms[best])) best = form;
  }
  return kPlainer[best];
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
