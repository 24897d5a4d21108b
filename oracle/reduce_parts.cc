#include "oracle/reduce_parts.h"

#include <algorithm>
#include <utility>

#include "core/eval/interpret.h"
#include "core/form/builder.h"
#include "core/tensor/tensor.h"

namespace passdiff {

const GlobalFunction& entry_of(const TestCase& test) {
  const GlobalFunction* entry = test.module.find(test.entry);
  CHECK(entry != nullptr) << "no entry function " << test.entry;
  return *entry;
}

std::vector<const Binding*> top_bindings(const TestCase& test) {
  std::vector<const Binding*> bindings;
  for_each_binding<Enter::none>(entry_of(test).function->body,
                                [&](const Binding& binding) { bindings.push_back(&binding); });
  return bindings;
}

std::optional<VarValues> trace(const TestCase& test) {
  Function all = *entry_of(test).function;
  std::vector<ExprPtr> vars;
  all.body.blocks = {one_block(all.body, /*dataflow=*/false)};
  for (const Binding* binding : top_bindings(test)) vars.push_back(var_expr(binding->var));
  const std::vector<ExprPtr> order = vars;
  all.body.result = make_tuple(std::move(vars));
  all.result_type = all.body.result->type;
  const TestCase traced = with_entry(test, std::move(all));
  const Outcome outcome = interpret(traced.module, test.entry, test.arguments);
  const auto* returned = std::get_if<Returned>(&outcome);
  if (returned == nullptr) return std::nullopt;
  VarValues values;
  for (std::size_t i = 0; i < order.size(); ++i) {
    values.emplace(as<Var>(order[i])->get(), returned->value.tuple().fields[i]);
  }
  return values;
}

Block one_block(const SeqExpr& seq, bool dataflow) {
  Block all{.dataflow = dataflow, .bindings = {}};
  for_each_binding<Enter::none>(seq, [&](const Binding& binding) { all.bindings.push_back(binding); });
  return all;
}

bool is_used(const GlobalFunction& function, const VarNode* var) {
  return uses(function.function->body, var);
}

std::optional<TestCase> rebuilt(const TestCase& test, const Edits& edits) {
  Result<Module> module = rebuild(test.module, edits);
  if (!module) return std::nullopt;
  return TestCase{*std::move(module), test.entry, test.arguments};
}

std::optional<ExprPtr> zeros_of(const Type& type) {
  const TensorType* tensor = type.as_tensor();
  if (tensor == nullptr || !tensor->shape || !tensor->dtype || !is_static(*tensor->shape))
    return std::nullopt;
  std::vector<std::int64_t> shape;
  for (const Dim& dim : *tensor->shape) shape.push_back(dim.value());
  return make_constant(zeros(*tensor->dtype, shape));
}

TestCase with_entry(const TestCase& test, Function function) {
  TestCase result = test;
  for (GlobalFunction& f : result.module.functions) {
    if (f.name == test.entry) f.function = std::make_shared<const Function>(std::move(function));
  }
  return result;
}

std::int64_t inputs_of(const Function& function) {
  const auto found = function.attrs.find("num_input");
  const auto count = static_cast<std::int64_t>(function.params.size());
  if (found == function.attrs.end()) return count;
  const auto* value = std::get_if<std::int64_t>(&found->second);
  return value == nullptr ? count : std::clamp<std::int64_t>(*value, 0, count);
}

TestCase with_parameter(const TestCase& test, const Var& param, Value value, bool weight) {
  Function function = *entry_of(test).function;
  const bool has_weights = function.attrs.contains("num_input");
  const std::int64_t inputs = inputs_of(function);
  const auto at =
      weight ? static_cast<std::ptrdiff_t>(function.params.size()) : static_cast<std::ptrdiff_t>(inputs);
  function.params.insert(function.params.begin() + at, param);
  if (has_weights && !weight) function.attrs["num_input"] = inputs + 1;
  TestCase result = with_entry(test, std::move(function));
  result.arguments.insert(result.arguments.begin() + at, std::move(value));
  return result;
}

VarSet input_dependent(const TestCase& test) {
  const Function& entry = *entry_of(test).function;
  VarSet dependent;
  for (std::int64_t i = 0; i < inputs_of(entry); ++i)
    dependent.insert(entry.params[static_cast<std::size_t>(i)].get());
  for (const Binding* binding : top_bindings(test)) {
    VarSet used;
    collect_uses(binding->value, used);
    if (std::any_of(used.begin(), used.end(), [&](const VarNode* v) { return dependent.contains(v); })) {
      dependent.insert(binding->var.get());
    }
  }
  return dependent;
}

std::optional<Type> static_type_of(const Value& value) {
  if (const TensorPtr* tensor = value.as_tensor()) {
    Shape shape;
    for (std::int64_t dim : (*tensor)->shape()) shape.emplace_back(dim);
    return tensor_type(std::move(shape), (*tensor)->dtype);
  }
  if (const TupleValue* tuple = value.as_tuple()) {
    std::vector<Type> fields;
    for (const Value& field : tuple->fields) {
      auto type = static_type_of(field);
      if (!type) return std::nullopt;
      fields.push_back(*std::move(type));
    }
    return tuple_type(std::move(fields));
  }
  return std::nullopt;
}

}  // namespace passdiff
