#include "passes/native/lift_plan.h"

#include <algorithm>
#include <utility>

#include "core/form/builder.h"
#include "core/form/signature.h"
#include "core/ir/queries.h"
#include "core/ir/rewriter.h"
#include "passes/native/same_computation.h"

namespace passdiff {
namespace {

bool contains(const std::vector<SymVar>& symbols, const SymVar& symbol) {
  return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
}

void add_once(std::vector<SymVar>& symbols, const SymVar& symbol) {
  if (!contains(symbols, symbol)) symbols.push_back(symbol);
}

// Whether the value has neither branches, local functions nor calls of extern functions in it. Other calls in a dataflow block
// are pure.
bool is_simple(const ExprPtr& expr) {
  return !any_expr(expr, [](const ExprPtr& part) {
    return match(
        part, [](const Call& call) { return std::holds_alternative<ExternFunc>(call.callee); },
        [](const OneOf<If, FunctionPtr, ExternFunc> auto&) { return true; },
        [](const OneOf<Var, Constant, Tuple, TupleGetItem, ShapeExpr, PrimValue, StringImm, DataTypeImm,
                       GlobalRef> auto&) { return false; });
  });
}

class Planner {
 public:
  Planner(LiftPlan& plan, const LiftFaults& faults) : plan_(plan), faults_(faults) {}

  void run() {
    for (LiftTarget& target : plan_.targets) number_weights(target);
    plan_.targets.size() == 1 ? number_alone(plan_.targets[0]) : number_shared();
    plan_.needs_weight.assign(plan_.weights + plan_.bindings.size(), true);
    for (std::size_t i = 0; i < plan_.bindings.size(); ++i) {
      plan_.needs_weight[plan_.weights + i] = depends_on_weight(*plan_.bindings[i]);
    }
    plan_.required.assign(plan_.needs_weight.size(), false);
    for (const LiftTarget& target : plan_.targets) find_required(target);
    for (std::size_t slot = 0; slot < plan_.required.size(); ++slot) {
      if (plan_.required[slot] && plan_.needs_weight[slot]) plan_.outputs.push_back(slot);
    }
    if (plan_.targets.size() == 1) find_symbols(plan_.targets[0]);
  }

 private:
  void number_weights(LiftTarget& target) {
    const auto weights = target.weights();
    plan_.weights = weights.size();
    for (std::size_t i = 0; i < weights.size(); ++i) target.slots.set(weights[i].get(), i);
  }

  // Whether the binding uses only liftable variables, and only symbolic dims that weights define.
  static bool can_lift(const Binding& binding, const PointerMap<std::size_t>& liftable,
                       const std::vector<SymVar>& symbols) {
    if (!is_simple(binding.value)) return false;
    bool ok = true;
    const auto check = [&](const SymVar& symbol) { ok &= contains(symbols, symbol); };
    for_each_use(binding.value, [&](const Var& var) {
      ok &= liftable.find(var.get()) != nullptr;
      for_each_sym_var(var->type, check);
    });
    if (!ok) return false;
    for_each_symbol(binding, check);
    return ok;
  }

  template <class Visit>
  static void for_each_dataflow_binding(const LiftTarget& target, const Visit& visit) {
    const auto visit_if_dataflow = [&](const Binding& binding, const Block& block) {
      if (block.dataflow) visit(binding);
    };
    for_each_binding<Enter::none>(target.global->function->body, visit_if_dataflow);
  }

  void number_alone(LiftTarget& target) {
    const auto symbols = weight_symbols(target);
    for_each_dataflow_binding(target, [&](const Binding& binding) {
      if (!can_lift(binding, target.slots, symbols)) return;
      target.slots.set(binding.var.get(), plan_.weights + plan_.bindings.size());
      plan_.bindings.push_back(&binding);
    });
  }

  // A computation that may be shared: it is if every function makes it. To compare computations of different functions they are
  // written in the variables of the first.
  struct Shared {
    const Binding* binding;
    ExprPtr canonical;
    std::size_t functions = 0;
    std::size_t last_function = 0;
  };

  void number_shared() {
    std::vector<Shared> found;
    std::vector<PointerMap<std::size_t>> entry_of(plan_.targets.size());  // for each variable, its index in `found`
    for (std::size_t f = 0; f < plan_.targets.size(); ++f) collect_shared(f, found, entry_of[f]);
    std::vector<std::size_t> slot_of(found.size(), 0);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i].functions != plan_.targets.size()) continue;
      slot_of[i] = plan_.weights + plan_.bindings.size();
      plan_.bindings.push_back(found[i].binding);
    }
    for (std::size_t f = 0; f < plan_.targets.size(); ++f) {
      for (const auto& [var, entry] : entry_of[f].entries()) {
        if (slot_of[entry] != 0) plan_.targets[f].slots.set(var, slot_of[entry]);
      }
    }
  }

  void collect_shared(std::size_t f, std::vector<Shared>& found, PointerMap<std::size_t>& entry_of) {
    const LiftTarget& target = plan_.targets[f];
    PointerMap<std::size_t> liftable = target.slots;
    Substitution canonical;
    for (std::size_t i = 0; i < plan_.weights; ++i) {
      canonical.vars.set(target.weights()[i].get(), var_expr(plan_.targets[0].weights()[i]));
    }
    for_each_dataflow_binding(target, [&](const Binding& binding) {
      if (binding.match_cast || !can_lift(binding, liftable, {})) return;
      liftable.set(binding.var.get(), 0);
      const ExprPtr value = substitute(binding.value, canonical);
      auto entry = std::find_if(found.begin(), found.end(),
                                [&](const Shared& s) { return same_computation(s.canonical, value); });
      if (entry == found.end()) entry = found.insert(entry, {&binding, value});
      if (entry->functions == 0 || entry->last_function != f) ++entry->functions;
      entry->last_function = f;
      entry_of.set(binding.var.get(), static_cast<std::size_t>(entry - found.begin()));
      canonical.vars.set(binding.var.get(), var_expr(entry->binding->var));
    });
  }

  // The bindings of the plan are those of the first target, so that its slots are the ones to look in.
  bool depends_on_weight(const Binding& binding) const {
    bool depends = false;
    for_each_use(binding.value, [&](const Var& var) {
      const std::size_t* slot = plan_.targets[0].slots.find(var.get());
      depends |= slot != nullptr && plan_.needs_weight[*slot];
    });
    return depends;
  }

  void find_required(const LiftTarget& target) {
    const auto require = [&](const Var& var) {
      if (const std::size_t* slot = target.slots.find(var.get())) plan_.required[*slot] = true;
    };
    const SeqExpr& body = target.global->function->body;
    for_each_binding<Enter::none>(body, [&](const Binding& binding) {
      if (!plan_.is_lifted(target, binding)) for_each_use(binding.value, require);
    });
    // TVM forgets that the result is used: apache/tvm issue 17231.
    if (!faults_.output_dropped) for_each_use(body.result, require);
  }

  void find_symbols(const LiftTarget& target) {
    const std::vector<SymVar> from_weights = weight_symbols(target);
    if (from_weights.empty()) return;
    std::vector<SymVar> known;
    for (std::size_t i = 0; i < target.inputs; ++i)
      collect_defined(target.global->function->params[i]->type, known);
    for (const std::size_t slot : plan_.outputs) collect_defined(output_type(slot), known);
    std::vector<SymVar> mentioned;
    const auto mention = [&](const SymVar& symbol) { add_once(mentioned, symbol); };
    for (const std::size_t slot : plan_.outputs) for_each_sym_var(output_type(slot), mention);
    for_each_sym_var(target.global->function->result_type, mention);
    for_each_binding<Enter::none>(target.global->function->body, [&](const Binding& binding) {
      if (!plan_.is_lifted(target, binding)) for_each_symbol(binding, mention);
    });
    for (const SymVar& symbol : from_weights) {
      if (contains(mentioned, symbol) && !contains(known, symbol)) plan_.symbols.push_back(symbol);
    }
  }

  const Type& output_type(std::size_t slot) const {
    return slot < plan_.weights ? plan_.targets[0].weights()[slot]->type
                                : plan_.bindings[slot - plan_.weights]->var->type;
  }

  LiftPlan& plan_;
  const LiftFaults& faults_;
};

}  // namespace

std::vector<SymVar> weight_symbols(const LiftTarget& target) {
  const auto weights = target.weights();
  std::vector<Var> kept(weights.begin(), weights.end());
  for (;;) {
    std::vector<SymVar> symbols;
    for (const Var& weight : kept) collect_defined(weight->type, symbols);
    const auto loses_shape = [&](const Var& weight) {
      bool known = true;
      for_each_sym_var(weight->type, [&](const SymVar& symbol) { known &= contains(symbols, symbol); });
      return !known;
    };
    if (std::erase_if(kept, loses_shape) == 0) return symbols;
  }
}

bool LiftPlan::is_lifted(const LiftTarget& target, const Binding& binding) const {
  const std::size_t* slot = target.slots.find(binding.var.get());
  return slot != nullptr && needs_weight[*slot];
}

LiftPlan plan_lifting(std::vector<LiftTarget> targets, const LiftFaults& faults) {
  LiftPlan plan;
  plan.targets = std::move(targets);
  Planner(plan, faults).run();
  return plan;
}

}  // namespace passdiff
