// EliminateCommonSubexpr: replaces a computation by the variable that holds the result of an equal one.
// Targets equal TVM's after both were tidied up (fuzz/agreement.h), except that TVM also merges calls of functions.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "core/ir/rewriter.h"
#include "passes/native/native_pass.h"
#include "passes/native/same_computation.h"

namespace passdiff {
namespace native::eliminate_common_subexpr {
namespace {

struct Faults {
  bool attributes_ignored = false;
  bool branch_leak = false;
  bool dataflow_leak = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::attributes_ignored, "eliminate-common-subexpr/attributes-ignored",
     "calls of one op on the same operands count as the same whatever their attributes", "outputs-refine"},
    {&Faults::branch_leak, "eliminate-common-subexpr/branch-leak",
     "what was computed inside a branch is used after it", "well-formed"},
    {&Faults::dataflow_leak, "eliminate-common-subexpr/dataflow-leak",
     "a dataflow variable is used outside its block", "well-formed"},
};

class Eliminator : public Substituter {
 public:
  Eliminator(bool call_only, const Faults& faults)
      : Substituter(by_), call_only_(call_only), faults_(faults) {}

  FunctionPtr eliminate(const FunctionPtr& function) { return Substituter::function(function); }

 protected:
  bool block(const Block& old, BlockSink& to) override {
    const Substitution before = by_;
    Substituter::block(old, to);
    if (!old.dataflow || faults_.dataflow_leak) return true;
    // The block's dataflow variables are out of scope after it, so that their computations cannot be reused.
    std::erase_if(known_, [](const Known& known) { return known.var->dataflow; });
    by_ = before;
    return true;
  }

  bool binding(const Binding& old, BlockSink& to) override {
    const ExprPtr value = expr(old.value);
    if (old.match_cast || !is_candidate(value)) {
      to.add({old.var, value, old.match_cast});
      return true;
    }
    const auto same = std::find_if(known_.begin(), known_.end(), [&](const Known& known) {
      return is_same(known.value, value) && equal(known.var->type, old.var->type);
    });
    if (same == known_.end()) {
      known_.push_back({value, old.var});
      to.add({old.var, value, std::nullopt});
    } else {
      by_.vars.set(old.var.get(), var_expr(same->var));
      to.add({old.var, var_expr(same->var), std::nullopt});
    }
    return true;
  }

  // A local function is handled by itself: it reuses no computation from outside, and uses outer variables as before.
  FunctionPtr function(const FunctionPtr& old) override {
    return Eliminator(call_only_, faults_).eliminate(old);
  }

  std::shared_ptr<const SeqExpr> branch(const std::shared_ptr<const SeqExpr>& old) override {
    const std::vector<Known> known = known_;
    const Substitution by = by_;
    auto fresh = Substituter::branch(old);
    if (!faults_.branch_leak) known_ = known;
    by_ = by;
    return fresh;
  }

 private:
  struct Known {
    ExprPtr value;
    Var var;
  };

  bool is_candidate(const ExprPtr& value) const {
    return as<Var>(value) == nullptr && (!call_only_ || as<Call>(value) != nullptr);
  }

  bool is_same(const ExprPtr& a, const ExprPtr& b) const {
    const auto* call = as<Call>(a);
    const auto* other = as<Call>(b);
    if (!faults_.attributes_ignored || call == nullptr || other == nullptr) return same_computation(a, b);
    Call stripped = *other;
    stripped.attrs = call->attrs;
    return same_computation(a, make_expr(std::move(stripped), b->type));
  }

  bool call_only_;
  const Faults& faults_;
  std::vector<Known> known_;
  Substitution by_;
};

Result<bool> read_call_only(std::string_view text) {
  if (text == "{}") return false;
  const nlohmann::json document = TRY(parse_json(text));
  if (!document.is_object())
    return Error{"options.type", "EliminateCommonSubexpr: the options are no object"};
  for (const auto& [key, value] : document.items()) {
    if (key != "call_only" || !value.is_boolean()) {
      return Error{"options.unknown", "EliminateCommonSubexpr: no such option: " + key};
    }
  }
  return document.value("call_only", false);
}

Result<Module> run(const Module& module, NativeRun& run) {
  const bool call_only = TRY(read_call_only(run.options));
  const Faults faults = switched_on(kFaults, run);
  Module result = module;
  for (GlobalFunction& function : result.functions) {
    function.function = Eliminator(call_only, faults).eliminate(function.function);
  }
  return result;
}

std::string draw_options(Choices& choices, const Module&) {
  return choices.one_in(4) ? R"({"call_only": true})" : "{}";
}

}  // namespace
}  // namespace native::eliminate_common_subexpr

NativePass eliminate_common_subexpr() {
  using namespace native::eliminate_common_subexpr;
  return {.pass = {.name = "EliminateCommonSubexpr",
                   // Like TVM's pass it leaves bindings of variables to variables, after which a second run finds more.
                   .contract = {.idempotent = false},
                   .draw_options = draw_options,
                   .source = "passes/native/eliminate_common_subexpr.cc"},
          .run = run,
          .faults = listed(kFaults)};
}

}  // namespace passdiff
