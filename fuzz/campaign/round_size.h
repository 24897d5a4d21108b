// How much one round of a campaign does.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fuzz/campaign/campaign.h"

namespace passdiff {

// The cases of the next round, after a campaign over so many passes has come to `so_far`; fewer than in other rounds where a bound on cases or
// checks is near. Findings are put in order and written at the end of a round, so that a campaign that is killed loses one.
std::int64_t cases_of_round(const CampaignOptions& options, const CampaignResult& so_far, std::size_t passes);

// The reductions that a round makes beside its cases, where the one before began at `before` checks and this one begins at `now`. What fails
// beyond these waits for a later round. A guided campaign, whose rounds are shorter, reduces as much for its checks as one that runs all passes on
// each case, and more while many keys wait of which no case was reduced: `unseen` of them.
std::size_t reductions_of_round(const CampaignOptions& options, std::int64_t before, std::int64_t now, std::size_t passes, std::int64_t unseen);

}  // namespace passdiff
