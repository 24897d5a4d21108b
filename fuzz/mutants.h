// The mutation score: which of the native passes' faults a campaign finds, and after how many cases.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/campaign.h"

namespace passdiff {

struct MutantOptions {
  std::vector<const Fault*> faults;  // empty: all of them
  std::int64_t cases_per_fault = 50'000;
  std::uint64_t seed = 1;
  int jobs = 1;
};

// How a fault was found; `cases` is 0 where it was not.
struct Detection {
  const Fault* fault = nullptr;
  std::int64_t cases = 0;  // generated until the first that showed it, that one included
  Symptom symptom = Symptom::agree;
  std::string check;  // by which it was seen
  int bindings = 0;   // of the reduced module
};

struct MutationScore {
  std::vector<Detection> detections;  // in the order of the faults
  CampaignResult sound;  // the passes of those faults, without a fault: signatures are false alarms
  int found() const;
  // Of the reduced modules that showed a fault; 0 if there is none.
  double median_bindings() const;
  bool perfect() const { return found() == static_cast<int>(detections.size()) && sound.signatures.empty(); }
};

// Every fault is sought in the cases of one seed, drawn as every campaign draws them, by its pass alone. What
// it says does not depend on the number of jobs. `tell` is called with a line per fault, from the jobs'
// threads but never at once.
Result<MutationScore> measure_mutants(const MutantOptions& options,
                                      const std::function<void(const std::string&)>& tell,
                                      const std::atomic<bool>& stop);

}  // namespace passdiff
