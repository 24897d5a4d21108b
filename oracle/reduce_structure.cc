// Steps that make the module smaller: functions, outputs, bindings, parameters, blocks, attributes.
#include <algorithm>
#include <array>
#include <utility>

#include "core/ir/queries.h"
#include "core/ir/rewriter.h"
#include "core/ops/op.h"
#include "core/form/builder.h"
#include "core/tensor/tensor.h"
#include "oracle/reduce_parts.h"
#include "oracle/reduce_steps.h"

namespace passdiff {
namespace {

// The case rebuilt without edits, which infers all types again; nothing if it no longer types.
std::optional<TestCase> retyped(const TestCase& test) {
  return rebuilt(test, {});
}

std::size_t count_functions(const TestCase& test) {
  return test.module.functions.size();
}
std::optional<TestCase> drop_function(const TestCase& test, std::size_t i) {
  TestCase result = test;
  if (result.module.functions[i].name == test.entry) return std::nullopt;
  result.module.functions.erase(result.module.functions.begin() + static_cast<std::ptrdiff_t>(i));
  return retyped(result);
}

// Removes the functions that the entry does not reach.
void drop_unreachable(TestCase& test) {
  const std::vector<std::string> reached = reachable_functions(test.module, {test.entry});
  const auto is_unreached = [&](const auto& global) {
    return std::find(reached.begin(), reached.end(), global.name) == reached.end();
  };
  std::erase_if(test.module.functions, is_unreached);
  std::erase_if(test.module.prim_funcs, is_unreached);
}

// If the bug is inside a function that the entry calls, that function may become the entry, with the arguments that it was called
// with. One candidate for each binding that may be such a call.
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

// Makes the variables of these bindings parameters that hold the values they had.
std::optional<TestCase> cut(const TestCase& test, const std::vector<const Binding*>& bindings) {
  const auto values = trace(test);
  if (!values || bindings.empty()) return std::nullopt;
  const VarSet dependent = input_dependent(test);
  const bool has_weights = entry_of(test).function->attrs.contains("num_input");
  TestCase result = test;
  std::unordered_map<const VarNode*, ExprPtr> replaced;
  for (const Binding* binding : bindings) {
    const auto value = values->find(binding->var.get());
    auto type = value == values->end() ? std::nullopt : static_type_of(value->second);
    if (!type) return std::nullopt;
    const Var param = make_var(binding->var->name, *std::move(type));
    replaced.emplace(binding->var.get(), var_expr(param));
    const bool weight = has_weights && !dependent.contains(binding->var.get());
    result = with_parameter(result, param, value->second, weight);
  }
  return rebuilt(result, {.replace = [&](const Binding& b) -> std::optional<ExprPtr> {
                   const auto found = replaced.find(b.var.get());
                   return found == replaced.end() ? std::nullopt : std::optional(found->second);
                 }});
}

// Removes everything before binding i; the variables that the rest uses become parameters.
std::optional<TestCase> cut_before(const TestCase& test, std::size_t i) {
  const auto bindings = top_bindings(test);
  if (i == 0) return std::nullopt;
  VarSet later;
  for (std::size_t k = i; k < bindings.size(); ++k) collect_uses(bindings[k]->value, later);
  collect_uses(entry_of(test).function->body.result, later);
  std::vector<const Binding*> read;
  for (std::size_t k = 0; k < i; ++k) {
    if (later.contains(bindings[k]->var.get())) read.push_back(bindings[k]);
  }
  return cut(test, read);
}
std::optional<TestCase> cut_one(const TestCase& test, std::size_t i) {
  const Binding* binding = top_bindings(test)[i];
  if (!is_used(entry_of(test), binding->var.get())) return std::nullopt;
  return cut(test, {binding});
}

// Binds the variable of binding i to a new parameter that holds the value it had.
std::optional<TestCase> forget_value(const TestCase& test, std::size_t i) {
  const Binding* binding = top_bindings(test)[i];
  if (as<Call>(binding->value) == nullptr || binding->match_cast) return std::nullopt;
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

// Puts the blocks of a branch where a binding of the sequence itself stands, which then takes the branch's result.
class BranchInliner : public Rewriter {
 public:
  BranchInliner(const Binding& target, const SeqExpr& taken) : target_(target), taken_(taken) {}
  ExprPtr expr(const ExprPtr& old) override { return old; }

 protected:
  bool binding(const Binding& old, BlockSink& to) override {
    if (old.var != target_.var) return Rewriter::binding(old, to);
    const bool dataflow = to.in_dataflow();
    blocks(taken_, to);
    to.begin_block(dataflow);
    to.add({old.var, taken_.result, std::nullopt});
    return true;
  }

 private:
  const Binding& target_;
  const SeqExpr& taken_;
};

// Replaces an If by one of its branches: even candidates by the first, odd ones by the second.
std::size_t count_branches(const TestCase& test) {
  return 2 * top_bindings(test).size();
}
std::optional<TestCase> inline_branch(const TestCase& test, std::size_t i) {
  const Binding* target = top_bindings(test)[i / 2];
  const If* branch = as<If>(target->value);
  if (branch == nullptr) return std::nullopt;
  const SeqExpr& taken = i % 2 == 0 ? *branch->then_branch : *branch->else_branch;
  Function function = *entry_of(test).function;
  BranchInliner(*target, taken).seq(entry_of(test).function->body, function.body);
  return retyped(with_entry(test, std::move(function)));
}

// Removes dead bindings one at a time, for cases where some of them matter.
std::optional<TestCase> remove_dead_binding(const TestCase& test, std::size_t i) {
  const Binding* binding = top_bindings(test)[i];
  if (is_used(entry_of(test), binding->var.get())) return std::nullopt;
  return rebuilt(test, {.remove = [&](const Binding& b) { return &b == binding; }});
}

std::size_t count_params(const TestCase& test) {
  return entry_of(test).function->params.size();
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

// Replaces the uses of a parameter by an earlier parameter of the same type.
std::optional<TestCase> merge_param(const TestCase& test, std::size_t i) {
  const auto& params = entry_of(test).function->params;
  const auto same = std::find_if(params.begin(), params.begin() + static_cast<std::ptrdiff_t>(i),
                                 [&](const Var& p) { return equal(p->type, params[i]->type); });
  if (same == params.begin() + static_cast<std::ptrdiff_t>(i)) return std::nullopt;
  // The later one is bound to the earlier one at the top of the body, and that binding is then replaced.
  Function function = *entry_of(test).function;
  const Var old = params[i];
  const Binding alias{old, var_expr(*same), std::nullopt};
  function.body.blocks.insert(function.body.blocks.begin(), Block{.dataflow = false, .bindings = {alias}});
  const bool input = static_cast<std::int64_t>(i) < inputs_of(function);
  if (input && function.attrs.contains("num_input")) function.attrs["num_input"] = inputs_of(function) - 1;
  function.params.erase(function.params.begin() + static_cast<std::ptrdiff_t>(i));
  TestCase result = with_entry(test, std::move(function));
  result.arguments.erase(result.arguments.begin() + static_cast<std::ptrdiff_t>(i));
  return rebuilt(result, {.replace = [&](const Binding& b) {
                   return b.var == old ? std::optional(b.value) : std::nullopt;
                 }});
}

// Candidate 0 has all bindings in one dataflow block, candidate 1 all in one plain block.
std::size_t count_block_forms(const TestCase&) {
  return 2;
}
std::optional<TestCase> reshape_blocks(const TestCase& test, std::size_t i) {
  Function function = *entry_of(test).function;
  if (function.body.blocks.size() <= 1 && i == 0) return std::nullopt;
  function.body.blocks = {one_block(function.body, /*dataflow=*/i == 0)};
  return rebuilt(with_entry(test, std::move(function)), {.expose = [&](const Var&) { return i == 1; }});
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

// Gives the optional attributes of binding i's call their defaults.
std::optional<TestCase> default_attributes(const TestCase& test, std::size_t i) {
  const Binding* target = top_bindings(test)[i];
  const Call* call = as<Call>(target->value);
  const OpDef* op = call == nullptr ? nullptr : called_op(*call);
  if (op == nullptr || call->attrs.empty()) return std::nullopt;
  Attrs attrs = call->attrs;
  const auto params = op->attributes();
  for (std::size_t k = 0; k < attrs.size() && k < params.size(); ++k) {
    if (params[k].default_value) attrs[k] = *params[k].default_value;
  }
  if (attrs == call->attrs) return std::nullopt;
  Result<ExprPtr> simpler = make_call(*op, call->args, std::move(attrs));
  if (!simpler) return std::nullopt;
  return rebuilt(test, {.rewrite = [&](const Binding& b) {
                   return &b == target ? std::optional(*simpler) : std::nullopt;
                 }});
}

constexpr std::array kSteps = {
    ReduceStep{"drop-function", count_functions, drop_function},
    ReduceStep{"enter-callee", count_bindings_of_entry, enter_callee},
    ReduceStep{"return-binding", count_bindings_of_entry, return_binding},
    ReduceStep{"return-operands", count_results, return_operands},
    ReduceStep{"shrink-result", count_result_fields, shrink_result},
    ReduceStep{"cut-before", count_bindings_of_entry, cut_before},
    ReduceStep{"inline-branch", count_branches, inline_branch},
    ReduceStep{"bypass", count_bindings_of_entry, bypass},
    ReduceStep{"cut-one", count_bindings_of_entry, cut_one},
    ReduceStep{"forget-value", count_bindings_of_entry, forget_value},
    ReduceStep{"remove-dead-binding", count_bindings_of_entry, remove_dead_binding},
    ReduceStep{"remove-param", count_params, remove_param},
    ReduceStep{"merge-param", count_params, merge_param},
    ReduceStep{"reshape-blocks", count_block_forms, reshape_blocks},
    ReduceStep{"drop-decoration", count_decorations, drop_decoration},
    ReduceStep{"default-attributes", count_bindings_of_entry, default_attributes},
};

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

std::span<const ReduceStep> structure_steps() {
  return kSteps;
}

TestCase without_dead_parts(const TestCase& test) {
  TestCase result = test;
  while (remove_dead_bindings(result)) {
  }
  for (std::size_t i = count_params(result); i-- > 0;) {
    if (auto smaller = remove_param(result, i)) result = *std::move(smaller);
  }
  drop_unreachable(result);
  return result;
}

}  // namespace passdiff
