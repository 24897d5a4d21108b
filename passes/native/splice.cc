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

Type BodyCopier::copy_type(const Type& type, const CopyScope& scope) const {
  return faults_.keep_types ? type : scope.by.type(type);
}

Var BodyCopier::define(const Var& var, Type type, CopyScope& scope) {
  if (var.get() == scope.result && equal(type, scope.result_home->type)) {
    scope.result_placed = true;
    scope.by.vars.set(var.get(), var_expr(scope.result_home));
    return scope.result_home;
  }
  const bool dataflow = scope.flat || (var->dataflow && !scope.exposed);
  const bool fresh = scope.fresh && !faults_.share_vars;
  if (!fresh && dataflow == var->dataflow && equal(type, var->type)) {
    // Both branches of an If may bind one variable: what it was in the first is over.
    if (scope.by.vars.find(var.get()) != nullptr) scope.by.vars.set(var.get(), var_expr(var));
    return var;
  }
  Var copy = make_var(fresh ? unique_name(var->name) : var->name, std::move(type), dataflow);
  scope.by.vars.set(var.get(), var_expr(copy));
  return copy;
}

// Symbolic dims that this type is the first to mention.
void BodyCopier::define_symbols(const Type& type, CopyScope& scope) const {
  if (!scope.fresh || faults_.share_symbols) return;
  std::vector<SymVar> defined;
  collect_defined(type, defined);
  for (const SymVar& var : defined) {
    if (scope.by.symbols.find(var.get()) == nullptr)
      scope.by.symbols.set(var.get(), Dim(make_sym_var(var->name)));
  }
}

bool BodyCopier::copy_blocks(const SeqExpr& seq, CopyScope& scope, BlockSink& sink) {
  for (const Block& block : seq.blocks) {
    const bool forgotten = faults_.keep_dataflow && scope.fresh;
    if (block.dataflow && !scope.flat && !forgotten) {
      if (!copy_dataflow_block(block, scope, sink)) return false;
      continue;
    }
    for (const Binding& binding : block.bindings) {
      if (!copy_binding(binding, scope, sink)) return false;
    }
  }
  return true;
}

// Where something must leave the block, the block ends before it and another begins after it.
bool BodyCopier::copy_dataflow_block(const Block& block, CopyScope& scope, BlockSink& sink) {
  const auto leaves = [this](const Binding& binding) { return leaves_dataflow(binding); };
  scope.exposed = std::any_of(block.bindings.begin(), block.bindings.end(), leaves);
  bool good = true;
  for (const Binding& binding : block.bindings) {
    const bool outside = scope.exposed && leaves(binding);
    if (outside) {
      sink.continue_plain();
    } else if (!sink.in_dataflow()) {
      sink.begin_block(true);
    }
    good = good && copy_binding(binding, scope, sink);
  }
  sink.continue_plain();
  scope.exposed = false;
  return good;
}

bool BodyCopier::copy_binding(const Binding& binding, CopyScope& scope, BlockSink& sink) {
  if (as<FunctionPtr>(binding.value) != nullptr) {
    // A local function may call itself: its variable comes first.
    const Var var = define(binding.var, copy_type(binding.var->type, scope), scope);
    Result<ExprPtr> value = copy_value(binding.value, scope);
    if (!value) return false;
    sink.add({var, *std::move(value), std::nullopt});
    return true;
  }
  Result<ExprPtr> value = copy_value(binding.value, scope);
  if (!value) return false;
  if (binding.match_cast) define_symbols(*binding.match_cast, scope);
  std::optional<Type> cast;
  if (binding.match_cast) cast = copy_type(*binding.match_cast, scope);
  const Type& bound = binding.match_cast ? *binding.match_cast : binding.value->type;
  // A variable declared just as it is bound is so again; a looser declaration is kept.
  const bool as_bound = equal(bound, binding.var->type) && !faults_.keep_types;
  Type type = !as_bound ? copy_type(binding.var->type, scope) : cast ? *cast : (*value)->type;
  if (!faults_.any() && !compatible(cast ? *cast : (*value)->type, type)) return false;
  const Var var = define(binding.var, std::move(type), scope);
  sink.add({var, *std::move(value), std::move(cast)});
  return true;
}

std::vector<ExprPtr> BodyCopier::copy_leaves(const std::vector<ExprPtr>& leaves,
                                             const CopyScope& scope) const {
  std::vector<ExprPtr> copies;
  copies.reserve(leaves.size());
  for (const ExprPtr& leaf : leaves) copies.push_back(copy_leaf(leaf, scope));
  return copies;
}

ExprPtr BodyCopier::copy_leaf(const ExprPtr& leaf, const CopyScope& scope) const {
  if (const auto* tuple = as<Tuple>(leaf)) {
    std::vector<ExprPtr> fields = copy_leaves(tuple->fields, scope);
    return fields == tuple->fields ? leaf : make_tuple(std::move(fields));
  }
  if (faults_.keep_shapes && as<Var>(leaf) == nullptr) return leaf;
  return substitute(leaf, scope.by);
}

Result<ExprPtr> BodyCopier::copy_value(const ExprPtr& value, CopyScope& scope) {
  if (const auto* call = as<Call>(value)) return copy_call(value, *call, scope);
  if (const auto* branches = as<If>(value)) return copy_if(*branches, scope);
  if (const auto* get = as<TupleGetItem>(value)) {
    ExprPtr tuple = copy_leaf(get->tuple, scope);
    return tuple == get->tuple ? value : make_tuple_get_item(std::move(tuple), get->index);
  }
  if (const auto* function = as<FunctionPtr>(value)) {
    FunctionPtr copy = copy_function(**function, scope);
    if (copy == nullptr) return Error{"native.splice", "a local function has no type here"};
    Type type = type_of(*copy);
    return make_expr(std::move(copy), std::move(type));
  }
  return copy_leaf(value, scope);
}

Result<ExprPtr> BodyCopier::copy_call(const ExprPtr& value, const Call& call, const CopyScope& scope) const {
  std::vector<ExprPtr> args = copy_leaves(call.args, scope);
  bool same = args == call.args;
  if (const auto* callee = std::get_if<ExprPtr>(&call.callee))
    same = same && copy_leaf(*callee, scope) == *callee;
  for (const Type& type : call.type_args) same = same && !has_symbolic_dims(type);
  if (same) return value;
  Result<ExprPtr> made = call_anew(call, std::move(args), scope);
  if (!made) return made;
  // A declared type may say more than inference does, but where values are is for inference to say.
  Type declared = without_vdevices(copy_type(value->type, scope));
  if (is_subtype((*made)->type, declared)) return made;
  return make_expr(*as<Call>(*made), std::move(declared));
}

Result<ExprPtr> BodyCopier::call_anew(const Call& call, std::vector<ExprPtr> args,
                                      const CopyScope& scope) const {
  if (const OpDef* op = called_op(call))
    return make_call(*op, std::move(args), call.attrs);
  if (const auto* global = std::get_if<GlobalRef>(&call.callee)) {
    const GlobalFunction* found = module_.find(global->name);
    if (found == nullptr) return Error{"native.splice", global->name + ": no such function"};
    return call_global(global->name, type_of(*found->function), std::move(args));
  }
  if (const auto* callee = std::get_if<ExprPtr>(&call.callee)) {
    return call_function(copy_leaf(*callee, scope), std::move(args));
  }
  std::vector<Type> type_args;
  for (const Type& type : call.type_args) type_args.push_back(copy_type(type, scope));
  return call_extern(std::get<ExternFunc>(call.callee).name, std::move(args), std::move(type_args));
}

bool BodyCopier::copy_seq(const SeqExpr& seq, CopyScope& scope, SeqExpr& copy) {
  const bool exposed = scope.exposed;
  scope.exposed = false;
  BlockSink sink;
  const bool good = copy_blocks(seq, scope, sink);
  scope.exposed = exposed;
  copy = sink.finish(copy_leaf(seq.result, scope));
  return good;
}

Result<ExprPtr> BodyCopier::copy_if(const If& branches, CopyScope& scope) {
  ExprPtr condition = copy_leaf(branches.condition, scope);
  SeqExpr then_branch;
  SeqExpr else_branch;
  if (!copy_seq(*branches.then_branch, scope, then_branch) ||
      !copy_seq(*branches.else_branch, scope, else_branch)) {
    return Error{"native.splice", "a branch has no type here"};
  }
  return make_if(std::move(condition), std::move(then_branch), std::move(else_branch));
}

FunctionPtr BodyCopier::copy_function(const Function& function, CopyScope& scope) {
  auto copy = std::make_shared<Function>(function);
  for (const Var& param : function.params) define_symbols(param->type, scope);
  for (Var& param : copy->params) param = define(param, param_type(param, scope), scope);
  if (!copy_seq(function.body, scope, copy->body)) return nullptr;
  copy->result_type = result_type(function, copy->body.result->type, scope);
  const bool fits = faults_.any() || compatible(copy->result_type, copy->body.result->type);
  return fits ? copy : nullptr;
}

}  // namespace passdiff
