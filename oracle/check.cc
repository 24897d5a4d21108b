#include "oracle/check.h"

#include <xxhash.h>

#include <algorithm>
#include <utility>

#include "core/eval/known_runs.h"
#include "core/ir/structural.h"
#include "oracle/check_row.h"
#include "oracle/judged_targets.h"
#include "oracle/pipeline_contract.h"
#include "oracle/source_run.h"
#include "oracle/witness.h"
#include "passes/case_options.h"

namespace passdiff {
namespace {

// Where the subject's machine is asked about few targets that the interpreter can run, it is asked about the first of a case that it cannot run, and
// then about one in so many: a case whose source has a type that our IR lacks after LegalizeOps has one for each lowering pass, and the machine
// takes a tenth of a second for each.
constexpr int kFirstUnreadable = 2;
constexpr unsigned kUnreadableOneIn = 16;

// Decides which of the sampled checks are made of a pipeline on one case.
class Sample {
 public:
  Sample(const Module& source, const Sampling& sampling) : source_(source), sampling_(sampling) {}

  bool has(const Check& check, const Pipeline& pipeline) {
    const unsigned one_in = sampling_.one_in(check);
    return one_in <= 1 ? one_in == 1 : number_of(pipeline) % one_in == 0;
  }
  bool has_unreadable(const Pipeline& pipeline) {
    const unsigned one_in = sampling_.compiling_one_in();
    if (one_in <= 1) return one_in == 1;
    return ++unreadable_ <= kFirstUnreadable || number_of(pipeline) % std::min(one_in, kUnreadableOneIn) == 0;
  }

 private:
  // The same wherever the pipeline is run on the source.
  std::uint64_t number_of(const Pipeline& pipeline) {
    if (!source_hash_) source_hash_ = structural_hash(source_);
    std::uint64_t number = *source_hash_;
    for (const PassCall& call : pipeline) {
      number = XXH3_64bits_withSeed(call.name.data(), call.name.size(), number);
      number = XXH3_64bits_withSeed(call.options.data(), call.options.size(), number);
    }
    return number;
  }

  const Module& source_;
  const Sampling& sampling_;
  std::optional<std::uint64_t> source_hash_;
  int unreadable_ = 0;  // how many there were so far
};

// What all pipelines of a case share: the source's run among it, which the constructor makes.
struct SharedByCase {
  SharedByCase(Subject& its_subject, const TestCase& its_test, const CheckOptions& its_options)
      : subject(its_subject),
        test(its_test),
        options(its_options),
        source(test),
        further(test, options.more_arguments && source.returned() != nullptr),
        witness(subject, source),
        sample(test.module, options.sampling) {}

  Subject& subject;
  const TestCase& test;
  const CheckOptions& options;
  const SourceRun source;
  FurtherRuns further;
  Witness witness;
  JudgedTargets judged;
  JudgedTargets machine_judged;
  WellFormedPrimFuncs well_formed_prim_funcs;
  std::set<std::string> settled_doubts;
  Sample sample;
};

std::string culprit_of(const Pipeline& pipeline, int pass_index) {
  if (pipeline.empty()) return {};
  const auto last = static_cast<int>(pipeline.size()) - 1;
  return pipeline[static_cast<std::size_t>(std::clamp(pass_index, 0, last))].name;
}

// The first verdict of a check that does not agree. A contradiction, which shows in no result, yields to what later checks find.
Verdict first_verdict(const CheckContext& context, Sample& sample) {
  std::optional<Verdict> contradiction;
  for (const Check& row : all_checks()) {
    if (!sample.has(row, context.pipeline) || (context.options.only_compiles && !row.compiles)) continue;
    std::optional<Verdict> verdict = row.judge(context);
    if (!verdict) continue;
    if (verdict->check.empty()) verdict->check = row.name;
    if (!contradiction && verdict->contradiction) {
      contradiction = std::move(verdict);
      continue;
    }
    return contradiction && !is_finding(verdict->symptom) ? *std::move(contradiction) : *std::move(verdict);
  }
  if (contradiction) return *std::move(contradiction);
  return {.symptom = Symptom::agree, .stage = Stage::compare, .reasons = context.reasons};
}

Checked judge(SharedByCase& shared, const Pipeline& pipeline, const PipelineContract& contract,
              TransformReply& reply) {
  static const std::string kReadable;
  Checked checked;
  checked.seconds_in_pass = reply.seconds_in_pass;
  checked.plan = shared.source.plan();
  auto* transformed = std::get_if<Transformed>(&reply.result);
  const bool unchanged = transformed != nullptr && transformed->unchanged;
  const Module* target = nullptr;
  if (unchanged) target = &shared.test.module;
  if (transformed != nullptr && !unchanged && transformed->target) target = &*transformed->target;
  std::optional<Error> uncallable;
  if (target != nullptr && !unchanged)
    uncallable = follow_conventions(contract, shared.test.module, reply.snapshots, *target, checked.plan);

  checked.unreadable = transformed != nullptr && !transformed->unreadable.empty();
  std::vector<std::string> reasons;
  std::optional<Outcome> target_outcome;
  const CheckContext context{.subject = shared.subject,
                             .test = shared.test,
                             .options = shared.options,
                             .source = shared.source,
                             .further = shared.further,
                             .witness = shared.witness,
                             .judged = shared.judged,
                             .machine_judged = shared.machine_judged,
                             .well_formed_prim_funcs = shared.well_formed_prim_funcs,
                             .settled_doubts = shared.settled_doubts,
                             .pipeline = pipeline,
                             .contract = contract,
                             .reply = reply,
                             .target = target,
                             .unchanged = unchanged,
                             .unreadable = transformed == nullptr ? kReadable : transformed->unreadable,
                             .judges_unreadable = checked.unreadable && shared.sample.has_unreadable(pipeline),
                             .plan = checked.plan,
                             .uncallable = uncallable,
                             .target_outcome = target_outcome,
                             .reasons = reasons,
                             .seconds_in_pass = checked.seconds_in_pass};
  checked.unchanged = unchanged;
  const std::string why = contradicted_binding(shared.test, bound_arguments(shared.subject, pipeline, shared.test.entry));
  checked.verdict = why.empty() ? first_verdict(context, shared.sample)
                                : Verdict{.symptom = Symptom::unsupported, .stage = Stage::generate, .site = "options", .detail = why};
  checked.verdict.culprit = culprit_of(pipeline, reply.pass_index);
  // A pass that changes its input may return it as its target. That is then equal to the changed source, but not to what the pass
  // was given.
  const bool differs = !unchanged || reply.input_mutated;
  if (transformed != nullptr && differs) checked.target = std::move(transformed->target);
  return checked;
}

// Whether the module after each pass is needed: it is where a pipeline of several passes changes how functions are called, since
// each convention depends on the module that its pass made.
bool needs_snapshots(const PipelineContract& contract) {
  return contract.each.size() >= 2 && contract.changes_calls();
}

std::vector<TransformReply> transform(Subject& subject, const Module& source, std::span<const Pipeline> pipelines,
                                      std::span<const PipelineContract> contracts, const CheckOptions& how) {
  TransformOptions options{.cpu_seconds = how.cpu_seconds, .interprets_constants = how.interprets_constants, .trusts_types = how.trusts_types};
  if (std::none_of(contracts.begin(), contracts.end(), needs_snapshots))
    return subject.transform(source, pipelines, options);
  std::vector<Pipeline> plain;
  for (std::size_t i = 0; i < pipelines.size(); ++i) {
    if (!needs_snapshots(contracts[i])) plain.push_back(pipelines[i]);
  }
  std::vector<TransformReply> plain_replies = subject.transform(source, plain, options);
  options.snapshots = true;
  std::vector<TransformReply> replies;
  std::size_t next = 0;
  for (std::size_t i = 0; i < pipelines.size(); ++i) {
    if (needs_snapshots(contracts[i])) {
      replies.push_back(std::move(subject.transform(source, pipelines.subspan(i, 1), options).at(0)));
    } else {
      replies.push_back(std::move(plain_replies.at(next++)));
    }
  }
  return replies;
}

}  // namespace

std::vector<Checked> check(Subject& subject, const TestCase& test, std::span<const Pipeline> given,
                           const CheckOptions& options) {
  std::vector<Pipeline> pipelines;
  pipelines.reserve(given.size());
  for (const Pipeline& pipeline : given) pipelines.push_back(with_case_values(pipeline, test));
  std::vector<PipelineContract> contracts;
  contracts.reserve(pipelines.size());
  for (const Pipeline& pipeline : pipelines) contracts.push_back(contract_of_pipeline(subject, pipeline));
  SharedByCase shared(subject, test, options);
  std::vector<TransformReply> replies = transform(subject, test.module, pipelines, contracts, options);
  CHECK(replies.size() == pipelines.size()) << subject.name() << ": a reply per pipeline";
  std::vector<Checked> results;
  results.reserve(pipelines.size());
  for (std::size_t i = 0; i < pipelines.size(); ++i)
    results.push_back(judge(shared, pipelines[i], contracts[i], replies[i]));
  return results;
}

Checked check(Subject& subject, const TestCase& test, const Pipeline& pipeline, const CheckOptions& options) {
  return std::move(check(subject, test, std::span(&pipeline, 1), options).front());
}

}  // namespace passdiff
