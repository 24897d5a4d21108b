#include "fuzz/campaign/reduction_queue.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/documents/files.h"
#include "oracle/findings/signature.h"

namespace passdiff {
namespace {

namespace fs = std::filesystem;

// How many cases of one key wait at most.
constexpr std::size_t kWaiting = 4;
// From so many reductions in a row on that brought nothing new, a key backs off.
constexpr int kPatience = 2;

constexpr const char* kWaitingFile = "waiting.json";

// A case that waits, without its module and arguments, and the subject on which it failed.
struct Waiting {
  std::string subject;
  Candidate candidate;
};

std::optional<Waiting> waiting_from(const nlohmann::json& document) {
  const SymptomInfo* row = find_symptom(document.at("symptom").get<std::string>());
  if (row == nullptr || !row->severity) return std::nullopt;
  Verdict verdict{.symptom = row->symptom};
  for (const Stage stage : {Stage::generate, Stage::transform, Stage::check, Stage::execute, Stage::compare}) {
    if (stage_name(stage) == document.at("stage").get<std::string>()) verdict.stage = stage;
  }
  document.at("check").get_to(verdict.check);
  document.at("pass").get_to(verdict.culprit);
  document.at("site").get_to(verdict.site);
  document.at("detail").get_to(verdict.detail);
  Candidate candidate{.index = document.at("index").get<std::int64_t>(), .test = {}, .pipeline = {}, .verdict = std::move(verdict), .edit = {}, .origin = {}};
  document.at("edit").get_to(candidate.edit);
  return Waiting{document.at("subject").get<std::string>(), std::move(candidate)};
}

std::optional<Waiting> read_waiting(const fs::path& file) {
  const auto document = nlohmann::json::parse(text_of(file), nullptr, false);
  if (!document.is_object()) return std::nullopt;
  try {
    return waiting_from(document);
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;  // of another version of passdiff
  }
}

std::string verdict_text(const Candidate& candidate, const std::string& subject) {
  const Verdict& verdict = candidate.verdict;
  const nlohmann::json document = {{"subject", subject},
                                   {"symptom", symptom_name(verdict.symptom)}, {"stage", stage_name(verdict.stage)},
                                   {"check", verdict.check},                   {"pass", verdict.culprit},
                                   {"site", verdict.site},                     {"detail", verdict.detail},
                                   {"index", candidate.index},                 {"edit", candidate.edit}};
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

// Cases of different campaigns have different names, so that none takes another's place.
std::string ReductionQueue::folder_name(const Candidate& candidate, const std::string& key) const {
  return fmt::format("{}-{}", slug_of(candidate.verdict, fmt::format("{}\n{}\n{}", key, subject_, candidate.origin)), candidate.index);
}

std::int64_t ReductionQueue::count_of(const std::string& key) const {
  const auto found = keys_.find(key);
  return found == keys_.end() ? 0 : found->second.known.count;
}

std::size_t ReductionQueue::novelty(const Key& key, const Candidate& candidate) {
  return static_cast<std::size_t>(
      std::count_if(candidate.edit.begin(), candidate.edit.end(), [&](const std::string& word) { return !key.known.done.contains(word); }));
}

void ReductionQueue::add(Candidate candidate) {
  Key& key = keys_[key_of(candidate.verdict)];
  const bool there = std::any_of(key.waiting.begin(), key.waiting.end(), [&](const Candidate& one) { return one.index == candidate.index && one.origin == candidate.origin; });
  if (there) return;  // a campaign that was killed draws the cases of its last round again
  key.waiting.push_back(std::move(candidate));
  if (key.waiting.size() <= kWaiting) return;
  // The one goes that tells least, the latest of them.
  const auto least = std::min_element(key.waiting.begin(), key.waiting.end(), [&](const Candidate& a, const Candidate& b) {
    return std::tuple(novelty(key, a), -a.index) < std::tuple(novelty(key, b), -b.index);
  });
  key.waiting.erase(least);
}

std::vector<Candidate> ReductionQueue::take_if(Most most, bool unseen_only) {
  struct Due {
    int reductions;
    Severity severity;
    std::int64_t index;
    Key* key;
    std::size_t at;
  };
  std::vector<Due> order;
  for (auto& [name, key] : keys_) {
    if (key.waiting.empty() || key.known.count < key.known.due || (unseen_only && key.known.reductions > 0)) continue;
    const auto best = std::min_element(key.waiting.begin(), key.waiting.end(), [&key](const Candidate& a, const Candidate& b) {
      return std::tuple(novelty(key, b), a.index) < std::tuple(novelty(key, a), b.index);
    });
    order.push_back({key.known.reductions, symptom_info(best->verdict.symptom).severity.value_or(Severity::broken_promise), best->index, &key,
                     static_cast<std::size_t>(best - key.waiting.begin())});
  }
  std::sort(order.begin(), order.end(),
            [](const Due& a, const Due& b) { return std::tie(a.reductions, a.severity, a.index) < std::tie(b.reductions, b.severity, b.index); });
  std::vector<Candidate> chosen;
  for (const Due& due : order) {
    if (chosen.size() == most.cases) break;
    const bool hanging = hangs(due.key->waiting[due.at].verdict.symptom);
    const bool again = due.reductions > 0;
    if ((hanging && most.hanging == 0) || (again && most.again == 0)) continue;
    if (hanging) --most.hanging;
    if (again) --most.again;
    chosen.push_back(std::move(due.key->waiting[due.at]));
    due.key->waiting.erase(due.key->waiting.begin() + static_cast<std::ptrdiff_t>(due.at));
  }
  return chosen;
}

void ReductionQueue::reduced(const std::string& name, const std::set<std::string>& edit, bool fruitful) {
  KeyCount& key = keys_[name].known;
  key.done.insert(edit.begin(), edit.end());
  ++key.reductions;
  key.fruitless = fruitful ? 0 : key.fruitless + 1;
  if (key.fruitless >= kPatience) key.due = 2 * key.count;
}

std::int64_t ReductionQueue::unseen() const {
  return std::count_if(keys_.begin(), keys_.end(),
                       [](const auto& entry) { return entry.second.known.reductions == 0 && !entry.second.waiting.empty(); });
}

std::int64_t ReductionQueue::waiting() const {
  std::int64_t count = 0;
  for (const auto& [name, key] : keys_) count += std::ssize(key.waiting);
  return count;
}

ReductionQueue::Counts ReductionQueue::counts() const {
  Counts counts;
  for (const auto& [name, key] : keys_) counts.emplace(name, key.known);
  return counts;
}

void ReductionQueue::restore(const Counts& counts) {
  for (const auto& [name, known] : counts) keys_[name].known = known;
}

std::optional<Error> ReductionQueue::save(const fs::path& folder) {
  for (const auto& [name, key] : keys_) {
    for (const Candidate& candidate : key.waiting) {
      const std::string place = folder_name(candidate, name);
      if (!saved_.insert(place).second) continue;
      const CaseFolder content{.test = candidate.test,
                               .passes = candidate.pipeline,
                               .expected = {},
                               .origin = candidate.origin,
                               .readme = fmt::format("{}: {}\nWaits for its reduction.\n", candidate.verdict.culprit,
                                                     explain(candidate.verdict))};
      TRY(write_case(content, folder / place, {{kWaitingFile, verdict_text(candidate, subject_)}}));
    }
  }
  return std::nullopt;
}

void ReductionQueue::forget_taken(const fs::path& folder) {
  std::set<std::string> waiting;
  for (const auto& [name, key] : keys_) {
    for (const Candidate& candidate : key.waiting) waiting.insert(folder_name(candidate, name));
  }
  std::error_code ignored;  // a folder that stays is taken up once more
  for (const std::string& place : saved_) {
    if (!waiting.contains(place)) fs::remove_all(folder / place, ignored);
  }
  saved_ = std::move(waiting);
}

void ReductionQueue::load(const fs::path& folder, const std::function<bool(const Candidate&)>& wanted) {
  if (!fs::is_directory(folder)) return;
  for (const fs::path& place : find_cases(folder)) {
    std::optional<Waiting> waiting = read_waiting(place / kWaitingFile);
    if (waiting && waiting->subject != subject_) continue;
    Result<CaseFolder> content = read_case(place);
    const bool readable = content && waiting && content->arguments_given;
    if (readable) {
      waiting->candidate.test = std::move(content->test);
      waiting->candidate.pipeline = std::move(content->passes);
      waiting->candidate.origin = std::move(content->origin);
      if (!wanted(waiting->candidate)) continue;
    }
    saved_.insert(place.filename().string());
    if (readable) add(std::move(waiting->candidate));
  }
}

}  // namespace passdiff
