#include "core/ir/queries.h"

#include <algorithm>

namespace passdiff {
namespace {

bool is_impure_callee(const Module& module, const Callee& callee) {
  return match(
      callee, [](const Op* op) { return !op->pure; },
      [&](const GlobalRef& global) {
        const GlobalFunction* found = module.find(global.name);
        return found == nullptr || !found->function->pure;
      },
      [](const ExprPtr& value) {
        const FuncType* type = value->type.as_func();
        return type == nullptr || !type->pure;
      },
      [](const ExternFunc&) { return true; });
}

}  // namespace

const Binding* binding_of(const SeqExpr& seq, const VarNode* var) {
  const Binding* found = nullptr;
  for_each_binding<Enter::none>(seq, [&](const Binding& binding) {
    if (binding.var.get() != var) return Walk::on;
    found = &binding;
    return Walk::stop;
  });
  return found;
}

void for_each_symbol(const ExprPtr& expr, const std::function<void(const SymVar&)>& visit) {
  match(
      expr,
      [&](const ShapeExpr& shape) {
        for (const Dim& dim : shape.values) for_each_sym_var(dim, visit);
      },
      [&](const PrimValue& prim) {
        if (const auto* dim = std::get_if<Dim>(&prim.value)) for_each_sym_var(*dim, visit);
      },
      [&](const Call& call) {
        for (const Type& type : call.type_args) for_each_sym_var(type, visit);
      },
      [&](const FunctionPtr& function) {
        for (const Var& param : function->params) for_each_sym_var(param->type, visit);
        for_each_sym_var(function->result_type, visit);
      },
      [](const OneOf<Var, Constant, Tuple, TupleGetItem, StringImm, DataTypeImm, GlobalRef, ExternFunc, If> auto&) {});
  for_each_operand(*expr, [&](const ExprPtr& operand) { for_each_symbol(operand, visit); });
  for_each_seq(*expr, [&](const SeqExpr& seq) { for_each_symbol(seq, visit); });
}

void for_each_symbol(const Binding& binding, const std::function<void(const SymVar&)>& visit) {
  for_each_symbol(binding.value, visit);
  for_each_sym_var(binding.var->type, visit);
  if (binding.match_cast) for_each_sym_var(*binding.match_cast, visit);
}

void for_each_symbol(const SeqExpr& seq, const std::function<void(const SymVar&)>& visit) {
  for_each_binding<Enter::none>(seq, [&](const Binding& binding) { for_each_symbol(binding, visit); });
  for_each_symbol(seq.result, visit);
}

const GlobalRef* called_global(const ExprPtr& expr) {
  const Call* call = as<Call>(expr);
  return call == nullptr ? nullptr : std::get_if<GlobalRef>(&call->callee);
}

bool is_referenced(const Module& module, std::string_view global) {
  bool found = false;
  for (const GlobalFunction& function : module.functions) {
    for_each_global(function.function->body, [&](const std::string& name) { found |= name == global; });
  }
  return found;
}

std::optional<std::size_t> count_params(const Module& module, std::string_view global) {
  if (const GlobalFunction* function = module.find(global)) return function->function->params.size();
  if (const GlobalPrimFunc* function = module.find_prim_func(global)) return function->function->params.size();
  return std::nullopt;
}

std::vector<std::string> reachable_functions(const Module& module, std::vector<std::string> roots) {
  std::vector<std::string> reached;
  const auto add = [&](const std::string& name) {
    if (std::find(reached.begin(), reached.end(), name) == reached.end()) reached.push_back(name);
  };
  for (const std::string& root : roots) add(root);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const GlobalFunction* function = module.find(reached[i]);
    if (function != nullptr) for_each_global(function->function->body, add);
  }
  return reached;
}

const std::int64_t* num_input(const Function& function) {
  const auto entry = function.attrs.find("num_input");
  return entry == function.attrs.end() ? nullptr : std::get_if<std::int64_t>(&entry->second);
}

bool is_impure(const Module& module, const ExprPtr& expr) {
  return any_expr<Enter::branches>(expr, [&](const ExprPtr& part) {
    const Call* call = as<Call>(part);
    return call != nullptr && is_impure_callee(module, call->callee);
  });
}

}  // namespace passdiff
