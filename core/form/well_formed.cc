#include "core/form/well_formed.h"

#include <algorithm>

#include "core/form/form_checker.h"
#include "core/form/signature.h"

namespace passdiff {
namespace {

// What may stand inside other expressions; TVM calls these leaves.
bool is_leaf_node(const ExprPtr& expr) {
  return as<Call>(expr) == nullptr && as<TupleGetItem>(expr) == nullptr && as<If>(expr) == nullptr &&
         as<FunctionPtr>(expr) == nullptr;
}

bool forces_purity(const Function& function) {
  const auto found = function.attrs.find("relax.force_pure");
  if (found == function.attrs.end()) return false;
  const bool* flag = std::get_if<bool>(&found->second);
  const std::int64_t* number = std::get_if<std::int64_t>(&found->second);
  return (flag != nullptr && *flag) || (number != nullptr && *number != 0);
}

}  // namespace

std::optional<Error> well_formed(const Module& module) {
  return FormChecker(module).check();
}

std::optional<Error> FormChecker::check() {
  if (!module_level()) return std::move(error_);
  for (const GlobalFunction& global : module_.functions) {
    if (function(*global.function)) continue;
    error_->message = global.name + ": " + error_->message;
    return std::move(error_);
  }
  return std::nullopt;
}

bool FormChecker::fail(const char* code, std::string message) {
  error_ = Error{code, std::move(message)};
  return false;
}

bool FormChecker::module_level() {
  const std::vector<GlobalFunction>& functions = module_.functions;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (functions[i].function == nullptr)
      return fail("form.missing-type", functions[i].name + " has no body");
    for (std::size_t k = 0; k < i; ++k) {
      if (functions[i].name == functions[k].name) {
        return fail("form.duplicate-function", "two functions are called " + functions[i].name);
      }
    }
    for (const Var& param : functions[i].function->params) {
      if (param == nullptr) return fail("form.missing-type", functions[i].name + ": a parameter is missing");
      // TVM wants parameters to be distinct over the whole module.
      if (scope_.state(param.get()) != ScopeState::unknown) {
        return fail("form.redefined-var",
                    param->name + " is a parameter twice, the second time of " + functions[i].name);
      }
      scope_.open(param.get());
    }
  }
  scope_.close(0);
  return true;
}

bool FormChecker::function(const Function& function) {
  const bool dataflow = in_dataflow_;
  const bool forbid = forbid_impure_;
  const std::size_t mark = scope_.mark();
  in_dataflow_ = false;
  forbid_impure_ = function.pure && !forces_purity(function);
  const bool good = function_scope(function);
  scope_.close(mark);
  in_dataflow_ = dataflow;
  forbid_impure_ = forbid;
  return good;
}

bool FormChecker::function_scope(const Function& function) {
  if (!parameters(function) || !type(function.result_type)) return false;
  const auto num_input = function.attrs.find("num_input");
  if (num_input != function.attrs.end()) {
    const std::int64_t* count = std::get_if<std::int64_t>(&num_input->second);
    const auto params = static_cast<std::int64_t>(function.params.size());
    if (count == nullptr || *count < 0 || *count > params) {
      return fail("form.num-input",
                  "num_input does not count some of the " + std::to_string(params) + " parameters");
    }
  }
  if (!function.pure && forces_purity(function))
    return fail("form.impure-call", "relax.force_pure on an impure function");
  if (!sequence(function.body)) return false;
  if (compatible(function.result_type, function.body.result->type)) return true;
  return fail("form.wrong-type", "the result has type " + to_string(function.body.result->type) +
                                     ", declared is " + to_string(function.result_type));
}

bool FormChecker::parameters(const Function& function) {
  // All parameters define symbolic dims before any of their types is looked at: (n + 1) may come before n.
  for (const Var& param : function.params) {
    if (param == nullptr) return fail("form.missing-type", "a parameter is missing");
    define_symbols(param->type);
  }
  for (const Var& param : function.params) {
    if (param->dataflow)
      return fail("form.dataflow-escape", param->name + " is a parameter and a dataflow variable");
    if (!define(param, false)) return false;
  }
  return true;
}

bool FormChecker::sequence(const SeqExpr& seq) {
  for (const Block& one : seq.blocks) {
    if (!block(one)) return false;
  }
  return leaf(seq.result);
}

bool FormChecker::block(const Block& block) {
  const bool outer = in_dataflow_;
  in_dataflow_ = block.dataflow;
  for (const Binding& one : block.bindings) {
    if (!binding(one, block.dataflow)) return false;
  }
  in_dataflow_ = outer;
  for (const Binding& one : block.bindings) {
    if (one.var->dataflow) scope_.close_dataflow(one.var.get());
  }
  return true;
}

bool FormChecker::binding(const Binding& binding, bool dataflow_block) {
  const Var& var = binding.var;
  if (var == nullptr || binding.value == nullptr) return fail("form.missing-type", "a binding is incomplete");
  if (as<FunctionPtr>(binding.value) != nullptr) {
    // A local function may call itself.
    if (!define(var, dataflow_block) || !value(binding.value)) return false;
  } else {
    if (!value(binding.value)) return false;
    if (binding.match_cast) define_symbols(*binding.match_cast);
    if (binding.match_cast && !type(*binding.match_cast)) return false;
    if (binding.match_cast && !may_match(binding.value->type, *binding.match_cast)) {
      return fail("form.wrong-type", "match_cast: no " + to_string(binding.value->type) + " is a " +
                                         to_string(*binding.match_cast));
    }
    if (!define(var, dataflow_block)) return false;
  }
  const Type& bound = binding.match_cast ? *binding.match_cast : binding.value->type;
  // Dims that nothing shows equal may be so (n and max(n, 0)): only a plain contradiction is a fault.
  if (compatible(bound, var->type)) return true;
  return fail("form.wrong-type",
              var->name + " is declared " + to_string(var->type) + " and bound to " + to_string(bound));
}

bool FormChecker::define(const Var& var, bool dataflow_block) {
  if (var->dataflow && !dataflow_block) {
    return fail("form.dataflow-escape", var->name + " is a dataflow variable outside of dataflow blocks");
  }
  if (scope_.state(var.get()) == ScopeState::open)
    return fail("form.redefined-var", var->name + " is bound twice");
  scope_.open(var.get());
  return type(var->type);
}

bool FormChecker::use(const Var& var) {
  if (var == nullptr) return fail("form.missing-type", "a variable is missing");
  const ScopeState state = scope_.state(var.get());
  if (state == ScopeState::open && (in_dataflow_ || !var->dataflow)) return true;
  if (state == ScopeState::open || state == ScopeState::closed_dataflow) {
    return fail("form.dataflow-escape", var->name + " is used outside of its dataflow block");
  }
  return fail("form.undefined-var",
              var->name + (state == ScopeState::unknown ? " is never bound" : " is out of scope"));
}

bool FormChecker::leaf(const ExprPtr& expr) {
  if (expr == nullptr) return fail("form.missing-type", "an expression is missing");
  if (const Var* var = as<Var>(expr)) return use(*var);
  if (const Tuple* tuple = as<Tuple>(expr)) {
    for (const ExprPtr& field : tuple->fields) {
      if (!leaf(field)) return false;
    }
    return leaf_type(expr);
  }
  if (!is_leaf_node(expr))
    return fail("form.not-normal", "an operand is no variable, constant or tuple of these");
  if (const ShapeExpr* values = as<ShapeExpr>(expr)) return shape(values->values) && leaf_type(expr);
  if (const PrimValue* scalar = as<PrimValue>(expr)) {
    const Dim* integer = std::get_if<Dim>(&scalar->value);
    return (integer == nullptr || dim(*integer)) && leaf_type(expr);
  }
  return leaf_type(expr);
}

bool FormChecker::value(const ExprPtr& expr) {
  if (const Call* one = as<Call>(expr)) return call(expr, *one);
  if (const If* branches = as<If>(expr)) return if_else(expr, *branches);
  if (const TupleGetItem* item = as<TupleGetItem>(expr))
    return leaf(item->tuple) && type(expr->type) && leaf_type(expr);
  if (const FunctionPtr* local = as<FunctionPtr>(expr)) {
    if (*local == nullptr) return fail("form.missing-type", "a local function is missing");
    return function(**local);
  }
  return leaf(expr);
}

bool FormChecker::call(const ExprPtr& expr, const Call& call) {
  if (const ExprPtr* callee = std::get_if<ExprPtr>(&call.callee)) {
    if (!leaf(*callee)) return false;
  }
  for (const ExprPtr& arg : call.args) {
    if (!leaf(arg)) return false;
  }
  for (const Type& declared : call.type_args) {
    if (!type(declared)) return false;
  }
  return type(expr->type) && call_type(expr, call) && purity(call);
}

bool FormChecker::purity(const Call& call) {
  if (std::holds_alternative<const Op*>(call.callee) || !(in_dataflow_ || forbid_impure_)) return true;
  bool pure = false;  // functions of the host are not known
  if (const GlobalRef* global = std::get_if<GlobalRef>(&call.callee)) {
    pure = module_.find(global->name)->function->pure;
  } else if (const ExprPtr* callee = std::get_if<ExprPtr>(&call.callee)) {
    const FuncType* func = (*callee)->type.as_func();
    pure = func != nullptr && func->pure;
  }
  if (pure) return true;
  return fail("form.impure-call",
              in_dataflow_ ? "an impure call in a dataflow block" : "an impure call in a pure function");
}

bool FormChecker::if_else(const ExprPtr& expr, const If& branches) {
  if (in_dataflow_) return fail("form.control-flow-in-dataflow", "an if in a dataflow block");
  if (!leaf(branches.condition)) return false;
  if (!is_condition(branches.condition->type)) {
    return fail("form.condition", "the condition of an if has type " + to_string(branches.condition->type));
  }
  for (const auto& branch : {branches.then_branch, branches.else_branch}) {
    if (branch == nullptr) return fail("form.missing-type", "a branch is missing");
    const std::size_t mark = scope_.mark();
    if (!sequence(*branch)) return false;
    scope_.close(mark);
    if (!compatible(expr->type, branch->result->type)) {
      return fail("form.wrong-type", "a branch has type " + to_string(branch->result->type) + ", the if " +
                                         to_string(expr->type));
    }
  }
  return type(expr->type);
}

}  // namespace passdiff
