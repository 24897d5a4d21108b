// What a folder of findings tells, read for the HTML report. No subject is started: everything is in the folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/documents/case.h"
#include "core/result.h"
#include "fuzz/campaign/index.h"
#include "fuzz/views/html_chart.h"

namespace passdiff {

// Fields that a folder lacks, or that have another type than they should, are empty.
struct ReportedCause {
  WrittenFinding finding;
  std::string subject;  // "tvm 0.27.0.post1"
  std::string check;
  std::string site;
  std::string detail;
  std::string culprit;           // the pass to blame
  std::vector<PassCall> passes;  // the pipeline
  std::string origin;            // "seed 7, case 11"
  std::string source;
  std::string target;
  std::string repro;
  std::string issue;
  std::optional<std::int64_t> cases;  // how many showed it
};

// What became of the checks of one pass.
struct PassNumbers {
  std::int64_t checks = 0;
  std::int64_t changed = 0;    // the target was another module
  std::int64_t refused = 0;    // the pass declared that it does not take the module
  std::int64_t undecided = 0;  // nothing could be said of the target
  double seconds = 0;          // of CPU, inside the pass and what it needs before it
};

// A known bug that the campaign met.
struct KnownCause {
  std::string name;      // of its case in corpus/known
  std::string sentence;  // what is wrong: the first line of the case's README.md; empty where it is not on this machine
  std::string severity;
  std::string symptom;
  std::vector<std::string> passes;
  std::int64_t cases = 0;  // how many showed it
};

// What campaign.json tells: the object that `fuzz --json` prints.
struct CampaignNumbers {
  std::optional<std::int64_t> cases;
  std::optional<std::int64_t> checks;
  std::optional<double> seconds;
  std::optional<std::int64_t> jobs;
  std::optional<double> seconds_in_passes;
  std::map<std::string, PassNumbers> by_pass;
  std::vector<KnownCause> known;  // by rank
};

struct ReportContent {
  std::string name;                   // of the folder
  std::vector<ReportedCause> causes;  // by rank
  std::size_t unconfirmed = 0;        // cases that the subject's machine does not confirm
  std::size_t waiting = 0;            // cases that wait for reduction
  std::vector<std::filesystem::path> unreadable;  // findings whose verdict.json is damaged
  std::optional<CampaignNumbers> campaign;
  // events.jsonl over time. Where its clock starts again, so does another campaign with the folder, whose counts are added.
  std::vector<ChartPoint> checks_over_time;
  std::vector<ChartPoint> causes_over_time;    // new ones
  std::vector<ChartPoint> met_over_time;       // these and the known ones
  std::vector<ChartPoint> features_over_time;  // of guided campaigns: what passes have shown (fuzz/cases/coverage.h)
};

// Fails with usage.path if there is no such folder, or neither a finding nor a campaign in it.
Result<ReportContent> read_report(const std::filesystem::path& findings);

}  // namespace passdiff
