// EliminateCommonSubexpr: what was computed before is used again instead of computed again.
// Targets are TVM's, once both are tidied, but that calls of functions are left as they are; TVM merges them, too.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/documents/json.h"
#include "passes/native/native_pass.h"
#include "passes/native/rewrite.h"

namespace passdiff {
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

class Eliminator {
 public:
  Eliminator(bool call_only, const Faults& faults) : call_only_(call_only), faults_(faults) {}

  FunctionPtr eliminate(const FunctionPtr& function) {
    SeqExpr body = eliminate_seq(function->body);
    if (!changed_) return function;
    auto result = std::make_shared<Function>(*function);
    result->body = std::move(body);
    return result;
  }

 private:
  struct Known {
    ExprPtr value;
    Var var;
  };

  SeqExpr eliminate_seq(const SeqExpr& seq) {
    SeqExpr result;
    for (const Block& block : seq.blocks) {
      const Substitution before = by_;
      Block& copy = result.blocks.emplace_back(Block{block.dataflow, {}});
      for (const Binding& binding : block.bindings) copy.bindings.push_back(eliminate_binding(binding));
      if (!block.dataflow || faults_.dataflow_leak) continue;
      // Outside the block its dataflow variables are unknown, and so is what they stand for.
      std::erase_if(known_, [](const Known& known) { return known.var->dataflow; });
      by_ = before;
    }
    result.result = substitute(seq.result, by_);
    return result;
  }

  Binding eliminate_binding(const Binding& binding) {
    const ExprPtr value = eliminate_value(binding.value);
    if (binding.match_cast || !is_candidate(value)) return {binding.var, value, binding.match_cast};
    const auto same = std::find_if(known_.begin(), known_.end(), [&](const Known& known) {
      return is_same(known.value, value) && equal(known.var->type, binding.var->type);
    });
    if (same == known_.end()) {
      known_.push_back({value, binding.var});
      return {binding.var, value, std::nullopt};
    }
    changed_ = true;
    by_.vars.set(binding.var.get(), var_expr(same->var));
    return {binding.var, var_expr(same->var), std::nullopt};
  }

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

  ExprPtr eliminate_value(const ExprPtr& value) {
    if (const auto* branch = as<If>(value)) {
      auto then_branch = eliminate_branch(*branch->then_branch);
      auto else_branch = eliminate_branch(*branch->else_branch);
      return make_expr(If{substitute(branch->condition, by_), std::move(then_branch), std::move(else_branch)},
                       value->type);
    }
    if (const auto* function = as<FunctionPtr>(value)) {
      // Its variables live in calls of their own; those from outside keep their names.
      Eliminator inner(call_only_, faults_);
      FunctionPtr result = inner.eliminate(*function);
      changed_ |= inner.changed_;
      return make_expr(std::move(result), value->type);
    }
    return substitute(value, by_);
  }

  std::shared_ptr<const SeqExpr> eliminate_branch(const SeqExpr& branch) {
    const std::vector<Known> known = known_;
    const Substitution by = by_;
    auto result = std::make_shared<const SeqExpr>(eliminate_seq(branch));
    if (!faults_.branch_leak) known_ = known;
    by_ = by;
    return result;
  }

  bool call_only_;
  const Faults& faults_;
  std::vector<Known> known_;
  Substitution by_;
  bool changed_ = false;
};

Result<bool> read_call_only(std::string_view text) {
  if (text == "{}") return false;
  const auto document = parse_json(text);
  if (!document) return document.error();
  if (!document->is_object())
    return Error{"options.type", "EliminateCommonSubexpr: the options are no object"};
  for (const auto& [key, value] : document->items()) {
    if (key != "call_only" || !value.is_boolean()) {
      return Error{"options.unknown", "EliminateCommonSubexpr: no such option: " + key};
    }
  }
  return document->value("call_only", false);
}

Result<Module> run(const Module& module, NativeRun& run) {
  const auto call_only = read_call_only(run.options);
  if (!call_only) return call_only.error();
  const Faults faults = switched_on(kFaults, run);
  Module result = module;
  for (GlobalFunction& function : result.functions) {
    function.function = Eliminator(*call_only, faults).eliminate(function.function);
  }
  return result;
}

std::string draw_options(Choices& choices, const Module&) {
  return choices.one_in(4) ? R"({"call_only": true})" : "{}";
}

}  // namespace

NativePass eliminate_common_subexpr() {
  return {.pass = {.name = "EliminateCommonSubexpr",
                   .contract = {.idempotent =
                                    false},  // as TVM's: the trivial bindings left behind are new ground
                   .draw_options = draw_options,
                   .source = "passes/native/eliminate_common_subexpr.cc"},
          .run = run,
          .faults = listed(kFaults)};
}

}  // namespace passdiff
