#include "passes/native/splice.h"

#include <algorithm>

#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/form/builder.h"
#include "core/form/signature.h"

namespace passdiff {

void BodyCopier::reserve_names(const Function& function) {
  for (const Var& param : function.params) names_.insert(param->name);
  for_each_binding(function.body, [&](const Binding& binding) {
    names_.insert(binding.var->name);
    if (const auto* local = as<FunctionPtr>(binding.value)) {
      for (const Var& param : (*local)->params) names_.insert(param->name);
    }
  });
}

std::string BodyCopier::unique_name(const std::string& base) {
  std::string name = base;
  for (int i = 1; !names_.insert(name).second; ++i) name = base + "_" + std::to_string(i);
  return name;
}

Var BodyCopier::define(const Var& var, Type type) {
  CopyScope& scope = this->scope();
  if (var.get() == scope.result && equal(type, scope.result_home->type)) {
    scope.result_placed = true;
    scope.by.vars.set(var.get(), var_expr(scope.result_home));
    return scope.result_home;
  }
  const bool dataflow = scope.flat || (var->dataflow && !scope.exposed);
  const bool fresh = scope.fresh && !faults_.share_vars;
  if (!fresh && dataflow == var->dataflow && equal(type, var->type)) {
    // Both branches of an If may bind the same variable: what it stood for in the first no longer holds.
    if (scope.by.vars.find(var.get()) != nullptr) scope.by.vars.set(var.get(), var_expr(var));
    return var;
  }
  Var copy = make_var(fresh ? unique_name(var->name) : var->name, std::move(type), dataflow);
  scope.by.vars.set(var.get(), var_expr(copy));
  return copy;
}

// Gives new symbolic variables to the dims that this type is the first to mention.
void BodyCopier::define_symbols(const Type& type) {
  if (!scope().fresh || faults_.share_symbols) return;
  std::vector<SymVar> defined;
  collect_defined(type, defined);
  for (const SymVar& var : defined) {
    if (scope().by.symbols.find(var.get()) == nullptr)
      scope().by.symbols.set(var.get(), Dim(make_sym_var(var->name)));
  }
}

// If a binding must leave its dataflow block, the block ends before it and another one begins after it.
bool BodyCopier::block(const Block& old, BlockSink& to) {
  const bool forgotten = faults_.keep_dataflow && scope().fresh;
  const bool dataflow = old.dataflow && !scope().flat && !forgotten;
  const auto leaves = [&](const Binding& binding) { return dataflow && leaves_dataflow(binding); };
  const bool exposed = std::any_of(old.bindings.begin(), old.bindings.end(), leaves);
  if (dataflow) scope().exposed = exposed;
  for (const Binding& one : old.bindings) {
    if (exposed && leaves(one)) {
      to.continue_plain();
    } else if (dataflow && !to.in_dataflow()) {
      to.begin_block(true);
    }
    if (!binding(one, to)) return false;
  }
  if (dataflow) {
    to.continue_plain();
    scope().exposed = false;
  }
  return true;
}

bool BodyCopier::binding(const Binding& old, BlockSink& to) {
  if (as<FunctionPtr>(old.value) != nullptr) {
    // The variable is defined before the value is copied, since a local function may call itself.
    const Var var = define(old.var, type(old.var->type));
    ExprPtr value = expr(old.value);
    if (value == nullptr) return false;
    to.add({var, std::move(value), std::nullopt});
    return true;
  }
  ExprPtr value = expr(old.value);
  if (value == nullptr) return false;
  if (old.match_cast) define_symbols(*old.match_cast);
  std::optional<Type> cast;
  if (old.match_cast) cast = type(*old.match_cast);
  const Type& bound = old.match_cast ? *old.match_cast : old.value->type;
  // A variable that is declared as its value is inferred is so in the copy; a more general declaration is kept.
  const bool as_bound = equal(bound, old.var->type) && !faults_.keep_types;
  Type declared = !as_bound ? type(old.var->type) : cast ? *cast : value->type;
  if (!faults_.any() && !compatible(cast ? *cast : value->type, declared)) return false;
  const Var var = define(old.var, std::move(declared));
  to.add({var, std::move(value), std::move(cast)});
  return true;
}

ExprPtr BodyCopier::expr(const ExprPtr& old) {
  return match(
      old,
      [&](const Var& var) {
        const ExprPtr* found = scope().by.vars.find(var.get());
        return found == nullptr ? old : *found;
      },
      [&](const OneOf<ShapeExpr, PrimValue> auto&) { return faults_.keep_shapes ? old : parts(old); },
      [&](const OneOf<Constant, Call, Tuple, TupleGetItem, StringImm, DataTypeImm, GlobalRef, ExternFunc, If,
                      FunctionPtr> auto&) { return parts(old); });
}

ExprPtr BodyCopier::remake(const ExprPtr& old, ExprNode node) {
  const bool is_call = std::holds_alternative<Call>(node);
  const Type declared = scope().by.type(old->type);
  const auto type_of_global = [&](const std::string& name) -> std::optional<Type> {
    if (const GlobalPrimFunc* prim_func = module_.find_prim_func(name)) return type_of(*prim_func->function);
    const GlobalFunction* found = module_.find(name);
    return found == nullptr ? std::nullopt : std::optional(type_of(*found->function));
  };
  Result<ExprPtr> made = make_typed(std::move(node), declared, type_of_global);
  if (!made) return nullptr;
  if (!is_call) return *std::move(made);
  // The declared type is kept, which may say more than inference does, except for vdevices, which inference gives.
  Type said = without_vdevices(type(old->type));
  if (is_subtype((*made)->type, said)) return *std::move(made);
  // The sizes of the place may contradict it: the largest three along an axis of 2, in a branch that does not run.
  if (!faults_.any() && !compatible((*made)->type, said)) return nullptr;
  return make_expr(*as<Call>(*made), std::move(said));
}

bool BodyCopier::seq(const SeqExpr& old, SeqExpr& fresh) {
  const bool exposed = std::exchange(scope().exposed, false);
  const bool good = Rewriter::seq(old, fresh);
  scope().exposed = exposed;
  return good;
}

FunctionPtr BodyCopier::function(const FunctionPtr& old) {
  auto copy = std::make_shared<Function>(*old);
  for (const Var& param : old->params) define_symbols(param->type);
  for (Var& param : copy->params) param = define(param, param_type(param));
  if (!seq(old->body, copy->body)) return nullptr;
  copy->result_type = result_type(*old, copy->body.result->type);
  const bool fits = faults_.any() || compatible(copy->result_type, copy->body.result->type);
  return fits ? copy : nullptr;
}

}  // namespace passdiff
