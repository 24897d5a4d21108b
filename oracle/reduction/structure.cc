// Steps that make the module smaller: functions, outputs, bindings, parameters, blocks, attributes.
#include <algorithm>
#include <array>
#include <utility>

#include "core/form/builder.h"
#include "core/form/well_formed.h"
#include "core/ir/queries.h"
#include "core/ir/rewriter.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"
#include "oracle/reduction/parts.h"
#include "oracle/reduction/steps.h"

namespace passdiff {
namespace {

// The case rebuilt without edits, which infers all types again; nothing if it no longer types.
std::optional<TestCase> retyped(const TestCase& test) {
  return rebuilt(test, {});
}

std::optional<TestCase> drop_function(const TestCase& test, std::size_t i) {
  TestCase result = test;
  if (result.module.functions[i].name == test.entry) return std::nullopt;
  result.module.functions.erase(result.module.functions.begin() + static_cast<std::ptrdiff_t>(i));
  return retyped(result);
}

// If the bug is inside a function that the entry calls, that function may become the entry, with the
// arguments that it was called with. One candidate for each binding that may be such a call.
std::size_t count_bindings_of_entry(const TestCase& test) {
  return top_bindings(test).size();
}
std::optional<TestCase> enter_callee(const TestCase& test, std::size_t i) {
  const Call* call = as<Call>(top_bindings(test)[i]->value);
  const auto* callee = call == nullptr ? nullptr : std::get_if<GlobalRef>(&call->callee);
  if (callee == nullptr || callee->name == test.entry) return std::nullopt;
  const auto values = trace(test);
  if (!values) return std::nullopt;
  TestCase result = test;
  result.entry = callee->name;
  result.arguments.clear();
  const auto& params = entry_of(test).function->params;
  for (const ExprPtr& arg : call->args) {
    const Var* var = as<Var>(arg);
    if (var == nullptr) return std::nullopt;
    const auto param = std::find(params.begin(), params.end(), *var);
    if (param != params.end()) {
      result.arguments.push_back(test.arguments[static_cast<std::size_t>(param - params.begin())]);
    } else if (const auto found = values->find(var->get()); found != values->end()) {
      result.arguments.push_back(found->second);
    } else {
      return std::nullopt;
    }
  }
  for (GlobalFunction& f : result.module.functions) f.is_public |= f.name == result.entry;
  // Its callers are removed: if the bug needs them, this candidate does not show it.
  drop_unreachable(result);
  return result;
}

// Makes the variable of binding i the result, after which the bindings behind it are dead.
std::optional<TestCase> return_binding(const TestCase& test, std::size_t i) {
  const Var var = top_bindings(test)[i]->var;
  if (var->type.as_func() != nullptr) return std::nullopt;  // functions cannot be compared
  Function function = *entry_of(test).function;
  if (as<Var>(function.body.result) != nullptr && *as<Var>(function.body.result) == var) return std::nullopt;
  function.body.result = var_expr(var);
  return rebuilt(with_entry(test, std::move(function)), {.expose = [&](const Var& v) { return v == var; }});
}

// The result becomes a tuple of the operands that it is computed from, since the last op may not matter.
std::size_t count_results(const TestCase&) {
  return 1;
}
std::optional<TestCase> return_operands(const TestCase& test, std::size_t) {
  Function function = *entry_of(test).function;
  const Var* returned = as<Var>(function.body.result);
  if (returned == nullptr) return std::nullopt;
  const Binding* last = binding_of(function.body, returned->get());
  const Call* call = last == nullptr ? nullptr : as<Call>(last->value);
  if (call == nullptr) return std::nullopt;
  std::vector<ExprPtr> operands;
  VarSet exposed;
  const auto add = [&](const ExprPtr& operand) {
    if (as<Var>(operand) == nullptr || operand->type.as_tensor() == nullptr) return;
    if (exposed.insert(as<Var>(operand)->get()).second) operands.push_back(operand);
  };
  for (const ExprPtr& arg : call->args) {
    if (const Tuple* tuple = as<Tuple>(arg)) std::for_each(tuple->fields.begin(), tuple->fields.end(), add);
    add(arg);
  }
  if (operands.size() < 2) return std::nullopt;  // return_binding tries a single operand
  function.body.result = make_tuple(std::move(operands));
  return rebuilt(with_entry(test, std::move(function)),
                 {.expose = [&](const Var& v) { return exposed.contains(v.get()); }});
}

const Tuple* result_tuple(const TestCase& test) {
  const ExprPtr& result = entry_of(test).function->body.result;
  if (const Tuple* tuple = as<Tuple>(result)) return tuple;
  const Var* var = as<Var>(result);
  const Binding* binding = var == nullptr ? nullptr : binding_of(entry_of(test).function->body, var->get());
  return binding == nullptr ? nullptr : as<Tuple>(binding->value);
}

// Even candidates keep only one field of the returned tuple, odd ones drop it.
std::size_t count_result_fields(const TestCase& test) {
  const Tuple* tuple = result_tuple(test);
  return tuple == nullptr ? 0 : 2 * tuple->fields.size();
}
std::optional<TestCase> shrink_result(const TestCase& test, std::size_t i) {
  std::vector<ExprPtr> fields = result_tuple(test)->fields;
  VarSet exposed;
  for (const ExprPtr& field : fields) collect_uses(field, exposed);
  Function function = *entry_of(test).function;
  if (i % 2 == 1) {
    if (fields.size() < 2) return std::nullopt;
    fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(i / 2));
    function.body.result = make_tuple(std::move(fields));
  } else {
    function.body.result = fields[i / 2];
  }
  return rebuilt(with_entry(test, std::move(function)),
                 {.expose = [&](const Var& v) { return exposed.contains(v.get()); }});
}

// Whether the entry function returns what some binding computes.
bool returns_bindings(const TestCase& test) {
  VarSet returned;
  collect_uses(entry_of(test).function->body.result, returned);
  const auto bindings = top_bindings(test);
  return std::any_of(bindings.begin(), bindings.end(),
                     [&](const Binding* b) { return returned.contains(b->var.get()); });
}

// Where no binding is returned, but a large tuple may be: a parameter.
std::optional<TestCase> return_param(const TestCase& test, std::size_t i) {
  Function function = *entry_of(test).function;
  const Var& param = function.params[i];
  const Var* returned = as<Var>(function.body.result);
  if (returns_bindings(test) || (returned != nullptr && *returned == param)) return std::nullopt;
  function.body.result = var_expr(param);
  return retyped(with_entry(test, std::move(function)));
}

// Returns the variable of binding i, which nothing uses, beside what is returned.
std::optional<TestCase> return_dead_too(const TestCase& test, std::size_t i) {
  const Var var = top_bindings(test)[i]->var;
  if (is_used(entry_of(test), var.get()) || var->type.as_func() != nullptr || !returns_bindings(test))
    return std::nullopt;
  Function function = *entry_of(test).function;
  const Tuple* tuple = as<Tuple>(function.body.result);
  std::vector<ExprPtr> fields = tuple == nullptr ? std::vector{function.body.result} : tuple->fields;
  fields.push_back(var_expr(var));
  function.body.result = make_tuple(std::move(fields));
  return rebuilt(with_entry(test, std::move(function)), {.expose = [&](const Var& v) { return v == var; }});
}

// Binds the variable of binding i to a new parameter that holds the value it had.
std::optional<TestCase> forget_value(const TestCase& test, std::size_t i) {
  const Binding* binding = top_bindings(test)[i];
  if (as<Var>(binding->value) != nullptr || binding->match_cast) return std::nullopt;
  const auto values = trace(test);
  if (!values) return std::nullopt;
  const Value& value = values->at(binding->var.get());
  auto type = static_type_of(value);
  if (!type) return std::nullopt;
  const Var param = make_var(binding->var->name + "_in", *std::move(type));
  const bool weight = entry_of(test).function->attrs.contains("num_input") &&
                      !input_dependent(test).contains(binding->var.get());
  const TestCase widened = with_parameter(test, param, value, weight);
  return rebuilt(widened, {.rewrite = [&](const Binding& b) {
                   return b.var == binding->var ? std::optional(var_expr(param)) : std::nullopt;
                 }});
}

// Replaces the variable of binding i by an operand of the same type.
std::optional<TestCase> bypass(const TestCase& test, std::size_t i) {
  const Binding* binding = top_bindings(test)[i];
  VarSet operands;
  collect_uses(binding->value, operands);
  if (as<Var>(binding->value) != nullptr) operands.insert(as<Var>(binding->value)->get());
  std::optional<ExprPtr> stand_in;
  const auto consider = [&](const Var& var) {
    if (!stand_in && operands.contains(var.get()) && equal(var->type, binding->var->type))
      stand_in = var_expr(var);
  };
  for (const Var& param : entry_of(test).function->params) consider(param);
  for (const Binding* earlier : top_bindings(test)) {
    if (earlier == binding) break;
    consider(earlier->var);
  }
  if (!stand_in) return std::nullopt;
  return rebuilt(
      test, {.replace = [&](const Binding& b) { return &b == binding ? stand_in : std::nullopt; },
             .expose = [&](const Var& v) { return !binding->var->dataflow && *as<Var>(*stand_in) == v; }});
}

std::optional<TestCase> remove_param(const TestCase& test, std::size_t i) {
  const GlobalFunction& entry = entry_of(test);
  if (is_used(entry, entry.function->params[i].get())) return std::nullopt;
  Function function = *entry.function;
  const bool input = static_cast<std::int64_t>(i) < inputs_of(function);
  if (input && function.attrs.contains("num_input")) function.attrs["num_input"] = inputs_of(function) - 1;
  function.params.erase(function.params.begin() + static_cast<std::ptrdiff_t>(i));
  TestCase result = with_entry(test, std::move(function));
  result.arguments.erase(result.arguments.begin() + static_cast<std::ptrdiff_t>(i));
  return retyped(result);
}

// Puts the bindings of each sequence into one block.
class BlockJoiner : public BindingRewriter {
 public:
  explicit BlockJoiner(bool dataflow) : dataflow_(dataflow) {}
  bool seq(const SeqExpr& old, SeqExpr& fresh) override {
    if (!BindingRewriter::seq(old, fresh)) return false;
    Block all = one_block(fresh, dataflow_);
    fresh.blocks.clear();
    if (!all.bindings.empty()) fresh.blocks.push_back(std::move(all));
    return true;
  }

 private:
  bool dataflow_;
};

// Even candidates have all bindings of a function in one dataflow block, odd ones in one plain block: first
// those of all functions, then those of one.
std::size_t count_block_forms(const TestCase& test) {
  return 2 * (test.module.functions.size() + 1);
}
std::optional<TestCase> reshape_blocks(const TestCase& test, std::size_t i) {
  TestCase result = test;
  const bool dataflow = i % 2 == 0;
  BlockJoiner joiner(dataflow);
  for (std::size_t k = 0; k < result.module.functions.size(); ++k) {
    FunctionPtr& function = result.module.functions[k].function;
    if (i / 2 == 0 || i / 2 == k + 1) function = joiner.function(function);
  }
  return rebuilt(result, {.expose = [&](const Var&) { return !dataflow; }});
}

// The variables that dataflow blocks give out although nothing outside of them uses them. Goes over blocks, not bindings alone: outside is where the
// block ends.
void collect_hidden(const SeqExpr& seq, const std::unordered_map<const VarNode*, int>& uses, VarSet& into) {
  for (const Block& block : seq.blocks) {
    std::unordered_map<const VarNode*, int> within;
    for (const Binding& binding : block.bindings) {
      for_each_use(binding.value, [&](const Var& var) { ++within[var.get()]; });
      for_each_seq(*binding.value, [&](const SeqExpr& inner) { collect_hidden(inner, uses, into); });
    }
    for (const Binding& binding : block.bindings) {
      const auto all = uses.find(binding.var.get());
      const int used = all == uses.end() ? 0 : all->second;
      if (block.dataflow && !binding.var->dataflow && used == within[binding.var.get()])
        into.insert(binding.var.get());
    }
  }
}

// Makes variables those of their dataflow block alone.
class Hider : public Rewriter {
 public:
  explicit Hider(const VarSet& hidden) : hidden_(hidden) {}
  ExprPtr expr(const ExprPtr& old) override {
    const Var* var = as<Var>(old);
    const ExprPtr* found = var == nullptr ? nullptr : fresh_.find(var->get());
    return found == nullptr ? parts(old) : *found;
  }

 protected:
  bool binding(const Binding& old, BlockSink& to) override {
    Binding fresh{old.var, expr(old.value), old.match_cast};
    if (hidden_.contains(old.var.get())) {
      fresh.var = make_var(old.var->name, old.var->type, /*dataflow=*/true);
      fresh_.set(old.var.get(), var_expr(fresh.var));
    }
    to.add(std::move(fresh));
    return true;
  }

 private:
  const VarSet& hidden_;
  PointerMap<ExprPtr> fresh_;
};
std::optional<TestCase> hide_outputs(const TestCase& test, std::size_t) {
  VarSet hidden;
  for (const GlobalFunction& f : test.module.functions) {
    std::unordered_map<const VarNode*, int> uses;
    for_each_use(f.function->body, [&](const Var& var) { ++uses[var.get()]; });
    collect_hidden(f.function->body, uses, hidden);
  }
  if (hidden.empty()) return std::nullopt;
  TestCase result = test;
  Hider hider(hidden);
  for (GlobalFunction& f : result.module.functions) f.function = hider.function(f.function);
  return retyped(result);
}

std::size_t count_decorations(const TestCase& test) {
  std::size_t count = test.module.attrs.size() + (test.module.vdevices.empty() ? 0 : 1);
  for (const GlobalFunction& f : test.module.functions) count += f.function->attrs.size();
  return count;
}
std::optional<TestCase> drop_decoration(const TestCase& test, std::size_t i) {
  TestCase result = test;
  if (i < result.module.attrs.size()) {
    result.module.attrs.erase(std::next(result.module.attrs.begin(), static_cast<std::ptrdiff_t>(i)));
    return result;
  }
  i -= result.module.attrs.size();
  for (GlobalFunction& f : result.module.functions) {
    if (i < f.function->attrs.size()) {
      Function function = *f.function;
      function.attrs.erase(std::next(function.attrs.begin(), static_cast<std::ptrdiff_t>(i)));
      f.function = std::make_shared<const Function>(std::move(function));
      return result;
    }
    i -= f.function->attrs.size();
  }
  result.module.vdevices.clear();
  const Edits plain{.param_type = [](const Var& param) { return without_vdevices(param->type); }};
  return rebuilt(result, plain);
}

// Removes the dead bindings of all functions once; false if there are none.
bool remove_dead_bindings(TestCase& test) {
  VarSet used;
  for (const GlobalFunction& f : test.module.functions) collect_uses(f.function->body, used);
  bool found = false;
  auto clean = rebuilt(test, {.remove = [&](const Binding& b) {
                         const bool dead = !used.contains(b.var.get());
                         found |= dead;
                         return dead;
                       }});
  if (!found || !clean) return false;
  test = *std::move(clean);
  return true;
}

}  // namespace

ReduceSteps structure_steps() {
  static constexpr std::array kSteps = {
      ReduceStep{"drop-function", count_functions, drop_function},
      ReduceStep{"enter-callee", count_bindings_of_entry, enter_callee},
      ReduceStep{"return-binding", count_bindings_of_entry, return_binding},
      ReduceStep{"return-operands", count_results, return_operands},
      ReduceStep{"shrink-result", count_result_fields, shrink_result},
      ReduceStep{"return-param", count_params, return_param},
      ReduceStep{"return-dead-too", count_bindings_of_entry, return_dead_too},
      ReduceStep{"bypass", count_bindings_of_entry, bypass},
      ReduceStep{"forget-value", count_bindings_of_entry, forget_value},
      ReduceStep{"remove-param", count_params, remove_param},
      ReduceStep{"reshape-blocks", count_block_forms, reshape_blocks},
      ReduceStep{"hide-outputs", count_results, hide_outputs},
      ReduceStep{"drop-decoration", count_decorations, drop_decoration},
  };
  return kSteps;
}

TestCase without_dead_parts(const TestCase& test) {
  if (test.module.find(test.entry) == nullptr) return test;
  TestCase result = test;
  while (remove_dead_bindings(result)) {
  }
  for (std::size_t i = count_params(result); i-- > 0;) {
    // A parameter that nothing uses may define the sizes of others.
    auto smaller = remove_param(result, i);
    if (smaller && !well_formed(smaller->module)) result = *std::move(smaller);
  }
  drop_unreachable(result);
  return result;
}

}  // namespace passdiff
