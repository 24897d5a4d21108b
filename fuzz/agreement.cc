#include "fuzz/agreement.h"

#include <algorithm>
#include <utility>

#include "core/ir/structural.h"
#include "fuzz/cases/drawn_case.h"
#include "oracle/check.h"

namespace passdiff {
namespace {

// TVM's passes that both targets are put through before they are compared a second time. They remove bindings that only
// give a value another name, that compute a value once more, or that nothing uses, and sort those that are left.
const Pipeline kTidying = {{"CanonicalizeBindings", "{}"},
                           {"EliminateCommonSubexpr", "{}"},
                           {"DeadCodeElimination", "{}"},
                           {"TopologicalSort", R"({"order": "depth-first", "direction": "from-outputs"})"}};

Result<std::vector<const Pass*>> common_passes(const Subject& native, const Subject& tvm,
                                               const std::vector<std::string>& names) {
  std::vector<const Pass*> passes;
  for (const Pass& pass : native.passes()) {
    if (names.empty() && find_pass(tvm, pass.name) != nullptr) passes.push_back(&pass);
  }
  for (const std::string& name : names) {
    const Pass* pass = find_pass(native, name);
    if (pass == nullptr || find_pass(tvm, name) == nullptr) {
      return Error{"agreement.pass", name + ": not a pass of both subjects; see `passdiff list passes`"};
    }
    if (std::ranges::find(passes, pass) == passes.end()) passes.push_back(pass);
  }
  return passes;
}

// The function with its result tuple written out where it returns a variable that is bound to one.
FunctionPtr with_written_result(const FunctionPtr& function) {
  const Var* returned = as<Var>(function->body.result);
  if (returned == nullptr || function->body.blocks.empty()) return function;
  auto result = std::make_shared<Function>(*function);
  Block& last = result->body.blocks.back();
  if (last.bindings.empty() || last.bindings.back().var != *returned) return function;
  const Tuple* tuple = as<Tuple>(last.bindings.back().value);
  if (last.dataflow || tuple == nullptr) return function;
  result->body.result = last.bindings.back().value;
  last.bindings.pop_back();
  if (last.bindings.empty()) result->body.blocks.pop_back();
  return result;
}

bool is_judged(const Verdict& verdict) {
  return verdict.symptom == Symptom::agree;
}

class SideBySide {
 public:
  SideBySide(Subject& native, Subject& tvm, const std::function<void(const Difference&)>& tell)
      : native_(native), tvm_(tvm), tell_(tell) {}

  void compare(const TestCase& test, const Pipeline& pipeline, Agreement& row) {
    const PassCall& call = pipeline.back();
    const Pass& theirs = *find_pass(tvm_, call.name);
    if (theirs.applies != nullptr && !theirs.applies(test.module)) return;
    Pipeline other;
    for (const std::string_view needed : theirs.contract.needs) other.push_back({std::string(needed), "{}"});
    other.push_back(call);
    const CheckOptions plain{.confirm = false};
    const Checked ours = check(native_, test, pipeline, plain);
    const Checked its = check(tvm_, test, other, plain);
    ++row.cases;
    if (is_finding(ours.verdict.symptom)) {
      ++row.native_reported;
    } else if (is_finding(its.verdict.symptom)) {
      ++row.tvm_reported;
    } else if (ours.verdict.symptom == Symptom::rejected || its.verdict.symptom == Symptom::rejected) {
      ++row.refused;
    } else if (!is_judged(ours.verdict) || !is_judged(its.verdict)) {
      ++row.unjudged;
    } else {
      ++count_for(test, call.name, ours.target.value_or(test.module), its.target.value_or(test.module), row);
    }
  }

 private:
  std::int64_t& count_for(const TestCase& test, const std::string& pass, const Module& ours,
                          const Module& its, Agreement& row) {
    if (structural_equal(ours, its)) return row.same;
    const auto our_tidied = tidied(ours);
    const auto its_tidied = tidied(its);
    if (our_tidied && its_tidied && structural_equal(*our_tidied, *its_tidied)) return row.tidied;
    tell_({pass, test, our_tidied ? *our_tidied : ours, its_tidied ? *its_tidied : its});
    return row.different;
  }

  std::optional<Module> tidied(const Module& module) {
    const auto replies = tvm_.transform(module, std::span(&kTidying, 1), {});
    const auto* transformed = std::get_if<Transformed>(&replies.at(0).result);
    if (transformed == nullptr || (!transformed->unchanged && !transformed->target)) return std::nullopt;
    Module result = transformed->unchanged ? module : *transformed->target;
    for (GlobalFunction& global : result.functions) global.function = with_written_result(global.function);
    return result;
  }

  Subject& native_;
  Subject& tvm_;
  const std::function<void(const Difference&)>& tell_;
};

}  // namespace

Result<std::vector<Agreement>> measure_agreement(Subject& native, Subject& tvm,
                                                 const AgreementOptions& options,
                                                 const std::function<void(const Difference&)>& tell,
                                                 const std::atomic<bool>& stop) {
  const auto passes = TRY(common_passes(native, tvm, options.passes));
  std::vector<Agreement> rows;
  for (const Pass* pass : passes) rows.push_back({.pass = pass->name});
  SideBySide comparison(native, tvm, tell);
  for (std::int64_t i = 0; i < options.cases && !stop; ++i) {
    const DrawnCase drawn = draw_case(options.seed, static_cast<std::uint64_t>(i), passes, {});
    for (const Pipeline& pipeline : drawn.pipelines) {
      for (Agreement& row : rows) {
        if (row.pass == pipeline.back().name) comparison.compare(drawn.test, pipeline, row);
      }
    }
  }
  return rows;
}

}  // namespace passdiff
