#include "fuzz/campaign/cause_list.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "oracle/findings/part_findings.h"
#include "oracle/replay.h"
#include "oracle/witness.h"

namespace passdiff {

namespace {

std::optional<Finding> finding_of_case(Subject& subject, TestCase test, const CaseFolder& content) {
  // What the interpreter and the subject's checker see decides most cases at once; the machine is asked only where they see nothing.
  CheckOptions options{.confirm = false, .sampling = Sampling::every_case(), .cpu_seconds = kHangSeconds};
  options.sampling.set(kVmAgrees, 0);
  Checked checked = check(subject, test, content.passes, options);
  if (!is_finding(checked.verdict.symptom)) {
    options.sampling = Sampling::every_case();
    checked = check(subject, test, content.passes, options);
  }
  if (!is_finding(checked.verdict.symptom)) return std::nullopt;
  return finding_of(subject, std::move(test), content.passes, std::move(checked), content.origin);
}

// The case looks/NAME/LOOK has the cause of the case NAME beside the folder `looks`, which shows otherwise there.
std::filesystem::path folder_of_cause(const std::filesystem::path& folder) {
  const std::filesystem::path named = folder.parent_path();
  if (named.parent_path().filename() != "looks") return folder;
  return named.parent_path().parent_path() / named.filename();
}

std::vector<Cause> causes_in_parts(Subject& subject, const Finding& finding) {
  std::vector<Cause> causes;
  for (Finding& part : findings_in_parts(subject, finding)) causes.push_back(std::move(part.cause));
  return causes;
}

bool share_a_pass(const Cause& a, const Cause& b) {
  return std::find_first_of(a.passes.begin(), a.passes.end(), b.passes.begin(), b.passes.end()) != a.passes.end();
}

}  // namespace

Result<std::optional<Finding>> finding_in(Subject& subject, const std::filesystem::path& folder) {
  const CaseFolder content = TRY(read_case(folder));
  for (const PassCall& call : content.passes) {
    const Pass* pass = find_pass(subject, call.name);
    if (pass == nullptr || !pass->unsupported.empty()) return std::optional<Finding>();
  }
  std::vector<Error> refused;
  for (TestCase& test : test_cases_for(subject, content, kArgumentsSeed, refused)) {
    if (auto finding = finding_of_case(subject, std::move(test), content)) return finding;
  }
  return std::optional<Finding>();
}

void CauseList::replay(Jobs& jobs, std::span<const std::filesystem::path> folders, bool known, const std::function<void()>& tell) {
  std::vector<std::optional<Finding>> findings(folders.size());
  std::mutex telling;
  jobs.for_each(static_cast<std::int64_t>(folders.size()), [&](int job, std::int64_t i) {
    {
      const std::lock_guard lock(telling);
      tell();
    }
    const auto at = static_cast<std::size_t>(i);
    if (auto finding = finding_in(jobs.subject(job), folders[at])) findings[at] = *std::move(finding);
  });
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (findings[i]) add(*std::move(findings[i]), folder_of_cause(folders[i]), known);
  }
}

const MetCause& CauseList::add(Finding finding, const std::filesystem::path& folder, bool known) {
  Cause alone = finding.cause;
  return causes_.emplace_back(std::move(finding), folder, known, std::move(alone));
}

std::vector<GrownCause> CauseList::grown() const {
  std::vector<GrownCause> grown;
  for (const MetCause& met : causes_) {
    if (!met.known || met.finding.cause != met.alone) grown.push_back({met.folder.string(), met.alone, met.finding.cause});
  }
  return grown;
}

void CauseList::restore(const std::vector<GrownCause>& grown) {
  for (const GrownCause& earlier : grown) {
    // Several cases of a tree of known bugs may stand for one folder: its looks.
    const auto met = std::ranges::find_if(
        causes_, [&](const MetCause& now) { return now.folder == earlier.folder && (!now.known || now.alone == earlier.alone); });
    if (met == causes_.end()) continue;
    met->alone = earlier.alone;
    met->finding.cause = earlier.joined;
  }
}

bool CauseList::has(const Cause& cause) const {
  return std::ranges::any_of(causes_, [&](const MetCause& met) { return met.alone == cause; });
}

const MetCause* CauseList::fails_alike(const Verdict& verdict, const Module& module) const {
  const auto found = std::find_if(causes_.begin(), causes_.end(), [&](const MetCause& met) {
    return is_thrown_alike(met.finding.cause, verdict) || hangs_alike(met.finding.cause, verdict, module);
  });
  return found == causes_.end() ? nullptr : &*found;
}

CauseList::Alike CauseList::alike(const Cause& cause) {
  for (MetCause& met : causes_) {
    // `finding.cause` shrinks as findings join it. A new cause is also held against the first finding's own, since it may be a subset of that
    // and not of the joined one.
    for (const Cause* const other : {&met.finding.cause, &met.alone}) {
      Likeness likeness = compare_causes(*other, cause);
      if (likeness.same) return {&met, std::move(likeness.because)};
    }
  }
  return {};
}

const MetCause* CauseList::with_part(Subject& subject, const std::vector<Cause>& causes) {
  const auto found = std::find_if(causes_.begin(), causes_.end(), [&](MetCause& met) {
    const CauseKind kind = met.finding.cause.kind;
    // Of a target that does not compile, one of the compiler's other passes may be to blame.
    const bool by_others = met.finding.cause.symptom == Symptom::does_not_compile;
    if ((kind != CauseKind::error && kind != CauseKind::form) || (!by_others && !share_a_pass(met.finding.cause, causes.back()))) return false;
    if (!met.parts) met.parts = causes_in_parts(subject, met.finding);
    return std::any_of(met.parts->begin(), met.parts->end(), [&](const Cause& part) {
      return std::any_of(causes.begin(), causes.end(), [&](const Cause& cause) { return compare_causes(part, cause).same; });
    });
  });
  return found == causes_.end() ? nullptr : &*found;
}

Recognised CauseList::find(Subject& subject, const Finding& finding) {
  if (Alike like = alike(finding.cause); like.cause != nullptr) {
    join(like.cause->finding.cause, finding.cause);
    return {like.cause, std::move(like.because)};
  }
  for (MetCause& met : causes_) {
    Likeness likeness = same_cause(&subject, met.finding, finding);
    if (!likeness.same) continue;
    join(met.finding.cause, finding.cause);
    return {&met, std::move(likeness.because)};
  }
  std::vector<Cause> shown = causes_in_parts(subject, finding);
  for (const Cause& part : shown) {
    if (const MetCause* met = alike(part).cause) return {met, fmt::format("a part of it is {} by itself", symptom_name(part.symptom))};
  }
  shown.push_back(finding.cause);
  const MetCause* const met = with_part(subject, shown);
  if (met == nullptr) return {};
  return {met, fmt::format("a part of {} is this, or a part of this, by itself", met->folder.string())};
}

}  // namespace passdiff
