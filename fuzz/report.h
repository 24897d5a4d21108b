// What a campaign tells its user: the progress line, the table at the end, the JSON object.
#pragma once

#include <string>

#include "fuzz/campaign.h"

namespace passdiff {

std::string progress_line(const Progress& progress);
// Findings, known ones, and what was not decided, as a table for people.
std::string table(const CampaignResult& result);
// One line: {"format","cases","checks","seconds","discarded":{reason:n},"inconclusive","findings":[...],"known":[...],
// ...}.
std::string json_line(const CampaignResult& result);

}  // namespace passdiff
