// What a campaign tells its user: the progress line, the table at the end, the JSON object.
#pragma once

#include <string>

#include "fuzz/campaign/campaign.h"

namespace passdiff {

std::string progress_line(const Progress& progress);
// The findings, the known ones, and the cases that were not decided, as a table for people.
std::string table(const CampaignResult& result);
// One line of JSON: {"format","cases","checks","seconds","discarded":{symptom:n},"inconclusive","findings":[...],
// "known":[...], ...}.
std::string json_line(const CampaignResult& result);

}  // namespace passdiff
