#include "oracle/source_run.h"

#include <fmt/format.h>

#include "oracle/execute.h"

namespace passdiff {
namespace {

Verdict not_judged(Symptom symptom, std::string site, const std::string& detail) {
  return {.symptom = symptom,
          .stage = Stage::execute,
          .site = std::move(site),
          .detail = "source: " + detail};
}

}  // namespace

SourceRun::SourceRun(const TestCase& test)
    : test_(test),
      plan_(direct_plan(test.entry, static_cast<int>(test.arguments.size()))),
      outcome_(run_plan(test.module, plan_, test.arguments)) {}

Rerun SourceRun::rerun() const {
  return [this](const Rounding& rounding) {
    return run_plan(test_.module, plan_, test_.arguments, {.rounding = rounding});
  };
}

Verdict SourceRun::verdict() const {
  if (const auto* undefined = std::get_if<Undefined>(&outcome_))
    return not_judged(Symptom::undefined, {}, describe(undefined->records.back()));
  if (const auto* trapped = std::get_if<Trapped>(&outcome_))
    return not_judged(Symptom::trapped, trapped->code, trapped->message);
  if (const auto* limit = std::get_if<LimitExceeded>(&outcome_))
    return not_judged(Symptom::limit, limit->what, "limit on " + limit->what);
  if (const Returned* returned = this->returned(); returned != nullptr && !returned->overflows.empty())
    return not_judged(Symptom::undefined, {}, describe(returned->overflows.front()));
  return not_judged(Symptom::unsupported, {}, to_string(outcome_));
}

std::string describe(const UndefinedRecord& record) {
  return fmt::format("{} in {} (binding {}): {}", rule_name(record.rule), record.op, record.binding,
                     record.detail);
}

}  // namespace passdiff
