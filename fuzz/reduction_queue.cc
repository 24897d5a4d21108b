#include "fuzz/reduction_queue.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "oracle/signature.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;

// How many cases of one key wait at most.
constexpr std::size_t kWaiting = 4;
// From so many reductions in a row on that brought nothing new, a key backs off.
constexpr int kPatience = 2;

constexpr const char* kVerdictFile = "waiting.json";

std::optional<Verdict> verdict_from(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const auto document = nlohmann::json::parse(stream, nullptr, false);
  if (!document.is_object()) return std::nullopt;
  const std::string symptom = document.value("symptom", "");
  const auto rows = all_symptoms();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const SymptomInfo& info) { return info.name == symptom; });
  if (row == rows.end() || !row->severity) return std::nullopt;
  Verdict verdict{.symptom = row->symptom};
  for (const Stage stage : {Stage::generate, Stage::transform, Stage::check, Stage::execute, Stage::compare}) {
    if (stage_name(stage) == document.value("stage", "")) verdict.stage = stage;
  }
  verdict.check = document.value("check", "");
  verdict.culprit = document.value("pass", "");
  verdict.site = document.value("site", "");
  verdict.detail = document.value("detail", "");
  return verdict;
}

std::string verdict_text(const Verdict& verdict) {
  const nlohmann::json document = {{"symptom", symptom_name(verdict.symptom)}, {"stage", stage_name(verdict.stage)},
                                   {"check", verdict.check},                   {"pass", verdict.culprit},
                                   {"site", verdict.site},                     {"detail", verdict.detail}};
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

std::int64_t ReductionQueue::count_of(const std::string& key) const {
  const auto found = keys_.find(key);
  return found == keys_.end() ? 0 : found->second.count;
}

std::size_t ReductionQueue::novelty(const Key& key, const Candidate& candidate) {
  return static_cast<std::size_t>(
      std::count_if(candidate.edit.begin(), candidate.edit.end(), [&](const std::string& word) { return !key.done.contains(word); }));
}

void ReductionQueue::add(Candidate candidate) {
  Key& key = keys_[key_of(candidate.verdict)];
  key.waiting.push_back(std::move(candidate));
  if (key.waiting.size() <= kWaiting) return;
  // The one goes that tells least, the latest of them.
  const auto least = std::min_element(key.waiting.begin(), key.waiting.end(), [&](const Candidate& a, const Candidate& b) {
    return std::tuple(novelty(key, a), -a.index) < std::tuple(novelty(key, b), -b.index);
  });
  key.waiting.erase(least);
}

std::vector<Candidate> ReductionQueue::take_if(std::size_t most, bool unseen_only) {
  struct Due {
    int reductions;
    Severity severity;
    std::int64_t index;
    Key* key;
    std::size_t at;
  };
  std::vector<Due> order;
  for (auto& [name, key] : keys_) {
    if (key.waiting.empty() || key.count < key.due || (unseen_only && key.reductions > 0)) continue;
    const auto best = std::min_element(key.waiting.begin(), key.waiting.end(), [&key](const Candidate& a, const Candidate& b) {
      return std::tuple(novelty(key, b), a.index) < std::tuple(novelty(key, a), b.index);
    });
    order.push_back({key.reductions, symptom_info(best->verdict.symptom).severity.value_or(Severity::broken_promise), best->index, &key,
                     static_cast<std::size_t>(best - key.waiting.begin())});
  }
  std::sort(order.begin(), order.end(), [](const Due& a, const Due& b) {
    return std::tie(a.reductions, a.severity, a.index) < std::tie(b.reductions, b.severity, b.index);
  });
  if (order.size() > most) order.resize(most);
  std::vector<Candidate> chosen;
  for (const Due& due : order) {
    chosen.push_back(std::move(due.key->waiting[due.at]));
    due.key->waiting.erase(due.key->waiting.begin() + static_cast<std::ptrdiff_t>(due.at));
    due.key->done.insert(chosen.back().edit.begin(), chosen.back().edit.end());
  }
  return chosen;
}

std::vector<Candidate> ReductionQueue::take(std::size_t most) {
  return take_if(most, false);
}

std::vector<Candidate> ReductionQueue::take_unseen(std::size_t most) {
  return take_if(most, true);
}

void ReductionQueue::reduced(const std::string& name, bool fruitful) {
  Key& key = keys_[name];
  ++key.reductions;
  key.fruitless = fruitful ? 0 : key.fruitless + 1;
  if (key.fruitless >= kPatience) key.due = 2 * key.count;
}

std::int64_t ReductionQueue::unseen() const {
  return std::count_if(keys_.begin(), keys_.end(),
                       [](const auto& entry) { return entry.second.reductions == 0 && !entry.second.waiting.empty(); });
}

std::optional<Error> ReductionQueue::save(const fs::path& folder) const {
  std::error_code error;
  fs::remove_all(folder, error);
  if (error) return Error{"case.write", fmt::format("{}: {}", folder.string(), error.message())};
  for (const auto& [name, key] : keys_) {
    if (key.reductions > 0 || key.waiting.empty()) continue;
    const Candidate& candidate = key.waiting.front();
    const CaseFolder content{.test = candidate.test,
                             .passes = candidate.pipeline,
                             .expected = {},
                             .origin = candidate.origin,
                             .readme = fmt::format("{}: {}\nWaits for its reduction.\n", candidate.verdict.culprit,
                                                   explain(candidate.verdict))};
    TRY(write_case(content, folder / slug_of(candidate.verdict, name), {{kVerdictFile, verdict_text(candidate.verdict)}}));
  }
  return std::nullopt;
}

void ReductionQueue::load(const fs::path& folder) {
  if (!fs::is_directory(folder)) return;
  for (const fs::path& place : find_cases(folder)) {
    Result<CaseFolder> content = read_case(place);
    std::optional<Verdict> verdict = verdict_from(place / kVerdictFile);
    if (!content || !verdict || !content->arguments_given) continue;
    count(key_of(*verdict), 1);
    add({.index = -1,
         .test = std::move(content->test),
         .pipeline = std::move(content->passes),
         .verdict = *std::move(verdict),
         .edit = {},
         .origin = std::move(content->origin)});
  }
}

}  // namespace passdiff
