#include "fuzz/campaign/report.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "oracle/check_row.h"
#include "oracle/report_format.h"

namespace passdiff {
namespace {

std::string counts(const std::map<std::string, std::int64_t>& by_reason) {
  std::string text;
  for (const auto& [reason, n] : by_reason)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, reason);
  return text;
}

std::string first_line(std::string_view text, std::size_t length) {
  text = text.substr(0, text.find('\n'));
  return text.size() <= length ? std::string(text) : std::string(text.substr(0, length - 3)) + "...";
}

std::string rows(const CampaignResult& result, bool known) {
  std::string text;
  int rank = 0;
  for (const DistinctBug& s : result.signatures) {
    if (s.known != known) continue;
    ++rank;
    text += fmt::format("{:>4} {:<14} {:<18} {} ({} cases, {} bindings)\n     {}\n     {}\n", rank, severity_name(s.symptom),
                        symptom_name(s.symptom), fmt::join(s.cause.passes, ", "), s.count, s.bindings,
                        first_line(s.detail, 160), s.folder.string());
  }
  return text;
}

nlohmann::json signatures(const CampaignResult& result, bool known) {
  auto list = nlohmann::json::array();
  int rank = 0;
  for (const DistinctBug& s : result.signatures) {
    if (s.known != known) continue;
    ++rank;
    list.push_back({{"rank", rank},
                    {"cause", s.name},
                    {"passes", s.cause.passes},
                    {"signature", s.signature},
                    {"pass", s.pass},
                    {"check", s.check},
                    {"symptom", symptom_name(s.symptom)},
                    {"severity", severity_name(s.symptom)},
                    {"count", s.count},
                    {"bindings", s.bindings},
                    {"folder", s.folder.string()}});
  }
  return list;
}

// The N of each sampled check that is made on one case in N, by name; 0: never.
nlohmann::json rates(const Sampling& sampling) {
  auto by_check = nlohmann::json::object();
  for (const Check& check : all_checks()) {
    if (check.is_sampled()) by_check[std::string(check.name)] = sampling.one_in(check);
  }
  return by_check;
}

}  // namespace

std::string progress_line(const Progress& p) {
  const double rate = p.seconds > 0 ? static_cast<double>(p.checks) / p.seconds : 0;
  return fmt::format("{:.0f} s: {} cases, {} checks ({:.0f}/s), {} findings, {} known: {}", p.seconds,
                     p.cases, p.checks, rate, p.findings, p.known, p.doing);
}

std::string table(const CampaignResult& r) {
  std::string text;
  const std::string findings = rows(r, false);
  const std::string known = rows(r, true);
  if (!findings.empty()) text += "Findings\n" + findings;
  if (!known.empty()) text += "Known\n" + known;
  if (findings.empty() && known.empty()) text += "No findings.\n";
  text += fmt::format("{} cases, {} checks in {:.1f} s ({:.0f} checks/s)\n", r.cases, r.checks, r.seconds,
                      r.seconds > 0 ? static_cast<double>(r.checks) / r.seconds : 0);
  if (!r.discarded.empty()) text += "not judged: " + counts(r.discarded) + "\n";
  for (const auto& [what, n] : r.unsupported) text += fmt::format("unsupported: {} x {}\n", n, what);
  if (r.not_reduced > 0) text += fmt::format("not reduced in time: {} kinds of findings; they wait on disk for the next campaign with this folder\n", r.not_reduced);
  if (!r.refused_ops.empty()) text += fmt::format("not drawn, since the compiler takes no call of them: {}\n", fmt::join(r.refused_ops, ", "));
  if (r.inconclusive > 0) text += fmt::format("inconclusive: {}\n", r.inconclusive);
  if (!r.unsettled.empty()) text += "changed again by a second run: " + counts(r.unsettled) + "\n";
  if (!r.rejected.empty()) text += "rejected by: " + counts(r.rejected) + "\n";
  for (const auto& [key, n] : r.unconfirmed) text += fmt::format("unconfirmed: {} x {}\n", n, key);
  if (r.corpus_entries > 0) text += fmt::format("corpus: {} inputs, which show {} features of passes\n", r.corpus_entries, r.features);
  if (r.restarts > 0) text += fmt::format("compiler processes started again: {}\n", r.restarts);
  if (r.lost > 0) text += fmt::format("not run, since the compiler's process was gone: {}\n", r.lost);
  text += "sampled: " + to_string(r.sampling) + "\n";
  return text;
}

std::string json_line(const CampaignResult& r) {
  const nlohmann::json object = {{"format", kReportFormat},
                                 {"cases", r.cases},
                                 {"checks", r.checks},
                                 {"seconds", r.seconds},
                                 {"jobs", r.jobs},
                                 {"seconds_in_passes", r.seconds_in_passes},
                                 {"seconds_reducing", r.seconds_reducing},
                                 {"discarded", r.discarded},
                                 {"unsupported", r.unsupported},
                                 {"not_reduced", r.not_reduced},
                                 {"refused_ops", r.refused_ops},
                                 {"keys", r.keys},
                                 {"rewrites", r.rewrites},
                                 {"corpus_entries", r.corpus_entries},
                                 {"features", r.features},
                                 {"restarts", r.restarts},
                                 {"lost", r.lost},
                                 {"inconclusive", r.inconclusive},
                                 {"unsettled", r.unsettled},
                                 {"rejected", r.rejected},
                                 {"unconfirmed", r.unconfirmed},
                                 {"checks_by_pass", r.checks_by_pass},
                                 {"changed_by_pass", r.changed_by_pass},
                                 {"undecided_by_pass", r.undecided_by_pass},
                                 {"seconds_by_pass", r.seconds_by_pass},
                                 {"sampled", rates(r.sampling)},
                                 {"findings", signatures(r, false)},
                                 {"known", signatures(r, true)}};
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace passdiff
