#include "oracle/reduction/parts.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/eval/interpret.h"
#include "core/form/builder.h"
#include "core/ir/queries.h"
#include "core/tensor/filled.h"
#include "core/tensor/tensor.h"

namespace passdiff {

const GlobalFunction& entry_of(const TestCase& test) {
  const GlobalFunction* entry = test.module.find(test.entry);
  CHECK(entry != nullptr) << "no entry function " << test.entry;
  return *entry;
}

std::size_t count_functions(const TestCase& test) {
  return test.module.functions.size();
}
std::size_t count_params(const TestCase& test) {
  return entry_of(test).function->params.size();
}

std::vector<const Binding*> top_bindings(const TestCase& test) {
  std::vector<const Binding*> bindings;
  for_each_binding<Enter::none>(entry_of(test).function->body,
                                [&](const Binding& binding) { bindings.push_back(&binding); });
  return bindings;
}

std::vector<BindingSite> all_bindings(const TestCase& test) {
  std::vector<BindingSite> sites;
  for (const GlobalFunction& f : test.module.functions) {
    std::unordered_set<const Binding*> outer;
    for_each_binding<Enter::none>(f.function->body, [&](const Binding& binding) { outer.insert(&binding); });
    for_each_binding(f.function->body, [&](const Binding& binding) {
      sites.push_back({&f, &binding, !outer.contains(&binding)});
    });
  }
  return sites;
}

std::size_t count_bindings_of_all(const TestCase& test) {
  return all_bindings(test).size();
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

void drop_unreachable(TestCase& test) {
  const std::vector<std::string> reached = reachable_functions(test.module, {test.entry});
  const auto is_unreached = [&](const auto& global) {
    return std::find(reached.begin(), reached.end(), global.name) == reached.end();
  };
  std::erase_if(test.module.functions, is_unreached);
  std::erase_if(test.module.prim_funcs, is_unreached);
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
  const auto count = static_cast<std::int64_t>(function.params.size());
  const std::int64_t* value = num_input(function);
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
  if (const auto* shape = std::get_if<ShapeValue>(&value.node)) {
    return shape_type(Shape(shape->dims.begin(), shape->dims.end()));
  }
  return std::nullopt;
}

namespace {

void bind_symbols(const Shape& shape, const std::vector<std::int64_t>& sizes, SymbolValues& bound) {
  for (std::size_t i = 0; i < sizes.size() && i < shape.size(); ++i) {
    if (const SymVar* var = shape[i].as_var()) bound.emplace(var->get(), sizes[i]);
  }
}

void bind_symbols(const Type& type, const Value& value, SymbolValues& bound) {
  if (const TupleType* tuple = type.as_tuple(); tuple != nullptr && value.as_tuple() != nullptr) {
    for (std::size_t i = 0; i < tuple->fields.size() && i < value.as_tuple()->fields.size(); ++i)
      bind_symbols(tuple->fields[i], value.as_tuple()->fields[i], bound);
  }
  const TensorType* tensor = type.as_tensor();
  if (tensor != nullptr && tensor->shape && value.as_tensor() != nullptr)
    bind_symbols(*tensor->shape, (*value.as_tensor())->shape(), bound);
  const ShapeType* shape = type.as_shape();
  const auto* dims = std::get_if<ShapeValue>(&value.node);
  if (shape != nullptr && shape->values && dims != nullptr) bind_symbols(*shape->values, dims->dims, bound);
}

}  // namespace

std::optional<std::vector<std::int64_t>> sizes_of(const Shape& shape, const SymbolValues& symbols) {
  std::vector<std::int64_t> sizes;
  for (const Dim& dim : shape) {
    const auto size = evaluate(dim, [&](const SymVar& var) -> std::optional<std::int64_t> {
      const auto found = symbols.find(var.get());
      return found == symbols.end() ? std::nullopt : std::optional(found->second);
    });
    if (!size || *size < 0) return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

SymbolValues symbol_values(const TestCase& test) {
  SymbolValues bound;
  const auto& params = entry_of(test).function->params;
  for (std::size_t i = 0; i < params.size() && i < test.arguments.size(); ++i)
    bind_symbols(params[i]->type, test.arguments[i], bound);
  return bound;
}

std::optional<Value> zero_value(const Type& type, const SymbolValues& symbols) {
  constexpr std::int64_t kMostElements = 1 << 12;
  if (const TensorType* tensor = type.as_tensor()) {
    if (!tensor->shape || !tensor->dtype) return std::nullopt;
    const auto sizes = sizes_of(*tensor->shape, symbols);
    if (!sizes) return std::nullopt;
    std::int64_t elements = 1;
    for (std::int64_t size : *sizes)
      elements = std::min(elements, kMostElements + 1) * std::min(size, kMostElements + 1);
    if (elements > kMostElements) return std::nullopt;
    return Value(make_tensor(zeros(*tensor->dtype, *sizes)));
  }
  if (const TupleType* tuple = type.as_tuple()) {
    TupleValue fields;
    for (const Type& field : tuple->fields) {
      auto value = zero_value(field, symbols);
      if (!value) return std::nullopt;
      fields.fields.push_back(*std::move(value));
    }
    return Value(std::move(fields));
  }
  const ShapeType* shape = type.as_shape();
  if (shape == nullptr || !shape->values) return std::nullopt;
  auto sizes = sizes_of(*shape->values, symbols);
  if (!sizes) return std::nullopt;
  return Value(ShapeValue{*std::move(sizes)});
}

Value map_tensors(const Value& value, const std::function<TensorPtr(const TensorPtr&)>& map) {
  if (const TensorPtr* tensor = value.as_tensor()) return map(*tensor);
  if (const TupleValue* tuple = value.as_tuple()) {
    TupleValue mapped;
    for (const Value& field : tuple->fields) mapped.fields.push_back(map_tensors(field, map));
    return Value(std::move(mapped));
  }
  return value;
}

TensorPtr filled(DType dtype, const std::vector<std::int64_t>& shape,
                 const std::function<double(std::size_t)>& element) {
  return make_tensor(filled_tensor(dtype, shape, element));
}

}  // namespace passdiff
