// Steps for local functions: they are opened, called, or lose parameters.
#include <algorithm>
#include <array>
#include <utility>

#include "core/form/builder.h"
#include "core/ir/rewriter.h"
#include "oracle/reduction/parts.h"
#include "oracle/reduction/steps.h"

namespace passdiff {
namespace {

// The bindings of local functions, wherever they stand.
std::vector<BindingSite> closures_of(const TestCase& test) {
  std::vector<BindingSite> closures = all_bindings(test);
  std::erase_if(closures,
                [](const BindingSite& site) { return as<FunctionPtr>(site.binding->value) == nullptr; });
  return closures;
}
std::size_t count_closures(const TestCase& test) {
  return closures_of(test).size();
}
const Function& function_of(const BindingSite& closure) {
  return **as<FunctionPtr>(closure.binding->value);
}

// The variable of the value that an expression calls, or null.
const VarNode* called_var(const ExprPtr& expr) {
  const Call* call = as<Call>(expr);
  const auto* callee = call == nullptr ? nullptr : std::get_if<ExprPtr>(&call->callee);
  const Var* var = callee == nullptr ? nullptr : as<Var>(*callee);
  return var == nullptr ? nullptr : var->get();
}

// Puts the bindings of a function in place of a binding, whose variable then takes what the function returns.
class Opener : public BindingRewriter {
 public:
  Opener(const Var& target, const Function& opened, const std::vector<ExprPtr>& args)
      : target_(target), opened_(opened), args_(args) {}

 protected:
  bool binding(const Binding& old, BlockSink& to) override {
    if (old.var != target_) return BindingRewriter::binding(old, to);
    for (std::size_t i = 0; i < args_.size(); ++i) to.add({opened_.params[i], args_[i], std::nullopt});
    if (to.in_dataflow()) {
      for_each_binding<Enter::none>(opened_.body, [&](const Binding& inner) { to.add(inner); });
    } else {
      if (!blocks(opened_.body, to)) return false;
      to.begin_block(false);
    }
    to.add({old.var, opened_.body.result, std::nullopt});
    return true;
  }

 private:
  const Var& target_;
  const Function& opened_;
  const std::vector<ExprPtr>& args_;
};

std::optional<TestCase> open(const TestCase& test, const Var& target, const Function& opened,
                             const std::vector<ExprPtr>& args) {
  TestCase result = test;
  Opener opener(target, opened, args);
  for (GlobalFunction& f : result.module.functions) f.function = opener.function(f.function);
  VarSet shown;
  if (!target->dataflow) collect_uses(opened.body.result, shown);
  const auto is_alias = [&](const Binding& b) {
    const bool param = std::find(opened.params.begin(), opened.params.end(), b.var) != opened.params.end();
    return (param || b.var == target) && as<Tuple>(b.value) == nullptr;
  };
  return rebuilt(
      result,
      {.replace = [&](const Binding& b) { return is_alias(b) ? std::optional(b.value) : std::nullopt; },
       .expose = [&](const Var& v) { return shown.contains(v.get()); }});
}

// The case with new parameters of the entry function, one for each of the local function's, that hold zeros.
struct Supplied {
  TestCase test;
  std::vector<ExprPtr> args;
};
std::optional<Supplied> supply(const TestCase& test, const Function& function) {
  const SymbolValues symbols = symbol_values(test);
  Supplied supplied{test, {}};
  for (const Var& param : function.params) {
    const auto value = zero_value(param->type, symbols);
    const auto type = value ? static_type_of(*value) : std::nullopt;
    if (!type) return std::nullopt;
    const Var fresh = make_var(param->name, *type);
    supplied.test = with_parameter(supplied.test, fresh, *value, /*weight=*/false);
    supplied.args.push_back(var_expr(fresh));
  }
  return supplied;
}

// The case that supplies a local function of the entry that nothing uses; nothing for any other.
std::optional<Supplied> supply_unused(const TestCase& test, const BindingSite& closure) {
  const VarNode* var = closure.binding->var.get();
  if (closure.nested || closure.function->name != test.entry || is_used(*closure.function, var)) return std::nullopt;
  return supply(test, function_of(closure));
}

// Puts the body of a local function that nothing calls in its place, and returns what it returns.
std::optional<TestCase> open_unused(const TestCase& test, std::size_t i) {
  const BindingSite closure = closures_of(test)[i];
  const Var& var = closure.binding->var;
  const auto supplied = supply_unused(test, closure);
  if (!supplied) return std::nullopt;
  const Var result = make_var(var->name, function_of(closure).result_type);
  Function entry = *entry_of(supplied->test).function;
  bind_instead(entry.body, var, result);
  entry.body.result = var_expr(result);
  return open(with_entry(supplied->test, std::move(entry)), result, function_of(closure), supplied->args);
}

// Calls a local function that nothing uses, and returns what it returns.
std::optional<TestCase> call_unused(const TestCase& test, std::size_t i) {
  const BindingSite closure = closures_of(test)[i];
  const Var& var = closure.binding->var;
  const auto supplied = supply_unused(test, closure);
  if (!supplied) return std::nullopt;
  Result<ExprPtr> call = call_function(var_expr(var), supplied->args);
  if (!call) return std::nullopt;
  const Var result = make_var("y", (*call)->type);
  Function entry = *entry_of(supplied->test).function;
  entry.body.blocks.push_back({.dataflow = false, .bindings = {{result, *call, std::nullopt}}});
  join_plain_blocks(entry.body);
  entry.body.result = var_expr(result);
  return rebuilt(with_entry(supplied->test, std::move(entry)),
                 {.expose = [&](const Var& v) { return v == var; }});
}

// Puts the body of a local function in place of a call of it.
std::optional<TestCase> inline_local_call(const TestCase& test, std::size_t i) {
  const Binding* call = all_bindings(test)[i].binding;
  const VarNode* callee = called_var(call->value);
  if (callee == nullptr) return std::nullopt;
  for (const BindingSite& closure : closures_of(test)) {
    if (closure.binding->var.get() != callee) continue;
    const std::vector<ExprPtr> args = as<Call>(call->value)->args;
    if (args.size() != function_of(closure).params.size()) return std::nullopt;
    return open(test, call->var, function_of(closure), args);
  }
  return std::nullopt;
}

struct ClosureParam {
  BindingSite closure;
  std::size_t index;
};
std::vector<ClosureParam> closure_params(const TestCase& test) {
  std::vector<ClosureParam> params;
  for (const BindingSite& closure : closures_of(test)) {
    for (std::size_t i = 0; i < function_of(closure).params.size(); ++i) params.push_back({closure, i});
  }
  return params;
}
std::size_t count_closure_params(const TestCase& test) {
  return closure_params(test).size();
}

// Whether the variable is used as what calls call, and nowhere else.
bool is_only_called(const GlobalFunction& function, const VarNode* var) {
  int uses = 0;
  int calls = 0;
  for_each_expr(function.function->body, [&](const ExprPtr& expr) {
    if (const Var* used = as<Var>(expr)) uses += used->get() == var ? 1 : 0;
    calls += called_var(expr) == var ? 1 : 0;
  });
  return uses == calls;
}

std::optional<TestCase> drop_closure_param(const TestCase& test, std::size_t i) {
  const auto [closure, index] = closure_params(test)[i];
  Function function = function_of(closure);
  const Binding* target = closure.binding;
  if (uses(function.body, function.params[index].get()) ||
      !is_only_called(*closure.function, target->var.get()))
    return std::nullopt;
  const auto at = static_cast<std::ptrdiff_t>(index);
  function.params.erase(function.params.begin() + at);
  const auto shorter = std::make_shared<const Function>(std::move(function));
  return rebuilt(test, {.rewrite = [&](const Binding& b) -> std::optional<ExprPtr> {
                   if (&b == target) return make_expr(shorter, type_of(*shorter));
                   if (called_var(b.value) != target->var.get()) return std::nullopt;
                   Call call = *as<Call>(b.value);
                   call.args.erase(call.args.begin() + at);
                   return make_expr(std::move(call), b.value->type);
                 }});
}

}  // namespace

ReduceSteps closure_steps() {
  static constexpr std::array kSteps = {
      ReduceStep{"inline-local-call", count_bindings_of_all, inline_local_call},
      ReduceStep{"open-unused", count_closures, open_unused},
      ReduceStep{"call-unused", count_closures, call_unused},
      ReduceStep{"drop-closure-param", count_closure_params, drop_closure_param},
  };
  return kSteps;
}

}  // namespace passdiff
