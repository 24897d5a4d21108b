#include "fuzz/campaign/round_size.h"

#include <algorithm>

namespace passdiff {
namespace {

constexpr std::int64_t kRound = 128;
// Of a guided campaign, which learns from each round.
constexpr std::int64_t kGuidedRound = 32;
constexpr std::size_t kReductionsPerRound = 8;
// For each so many keys that wait, a guided round makes one more reduction: what is met in the first minutes would wait for the campaign's end else.
constexpr std::int64_t kUnseenForOneMore = 12;

}  // namespace

std::int64_t cases_of_round(const CampaignOptions& options, const CampaignResult& so_far, std::size_t passes) {
  std::int64_t count = options.guided ? kGuidedRound : kRound;
  if (options.cases) count = std::min(count, *options.cases - so_far.cases);
  if (options.checks) {
    const auto of_a_case = so_far.cases > 0 ? so_far.checks / so_far.cases : static_cast<std::int64_t>(passes);
    count = std::clamp((*options.checks - so_far.checks) / std::max(of_a_case, std::int64_t{1}), std::int64_t{1}, count);
  }
  return count;
}

std::size_t reductions_of_round(const CampaignOptions& options, std::int64_t before, std::int64_t now, std::size_t passes, std::int64_t unseen) {
  if (!options.guided) return kReductionsPerRound;
  const auto due_at = [&](std::int64_t checks) {
    return static_cast<std::size_t>(checks) * kReductionsPerRound / (static_cast<std::size_t>(kRound) * passes);
  };
  return due_at(now) - due_at(before) + static_cast<std::size_t>(unseen / kUnseenForOneMore);
}

}  // namespace passdiff
