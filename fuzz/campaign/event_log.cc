#include "fuzz/campaign/event_log.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "core/documents/files.h"

namespace passdiff {
namespace {

using Line = nlohmann::ordered_json;

constexpr double kByPassEvery = 600;  // seconds

double to_a_tenth(double seconds) {
  return std::round(seconds * 10) / 10;
}

std::optional<Error> append(const std::filesystem::path& file, const Line& line) {
  return append_line(file, line.dump(-1, ' ', false, Line::error_handler_t::replace));
}

}  // namespace

std::optional<Error> EventLog::round(const CampaignResult& counts, const Round& round) {
  Line line = {{"seconds", to_a_tenth(round.seconds)},
               {"cases", counts.cases},
               {"checks", counts.checks},
               {"seconds_in_passes", to_a_tenth(counts.seconds_in_passes)},
               {"seconds_reducing", to_a_tenth(counts.seconds_reducing)},
               {"findings", round.findings},
               {"known", round.known},
               {"waiting", round.waiting},
               {"features", round.features},
               {"restarts", round.restarts}};
  if (round.ends || round.seconds >= next_by_pass_) {
    next_by_pass_ = round.seconds + kByPassEvery;
    line["checks_by_pass"] = counts.checks_by_pass;
  }
  return append(file_, line);
}

std::optional<Error> EventLog::reduction(double seconds, const ReductionEvent& event) const {
  Line line = {{"seconds", to_a_tenth(seconds)}, {"reduced", event.key}, {"took", std::round(event.took * 1000) / 1000}, {"became", event.became}};
  if (!event.folder.empty()) line["folder"] = event.folder.string();
  return append(file_, line);
}

}  // namespace passdiff
