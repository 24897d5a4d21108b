#include "core/form/well_formed.h"

#include <algorithm>

#include "core/form/signature.h"
#include "core/form/form_scope.h"
#include "core/form/prim_func_form.h"
#include "core/form/type_checker.h"
#include "core/ir/walk.h"

namespace passdiff {
namespace {

bool forces_purity(const Function& function) {
  const auto found = function.attrs.find("relax.force_pure");
  if (found == function.attrs.end()) return false;
  const bool* flag = std::get_if<bool>(&found->second);
  const std::int64_t* number = std::get_if<std::int64_t>(&found->second);
  return (flag != nullptr && *flag) || (number != nullptr && *number != 0);
}

// Checks structure and scopes, and asks TypeChecker on the way. After a fault it must not be used any more, but for a wrong type: bindings that
// are used where they are not may be the reason of one, and say more.
class FormChecker {
 public:
  FormChecker(const Module& module, WellFormedPrimFuncs& known) : module_(module), known_(known), types_(module, scope_) {}

  std::optional<Error> check() {
    TRY_VOID(module_level());
    for (const GlobalFunction& global : module_.functions) {
      where_ = global.name + ": ";
      std::optional<Error> fault = function(*global.function);
      if (fault) return Error{std::move(fault->code), where_ + fault->message};
    }
    return wrong_type_;
  }

 private:
  // Keeps a fault that is a wrong type, if it is the first one, and hands on any other.
  std::optional<Error> later(std::optional<Error> fault) {
    if (!fault || fault->code != kWrongType) return fault;
    if (!wrong_type_) wrong_type_ = Error{std::move(fault->code), where_ + fault->message};
    return std::nullopt;
  }
  std::optional<Error> wrong_type(std::string message) { return later(Error{std::string(kWrongType), std::move(message)}); }

  std::optional<Error> module_level();
  std::optional<Error> module_parameter(const GlobalFunction& global, const Var& param);
  std::optional<Error> function(const Function& function);
  std::optional<Error> function_scope(const Function& function);
  std::optional<Error> parameters(const Function& function);
  std::optional<Error> sequence(const SeqExpr& seq);
  std::optional<Error> block(const Block& block);
  std::optional<Error> binding(const Binding& binding, bool dataflow_block);
  std::optional<Error> match_cast(const Binding& binding);
  std::optional<Error> define(const Var& var, bool dataflow_block);
  std::optional<Error> value(const ExprPtr& expr);
  std::optional<Error> leaf(const ExprPtr& expr);
  std::optional<Error> call(const ExprPtr& expr, const Call& call);
  std::optional<Error> if_else(const ExprPtr& expr, const If& branches);
  std::optional<Error> use(const Var& var) const;
  std::optional<Error> purity(const Call& call) const;

  const Module& module_;
  WellFormedPrimFuncs& known_;
  FormScope scope_;
  TypeChecker types_;
  bool in_dataflow_ = false;
  bool forbid_impure_ = false;
  std::string where_;
  std::optional<Error> wrong_type_;  // the first
};

std::optional<Error> FormChecker::module_parameter(const GlobalFunction& global, const Var& param) {
  if (param == nullptr) return Error{"form.missing-type", global.name + ": a parameter is missing"};
  // TVM wants parameters to be distinct over the whole module.
  if (scope_.state(param.get()) != ScopeState::unknown) {
    return Error{"form.redefined-var",
                 param->name + " is a parameter twice, the second time of " + global.name};
  }
  scope_.open(param.get());
  return std::nullopt;
}

std::optional<Error> FormChecker::module_level() {
  const std::vector<GlobalFunction>& functions = module_.functions;
  for (const GlobalFunction& one : functions) {
    if (one.function == nullptr) return Error{"form.missing-type", one.name + " has no body"};
    if (module_.find(one.name) != &one) {
      return Error{"form.duplicate-function", "two functions are called " + one.name};
    }
    for (const Var& param : one.function->params) TRY_VOID(module_parameter(one, param));
  }
  for (const GlobalPrimFunc& one : module_.prim_funcs) {
    if (one.function == nullptr) return Error{"form.missing-type", one.name + " has no body"};
    if (module_.find_prim_func(one.name) != &one || module_.find(one.name) != nullptr)
      return Error{"form.duplicate-function", "two functions are called " + one.name};
    if (known_.contains(one.function)) continue;
    if (std::optional<Error> fault = passdiff::well_formed(*one.function)) {
      fault->message = one.name + ": " + fault->message;
      TRY_VOID(later(std::move(fault)));
    } else {
      known_.insert(one.function);
    }
  }
  scope_.close(0);
  return std::nullopt;
}

std::optional<Error> FormChecker::function(const Function& function) {
  const bool dataflow = in_dataflow_;
  const bool forbid = forbid_impure_;
  const std::size_t mark = scope_.mark();
  in_dataflow_ = false;
  forbid_impure_ = function.pure && !forces_purity(function);
  TRY_VOID(function_scope(function));
  scope_.close(mark);
  in_dataflow_ = dataflow;
  forbid_impure_ = forbid;
  return std::nullopt;
}

std::optional<Error> FormChecker::function_scope(const Function& function) {
  TRY_VOID(parameters(function));
  TRY_VOID(types_.type(function.result_type));
  const auto num_input = function.attrs.find("num_input");
  if (num_input != function.attrs.end()) {
    const std::int64_t* count = std::get_if<std::int64_t>(&num_input->second);
    const auto params = static_cast<std::int64_t>(function.params.size());
    if (count == nullptr || *count < 0 || *count > params) {
      return Error{"form.num-input",
                   "num_input does not count some of the " + std::to_string(params) + " parameters"};
    }
  }
  if (!function.pure && forces_purity(function)) {
    return Error{"form.impure-call", "relax.force_pure on an impure function"};
  }
  TRY_VOID(sequence(function.body));
  if (compatible(function.result_type, function.body.result->type)) return std::nullopt;
  return wrong_type("the result has type " + to_string(function.body.result->type) + ", declared is " +
                    to_string(function.result_type));
}

std::optional<Error> FormChecker::parameters(const Function& function) {
  // All parameters define symbolic dims before any of their types is looked at: (n + 1) may come before n.
  for (const Var& param : function.params) {
    if (param == nullptr) return Error{"form.missing-type", "a parameter is missing"};
    types_.define_symbols(param->type);
  }
  for (const Var& param : function.params) {
    if (param->dataflow) {
      return Error{"form.dataflow-escape", param->name + " is a parameter and a dataflow variable"};
    }
    TRY_VOID(define(param, false));
  }
  return std::nullopt;
}

// Goes over blocks, not bindings alone: a block ends the scope of its dataflow variables.
std::optional<Error> FormChecker::sequence(const SeqExpr& seq) {
  for (const Block& one : seq.blocks) TRY_VOID(block(one));
  return leaf(seq.result);
}

std::optional<Error> FormChecker::block(const Block& block) {
  const bool outer = in_dataflow_;
  in_dataflow_ = block.dataflow;
  for (const Binding& one : block.bindings) TRY_VOID(binding(one, block.dataflow));
  in_dataflow_ = outer;
  for (const Binding& one : block.bindings) {
    if (one.var->dataflow) scope_.close_dataflow(one.var.get());
  }
  return std::nullopt;
}

std::optional<Error> FormChecker::match_cast(const Binding& binding) {
  const Type& cast = *binding.match_cast;
  types_.define_symbols(cast);
  TRY_VOID(types_.type(cast));
  if (may_match(binding.value->type, cast)) return std::nullopt;
  return wrong_type("match_cast: no " + to_string(binding.value->type) + " is a " + to_string(cast));
}

std::optional<Error> FormChecker::binding(const Binding& binding, bool dataflow_block) {
  const Var& var = binding.var;
  if (var == nullptr || binding.value == nullptr) return Error{"form.missing-type", "a binding is incomplete"};
  if (as<FunctionPtr>(binding.value) != nullptr) {
    // A local function may call itself.
    TRY_VOID(define(var, dataflow_block));
    TRY_VOID(value(binding.value));
  } else {
    TRY_VOID(value(binding.value));
    if (binding.match_cast) TRY_VOID(match_cast(binding));
    TRY_VOID(define(var, dataflow_block));
  }
  const Type& bound = binding.match_cast ? *binding.match_cast : binding.value->type;
  // Dims that are not shown to be equal may still be (n and max(n, 0)): only a contradiction is a fault.
  if (compatible(bound, var->type)) return std::nullopt;
  return wrong_type(var->name + " is declared " + to_string(var->type) + " and bound to " + to_string(bound));
}

std::optional<Error> FormChecker::define(const Var& var, bool dataflow_block) {
  if (var->dataflow && !dataflow_block) {
    return Error{"form.dataflow-escape", var->name + " is a dataflow variable outside of dataflow blocks"};
  }
  if (scope_.state(var.get()) == ScopeState::open) {
    return Error{"form.redefined-var", var->name + " is bound twice"};
  }
  scope_.open(var.get());
  return types_.type(var->type);
}

std::optional<Error> FormChecker::use(const Var& var) const {
  if (var == nullptr) return Error{"form.missing-type", "a variable is missing"};
  const ScopeState state = scope_.state(var.get());
  if (state == ScopeState::open && (in_dataflow_ || !var->dataflow)) return std::nullopt;
  if (state == ScopeState::open || state == ScopeState::closed_dataflow) {
    return Error{"form.dataflow-escape", var->name + " is used outside of its dataflow block"};
  }
  return Error{"form.undefined-var",
               var->name + (state == ScopeState::unknown ? " is never bound" : " is out of scope")};
}

// An operand, a result, or anything else that TVM's normal form lets stand inside of other expressions.
std::optional<Error> FormChecker::leaf(const ExprPtr& expr) {
  using Fault = std::optional<Error>;
  if (expr == nullptr) return Error{"form.missing-type", "an expression is missing"};
  return match(
      expr, [this](const Var& var) { return use(var); },
      [&](const Tuple& tuple) -> Fault {
        for (const ExprPtr& field : tuple.fields) TRY_VOID(leaf(field));
        return later(types_.held(expr));
      },
      [&](const ShapeExpr& shape) -> Fault {
        TRY_VOID(types_.shape(shape.values));
        return later(types_.held(expr));
      },
      [&](const PrimValue& scalar) -> Fault {
        if (const Dim* integer = std::get_if<Dim>(&scalar.value)) TRY_VOID(types_.dim(*integer));
        return later(types_.held(expr));
      },
      [&](const OneOf<Constant, StringImm, DataTypeImm, GlobalRef, ExternFunc> auto&) {
        return later(types_.held(expr));
      },
      [](const OneOf<Call, TupleGetItem, If, FunctionPtr> auto&) -> Fault {
        return Error{"form.not-normal", "an operand is no variable, constant or tuple of these"};
      });
}

// The value of a binding.
std::optional<Error> FormChecker::value(const ExprPtr& expr) {
  using Fault = std::optional<Error>;
  return match(
      expr, [&](const Call& one) { return call(expr, one); },
      [&](const If& branches) { return if_else(expr, branches); },
      [&](const TupleGetItem& item) -> Fault {
        TRY_VOID(leaf(item.tuple));
        TRY_VOID(types_.type(expr->type));
        return later(types_.held(expr));
      },
      [this](const FunctionPtr& local) -> Fault {
        if (local == nullptr) return Error{"form.missing-type", "a local function is missing"};
        return function(*local);
      },
      [&](const OneOf<Var, Constant, Tuple, ShapeExpr, PrimValue, StringImm, DataTypeImm, GlobalRef,
                      ExternFunc> auto&) { return leaf(expr); });
}

std::optional<Error> FormChecker::call(const ExprPtr& expr, const Call& call) {
  if (const ExprPtr* callee = std::get_if<ExprPtr>(&call.callee)) TRY_VOID(leaf(*callee));
  for (const ExprPtr& arg : call.args) TRY_VOID(leaf(arg));
  for (const Type& declared : call.type_args) TRY_VOID(types_.type(declared));
  TRY_VOID(types_.type(expr->type));
  TRY_VOID(later(types_.call(expr, call)));
  return purity(call);
}

std::optional<Error> FormChecker::purity(const Call& call) const {
  if (!in_dataflow_ && !forbid_impure_) return std::nullopt;
  const bool pure = match(
      call.callee, [](const Op* op) { return op->pure; },
      [this](const GlobalRef& global) {
        const GlobalFunction* function = module_.find(global.name);
        if (function != nullptr) return function->function->pure;
        return type_of(*module_.find_prim_func(global.name)->function).as_func()->pure;
      },
      [](const ExprPtr& callee) {
        const FuncType* func = callee->type.as_func();
        return func != nullptr && func->pure;
      },
      [](const ExternFunc&) { return false; });
  if (pure) return std::nullopt;
  return Error{"form.impure-call",
               in_dataflow_ ? "an impure call in a dataflow block" : "an impure call in a pure function"};
}

std::optional<Error> FormChecker::if_else(const ExprPtr& expr, const If& branches) {
  if (in_dataflow_) return Error{"form.control-flow-in-dataflow", "an if in a dataflow block"};
  TRY_VOID(leaf(branches.condition));
  if (!is_condition(branches.condition->type)) {
    return Error{"form.condition", "the condition of an if has type " + to_string(branches.condition->type)};
  }
  for (const auto& branch : {branches.then_branch, branches.else_branch}) {
    if (branch == nullptr) return Error{"form.missing-type", "a branch is missing"};
    const std::size_t mark = scope_.mark();
    TRY_VOID(sequence(*branch));
    scope_.close(mark);
    if (!compatible(expr->type, branch->result->type)) {
      TRY_VOID(wrong_type("a branch has type " + to_string(branch->result->type) + ", the if " + to_string(expr->type)));
    }
  }
  return types_.type(expr->type);
}

}  // namespace

std::optional<Error> well_formed(const Module& module, WellFormedPrimFuncs& known) {
  return FormChecker(module, known).check();
}

std::optional<Error> well_formed(const Module& module) {
  WellFormedPrimFuncs none;
  return well_formed(module, none);
}

}  // namespace passdiff
