// The two functions that LiftTransformParams makes of one.
#include <algorithm>

#include "core/form/builder.h"
#include "core/form/signature.h"
#include "core/ir/queries.h"
#include "core/ir/rewriter.h"
#include "passes/native/lift_plan.h"

namespace passdiff {
namespace {

class TransformationBuilder {
 public:
  TransformationBuilder(const LiftPlan& plan, const LiftFaults& faults) : plan_(plan), faults_(faults) {}

  FunctionPtr build() {
    rename_symbols();
    std::vector<std::size_t> outputs;
    for (const std::size_t slot : plan_.outputs) outputs.push_back(handed_on(slot));
    find_needed(outputs);

    std::vector<Type> types;
    for (const Var& weight : weights()) types.push_back(type_of_weight(weight));
    const Var param = make_var("model_params", tuple_type(std::move(types)));
    SeqBuilder seq;
    seq.begin_block(true);
    emit_weights(seq, var_expr(param));
    emit_bindings(seq);
    const Var result = seq.emit(output_tuple(outputs), true, "output_tuple");
    return make_function({param}, seq.finish(var_expr(result)), true, {{"num_input", std::int64_t{0}}});
  }

 private:
  std::span<const Var> weights() const { return plan_.targets[0].weights(); }
  const Var& var_of(std::size_t slot) const {
    return slot < plan_.weights ? weights()[slot] : plan_.bindings[slot - plan_.weights]->var;
  }
  template <class Visit>
  void for_each_operand_slot(std::size_t slot, const Visit& visit) const {
    if (slot < plan_.weights) return;
    for_each_use(plan_.bindings[slot - plan_.weights]->value, [&](const Var& var) {
      if (const std::size_t* operand = plan_.targets[0].slots.find(var.get())) visit(*operand);
    });
  }

  // The weight's type in the transformation. Dims that only inputs define are unknown there; such a weight is passed through as
  // it is.
  Type type_of_weight(const Var& weight) const {
    const std::vector<SymVar> defined = weight_symbols(plan_.targets[0]);
    const auto keep = [&](const SymVar& symbol) {
      return std::find(defined.begin(), defined.end(), symbol) != defined.end();
    };
    return by_.type(erase_symbols(weight->type, keep));
  }

  // Gives the symbolic dims of the weights new variables: no two functions of a module may share one.
  void rename_symbols() {
    for (const Var& weight : weights()) {
      for_each_sym_var(weight->type, [&](const SymVar& symbol) {
        if (by_.symbols.find(symbol.get()) == nullptr)
          by_.symbols.set(symbol.get(), Dim(make_sym_var(symbol->name)));
      });
    }
  }

  // The slot whose value the transformation returns for this slot: the same, or with the fault switched on a weight of the same
  // type that it is computed from.
  std::size_t handed_on(std::size_t slot) const {
    if (!faults_.untransformed_argument) return slot;
    std::vector<bool> above(plan_.required.size(), false);
    above[slot] = true;
    for (std::size_t i = slot + 1; i-- > 0;) {
      if (above[i]) for_each_operand_slot(i, [&](std::size_t operand) { above[operand] = true; });
    }
    for (std::size_t i = 0; i < plan_.weights; ++i) {
      if (above[i] && equal(var_of(i)->type, var_of(slot)->type)) return i;
    }
    return slot;
  }

  void find_needed(const std::vector<std::size_t>& outputs) {
    needed_.assign(plan_.required.size(), false);
    for (const std::size_t slot : outputs) needed_[slot] = true;
    for (std::size_t slot = needed_.size(); slot-- > 0;) {
      if (needed_[slot]) for_each_operand_slot(slot, [&](std::size_t operand) { needed_[operand] = true; });
    }
  }

  void emit_weights(SeqBuilder& seq, const ExprPtr& params) {
    for (std::size_t i = 0; i < plan_.weights; ++i) {
      if (!needed_[i]) continue;
      auto item = make_tuple_get_item(params, static_cast<int>(i));
      const Var var = seq.emit(*std::move(item), false, weights()[i]->name);
      by_.vars.set(weights()[i].get(), var_expr(var));
    }
  }

  void emit_bindings(SeqBuilder& seq) {
    for (std::size_t i = 0; i < plan_.bindings.size(); ++i) {
      if (!needed_[plan_.weights + i]) continue;
      const Binding& binding = *plan_.bindings[i];
      const ExprPtr value = substitute(binding.value, by_);
      const Var var =
          binding.match_cast
              ? seq.emit_match_cast(value, by_.type(*binding.match_cast), false, binding.var->name)
              : seq.emit_declared(value, by_.type(binding.var->type), false, binding.var->name);
      // The function may compute the same value twice, in two variables of this slot, and use either.
      for (const auto& [key, slot] : plan_.targets[0].slots.entries()) {
        if (slot == plan_.weights + i) by_.vars.set(key, var_expr(var));
      }
    }
  }

  ExprPtr output_tuple(const std::vector<std::size_t>& outputs) const {
    std::vector<ExprPtr> fields;
    if (!plan_.symbols.empty()) {
      Shape shape;
      for (const SymVar& symbol : plan_.symbols) shape.push_back(*by_.symbols.find(symbol.get()));
      fields.push_back(make_shape(std::move(shape)));
    }
    for (const std::size_t slot : outputs) fields.push_back(*by_.vars.find(var_of(slot).get()));
    return make_tuple(std::move(fields));
  }

  const LiftPlan& plan_;
  const LiftFaults& faults_;
  Substitution by_;
  std::vector<bool> needed_;  // for each slot, whether some output needs it
};

// The parameters that stand for the variables of this function which the transformation computes. Where the function computes
// a value twice, one parameter stands for both variables.
PointerMap<ExprPtr> params_by_var(const LiftPlan& plan, const LiftTarget& target, std::vector<Var>& params) {
  std::vector<ExprPtr> param_of(plan.required.size());
  PointerMap<ExprPtr> result;
  for (const std::size_t slot : plan.outputs) {
    if (slot < plan.weights) {
      params.push_back(target.weights()[slot]);
      continue;
    }
    for (const auto& [key, var_slot] : target.slots.entries()) {
      if (var_slot != slot) continue;
      const auto* node = static_cast<const VarNode*>(key);
      if (!param_of[slot]) {
        params.push_back(make_var(node->name, node->type));
        param_of[slot] = var_expr(params.back());
      }
      result.set(key, param_of[slot]);
    }
  }
  return result;
}

// Removes the lifted bindings from a function.
class Remainder : public Substituter {
 public:
  Remainder(const LiftPlan& plan, const LiftTarget& target, const Substitution& by)
      : Substituter(by), plan_(plan), target_(target) {}

 protected:
  bool binding(const Binding& old, BlockSink& to) override {
    return plan_.is_lifted(target_, old) || Substituter::binding(old, to);
  }

 private:
  const LiftPlan& plan_;
  const LiftTarget& target_;
};

}  // namespace

FunctionPtr make_transformation(const LiftPlan& plan, const LiftFaults& faults) {
  return TransformationBuilder(plan, faults).build();
}

FunctionPtr make_runtime_function(const LiftPlan& plan, const LiftTarget& target) {
  const Function& source = *target.global->function;
  auto result = std::make_shared<Function>();
  result->params.assign(source.params.begin(),
                        source.params.begin() + static_cast<std::ptrdiff_t>(target.inputs));
  if (!plan.symbols.empty()) {
    const Shape shape(plan.symbols.begin(), plan.symbols.end());
    result->params.push_back(make_var("weight_dims", shape_type(shape)));
  }
  const Substitution by{params_by_var(plan, target, result->params), {}};
  Remainder(plan, target, by).seq(source.body, result->body);
  result->result_type = source.result_type;
  result->pure = source.pure;
  result->attrs = source.attrs;
  return result;
}

}  // namespace passdiff
