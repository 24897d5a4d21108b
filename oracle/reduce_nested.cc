// Steps that simplify bindings inside of branches and local functions of the entry function, and those of other functions.
#include <array>
#include <vector>

#include "core/form/builder.h"
#include "oracle/reduce_parts.h"
#include "oracle/reduce_steps.h"

namespace passdiff {
namespace {

void collect_all(const SeqExpr& seq, std::vector<const Binding*>& bindings);

void collect_nested(const SeqExpr& seq, std::vector<const Binding*>& bindings) {
  for_each_binding<Enter::none>(seq, [&](const Binding& binding) {
    for_each_seq(*binding.value, [&](const SeqExpr& inner) { collect_all(inner, bindings); });
  });
}

// Those of the sequence itself, then those inside their values.
void collect_all(const SeqExpr& seq, std::vector<const Binding*>& bindings) {
  for_each_binding<Enter::none>(seq, [&](const Binding& binding) { bindings.push_back(&binding); });
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

std::vector<const Binding*> all_bindings(const TestCase& test) {
  std::vector<const Binding*> bindings;
  for (const GlobalFunction& f : test.module.functions) collect_all(f.function->body, bindings);
  return bindings;
}
std::size_t count_all(const TestCase& test) {
  return all_bindings(test).size();
}

std::size_t count_nested(const TestCase& test) {
  return nested_bindings(test).size();
}

// Replaces the value of a call by a constant of zeros.
std::optional<TestCase> zero_nested(const TestCase& test, std::size_t i) {
  const Binding* target = nested_bindings(test)[i];
  if (as<Call>(target->value) == nullptr || target->match_cast) return std::nullopt;
  const auto constant = zeros_of(target->var->type);
  if (!constant) return std::nullopt;
  return rebuilt(test, {.rewrite = [&](const Binding& b) { return &b == target ? constant : std::nullopt; }});
}

// An expression that can stand for the binding's variable: an operand of the same type, the variable that it is bound to, or the
// field that is taken out of a tuple which is written out.
std::optional<ExprPtr> stand_in_for(const TestCase& test, const Binding& binding) {
  if (binding.match_cast) return std::nullopt;
  if (as<Var>(binding.value) != nullptr) return binding.value;
  if (const Call* call = as<Call>(binding.value)) {
    for (const ExprPtr& arg : call->args) {
      if (as<Var>(arg) != nullptr && equal(arg->type, binding.var->type)) return arg;
    }
  }
  const TupleGetItem* get = as<TupleGetItem>(binding.value);
  const Var* tuple_var = get == nullptr ? nullptr : as<Var>(get->tuple);
  if (tuple_var == nullptr) return std::nullopt;
  for (const Binding* other : all_bindings(test)) {
    const Tuple* tuple = other->var == *tuple_var ? as<Tuple>(other->value) : nullptr;
    if (tuple != nullptr) return tuple->fields[static_cast<std::size_t>(get->index)];
  }
  return std::nullopt;
}

std::optional<TestCase> bypass_any(const TestCase& test, std::size_t i) {
  const Binding* target = all_bindings(test)[i];
  const auto stand_in = stand_in_for(test, *target);
  if (!stand_in) return std::nullopt;
  VarSet shown;
  if (!target->var->dataflow) collect_uses(*stand_in, shown);
  return rebuilt(test, {.replace = [&](const Binding& b) { return &b == target ? stand_in : std::nullopt; },
                        .expose = [&](const Var& v) { return shown.contains(v.get()); }});
}

std::optional<TestCase> remove_nested(const TestCase& test, std::size_t i) {
  const Binding* target = nested_bindings(test)[i];
  for (const GlobalFunction& f : test.module.functions) {
    if (is_used(f, target->var.get())) return std::nullopt;
  }
  return rebuilt(test, {.remove = [&](const Binding& b) { return &b == target; }});
}

constexpr std::array kSteps = {
    ReduceStep{"bypass-any", count_all, bypass_any},
    ReduceStep{"zero-nested", count_nested, zero_nested},
    ReduceStep{"remove-nested", count_nested, remove_nested},
};

}  // namespace

std::span<const ReduceStep> nested_steps() {
  return kSteps;
}

}  // namespace passdiff
