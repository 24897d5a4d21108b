// The folder of findings as a whole: what is in it, and the index that says so.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "oracle/findings/cause.h"

namespace passdiff {

// Folders beside the findings: what waits for reduction, what the subject's machine does not confirm, and the corpus of guided campaigns.
inline constexpr const char* kWaitingFolder = "waiting";
inline constexpr const char* kUnconfirmedFolder = "unconfirmed";
inline constexpr const char* kCorpusFolder = "corpus";
// Files beside them: the JSON object that `fuzz --json` prints, and a line of JSON for each round of cases.
inline constexpr const char* kCampaignFile = "campaign.json";
inline constexpr const char* kEventsFile = "events.jsonl";

// One finding, as its folder tells it.
struct WrittenFinding {
  std::filesystem::path folder;
  Cause cause;
  bool in_default_pipeline = false;
  int bindings = 0;
  std::string explanation;  // one line
};

// The case folders at or below a path, sorted, without what a campaign keeps beside its findings: what waits or was not confirmed. A path that
// leads into one of these folders means its cases.
std::vector<std::filesystem::path> cases_to_judge(const std::filesystem::path& root);
// The case folders of a folder of findings, sorted; none if there is no such folder.
std::vector<std::filesystem::path> finding_folders(const std::filesystem::path& root);
// What they tell, by rank. Folders without verdict.json (of other programs, or half of one) are left out; those whose verdict.json
// tells no cause are added to `unreadable`.
std::vector<WrittenFinding> read_findings(const std::filesystem::path& root, std::vector<std::filesystem::path>& unreadable);
// Writes index.md: a table of the findings by rank, behind which those stand that cannot be read. Nothing where there is no such folder. Fails
// with case.write.
std::optional<Error> write_index(const std::filesystem::path& root);

}  // namespace passdiff
