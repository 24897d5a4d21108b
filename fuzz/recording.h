// What `passdiff record` has written to a folder, counted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "core/result.h"

namespace passdiff {

struct RecordingSummary {
  std::int64_t applications = 0;  // of all runs that recorded into the folder
  std::int64_t earlier = 0;       // of these those that were there before the run that is told of
  std::int64_t distinct = 0;
  std::int64_t readable = 0;  // distinct ones whose source and target can both be read here, but for what the target leaves undefined
  std::int64_t applications_readable = 0;
  std::int64_t failed = 0;                      // distinct ones in which the pass threw: they have no target
  std::int64_t undefined = 0;                   // distinct ones whose target uses a variable that nothing defines: it is no program
  std::int64_t left_out = 0;                    // applications to modules without a Relax function
  std::map<std::string, std::int64_t> faults;   // of the recorder itself, by message
  std::map<std::string, std::int64_t> by_pass;  // distinct ones
  // Why distinct ones cannot be read, and how many, without the places in the text.
  std::map<std::string, std::int64_t> unreadable;
  std::map<std::string, std::string> examples;  // for each such reason the first folder that has it
};

// Reads the log of applications and every recorded module. Lines that a kill has cut are skipped. Fails with record.folder if the
// folder holds no recording.
Result<RecordingSummary> summarise_recording(const std::filesystem::path& folder);

// The applications that the log names, without a look at what was recorded; 0 if there is none.
std::int64_t recorded_applications(const std::filesystem::path& folder);

// For people, and one line of JSON.
std::string table(const RecordingSummary& summary);
std::string json_line(const RecordingSummary& summary);

}  // namespace passdiff
