#include "fuzz/campaign/campaign_state.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/documents/files.h"
#include "oracle/report_format.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json forms_json(const FormCounts& forms) {
  json document = json::object();
  for (const auto& [pass, counts] : forms) {
    for (const FormCount& count : counts) document[pass].push_back({count.checks, count.findings});
  }
  return document;
}

FormCounts forms_from(const json& document) {
  FormCounts forms;
  for (const auto& [pass, counts] : document.items()) {
    auto& into = forms[pass];
    for (std::size_t i = 0; i < into.size() && i < counts.size(); ++i)
      into[i] = {counts.at(i).at(0).get<std::int64_t>(), counts.at(i).at(1).get<std::int64_t>()};
  }
  return forms;
}

json queue_json(const ReductionQueue::Counts& counts) {
  json document = json::object();
  for (const auto& [key, count] : counts) document[key] = {count.count, count.due, count.reductions, count.fruitless, count.done};
  return document;
}

ReductionQueue::Counts queue_from(const json& document) {
  ReductionQueue::Counts counts;
  for (const auto& [key, count] : document.items()) {
    counts[key] = {count.at(0).get<std::int64_t>(), count.at(1).get<std::int64_t>(), count.at(2).get<int>(), count.at(3).get<int>(),
                   count.at(4).get<std::set<std::string>>()};
  }
  return counts;
}

json gain_json(const Gain& gain) {
  return {gain.checks, gain.brought};
}

Gain gain_from(const json& document) {
  return {document.at(0).get<double>(), document.at(1).get<double>()};
}

json guide_json(const Guide::Counts& counts) {
  json sources = json::array(), passes = json::object();
  for (const Gain& gain : counts.sources) sources.push_back(gain_json(gain));
  for (const auto& [pass, gain] : counts.passes) passes[pass] = gain_json(gain);
  return {{"sources", std::move(sources)}, {"passes", std::move(passes)}};
}

Guide::Counts guide_from(const json& document) {
  Guide::Counts counts;
  for (std::size_t i = 0; i < counts.sources.size(); ++i) counts.sources[i] = gain_from(document.at("sources").at(i));
  for (const auto& [pass, gain] : document.at("passes").items()) counts.passes[pass] = gain_from(gain);
  return counts;
}

json causes_json(const std::vector<GrownCause>& causes) {
  json document = json::array();
  for (const GrownCause& cause : causes) document.push_back({cause.folder, to_json(cause.alone), to_json(cause.joined)});
  return document;
}

// Nothing if one cannot be read, as of a version with other symptoms: a list that lacks it would leave its finding out.
std::optional<std::vector<GrownCause>> causes_from(const json& document) {
  std::vector<GrownCause> causes;
  for (const json& cause : document) {
    Result<Cause> alone = cause_from_json(cause.at(1)), joined = cause_from_json(cause.at(2));
    if (!alone || !joined) return std::nullopt;
    causes.push_back({cause.at(0).get<std::string>(), *std::move(alone), *std::move(joined)});
  }
  return causes;
}

CampaignState state_from(const json& document) {
  CampaignState state;
  const json& identity = document.at("campaign");
  state.identity = {identity.at("seed").get<std::uint64_t>(), identity.at("passes").get<std::vector<std::string>>(),
                    identity.at("pipelines").get<int>(), identity.at("subject").get<std::string>(),
                    identity.value("guided", false)};
  state.first_case = document.value("first_case", std::int64_t{0});
  state.next_case = document.at("next_case").get<std::int64_t>();
  state.checks_before = document.value("checks_before", std::int64_t{0});
  state.finished = document.at("finished").get<bool>();
  const json& counts = document.at("counts");
  for_each_count([&](const char* name, auto member) {
    if (const auto count = counts.find(name); count != counts.end()) count->get_to(state.counts.*member);  // earlier versions had fewer
  });
  counts.at("cases").get_to(state.counts.cases);
  counts.at("seconds").get_to(state.counts.seconds);
  counts.at("restarts").get_to(state.counts.restarts);
  state.forms = forms_from(document.at("forms"));
  state.keys_of = document.at("keys_of").get<std::map<std::string, std::set<std::string>>>();
  if (const auto causes = document.find("causes"); causes != document.end()) state.causes = causes_from(*causes);
  state.queue = queue_from(document.at("queue"));
  if (const auto guide = document.find("guide"); guide != document.end()) state.guide = guide_from(*guide);
  return state;
}

}  // namespace

std::optional<Error> write_state(const CampaignState& state, const fs::path& file) {
  json counts = {{"cases", state.counts.cases}, {"seconds", state.counts.seconds}, {"restarts", state.counts.restarts}};
  for_each_count([&](const char* name, auto member) { counts[name] = state.counts.*member; });
  json document = {{"format", kReportFormat},
                   {"campaign",
                    {{"seed", state.identity.seed},
                     {"passes", state.identity.passes},
                     {"pipelines", state.identity.longest_pipeline},
                     {"subject", state.identity.subject},
                     {"guided", state.identity.guided}}},
                   {"first_case", state.first_case},
                   {"next_case", state.next_case},
                   {"checks_before", state.checks_before},
                   {"finished", state.finished},
                   {"counts", std::move(counts)},
                   {"forms", forms_json(state.forms)},
                   {"keys_of", state.keys_of},
                   {"queue", queue_json(state.queue)},
                   {"guide", guide_json(state.guide)}};
  if (state.causes) document["causes"] = causes_json(*state.causes);
  return write_whole(file, document.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
}

std::optional<CampaignState> read_state(const fs::path& file) {
  const json document = json::parse(text_of(file), nullptr, false);
  if (!document.is_object()) return std::nullopt;
  try {
    return state_from(document);
  } catch (const json::exception&) {
    return std::nullopt;  // of another version of passdiff
  }
}

std::vector<fs::path> in_order_of(const CampaignState& state, std::vector<fs::path> folders, bool made_again) {
  if (!state.causes) return folders;
  std::map<std::string, std::size_t> places;
  for (const GrownCause& cause : *state.causes) places.emplace(cause.folder, places.size());
  if (made_again) std::erase_if(folders, [&](const fs::path& folder) { return !places.contains(folder.string()); });
  std::ranges::sort(folders, {}, [&](const fs::path& folder) {
    const auto place = places.find(folder.string());
    return std::pair(place != places.end() ? place->second : places.size(), folder);
  });
  return folders;
}

}  // namespace passdiff
