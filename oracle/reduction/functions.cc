// Steps across functions: calls are inlined, and functions lose parameters and results that do not matter.
#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "core/form/builder.h"
#include "core/ir/queries.h"
#include "core/ir/rewriter.h"
#include "oracle/reduction/parts.h"
#include "oracle/reduction/steps.h"

namespace passdiff {
namespace {

GlobalFunction& function_of(TestCase& test, const std::string& name) {
  return *std::find_if(test.module.functions.begin(), test.module.functions.end(),
                       [&](const GlobalFunction& f) { return f.name == name; });
}

// The global function that a binding's value calls, or null.
const GlobalFunction* callee_of(const TestCase& test, const Binding& binding) {
  const GlobalRef* called = called_global(binding.value);
  return called == nullptr ? nullptr : test.module.find(called->name);
}

struct Site {
  const GlobalFunction* caller;
  const Binding* binding;
};
// Calls of global functions outside branches and local functions.
std::vector<Site> call_sites(const TestCase& test) {
  std::vector<Site> sites;
  for (const GlobalFunction& f : test.module.functions) {
    for_each_binding<Enter::none>(f.function->body, [&](const Binding& binding) {
      const GlobalFunction* callee = callee_of(test, binding);
      if (callee != nullptr && callee->name != f.name) sites.push_back({&f, &binding});
    });
  }
  return sites;
}
std::size_t count_call_sites(const TestCase& test) {
  return call_sites(test).size();
}

// Puts the callee's bindings in place of a call. In a dataflow block they join it.
class CallInliner : public Rewriter {
 public:
  CallInliner(const Binding& call, const Function& callee) : call_(call), callee_(callee) {}
  ExprPtr expr(const ExprPtr& old) override { return old; }

 protected:
  bool binding(const Binding& old, BlockSink& to) override {
    if (&old != &call_) return Rewriter::binding(old, to);
    for (std::size_t i = 0; i < callee_.params.size(); ++i) {
      to.add({callee_.params[i], as<Call>(old.value)->args[i], std::nullopt});
    }
    if (to.in_dataflow()) {
      for_each_binding<Enter::none>(callee_.body, [&](const Binding& inner) { to.add(inner); });
    } else {
      blocks(callee_.body, to);
      to.begin_block(false);
    }
    to.add({old.var, callee_.body.result, std::nullopt});
    return true;
  }

 private:
  const Binding& call_;
  const Function& callee_;
};

std::optional<TestCase> inline_call(const TestCase& test, std::size_t i) {
  const auto [caller, call] = call_sites(test)[i];
  const Function& callee = *callee_of(test, *call)->function;
  if (callee.params.size() != as<Call>(call->value)->args.size()) return std::nullopt;
  Function function = *caller->function;
  CallInliner(*call, callee).seq(caller->function->body, function.body);
  const auto stands_for_argument = [&](const Binding& binding) {
    const bool param =
        std::find(callee.params.begin(), callee.params.end(), binding.var) != callee.params.end();
    return (param || binding.var == call->var) && as<Tuple>(binding.value) == nullptr;
  };
  VarSet shown;
  if (!call->var->dataflow) collect_uses(callee.body.result, shown);
  TestCase result = test;
  function_of(result, caller->name).function = std::make_shared<const Function>(std::move(function));
  return rebuilt(result, {.replace =
                              [&](const Binding& binding) {
                                return stands_for_argument(binding) ? std::optional(binding.value)
                                                                    : std::nullopt;
                              },
                          .expose = [&](const Var& var) { return shown.contains(var.get()); }});
}

struct Place {
  const GlobalFunction* function;
  std::size_t index;
};
// The parameters of all functions but the entry.
std::vector<Place> callees_params(const TestCase& test) {
  std::vector<Place> places;
  for (const GlobalFunction& f : test.module.functions) {
    if (f.name == test.entry) continue;
    for (std::size_t i = 0; i < f.function->params.size(); ++i) places.push_back({&f, i});
  }
  return places;
}
std::size_t count_callees_params(const TestCase& test) {
  return callees_params(test).size();
}

// The case with another form of a function, whose calls `call` edits.
std::optional<TestCase> with_function(const TestCase& test, const GlobalFunction* callee, Function function,
                                      const std::function<void(Call&)>& call,
                                      const std::function<bool(const Binding&)>& is_alias) {
  TestCase result = test;
  function_of(result, callee->name).function = std::make_shared<const Function>(std::move(function));
  return rebuilt(
      result,
      {.replace = [&](const Binding& b) { return is_alias(b) ? std::optional(b.value) : std::nullopt; },
       .rewrite = [&](const Binding& b) -> std::optional<ExprPtr> {
         if (callee_of(test, b) != callee) return std::nullopt;
         Call changed = *as<Call>(b.value);
         call(changed);
         return make_expr(std::move(changed), b.value->type);
       }});
}
bool no_alias(const Binding&) {
  return false;
}
// Removes a parameter, and from the inputs that its function counts.
void erase_param(Function& function, std::size_t index) {
  const auto at = static_cast<std::ptrdiff_t>(index);
  const bool input = at < inputs_of(function);
  if (input && function.attrs.contains("num_input")) function.attrs["num_input"] = inputs_of(function) - 1;
  function.params.erase(function.params.begin() + at);
}
void erase_arg(Call& call, std::size_t index) {
  if (index < call.args.size()) call.args.erase(call.args.begin() + static_cast<std::ptrdiff_t>(index));
}

std::optional<TestCase> drop_callees_param(const TestCase& test, std::size_t i) {
  const auto [callee, index] = callees_params(test)[i];
  if (is_used(*callee, callee->function->params[index].get())) return std::nullopt;
  Function function = *callee->function;
  erase_param(function, index);
  return with_function(
      test, callee, std::move(function), [at = index](Call& call) { erase_arg(call, at); }, no_alias);
}

// Replaces the uses of a parameter by an earlier one of the same type, and drops it.
std::optional<TestCase> merge_callees_param(const TestCase& test, std::size_t i) {
  const auto [callee, index] = callees_params(test)[i];
  const std::vector<Var>& params = callee->function->params;
  const Var old = params[index];
  const auto end = params.begin() + static_cast<std::ptrdiff_t>(index);
  const auto same =
      std::find_if(params.begin(), end, [&](const Var& p) { return equal(p->type, old->type); });
  if (same == end) return std::nullopt;
  Function function = *callee->function;
  const Binding alias{old, var_expr(*same), std::nullopt};
  function.body.blocks.insert(function.body.blocks.begin(), Block{.dataflow = false, .bindings = {alias}});
  erase_param(function, index);
  return with_function(
      test, callee, std::move(function), [at = index](Call& call) { erase_arg(call, at); },
      [&](const Binding& b) { return b.var == old; });
}

// Gives a parameter that nothing uses the type of another parameter, whose argument it is then called with.
std::optional<TestCase> plain_callees_param(const TestCase& test, std::size_t i) {
  const auto [callee, index] = callees_params(test)[i];
  const std::vector<Var>& params = callee->function->params;
  if (is_used(*callee, params[index].get())) return std::nullopt;
  const auto other = std::find_if(params.begin(), params.end(), [&, at = index](const Var& p) {
    return p != params[at] && p->type.as_tensor() != nullptr && !equal(p->type, params[at]->type);
  });
  if (other == params.end()) return std::nullopt;
  const auto from = static_cast<std::size_t>(other - params.begin());
  Function function = *callee->function;
  function.params[index] = make_var(params[index]->name, (*other)->type);
  return with_function(
      test, callee, std::move(function),
      [&, at = index](Call& call) {
        if (std::max(at, from) < call.args.size()) call.args[at] = call.args[from];
      },
      no_alias);
}

// The tuple that a function returns, if it is written out; else null.
const Tuple* tuple_returned(const Function& function) {
  const ExprPtr& result = function.body.result;
  if (const Tuple* tuple = as<Tuple>(result)) return tuple;
  const Var* var = as<Var>(result);
  const Binding* binding = var == nullptr ? nullptr : binding_of(function.body, var->get());
  return binding == nullptr ? nullptr : as<Tuple>(binding->value);
}
std::vector<Place> callees_fields(const TestCase& test) {
  std::vector<Place> places;
  for (const GlobalFunction& f : test.module.functions) {
    const Tuple* tuple = f.name == test.entry ? nullptr : tuple_returned(*f.function);
    for (std::size_t i = 0; tuple != nullptr && i < tuple->fields.size(); ++i) places.push_back({&f, i});
  }
  return places;
}
std::size_t count_callees_fields(const TestCase& test) {
  return callees_fields(test).size();
}

// Makes a function return one field of its tuple alone. Callers that take another field get zeros instead.
std::optional<TestCase> return_one_field(const TestCase& test, std::size_t i) {
  const auto [callee, index] = callees_fields(test)[i];
  Function function = *callee->function;
  const ExprPtr field = tuple_returned(function)->fields[index];
  VarSet shown;
  collect_uses(field, shown);
  function.body.result = field;
  VarSet returned;  // variables of calls of it
  for (const Site& site : call_sites(test)) {
    if (callee_of(test, *site.binding) == callee) returned.insert(site.binding->var.get());
  }
  TestCase result = test;
  function_of(result, callee->name).function = std::make_shared<const Function>(std::move(function));
  return rebuilt(result, {.rewrite = [&](const Binding& binding) -> std::optional<ExprPtr> {
                            const TupleGetItem* get = as<TupleGetItem>(binding.value);
                            const Var* tuple = get == nullptr ? nullptr : as<Var>(get->tuple);
                            if (tuple == nullptr || !returned.contains(tuple->get())) return std::nullopt;
                            if (get->index == static_cast<int>(index)) return get->tuple;
                            return zeros_of(binding.value->type);
                          },
                          .expose = [&](const Var& var) { return shown.contains(var.get()); }});
}

}  // namespace

ReduceSteps function_steps() {
  static constexpr std::array kSteps = {
      ReduceStep{"inline-call", count_call_sites, inline_call},
      ReduceStep{"return-one-field", count_callees_fields, return_one_field},
      ReduceStep{"drop-callees-param", count_callees_params, drop_callees_param},
      ReduceStep{"merge-callees-param", count_callees_params, merge_callees_param},
      ReduceStep{"plain-callees-param", count_callees_params, plain_callees_param},
  };
  return kSteps;
}

}  // namespace passdiff
