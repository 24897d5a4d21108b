#include "fuzz/views/html_content.h"

#include <fstream>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/documents/files.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// The object in the file; null if there is none.
json object_in(const fs::path& file) {
  json document = json::parse(text_of(file), nullptr, false);
  return document.is_object() ? document : json();
}

std::string string_in(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<double> number_in(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

std::optional<std::int64_t> count_in(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? std::optional(found->get<std::int64_t>())
                                                             : std::nullopt;
}

std::vector<PassCall> passes_in(const json& verdict) {
  std::vector<PassCall> passes;
  const auto list = verdict.find("passes");
  if (list == verdict.end() || !list->is_array()) return passes;
  for (const json& one : *list) {
    if (!one.is_array() || one.empty() || !one[0].is_string()) continue;
    const json options = one.size() > 1 ? one[1] : json::object();
    passes.push_back(
        {one[0].get<std::string>(), options.dump(-1, ' ', false, json::error_handler_t::replace)});
  }
  return passes;
}

ReportedCause read_cause(WrittenFinding finding) {
  const fs::path folder = finding.folder;
  const json verdict = object_in(folder / "verdict.json");
  std::string subject = string_in(verdict, "subject");
  if (const std::string version = string_in(verdict, "version"); !version.empty())
    subject += (subject.empty() ? "" : " ") + version;
  return {.finding = std::move(finding),
          .subject = std::move(subject),
          .check = string_in(verdict, "check"),
          .site = string_in(verdict, "site"),
          .detail = string_in(verdict, "detail"),
          .culprit = string_in(verdict, "pass"),
          .passes = passes_in(verdict),
          .origin = string_in(object_in(folder / "case.json"), "origin"),
          .source = text_of(folder / "source.py"),
          .target = text_of(folder / "target.py"),
          .repro = text_of(folder / "repro.py"),
          .issue = text_of(folder / "issue.md"),
          .cases = std::nullopt};
}

constexpr std::pair<const char*, std::int64_t PassNumbers::*> kCountsByPass[] = {
    {"checks_by_pass", &PassNumbers::checks},
    {"changed_by_pass", &PassNumbers::changed},
    {"rejected", &PassNumbers::refused},
    {"undecided_by_pass", &PassNumbers::undecided},
};

std::vector<KnownCause> known_causes(const json& campaign) {
  std::vector<KnownCause> causes;
  const auto known = campaign.find("known");
  if (known == campaign.end() || !known->is_array()) return causes;
  for (const json& entry : *known) {
    if (!entry.is_object()) continue;
    const fs::path folder = string_in(entry, "folder");
    const std::string told = text_of(folder / "README.md");
    KnownCause cause{.name = folder.filename().string(),
                     .sentence = told.substr(0, told.find('\n')),
                     .severity = string_in(entry, "severity"),
                     .symptom = string_in(entry, "symptom"),
                     .passes = {},
                     .cases = count_in(entry, "count").value_or(0)};
    if (const auto passes = entry.find("passes"); passes != entry.end() && passes->is_array()) {
      for (const json& pass : *passes) {
        if (pass.is_string()) cause.passes.push_back(pass.get<std::string>());
      }
    }
    causes.push_back(std::move(cause));
  }
  return causes;
}

CampaignNumbers numbers_of(const json& campaign) {
  CampaignNumbers numbers{.cases = count_in(campaign, "cases"),
                          .checks = count_in(campaign, "checks"),
                          .seconds = number_in(campaign, "seconds"),
                          .jobs = count_in(campaign, "jobs"),
                          .seconds_in_passes = number_in(campaign, "seconds_in_passes"),
                          .by_pass = {},
                          .known = known_causes(campaign)};
  for (const auto& [field, member] : kCountsByPass) {
    const auto counts = campaign.find(field);
    if (counts == campaign.end() || !counts->is_object()) continue;
    for (const auto& [pass, count] : counts->items()) {
      if (count.is_number_integer()) numbers.by_pass[pass].*member = count.get<std::int64_t>();
    }
  }
  const auto seconds = campaign.find("seconds_by_pass");
  if (seconds == campaign.end() || !seconds->is_object()) return numbers;
  for (const auto& [pass, spent] : seconds->items()) {
    if (spent.is_number()) numbers.by_pass[pass].seconds = spent.get<double>();
  }
  return numbers;
}

// How many cases of the campaign showed each cause, by the cause's name.
std::map<std::string, std::int64_t> cases_by_cause(const json& campaign) {
  std::map<std::string, std::int64_t> counts;
  const auto findings = campaign.find("findings");
  if (findings == campaign.end() || !findings->is_array()) return counts;
  for (const json& finding : *findings) {
    if (!finding.is_object()) continue;
    if (const auto count = count_in(finding, "count")) counts[string_in(finding, "cause")] = *count;
  }
  return counts;
}

void read_campaign(const fs::path& file, ReportContent& content) {
  const json campaign = object_in(file);
  if (campaign.is_null()) return;
  content.campaign = numbers_of(campaign);
  const auto counts = cases_by_cause(campaign);
  for (ReportedCause& cause : content.causes) {
    const auto found = counts.find(name_of(cause.finding.cause));
    if (found != counts.end()) cause.cases = found->second;
  }
}

void read_events(const fs::path& file, ReportContent& content) {
  struct Event {
    double seconds = 0, checks = 0, causes = 0, known = 0;
  };
  Event before;  // all earlier campaigns
  Event last;
  std::ifstream stream(file, std::ios::binary);
  for (std::string line; std::getline(stream, line);) {
    const json entry = json::parse(line, nullptr, false);
    if (!entry.is_object()) continue;
    const auto seconds = number_in(entry, "seconds");
    if (!seconds || entry.contains("reduced")) continue;  // of rounds alone
    // Findings are written one for a cause, so that their count stands for that of causes.
    const auto causes = number_in(entry, "causes");
    const Event now{*seconds, number_in(entry, "checks").value_or(last.checks),
                    (causes ? causes : number_in(entry, "findings")).value_or(last.causes),
                    std::max(number_in(entry, "known").value_or(0), last.known)};  // campaigns meet the same ones
    if (now.seconds < last.seconds) {
      before.seconds += last.seconds;
      if (now.checks < last.checks) before.checks += last.checks;
      if (now.causes < last.causes) before.causes += last.causes;
    }
    last = now;
    if (content.checks_over_time.empty() && now.seconds > 0) {  // the first line tells of the end of a round
      content.checks_over_time.emplace_back();
      content.causes_over_time.emplace_back();
      content.met_over_time.emplace_back();
    }
    // A campaign that goes on with a corpus goes on counting its features.
    if (const auto features = number_in(entry, "features"); features && *features > 0) {
      if (content.features_over_time.empty()) content.features_over_time.emplace_back();
      content.features_over_time.push_back({before.seconds + now.seconds, *features});
    }
    content.checks_over_time.push_back({before.seconds + now.seconds, before.checks + now.checks});
    content.causes_over_time.push_back({before.seconds + now.seconds, before.causes + now.causes});
    content.met_over_time.push_back({before.seconds + now.seconds, before.causes + now.causes + now.known});
  }
}

std::size_t count_cases(const fs::path& folder) {
  return fs::is_directory(folder) ? find_cases(folder).size() : 0;
}

}  // namespace

Result<ReportContent> read_report(const fs::path& findings) {
  if (!fs::is_directory(findings)) return Error{"usage.path", findings.string() + ": no such folder"};
  const fs::path root =
      findings.has_filename() ? findings : findings.parent_path();  // "findings/" is "findings"
  ReportContent content;
  content.name = fs::absolute(root).lexically_normal().filename().string();
  for (WrittenFinding& finding : read_findings(root, content.unreadable))
    content.causes.push_back(read_cause(std::move(finding)));
  read_campaign(root / kCampaignFile, content);
  if (content.causes.empty() && !content.campaign) {
    const bool cases = !finding_folders(root).empty();
    return Error{"usage.path", findings.string() +
                                   (cases ? ": no findings there: its cases have no verdict.json with a cause"
                                          : ": no findings there (folders with case.json and verdict.json)")};
  }
  content.unconfirmed = count_cases(root / kUnconfirmedFolder);
  content.waiting = count_cases(root / kWaitingFolder);
  read_events(root / kEventsFile, content);
  return content;
}

}  // namespace passdiff
