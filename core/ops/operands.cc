#include "core/ops/operands.h"

#include <algorithm>

#include "core/ops/row.h"

namespace passdiff {

Result<PrimTuple> TypeOperand<PrimTuple>::read(std::span<const ExprPtr> args, std::size_t i) {
  const TupleType* type = args[i]->type.as_tuple();
  const auto is_int64 = [](const Type& field) {
    const PrimType* prim = field.as_prim();
    return prim && prim->dtype == DType::int64;
  };
  if (!type || !std::all_of(type->fields.begin(), type->fields.end(), is_int64)) {
    return Error{"type.operand", "operand " + std::to_string(i) + ": wanted a tuple of int64 scalars, got " +
                                     to_string(args[i]->type)};
  }
  PrimTuple result{type->fields.size(), std::nullopt};
  const Tuple* tuple = as<Tuple>(args[i]);
  if (!tuple) return result;
  Shape values;
  for (const ExprPtr& field : tuple->fields) {
    const PrimValue* prim = as<PrimValue>(field);
    const Dim* dim = prim ? std::get_if<Dim>(&prim->value) : nullptr;
    if (!dim) return result;
    values.push_back(*dim);
  }
  result.values = std::move(values);
  return result;
}

TensorPtr scalar_tensor(const ScalarValue& scalar) {
  constexpr std::int64_t kOne[] = {1};
  Tensor tensor = zeros(scalar.dtype, kOne);
  std::visit(
      [&](auto& elements) {
        using Element = std::decay_t<decltype(elements.data()[0])>;
        const auto set = [&](auto number) { elements.data()[0] = static_cast<Element>(number); };
        std::visit(set, scalar.value);
      },
      tensor.values);
  return make_tensor(std::move(tensor));
}

Value scalar_of(Value value) {
  if (value.as_tensor() == nullptr) return value;
  const Tensor& tensor = value.tensor();
  if (is_float(tensor.dtype)) return ScalarValue{tensor.dtype, as_double(tensor, 0)};
  return ScalarValue{tensor.dtype, as_int(tensor, 0)};
}

Tensors ValueOperand<Tensors>::read(const Value& value) {
  Tensors tensors;
  for (const Value& field : value.tuple().fields) tensors.push_back(&field.tensor());
  return tensors;
}

Ints ValueOperand<Ints>::read(const Value& value) {
  Ints ints;
  for (const Value& field : value.tuple().fields)
    ints.push_back(std::get<std::int64_t>(field.scalar().value));
  return ints;
}

Value detail::unfit_operands(EvalContext& context) {
  context.log.report(UndefinedRule::index_out_of_bounds,
                     "operands whose sizes at run time do not fit each other");
  return Value();
}

}  // namespace passdiff
