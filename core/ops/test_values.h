// Short ways to write operands and calls in tests.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ops/op.h"
#include "core/tensor/tensor.h"
#include "core/tensor/value.h"

namespace passdiff {

using Dims = std::vector<std::int64_t>;
inline constexpr double kInf = std::numeric_limits<double>::infinity();

inline Tensor floats(DType dtype, const Dims& shape, const std::vector<double>& elements) {
  Tensor tensor = zeros(dtype, shape);
  CHECK(elements.size() == tensor.size()) << elements.size() << " elements";
  std::copy(elements.begin(), elements.end(), std::get<Tensor::Floats>(tensor.values).data());
  return tensor;
}

// Integers of any dtype, and bools.
inline Tensor ints(DType dtype, const Dims& shape, const std::vector<std::int64_t>& elements) {
  Tensor tensor = zeros(dtype, shape);
  CHECK(elements.size() == tensor.size()) << elements.size() << " elements";
  if (auto* values = std::get_if<Tensor::Ints>(&tensor.values)) {
    std::copy(elements.begin(), elements.end(), values->data());
  } else {
    std::copy(elements.begin(), elements.end(), std::get<Tensor::UInts>(tensor.values).data());
  }
  return tensor;
}

inline std::vector<double> elements(const Value& value) {
  std::vector<double> result;
  for (std::size_t i = 0; i < value.tensor().size(); ++i) result.push_back(as_double(value.tensor(), i));
  return result;
}

// The op's attributes: those given by name, the others' defaults, and short forms completed.
inline Attrs attrs_with(std::string_view op, const std::vector<std::pair<std::string_view, AttrValue>>& given) {
  const OpDef& row = *find_op(op);
  Attrs attrs;
  for (const Param& param : row.attributes()) {
    attrs.push_back(param.default_value.value_or(AttrValue()));
    for (const auto& [name, value] : given) {
      if (name == param.name) attrs.back() = value;
    }
  }
  return row.complete == nullptr ? attrs : row.complete(attrs);
}

// The type of a call on variables of these types.
inline Result<Type> inferred(std::string_view op, std::vector<Type> types, const Attrs& attrs = {}) {
  std::vector<ExprPtr> args;
  for (Type& type : types) args.push_back(var_expr(make_var("x", std::move(type))));
  return infer_call(*find_op(op), args, attrs);
}

inline std::string error_code(const Result<Type>& type) {
  return type ? "" : type.error().code;
}

// A call on tensors (or other values), and what it reported.
struct Evaluated {
  Value value;
  std::vector<UndefinedRule> undefined;
};
inline Evaluated evaluated(std::string_view op, std::vector<Value> args, DType dtype,
                           const Attrs& attrs = {}) {
  TensorType type;
  type.dtype = dtype;
  EvalContext context;
  Evaluated result{find_op(op)->eval(args, attrs, type, context), {}};
  for (const UndefinedRecord& record : context.log.records()) result.undefined.push_back(record.rule);
  return result;
}

inline Value tensor_value(Tensor tensor) {
  return make_tensor(std::move(tensor));
}
// A float32 tensor of these elements; without a shape, a vector.
inline Value row(const std::vector<double>& values, const Dims& shape = {}) {
  const Dims line{static_cast<std::int64_t>(values.size())};
  return tensor_value(floats(DType::float32, shape.empty() ? line : shape, values));
}
// A float32 tensor of the numbers first, first + 1, ...
inline Value counted(const Dims& shape, double first = 0) {
  Tensor tensor = zeros(DType::float32, shape);
  for (std::size_t i = 0; i < tensor.size(); ++i) std::get<Tensor::Floats>(tensor.values).data()[i] = first + static_cast<double>(i);
  return tensor_value(std::move(tensor));
}
inline Type f32(Shape shape) {
  return tensor_type(std::move(shape), DType::float32);
}

// Elements of a binary op on two vectors of one dtype.
inline std::vector<double> of_floats(std::string_view op, DType dtype, const std::vector<double>& a,
                                     const std::vector<double>& b) {
  const Dims shape{static_cast<std::int64_t>(a.size())};
  return elements(
      evaluated(op, {tensor_value(floats(dtype, shape, a)), tensor_value(floats(dtype, shape, b))}, dtype)
          .value);
}
inline Evaluated of_ints(std::string_view op, DType dtype, const std::vector<std::int64_t>& a,
                         const std::vector<std::int64_t>& b) {
  const Dims shape{static_cast<std::int64_t>(a.size())};
  return evaluated(op, {tensor_value(ints(dtype, shape, a)), tensor_value(ints(dtype, shape, b))}, dtype);
}

}  // namespace passdiff
