// Steps that simplify what the entry function's own bindings do not reach: branches, local functions, other
// functions.
#include <array>
#include <vector>

#include "core/syntax/builder.h"
#include "oracle/reduce_parts.h"
#include "oracle/reduce_steps.h"

namespace passdiff {
namespace {

void collect_all(const SeqExpr& seq, std::vector<const Binding*>& bindings);

void collect_nested(const SeqExpr& seq, std::vector<const Binding*>& bindings) {
  for (const Block& block : seq.blocks) {
    for (const Binding& binding : block.bindings) {
      if (const If* branch = as<If>(binding.value)) {
        collect_all(*branch->then_branch, bindings);
        collect_all(*branch->else_branch, bindings);
      } else if (const FunctionPtr* local = as<FunctionPtr>(binding.value)) {
        collect_all((*local)->body, bindings);
      }
    }
  }
}

void collect_all(const SeqExpr& seq, std::vector<const Binding*>& bindings) {
  for (const Block& block : seq.blocks) {
    for (const Binding& binding : block.bindings) bindings.push_back(&binding);
  }
  collect_nested(seq, bindings);
}

std::vector<const Binding*> nested_bindings(const TestCase& test) {
  std::vector<const Binding*> bindings;
  for (const GlobalFunction& f : test.module.functions) {
    if (f.name == test.entry) {
      collect_nested(f.function->body, bindings);
    } else {
      collect_all(f.function->body, bindings);
    }
  }
  return bindings;
}

std::size_t count_nested(const TestCase& test) {
  return nested_bindings(test).size();
}

// A call's value becomes a constant of zeros: what computed it does not matter.
std::optional<TestCase> zero_nested(const TestCase& test, std::size_t i) {
  const Binding* target = nested_bindings(test)[i];
  if (as<Call>(target->value) == nullptr || target->match_cast) return std::nullopt;
  const auto constant = zeros_of(target->var->type);
  if (!constant) return std::nullopt;
  return rebuilt(test, {.rewrite = [&](const Binding& b) { return &b == target ? constant : std::nullopt; }});
}

// The variable stands for an operand of the same type.
std::optional<TestCase> bypass_nested(const TestCase& test, std::size_t i) {
  const Binding* target = nested_bindings(test)[i];
  const Call* call = as<Call>(target->value);
  if (call == nullptr) return std::nullopt;
  for (const ExprPtr& arg : call->args) {
    if (as<Var>(arg) == nullptr || !equal(arg->type, target->var->type)) continue;
    return rebuilt(
        test, {.replace = [&](const Binding& b) { return &b == target ? std::optional(arg) : std::nullopt; },
               .expose = [&](const Var& v) { return !target->var->dataflow && v == *as<Var>(arg); }});
  }
  return std::nullopt;
}

std::optional<TestCase> remove_nested(const TestCase& test, std::size_t i) {
  const Binding* target = nested_bindings(test)[i];
  for (const GlobalFunction& f : test.module.functions) {
    if (is_used(f, target->var.get())) return std::nullopt;
  }
  return rebuilt(test, {.remove = [&](const Binding& b) { return &b == target; }});
}

constexpr std::array kSteps = {
    ReduceStep{"bypass-nested", count_nested, bypass_nested},
    ReduceStep{"zero-nested", count_nested, zero_nested},
    ReduceStep{"remove-nested", count_nested, remove_nested},
};

}  // namespace

std::span<const ReduceStep> nested_steps() {
  return kSteps;
}

}  // namespace passdiff
