#include "fuzz/stats.h"

#include <algorithm>
#include <utility>

#include "core/ir/structural.h"
#include "fuzz/campaign/jobs.h"
#include "fuzz/cases/coverage.h"

namespace passdiff {
namespace {

bool is_drawn_for(const DrawnCase& drawn, const std::string& pass) {
  return std::any_of(drawn.idioms_drawn.begin(), drawn.idioms_drawn.end(), [&](const Idiom* idiom) {
    return std::find(idiom->passes.begin(), idiom->passes.end(), pass) != idiom->passes.end();
  });
}

bool has_idioms(const std::string& pass) {
  const std::span<const Idiom> all = idiom_table();
  return std::any_of(all.begin(), all.end(), [&](const Idiom& idiom) {
    return std::find(idiom.passes.begin(), idiom.passes.end(), pass) != idiom.passes.end();
  });
}

// Whether the verdict says nothing about a target that there is. Of one that contradicts what it declares, all else is judged.
bool is_undecided(const Verdict& verdict) {
  if (verdict.contradiction) return false;
  switch (verdict.symptom) {
    case Symptom::undefined:
    case Symptom::undefined_folded:
    case Symptom::trapped:
    case Symptom::inconclusive:
    case Symptom::limit:
    case Symptom::unsupported:
    case Symptom::unconfirmed:
      return true;
    default:
      return false;
  }
}

// What the last pass of each pipeline was given: what the passes before it made of the source. Most of these pipelines are some pass's own.
class Given {
 public:
  Given(const Module& source, std::span<const Pipeline> pipelines, std::span<const Checked> checked) : source_(source) {
    for (std::size_t i = 0; i < pipelines.size(); ++i)
      made_[key(pipelines[i])] = checked[i].unchanged ? std::optional(source) : checked[i].target;
  }

  // Runs what is missing.
  void complete(Subject& subject, std::span<const Pipeline> pipelines) {
    std::vector<Pipeline> missing;
    for (const Pipeline& pipeline : pipelines) {
      Pipeline before = without_last(pipeline);
      if (!before.empty() && made_.try_emplace(key(before)).second) missing.push_back(std::move(before));
    }
    if (missing.empty()) return;
    std::vector<TransformReply> replies = subject.transform(source_, missing, {.subject_well_formed = false});
    for (std::size_t i = 0; i < missing.size(); ++i) {
      auto* transformed = std::get_if<Transformed>(&replies[i].result);
      if (transformed != nullptr) made_[key(missing[i])] = transformed->unchanged ? std::optional(source_) : std::move(transformed->target);
    }
  }

  // Null: it is not known.
  const Module* to_last_of(const Pipeline& pipeline) const {
    if (pipeline.size() == 1) return &source_;
    const auto found = made_.find(key(without_last(pipeline)));
    return found == made_.end() || !found->second ? nullptr : &*found->second;
  }

 private:
  static Pipeline without_last(const Pipeline& pipeline) { return {pipeline.begin(), pipeline.end() - 1}; }
  static std::string key(const Pipeline& pipeline) {
    std::string text;
    for (const PassCall& call : pipeline) text += call.name + call.options + "\n";
    return text;
  }

  const Module& source_;
  std::map<std::string, std::optional<Module>> made_;  // nothing: no target, or one that cannot be held here
};

// Whether the last pass changed what it was given; where that is not known, whether the pipeline changed the source.
bool last_changes(const Checked& checked, const Module& source, const Module* given) {
  if (!checked.target && !checked.unreadable && !checked.unchanged) return false;
  if (given == nullptr || checked.unreadable) return !checked.unchanged;
  return !structural_equal(*given, checked.unchanged ? source : *checked.target);
}

void count(const DrawnCase& drawn, const std::string& pass, const Checked& checked, const Module* given, PassStats& stats) {
  const Symptom symptom = checked.verdict.symptom;
  const bool has_target = checked.target || checked.unreadable;
  const bool changed = last_changes(checked, drawn.test.module, given);
  ++stats.given;
  ++stats.symptoms[std::string(symptom_name(symptom))];
  if (!has_target && !checked.unchanged) ++stats.refused;
  if (checked.unreadable && symptom == Symptom::unsupported) {
    ++stats.unreadable;
  } else if ((has_target || checked.unchanged) && is_undecided(checked.verdict)) {
    ++stats.undecided;
  }
  stats.changed += changed ? 1 : 0;
  if (is_drawn_for(drawn, pass) || !has_idioms(pass)) {
    ++stats.drawn_for;
    stats.changed_of_drawn_for += changed ? 1 : 0;
  }
  if (!changed) return;
  const auto features = change_features(given != nullptr ? *given : drawn.test.module, checked.target ? &*checked.target : nullptr);
  stats.ways.insert(features.begin(), features.end());
}

void count_case(Subject& subject, const std::vector<std::string>& names, const StatsOptions& options,
                std::int64_t index, Stats& stats) {
  std::vector<const Pass*> passes;
  passes.reserve(names.size());
  for (const std::string& name : names) passes.push_back(find_pass(subject, name));
  const DrawnCase drawn = draw_case(options.seed, static_cast<std::uint64_t>(index), passes, {});
  ++stats.cases;
  stats.census.add(drawn.test);
  for (const Idiom* idiom : drawn.idioms_made) ++stats.idioms[std::string(idiom->name)];
  const std::vector<Checked> checked = check(subject, drawn.test, drawn.pipelines, {.confirm = false});
  Given given(drawn.test.module, drawn.pipelines, checked);
  given.complete(subject, drawn.pipelines);
  for (std::size_t i = 0; i < checked.size(); ++i) {
    const std::string& pass = drawn.pipelines[i].back().name;
    count(drawn, pass, checked[i], given.to_last_of(drawn.pipelines[i]), stats.passes[pass]);
  }
}

}  // namespace

void PassStats::add(const PassStats& other) {
  drawn_for += other.drawn_for;
  given += other.given;
  changed += other.changed;
  changed_of_drawn_for += other.changed_of_drawn_for;
  refused += other.refused;
  undecided += other.undecided;
  unreadable += other.unreadable;
  ways.insert(other.ways.begin(), other.ways.end());
  for (const auto& [symptom, n] : other.symptoms) symptoms[symptom] += n;
}

double PassStats::share() const {
  const std::int64_t of = drawn_for > 0 ? drawn_for : given;
  const std::int64_t changing = drawn_for > 0 ? changed_of_drawn_for : changed;
  return of == 0 ? 0 : static_cast<double>(changing) / static_cast<double>(of);
}

void Stats::add(const Stats& other) {
  cases += other.cases;
  census.add(other.census);
  for (const auto& [name, n] : other.idioms) idioms[name] += n;
  for (const auto& [name, pass] : other.passes) passes[name].add(pass);
}

Result<Stats> measure_stats(const MakeSubject& make_subject, const StatsOptions& options,
                            const std::atomic<bool>& stop) {
  Jobs jobs(options.jobs, make_subject);
  if (auto error = jobs.error()) return *std::move(error);
  const std::vector<std::string> names = TRY(select_passes(jobs.subject(0), options.passes));
  std::vector<Stats> shares(static_cast<std::size_t>(jobs.count()));
  jobs.for_each(options.cases, [&](int job, std::int64_t index) {
    if (!stop) count_case(jobs.subject(job), names, options, index, shares[static_cast<std::size_t>(job)]);
  });
  Stats stats;
  for (const Idiom& idiom : idiom_table()) stats.idioms[std::string(idiom.name)] = 0;
  for (const std::string& name : names) stats.passes[name] = {};
  for (const Stats& share : shares) stats.add(share);
  return stats;
}

}  // namespace passdiff
