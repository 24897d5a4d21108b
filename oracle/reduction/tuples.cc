// Steps for tuples: parameters that are tuples become their fields, and tuples lose the fields that do not
// matter.
#include <array>
#include <utility>

#include "core/form/builder.h"
#include "core/tensor/tensor.h"
#include "oracle/reduction/parts.h"
#include "oracle/reduction/steps.h"

namespace passdiff {
namespace {

// The field that an expression takes out of the variable's value; -1 if it is no such expression.
int field_taken(const ExprPtr& expr, const VarNode* var) {
  const TupleGetItem* get = as<TupleGetItem>(expr);
  const Var* tuple = get == nullptr ? nullptr : as<Var>(get->tuple);
  return tuple != nullptr && tuple->get() == var ? get->index : -1;
}

bool takes_field(const TestCase& test, const VarNode* var, std::size_t field) {
  const auto takes = [&](const ExprPtr& expr) { return field_taken(expr, var) == static_cast<int>(field); };
  for (const GlobalFunction& f : test.module.functions) {
    if (any_expr(f.function->body, takes)) return true;
  }
  return false;
}

// Replaces a parameter by parameters for its fields.
std::optional<TestCase> flatten_param(const TestCase& test, std::size_t i) {
  Function function = *entry_of(test).function;
  const Var old = function.params[i];
  const TupleType* type = old->type.as_tuple();
  const TupleValue* value = test.arguments[i].as_tuple();
  if (type == nullptr || value == nullptr || value->fields.size() != type->fields.size()) return std::nullopt;
  const std::vector<Value> values = value->fields;
  const auto at = static_cast<std::ptrdiff_t>(i);
  if (at < inputs_of(function) && function.attrs.contains("num_input"))
    function.attrs["num_input"] = inputs_of(function) + static_cast<std::int64_t>(values.size()) - 1;
  std::vector<Var> params;
  std::vector<ExprPtr> fields;
  for (const Type& field : type->fields) {
    params.push_back(make_var(old->name + "_" + std::to_string(params.size()), field));
    fields.push_back(var_expr(params.back()));
  }
  function.params.erase(function.params.begin() + at);
  function.params.insert(function.params.begin() + at, params.begin(), params.end());
  // The old parameter is bound to the tuple at the top of the body, and that binding is then replaced.
  const Binding whole{old, make_tuple(fields), std::nullopt};
  function.body.blocks.insert(function.body.blocks.begin(), Block{.dataflow = false, .bindings = {whole}});
  TestCase result = with_entry(test, std::move(function));
  result.arguments.erase(result.arguments.begin() + at);
  result.arguments.insert(result.arguments.begin() + at, values.begin(), values.end());
  return rebuilt(result, {.replace = [&](const Binding& b) -> std::optional<ExprPtr> {
                   if (b.var == old) return b.value;
                   const int taken = field_taken(b.value, old.get());
                   return taken < 0 ? std::nullopt : std::optional(fields[static_cast<std::size_t>(taken)]);
                 }});
}

// A field of a parameter, or of a tuple that a binding writes out.
struct Field {
  std::size_t owner;
  std::size_t index;
};
std::vector<Field> param_fields(const TestCase& test) {
  std::vector<Field> fields;
  const auto& params = entry_of(test).function->params;
  for (std::size_t i = 0; i < params.size(); ++i) {
    const TupleType* tuple = params[i]->type.as_tuple();
    for (std::size_t k = 0; tuple != nullptr && k < tuple->fields.size(); ++k) fields.push_back({i, k});
  }
  return fields;
}
std::size_t count_param_fields(const TestCase& test) {
  return param_fields(test).size();
}

// What takes a field behind the dropped one takes the one before it.
std::optional<ExprPtr> shifted(const Binding& binding, const VarNode* var, std::size_t dropped) {
  const int taken = field_taken(binding.value, var);
  if (taken <= static_cast<int>(dropped)) return std::nullopt;
  return make_expr(TupleGetItem{as<TupleGetItem>(binding.value)->tuple, taken - 1}, binding.value->type);
}

// Removes a field of a parameter.
std::optional<TestCase> drop_param_field(const TestCase& test, std::size_t i) {
  const auto [owner, index] = param_fields(test)[i];
  const Var param = entry_of(test).function->params[owner];
  const TupleValue* value = test.arguments[owner].as_tuple();
  if (value == nullptr || takes_field(test, param.get(), index)) return std::nullopt;
  std::vector<Type> types = param->type.as_tuple()->fields;
  TupleValue shorter = *value;
  types.erase(types.begin() + static_cast<std::ptrdiff_t>(index));
  shorter.fields.erase(shorter.fields.begin() + static_cast<std::ptrdiff_t>(index));
  const Type type = tuple_type(std::move(types));
  auto result = rebuilt(test, {.rewrite = [&](const Binding& b) { return shifted(b, param.get(), index); },
                               .param_type = [&](const Var& p) { return p == param ? type : p->type; }});
  if (result) result->arguments[owner] = std::move(shorter);
  return result;
}

// Makes a field of a parameter, which nothing takes, a number.
std::optional<TestCase> plain_param_field(const TestCase& test, std::size_t i) {
  const auto [owner, index] = param_fields(test)[i];
  const Var param = entry_of(test).function->params[owner];
  const TupleValue* value = test.arguments[owner].as_tuple();
  if (value == nullptr || takes_field(test, param.get(), index)) return std::nullopt;
  std::vector<Type> types = param->type.as_tuple()->fields;
  TupleValue plain = *value;
  types[index] = tensor_type({}, DType::float32);
  plain.fields[index] = make_tensor(zeros(DType::float32, {}));
  const Type type = tuple_type(std::move(types));
  auto result = rebuilt(test, {.param_type = [&](const Var& p) { return p == param ? type : p->type; }});
  if (result) result->arguments[owner] = std::move(plain);
  return result;
}

std::vector<Field> bound_fields(const TestCase& test) {
  std::vector<Field> fields;
  const std::vector<BindingSite> sites = all_bindings(test);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const Tuple* tuple = as<Tuple>(sites[i].binding->value);
    for (std::size_t k = 0; tuple != nullptr && k < tuple->fields.size(); ++k) fields.push_back({i, k});
  }
  return fields;
}
std::size_t count_bound_fields(const TestCase& test) {
  return bound_fields(test).size();
}

// Removes a field of a tuple that a binding writes out.
std::optional<TestCase> drop_bound_field(const TestCase& test, std::size_t i) {
  const auto [owner, index] = bound_fields(test)[i];
  const Binding* target = all_bindings(test)[owner].binding;
  if (target->match_cast || takes_field(test, target->var.get(), index)) return std::nullopt;
  std::vector<ExprPtr> fields = as<Tuple>(target->value)->fields;
  fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(index));
  const ExprPtr shorter = make_tuple(std::move(fields));
  return rebuilt(test, {.rewrite = [&](const Binding& b) {
                   return &b == target ? std::optional(shorter) : shifted(b, target->var.get(), index);
                 }});
}

// An operand of a call that is written out as a tuple, and a field of it.
struct OperandField {
  const Binding* binding;
  std::size_t operand;
  std::size_t index;
};
std::vector<OperandField> operand_fields(const TestCase& test) {
  std::vector<OperandField> fields;
  for (const BindingSite& site : all_bindings(test)) {
    const Call* call = as<Call>(site.binding->value);
    for (std::size_t i = 0; call != nullptr && i < call->args.size(); ++i) {
      const Tuple* tuple = as<Tuple>(call->args[i]);
      for (std::size_t k = 0; tuple != nullptr && k < tuple->fields.size(); ++k)
        fields.push_back({site.binding, i, k});
    }
  }
  return fields;
}
std::size_t count_operand_fields(const TestCase& test) {
  return operand_fields(test).size();
}

// Removes a field of an operand, as one of the tensors that R.concat joins.
std::optional<TestCase> drop_operand_field(const TestCase& test, std::size_t i) {
  const auto [target, operand, index] = operand_fields(test)[i];
  Call call = *as<Call>(target->value);
  std::vector<ExprPtr> fields = as<Tuple>(call.args[operand])->fields;
  fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(index));
  call.args[operand] = make_tuple(std::move(fields));
  const ExprPtr shorter = make_expr(std::move(call), target->value->type);
  return rebuilt(test, {.rewrite = [&, at = target](const Binding& b) {
                   return &b == at ? std::optional(shorter) : std::nullopt;
                 }});
}

}  // namespace

ReduceSteps tuple_steps() {
  static constexpr std::array kSteps = {
      ReduceStep{"flatten-param", count_params, flatten_param},
      ReduceStep{"drop-param-field", count_param_fields, drop_param_field},
      ReduceStep{"plain-param-field", count_param_fields, plain_param_field},
      ReduceStep{"drop-bound-field", count_bound_fields, drop_bound_field},
      ReduceStep{"drop-operand-field", count_operand_fields, drop_operand_field},
  };
  return kSteps;
}

}  // namespace passdiff
