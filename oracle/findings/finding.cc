#include "oracle/findings/finding.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "core/form/well_formed.h"
#include "core/text/text.h"
#include "oracle/check_row.h"
#include "oracle/findings/signature.h"
#include "oracle/messages.h"
#include "oracle/report_format.h"
#include "oracle/witness.h"
#include "passes/case_options.h"

namespace passdiff {
namespace {

using nlohmann::json;

// How many candidates of a reduction may hang: each costs its whole deadline, or fills what memory it may take.
constexpr int kMostHanging = 6;
// How much CPU time the passes may take in one reduction. Few need it: 600 candidates of a graph pass take a second.
constexpr double kReductionSeconds = 4;
// What a reduced case of most causes has no more of.
constexpr int kFewBindings = 2;
// How many candidates are tried if each must be confirmed, which compiles source and target.
constexpr int kConfirmedChecks = 60;

bool stands_before(std::string_view needed, const Pipeline& pipeline, std::size_t end) {
  return std::any_of(pipeline.begin(), pipeline.begin() + static_cast<std::ptrdiff_t>(end), [&](const PassCall& call) { return call.name == needed; });
}

// Whether the pipeline, a part of `whole`, has before each pass the passes that its contract needs, as far as `whole` has them: a compiler's own
// pipeline may leave some out.
bool has_what_it_needs(const Subject& subject, const Pipeline& pipeline, const Pipeline& whole) {
  for (std::size_t i = 0; i < pipeline.size(); ++i) {
    const Pass* pass = find_pass(subject, pipeline[i].name);
    if (pass == nullptr) continue;
    const auto last = std::find_if(whole.rbegin(), whole.rend(), [&](const PassCall& call) { return call.name == pass->name; });
    const auto in_whole = static_cast<std::size_t>(whole.rend() - last);
    for (const std::string_view needed : pass->contract.needs) {
      if (stands_before(needed, whole, in_whole) && !stands_before(needed, pipeline, i)) return false;
    }
  }
  return true;
}

std::vector<Pipeline> proper_prefixes(const Pipeline& pipeline) {
  std::vector<Pipeline> prefixes;
  for (std::size_t length = 1; length < pipeline.size(); ++length)
    prefixes.emplace_back(pipeline.begin(), pipeline.begin() + static_cast<std::ptrdiff_t>(length));
  return prefixes;
}

const Module* target_of(const TransformReply& reply) {
  const auto* transformed = std::get_if<Transformed>(&reply.result);
  return transformed != nullptr && transformed->target ? &*transformed->target : nullptr;
}

std::optional<Error> wrong_type_in(const Module& module) {
  std::optional<Error> fault = well_formed(module);
  return fault && fault->code == kWrongType ? fault : std::nullopt;
}

// Blames the first pass whose target is typed wrongly for the failure of a later one. The compiler may hold such a module, and run it: only
// passes that build its expressions anew fail at it, each at another place.
void blame_ill_typed(std::span<const TransformReply> replies, std::span<const Pipeline> prefixes, Cause& cause) {
  for (std::size_t i = 0; i < replies.size(); ++i) {
    const Module* target = target_of(replies[i]);
    const std::optional<Error> fault = target == nullptr ? std::nullopt : wrong_type_in(*target);
    if (!fault) continue;
    cause.passes = {prefixes[i].back().name};
    cause.ill_typed = fault->message;
    return;
  }
}

struct JudgedPrefix {
  Pipeline pipeline;
  Verdict verdict;
};
// The shortest proper prefix of the pipeline that no pass after it can be blamed behind: one that is a finding by itself or, where there is none
// and `sought` is about values, one whose values are not judged. Nothing if there is neither, nor, where the options ask for compilation alone, if
// what the last pass is given compiles.
std::optional<JudgedPrefix> spoiling_prefix(Subject& subject, const TestCase& test, const Pipeline& pipeline, const Verdict& sought,
                                            const CheckOptions& options) {
  std::vector<Pipeline> prefixes = proper_prefixes(pipeline);  // judged together, since they share what their first passes make
  if (prefixes.empty()) return std::nullopt;
  if (options.only_compiles && !is_finding(check(subject, test, prefixes.back(), options).verdict.symptom)) return std::nullopt;
  std::vector<Checked> checked = check(subject, test, prefixes, options);
  auto found = std::ranges::find_if(checked, [](const Checked& one) { return is_finding(one.verdict.symptom); });
  if (found == checked.end())
    found = std::ranges::find_if(checked, [&](const Checked& one) { return keeps_values_from_being_judged(one.verdict, sought); });
  if (found == checked.end()) return std::nullopt;
  return JudgedPrefix{std::move(prefixes[static_cast<std::size_t>(found - checked.begin())]), std::move(found->verdict)};
}

// The shortest proper prefix whose target does not compile, for the reason for which the last pass throws: that pass, which compilation runs, too,
// meets what an earlier one has made then.
std::optional<JudgedPrefix> uncompilable_prefix(Subject& subject, const TestCase& test, const Pipeline& pipeline, const Verdict& error,
                                                 CheckOptions options) {
  if (error.symptom != Symptom::internal_error || error.culprit != pipeline.back().name) return std::nullopt;
  options.sampling.set(kVmAgrees, 1);
  const Pipeline before(pipeline.begin(), pipeline.end() - 1);
  const auto fails_alike = [&](const Verdict& verdict) { return verdict.symptom == Symptom::does_not_compile && verdict.site == error.site; };
  if (before.empty() || !fails_alike(check(subject, test, before, options).verdict)) return std::nullopt;
  return spoiling_prefix(subject, test, pipeline, error, options);
}

// Whether a case with the verdict `found` shows what one with the verdict `sought` shows. What lost digits in a large module may be plainly
// wrong in a small one, where nothing hides it; what is undefined may end there at once, and not eat memory first; what is
// waited for longer may fill the memory.
bool shows_the_same(const Verdict& found, const Verdict& sought) {
  if (key_of(found) == key_of(sought)) return true;
  const bool plainer = (sought.symptom == Symptom::less_precise && found.symptom == Symptom::mismatch) ||
                       (hangs(sought.symptom) && found.symptom == Symptom::crash) ||
                       (sought.symptom == Symptom::timeout && found.symptom == Symptom::memory);
  return plainer && found.check == sought.check && found.culprit == sought.culprit;
}

// The options, of the sampled checks with the one that decided alone, on every case: what the others say of a candidate, or of fewer passes,
// is another finding.
CheckOptions with_check_of(const Verdict& verdict, CheckOptions options) {
  const Check* decisive = find_check(verdict.check);
  options.sampling = {};
  if (decisive != nullptr && decisive->is_sampled()) options.sampling.set(decisive->name, 1);
  return options;
}

// The options under which candidates are judged, without the subject's machine unless `confirm`.
CheckOptions of_candidates(const Verdict& verdict, const CheckOptions& options, bool confirm) {
  CheckOptions quick = with_check_of(verdict, options);
  quick.confirm = confirm;
  quick.interprets_constants = !confirm;
  quick.trusts_types = false;
  // To fill the memory may take longer than this.
  if (verdict.symptom != Symptom::memory) quick.cpu_seconds = std::min(quick.cpu_seconds, kHangSeconds);
  return quick;
}

// Whether to compile, and run nothing, shows what the case shows: some targets compile, and fail when they run.
bool shows_by_compiling(Subject& subject, const TestCase& test, const Pipeline& pipeline, const Verdict& verdict, CheckOptions candidates) {
  candidates.only_compiles = true;
  return verdict.symptom == Symptom::does_not_compile && shows_the_same(check(subject, test, pipeline, candidates).verdict, verdict);
}

// Whether a candidate shows what is sought, as far as the time tells that candidates are given: one that hangs may be about to die.
bool may_show_the_same(const Verdict& found, const Verdict& sought) {
  const bool dying = sought.symptom == Symptom::crash && found.symptom == Symptom::timeout && found.culprit == sought.culprit;
  return dying || shows_the_same(found, sought);
}

Reduced reduced(Subject& subject, const TestCase& test, const Pipeline& pipeline, const Verdict& verdict, const CheckOptions& candidates,
                ReduceOptions reduction) {
  if (candidates.sampling.compiling_one_in() == 1 || candidates.confirm) reduction.max_checks = std::min(reduction.max_checks, kConfirmedChecks);
  double spent = 0;
  int hanging = 0;
  const StillShows shows = [&](const TestCase& candidate, const Pipeline& passes) {
    if (spent > kReductionSeconds || hanging == kMostHanging || !has_what_it_needs(subject, passes, pipeline)) return false;
    const Checked checked = check(subject, candidate, passes, candidates);
    if (hangs(checked.verdict.symptom))
      ++hanging;
    else
      spent += checked.seconds_in_pass;
    return may_show_the_same(checked.verdict, verdict) && !spoiling_prefix(subject, candidate, passes, verdict, candidates);
  };
  return reduce(test, pipeline, shows, reduction);
}

// What the checks say of a case that is to be told, the machine among them where `options` ask for it.
Checked check_claim(Subject& subject, const TestCase& test, const Pipeline& pipeline, const Verdict& verdict, const CheckOptions& options) {
  CheckOptions thorough = of_candidates(verdict, options, options.confirm);
  thorough.interprets_constants = false;
  // An endless recursion fills its stack for some seconds before it dies.
  if (verdict.symptom == Symptom::timeout || verdict.symptom == Symptom::crash) thorough.cpu_seconds = kHangClaimSeconds;
  return check(subject, test, pipeline, thorough);
}

// The reduced case as a finding without the machine's word, where another of its cause has that.
std::optional<Finding> known_finding(Subject& subject, const Reduced& reduced, const Verdict& verdict, CheckOptions options,
                                     const FindingContext& context, const std::string& origin) {
  if (!options.confirm || !symptom_info(verdict.symptom).retractable || context.is_known == nullptr) return std::nullopt;
  options.confirm = false;
  Checked checked = check_claim(subject, reduced.test, reduced.pipeline, verdict, options);
  if (!shows_the_same(checked.verdict, verdict)) return std::nullopt;
  Finding finding = finding_of(subject, reduced.test, reduced.pipeline, std::move(checked), origin);
  if (!context.is_known(finding.cause)) return std::nullopt;
  return finding;
}

json place_json(const std::optional<Place>& place) {
  if (!place) return nullptr;
  return {{"file", place->file}, {"line", place->line}, {"text", place->text}};
}

json verdict_json(const Verdict& verdict, const Finding& finding, const Subject& subject) {
  json passes = json::array();
  for (const PassCall& call : finding.pipeline)
    passes.push_back({call.name, json::parse(call.options, nullptr, false)});
  return {{"format", kReportFormat},
          {"symptom", symptom_name(verdict.symptom)},
          {"severity", severity_name(verdict.symptom)},
          {"stage", stage_name(verdict.stage)},
          {"check", verdict.check},
          {"pass", verdict.culprit},
          {"site", verdict.site},
          {"detail", verdict.detail},
          {"place", place_json(verdict.place)},
          {"complaint", verdict.complaint},
          {"signature", finding.signature},
          {"cause", name_of(finding.cause)},
          {"evidence", to_json(finding.cause)},
          {"explanation", explain(verdict)},
          {"in_default_pipeline", in_default_pipeline(subject, finding.cause)},
          {"subject", subject.name()},
          {"version", subject.version()},
          {"passes", std::move(passes)},
          {"bindings", count_bindings(finding.test.module)}};
}

std::string pipeline_text(const Pipeline& pipeline) {
  std::string text;
  for (const PassCall& call : pipeline) {
    if (!text.empty()) text += ", then ";
    text += "`" + call.name + "`";
    if (call.options != "{}") text += " with `" + call.options + "`";
  }
  return text;
}

std::string issue_text(const Subject& subject, const Finding& finding,
                       const std::optional<std::string>& script) {
  const Verdict& verdict = finding.checked.verdict;
  std::string text = fmt::format("# [Relax][{}] {}\n\n", finding.cause.passes.front(), explain(verdict));
  text +=
      fmt::format("{} {}, pass {}.\n\n", subject.name(), subject.version(), pipeline_text(finding.pipeline));
  text += "### Before the pass\n\n```python\n" + print(finding.test.module) + "```\n\n";
  if (finding.checked.target)
    text += "### After the pass\n\n```python\n" + print(*finding.checked.target) + "```\n\n";
  text += "### What goes wrong\n\n" + verdict.detail + "\n\n";
  if (const Cause& cause = finding.cause; !cause.ill_typed.empty())
    text += fmt::format("`{}` fails at what `{}` has made, which is typed wrongly: {}\n\n", verdict.culprit, cause.passes.front(), cause.ill_typed);
  if (verdict.place) {
    text += fmt::format("That is line {} of the module {} the pass: `{}`\n\n", verdict.place->line,
                        verdict.place->file == kTargetFile ? "after" : "before", verdict.place->text);
  }
  if (!verdict.complaint.empty()) text += fmt::format("{}'s own checker says:\n\n```\n{}\n```\n\n", subject.name(), verdict.complaint);
  if (const std::string promise = subject.documented_promise(symptom_name(verdict.symptom), verdict.site); !promise.empty())
    text += promise + "\n\n";
  if (finding.checked.plan.steps.size() > 1) {
    text += "Called as the pass's contract says:\n\n```\n" +
            to_string(finding.checked.plan, finding.test.module) + "\n```\n\n";
  }
  if (script) text += "### To reproduce\n\n```python\n" + *script + "```\n";
  return text;
}

// The folder, too, if it could not be written since another campaign has written it meanwhile.
Result<std::filesystem::path> written_or_there(Result<std::filesystem::path> written, const std::filesystem::path& folder) {
  return written || !std::filesystem::exists(folder) ? written : folder;
}

}  // namespace

Finding finding_of(Subject& subject, TestCase test, Pipeline pipeline, Checked checked, std::string origin) {
  std::string signature = signature_of(checked.verdict, test.module, test.entry);
  Cause cause = cause_of(subject, test, pipeline, checked);
  return {.test = std::move(test),
          .pipeline = std::move(pipeline),
          .checked = std::move(checked),
          .unreduced = {},
          .unreduced_pipeline = {},
          .signature = std::move(signature),
          .cause = std::move(cause),
          .origin = std::move(origin)};
}

std::optional<Finding> make_finding(Subject& subject, const TestCase& test, const Pipeline& pipeline, const Verdict& verdict,
                                    const CheckOptions& options, const ReduceOptions& reduction, std::string origin, const FindingContext& context) {
  const auto none = [&](std::string why) {
    if (context.unconfirmed != nullptr) *context.unconfirmed = std::move(why);
    return std::nullopt;
  };
  CheckOptions quick = with_check_of(verdict, options);
  quick.confirm = false;
  CheckOptions candidates = of_candidates(verdict, options, false);
  candidates.only_compiles = shows_by_compiling(subject, test, pipeline, verdict, candidates);
  quick.only_compiles = candidates.only_compiles;
  auto prefix = spoiling_prefix(subject, test, pipeline, verdict, quick);
  if (prefix && !is_finding(prefix->verdict.symptom)) return none("of the target of fewer passes nothing can be said: " + prefix->verdict.detail);
  if (!prefix) prefix = uncompilable_prefix(subject, test, pipeline, verdict, quick);
  if (prefix) {
    return make_finding(subject, test, prefix->pipeline, prefix->verdict, options, reduction, std::move(origin), context);
  }
  if (verdict.symptom == Symptom::timeout || verdict.symptom == Symptom::nondeterministic) {
    // Whoever met it may have met a chance, or waited for less time than a report can claim. Given that, the pass may end, or fill the memory.
    const Verdict claimed = check_claim(subject, test, pipeline, verdict, options).verdict;
    if (claimed.symptom == Symptom::memory) return make_finding(subject, test, pipeline, claimed, options, reduction, std::move(origin), context);
    if (!shows_the_same(claimed, verdict))
      return none(verdict.symptom == Symptom::timeout ? "the pass ends, given more time" : "two more runs of the pass do not differ");
  }
  const auto of_this_case = [&](Finding finding) {
    finding.unreduced = test;
    finding.unreduced_pipeline = pipeline;
    return finding;
  };
  Reduced best = reduced(subject, test, pipeline, verdict, candidates, reduction);
  if (auto known = known_finding(subject, best, verdict, options, context, origin)) return of_this_case(*std::move(known));
  Checked checked = check_claim(subject, best.test, best.pipeline, verdict, options);
  if (candidates.only_compiles && !shows_the_same(checked.verdict, verdict)) {
    candidates.only_compiles = false;
    best = reduced(subject, test, pipeline, verdict, candidates, reduction);
    checked = check_claim(subject, best.test, best.pipeline, verdict, options);
  }
  // Reduction may have turned the case into one that the machine does not confirm: reduce again, confirming each candidate.
  if (!shows_the_same(checked.verdict, verdict) && symptom_info(verdict.symptom).retractable) {
    CheckOptions asked = options;
    asked.confirm = true;
    const Checked original = check(subject, test, pipeline, asked);
    // What is wrong with values shows in no run then. The reduced case may show that, too.
    if (original.verdict.symptom == Symptom::does_not_compile) {
      const bool is_shown = shows_the_same(checked.verdict, original.verdict);
      auto other = make_finding(subject, is_shown ? best.test : test, is_shown ? best.pipeline : pipeline, original.verdict, options, reduction,
                                std::move(origin), context);
      if (!other) return std::nullopt;
      return of_this_case(*std::move(other));
    }
    if (!shows_the_same(original.verdict, verdict)) return none(to_string(original.verdict));
    best = reduced(subject, test, pipeline, verdict, of_candidates(verdict, options, true), reduction);
    checked = check_claim(subject, best.test, best.pipeline, verdict, options);
  }
  if (!shows_the_same(checked.verdict, verdict)) return none(to_string(checked.verdict));
  return of_this_case(finding_of(subject, std::move(best.test), std::move(best.pipeline), std::move(checked), std::move(origin)));
}

std::optional<Finding> reduced_further(Subject& subject, const Finding& finding, const CheckOptions& options, const ReduceOptions& reduction) {
  if (count_bindings(finding.test.module) <= kFewBindings || hangs(finding.checked.verdict.symptom)) return std::nullopt;
  auto further = make_finding(subject, finding.test, finding.pipeline, finding.checked.verdict, options, reduction, finding.origin);
  if (!further) return std::nullopt;
  further->unreduced = finding.unreduced;
  further->unreduced_pipeline = finding.unreduced_pipeline;
  return further;
}

Cause cause_of(Subject& subject, const TestCase& test, const Pipeline& pipeline, const Checked& checked) {
  const Module* target = checked.target ? &*checked.target : nullptr;
  const auto severity = symptom_info(checked.verdict.symptom).severity;
  const bool fails = severity == Severity::refused || severity == Severity::crash;
  if ((target == nullptr && !fails) || pipeline.size() < 2) return cause_of(checked.verdict, test.module, test.module, target);
  // Of a failure the targets of all passes before are looked at, else what the last is given.
  std::vector<Pipeline> prefixes = proper_prefixes(with_case_values(pipeline, test));
  if (!fails) prefixes.erase(prefixes.begin(), prefixes.end() - 1);
  const std::vector<TransformReply> replies = subject.transform(test.module, prefixes, {.subject_well_formed = false});
  const Module* before = target_of(replies.back());
  Cause cause = cause_of(checked.verdict, test.module, before != nullptr ? *before : test.module, target);
  if (fails && !wrong_type_in(test.module)) blame_ill_typed(replies, prefixes, cause);
  return cause;
}

bool in_default_pipeline(const Subject& subject, const Cause& cause) {
  return std::any_of(cause.passes.begin(), cause.passes.end(), [&](const std::string& name) {
    const Pass* pass = find_pass(subject, name);
    return pass != nullptr && pass->in_default_pipeline;
  });
}

Likeness same_cause(Subject* subject, const Finding& a, const Finding& b) {
  Likeness likeness = compare_causes(a.cause, b.cause);
  if (likeness.same || subject == nullptr || !differ_in_pass_alone(a.cause, b.cause)) return likeness;
  const auto fails_with = [&](const Finding& finding, const Finding& other, const Pipeline& pipeline) {
    const Verdict& own = finding.checked.verdict;
    const Verdict verdict = check(*subject, finding.test, pipeline, {.confirm = false, .sampling = Sampling::every_case()}).verdict;
    return verdict.symptom == own.symptom && are_at_one_place(own.symptom, verdict.site, own.site) &&
           verdict.culprit == other.checked.verdict.culprit && argument_difference(verdict.detail) == argument_difference(own.detail);
  };
  const auto fails_alike = [&](const Finding& finding, const Finding& other) { return fails_with(finding, other, other.pipeline); };
  // Options of the passes before name what the module of their own case has.
  const auto fails_behind_its_own = [&](const Finding& finding, const Finding& other) {
    Pipeline pipeline = finding.pipeline;
    pipeline.back() = other.pipeline.back();
    return fails_with(finding, other, pipeline);
  };
  // FoldConstant legalises what LegalizeOps does, but only where all operands are constants; ConvertToDataflow canonicalises bindings, but makes
  // the blocks itself first: the case of one need not fail under the other, though they share what is wrong.
  const bool one = fails_alike(a, b);
  const bool both = (one && fails_alike(b, a)) || (a.pipeline.size() > 1 && fails_behind_its_own(a, b) && fails_behind_its_own(b, a));
  if (!both && !(one_case_tells(a.cause, b.cause) && (one || fails_alike(b, a)))) return likeness;
  return {true, fmt::format("{} under {} and {}", both ? "both modules fail alike" : "one module fails in the same way",
                            a.cause.passes.front(), b.cause.passes.front())};
}

Result<std::filesystem::path> write_finding(Subject& subject, const Finding& finding,
                                            const std::filesystem::path& root) {
  const Verdict& verdict = finding.checked.verdict;
  const std::filesystem::path folder = root / name_of(finding.cause);
  if (std::filesystem::exists(folder)) return folder;
  const std::string symptom(symptom_name(verdict.symptom));
  const auto script = subject.repro_script(
      {finding.test, with_case_values(finding.pipeline, finding.test), finding.checked.plan, symptom, verdict.site, verdict.detail});

  const CaseFolder content{.test = finding.test,
                           .passes = finding.pipeline,
                           .expected = {{std::string(subject.name()), symptom}},
                           .origin = finding.origin,
                           .readme = fmt::format("{}: {}\nFound by passdiff ({}).\n", verdict.culprit,
                                                 explain(verdict), finding.origin)};
  std::map<std::string, std::string> extra;
  extra["verdict.json"] =
      verdict_json(verdict, finding, subject).dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  extra["issue.md"] = issue_text(subject, finding, script);
  extra["unreduced/source.py"] = print(finding.unreduced.module);
  extra["unreduced/module.json"] = to_json(finding.unreduced.module).dump() + "\n";
  if (finding.checked.target) extra["target.py"] = print(*finding.checked.target);
  if (script) extra["repro.py"] = *script;
  return written_or_there(write_case(content, folder, extra), folder);
}

Result<std::filesystem::path> write_unconfirmed(const Subject& subject, const TestCase& test,
                                                const Pipeline& pipeline, const Verdict& verdict,
                                                const std::string& origin,
                                                const std::filesystem::path& root) {
  const std::filesystem::path folder = root / slug_of(verdict, key_of(verdict));
  if (std::filesystem::exists(folder)) return folder;
  const Symptom symptom = verdict.symptom == Symptom::unsupported ? verdict.symptom : Symptom::unconfirmed;
  const std::string unconfirmed(symptom_name(symptom));
  const CaseFolder content{.test = test,
                           .passes = pipeline,
                           .expected = {{std::string(subject.name()), unconfirmed}},
                           .origin = origin,
                           .readme = fmt::format("{}: no finding: {}\nSeen by passdiff ({}).\n", verdict.culprit,
                                                 verdict.detail, origin)};
  return written_or_there(write_case(content, folder), folder);
}

}  // namespace passdiff
