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

Value detail::misfit_value(EvalContext& context) {
  context.log.report(UndefinedRule::index_out_of_bounds,
                     "operands whose sizes at run time do not fit each other");
  return Value();
}

}  // namespace passdiff
