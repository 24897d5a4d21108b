// The mutation score: which of the native passes' faults a campaign finds, and after how many cases.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/campaign/campaign.h"

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
  std::int64_t cases = 0;  // how many were generated up to the first that showed the fault, that one included
  Symptom symptom = Symptom::agree;
  std::string check;  // the check that saw the fault
  int bindings = 0;   // how many the reduced module has
};

struct MutationScore {
  std::vector<Detection> detections;  // in the order of the faults
  CampaignResult sound;  // a campaign over the same passes without a fault: its signatures are false alarms
  int found() const;
  // The median number of bindings of the reduced modules that showed a fault; 0 if none did.
  double median_bindings() const;
  bool perfect() const { return found() == static_cast<int>(detections.size()) && sound.signatures.empty(); }
};

// Runs each fault's pass, with the fault switched on, over the cases of one seed until a check reports it. Cases are drawn as a
// campaign draws them; the result does not depend on the number of jobs. `tell` is called with a line per fault, from the
// threads of the jobs but by one at a time.
Result<MutationScore> measure_mutants(const MutantOptions& options,
                                      const std::function<void(const std::string&)>& tell,
                                      const std::atomic<bool>& stop);

}  // namespace passdiff
