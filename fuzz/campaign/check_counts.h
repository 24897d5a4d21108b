// What became of checks, counted.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace passdiff {

struct CheckCounts {
  std::int64_t checks = 0;
  std::int64_t lost = 0;  // pipelines that did not run, since the subject's process died again and again, or could not be started
  double seconds_in_passes = 0;  // of all jobs, as is the next: CPU time, that of further runs and of reductions included
  double seconds_reducing = 0;   // what findings cost beside the checks that met them, inside passes and outside of them
  std::int64_t inconclusive = 0;
  std::map<std::string, std::int64_t> discarded;    // checks that decided nothing, by symptom
  std::map<std::string, std::int64_t> unsupported;  // of these, by what the interpreter or the subject lacks
  std::map<std::string, std::int64_t> rejected;     // by pass
  std::map<std::string, std::int64_t> unsettled;    // by pass: a second run changes the target, which its contract allows
  std::map<std::string, std::int64_t> unconfirmed;  // by key: seen by the interpreter, not by the machine
  std::map<std::string, std::int64_t> checks_by_pass;
  std::map<std::string, std::int64_t> changed_by_pass;  // of these, how often the target was another module
  std::map<std::string, std::int64_t> undecided_by_pass;  // and how often nothing could be said of it
  std::map<std::string, double> seconds_by_pass;          // inside the passes of these checks, those that the pass needs before it among them
};

// Calls `visit(name, pointer to the member)` for each count: adding, writing and reading go through the same list.
template <class Visit>
void for_each_count(Visit visit) {
  visit("checks", &CheckCounts::checks);
  visit("lost", &CheckCounts::lost);
  visit("seconds_in_passes", &CheckCounts::seconds_in_passes);
  visit("seconds_reducing", &CheckCounts::seconds_reducing);
  visit("inconclusive", &CheckCounts::inconclusive);
  visit("discarded", &CheckCounts::discarded);
  visit("unsupported", &CheckCounts::unsupported);
  visit("rejected", &CheckCounts::rejected);
  visit("unsettled", &CheckCounts::unsettled);
  visit("unconfirmed", &CheckCounts::unconfirmed);
  visit("checks_by_pass", &CheckCounts::checks_by_pass);
  visit("changed_by_pass", &CheckCounts::changed_by_pass);
  visit("undecided_by_pass", &CheckCounts::undecided_by_pass);
  visit("seconds_by_pass", &CheckCounts::seconds_by_pass);
}

void add(CheckCounts& sum, const CheckCounts& part);

}  // namespace passdiff
