#include "oracle/reduction/types.h"

#include <algorithm>
#include <utility>

#include "core/ir/rewriter.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// Maps the dims that rebuild() leaves alone: those of scalars, and of the types that calls declare.
class DimMapper : public Rewriter {
 public:
  explicit DimMapper(const std::function<Dim(const Dim&)>& map) : map_(map) {}

 protected:
  Dim dim(const Dim& old) override { return map_(old); }
  Type type(const Type& old) override {
    return replace_tensors(old, [&](TensorType tensor) {
      if (tensor.shape)
        std::transform(tensor.shape->begin(), tensor.shape->end(), tensor.shape->begin(), map_);
      return tensor;
    });
  }

 private:
  const std::function<Dim(const Dim&)>& map_;
};

Attrs with_defaults(const OpDef& op, const Attrs& attrs) {
  Attrs plain = attrs;
  const auto params = op.attributes();
  for (std::size_t i = 0; i < plain.size() && i < params.size(); ++i)
    plain[i] = params[i].default_value.value_or(plain[i]);
  return plain;
}

Value fitted(const Value& value, const Type& type, const SymbolValues& symbols) {
  const TupleType* tuple = type.as_tuple();
  if (const TupleValue* fields = value.as_tuple(); tuple != nullptr && fields != nullptr) {
    TupleValue fit = *fields;
    for (std::size_t i = 0; i < fit.fields.size() && i < tuple->fields.size(); ++i)
      fit.fields[i] = fitted(fit.fields[i], tuple->fields[i], symbols);
    return Value(std::move(fit));
  }
  const TensorType* tensor = type.as_tensor();
  if (tensor != nullptr && tensor->shape && value.as_tensor() != nullptr) {
    const auto sizes = sizes_of(*tensor->shape, symbols);
    return sizes ? Value(with_shape(*value.as_tensor(), *sizes)) : value;
  }
  const ShapeType* shape = type.as_shape();
  if (shape == nullptr || !shape->values) return value;
  auto sizes = sizes_of(*shape->values, symbols);
  return sizes ? Value(ShapeValue{*std::move(sizes)}) : value;
}

}  // namespace

std::optional<TestCase> rebuilt(const TestCase& test, const Edits& edits, const MapTensor& map_argument) {
  auto result = rebuilt(test, edits);
  if (!result) return std::nullopt;
  for (Value& argument : result->arguments) argument = map_tensors(argument, map_argument);
  return result;
}

std::function<std::optional<Attrs>(const OpDef&, const Attrs&)> edit_of(Attributes attributes) {
  if (attributes == Attributes::kept) return nullptr;
  return [](const OpDef& op, const Attrs& attrs) -> std::optional<Attrs> { return with_defaults(op, attrs); };
}

std::optional<TestCase> with_dims(const TestCase& test, const std::function<Dim(const Dim&)>& map,
                                  const MapTensor& map_constant, Attributes attributes) {
  TestCase mapped = test;
  DimMapper mapper(map);
  for (GlobalFunction& f : mapped.module.functions) f.function = mapper.function(f.function);
  return rebuilt(mapped, {.constant = map_constant, .dim = map, .attrs = edit_of(attributes)});
}

void fit_arguments(TestCase& test, const SymbolValues& symbols) {
  const auto& params = entry_of(test).function->params;
  for (std::size_t i = 0; i < params.size() && i < test.arguments.size(); ++i)
    test.arguments[i] = fitted(test.arguments[i], params[i]->type, symbols);
}

TensorPtr with_shape(const TensorPtr& tensor, const std::vector<std::int64_t>& shape) {
  const std::vector<std::int64_t> old_shape = tensor->shape();
  if (shape == old_shape || shape.size() != old_shape.size()) return tensor;
  return filled(tensor->dtype, shape, [&](std::size_t flat) {
    std::size_t offset = 0;
    std::size_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      const auto size = static_cast<std::size_t>(shape[axis]);
      if (static_cast<std::int64_t>(flat % size) >= old_shape[axis]) return 0.0;
      offset += (flat % size) * stride;
      flat /= size;
      stride *= static_cast<std::size_t>(old_shape[axis]);
    }
    return as_double(*tensor, offset);
  });
}

TensorPtr with_one(const TensorPtr& tensor, std::size_t axis) {
  std::vector<std::int64_t> shape = tensor->shape();
  shape[axis] = 1;
  return with_shape(tensor, shape);
}
TensorPtr without_axis(const TensorPtr& tensor, std::size_t axis) {
  const TensorPtr slice = with_one(tensor, axis);
  std::vector<std::int64_t> shape = slice->shape();
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  return filled(tensor->dtype, shape, [&](std::size_t k) { return as_double(*slice, k); });
}

void for_each_param(const TestCase& test, const std::function<void(const Var&)>& visit) {
  for (const GlobalFunction& f : test.module.functions) {
    for (const Var& param : f.function->params) visit(param);
    for_each_expr(f.function->body, [&](const ExprPtr& expr) {
      const auto* local = as<FunctionPtr>(expr);
      if (local == nullptr) return;
      for (const Var& param : (*local)->params) visit(param);
    });
  }
}

}  // namespace passdiff
