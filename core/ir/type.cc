#include "core/ir/type.h"

#include <fmt/format.h>

#include <algorithm>

namespace passdiff {
namespace {

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string dims_to_string(const Shape& shape) {
  std::vector<std::string> parts;
  for (const Dim& dim : shape) parts.push_back(to_string(dim));
  return join(parts);
}

std::string tensor_to_string(const TensorType& tensor) {
  std::vector<std::string> parts;
  if (tensor.shape)
    parts.push_back(fmt::format("({}{})", dims_to_string(*tensor.shape), tensor.rank == 1 ? "," : ""));
  if (tensor.dtype) parts.push_back(fmt::format("dtype=\"{}\"", dtype_name(*tensor.dtype)));
  if (!tensor.shape && tensor.rank != kUnknownRank) parts.push_back(fmt::format("ndim={}", tensor.rank));
  if (tensor.vdevice) parts.push_back(fmt::format("vdevice={}", *tensor.vdevice));
  if (const auto& sharding = tensor.sharding) {
    parts.push_back(fmt::format("\"mesh[{}]\", \"{}\"", sharding->mesh, to_string(sharding->placement)));
    return fmt::format("R.DTensor({})", join(parts));
  }
  return parts.empty() ? "R.Tensor" : fmt::format("R.Tensor({})", join(parts));
}

std::string types_to_string(const std::vector<Type>& types) {
  std::vector<std::string> parts;
  for (const Type& type : types) parts.push_back(to_string(type));
  return join(parts);
}

std::string func_to_string(const FuncType& func) {
  const std::string result = to_string(func.result);
  const std::string purity = func.pure ? "True" : "False";
  if (!func.params) return fmt::format("R.Callable(ret={}, purity={})", result, purity);
  const char* comma = func.params->size() == 1 ? "," : "";
  return fmt::format("R.Callable(({}{}), {}, {})", types_to_string(*func.params), comma, result, purity);
}

std::string shape_to_string(const ShapeType& shape) {
  if (shape.values) return fmt::format("R.Shape([{}])", dims_to_string(*shape.values));
  return shape.rank == kUnknownRank ? "R.Shape" : fmt::format("R.Shape(ndim={})", shape.rank);
}

}  // namespace

Type::Type(ObjectType) {}
Type::Type(TensorType type) : node_(std::make_shared<const TypeNode>(TypeNode{std::move(type)})) {}
Type::Type(TupleType type) : node_(std::make_shared<const TypeNode>(TypeNode{std::move(type)})) {}
Type::Type(ShapeType type) : node_(std::make_shared<const TypeNode>(TypeNode{std::move(type)})) {}
Type::Type(PrimType type) : node_(std::make_shared<const TypeNode>(TypeNode{type})) {}
Type::Type(FuncType type) : node_(std::make_shared<const TypeNode>(TypeNode{std::move(type)})) {}

Type tensor_type(Shape shape, DType dtype, std::optional<int> vdevice) {
  const int rank = static_cast<int>(shape.size());
  return TensorType{std::move(shape), rank, dtype, vdevice};
}

Type tensor_type_of_rank(int rank, std::optional<DType> dtype) {
  return TensorType{std::nullopt, rank, dtype, std::nullopt};
}

Type tuple_type(std::vector<Type> fields) {
  return TupleType{std::move(fields)};
}

Type shape_type(Shape values) {
  const int rank = static_cast<int>(values.size());
  return ShapeType{std::move(values), rank};
}

Type prim_type(DType dtype) {
  return PrimType{dtype};
}

Type object_type() {
  return ObjectType{};
}

Type func_type(std::vector<Type> params, Type result, bool pure) {
  return FuncType{std::move(params), std::move(result), pure};
}

std::string to_string(const Type& type) {
  if (const TensorType* tensor = type.as_tensor()) return tensor_to_string(*tensor);
  if (const TupleType* tuple = type.as_tuple())
    return fmt::format("R.Tuple({})", types_to_string(tuple->fields));
  if (const ShapeType* shape = type.as_shape()) return shape_to_string(*shape);
  if (const PrimType* prim = type.as_prim()) return fmt::format("R.Prim(\"{}\")", dtype_name(prim->dtype));
  if (const FuncType* func = type.as_func()) return func_to_string(*func);
  return "R.Object";
}

namespace {

bool is_symbolic(const std::optional<Shape>& shape) {
  return shape && !is_static(*shape);
}

Shape substitute(const Shape& shape, const std::function<std::optional<Dim>(const SymVar&)>& replace) {
  Shape result;
  result.reserve(shape.size());
  for (const Dim& dim : shape) result.push_back(substitute(dim, replace));
  return result;
}

std::vector<Type> substitute(const std::vector<Type>& types,
                             const std::function<std::optional<Dim>(const SymVar&)>& replace) {
  std::vector<Type> result;
  result.reserve(types.size());
  for (const Type& type : types) result.push_back(substitute(type, replace));
  return result;
}

}  // namespace

Type replace_tensors(const Type& type, const std::function<TensorType(const TensorType&)>& replace) {
  if (const TensorType* tensor = type.as_tensor()) return replace(*tensor);
  if (const TupleType* tuple = type.as_tuple()) {
    TupleType result;
    result.fields.reserve(tuple->fields.size());
    for (const Type& field : tuple->fields) result.fields.push_back(replace_tensors(field, replace));
    return result;
  }
  return type;
}

Type without_vdevices(const Type& type) {
  return replace_tensors(type, [](TensorType tensor) {
    tensor.vdevice.reset();
    return tensor;
  });
}

namespace {

bool has_sharding(const Type& type) {
  if (const TensorType* tensor = type.as_tensor()) return tensor->sharding.has_value();
  const TupleType* tuple = type.as_tuple();
  return tuple != nullptr && std::any_of(tuple->fields.begin(), tuple->fields.end(), has_sharding);
}

}  // namespace

Type without_shardings(const Type& type) {
  if (!has_sharding(type)) return type;
  return replace_tensors(type, [](TensorType tensor) {
    tensor.sharding.reset();
    return tensor;
  });
}

Type substitute(const Type& type, const std::function<std::optional<Dim>(const SymVar&)>& replace) {
  if (const TensorType* tensor = type.as_tensor()) {
    if (!is_symbolic(tensor->shape)) return type;
    TensorType result = *tensor;
    result.shape = substitute(*tensor->shape, replace);
    return result;
  }
  if (const TupleType* tuple = type.as_tuple()) return TupleType{substitute(tuple->fields, replace)};
  if (const ShapeType* shape = type.as_shape()) {
    if (!is_symbolic(shape->values)) return type;
    return ShapeType{substitute(*shape->values, replace), shape->rank};
  }
  if (const FuncType* func = type.as_func()) {
    FuncType result = *func;
    if (func->params) result.params = substitute(*func->params, replace);
    result.result = substitute(func->result, replace);
    return result;
  }
  return type;
}

void for_each_sym_var(const Type& type, const std::function<void(const SymVar&)>& visit) {
  const auto visit_shape = [&](const std::optional<Shape>& shape) {
    if (!shape) return;
    for (const Dim& dim : *shape) for_each_sym_var(dim, visit);
  };
  if (const TensorType* tensor = type.as_tensor()) visit_shape(tensor->shape);
  if (const ShapeType* shape = type.as_shape()) visit_shape(shape->values);
  if (const TupleType* tuple = type.as_tuple()) {
    for (const Type& field : tuple->fields) for_each_sym_var(field, visit);
  }
  if (const FuncType* func = type.as_func()) {
    if (func->params) {
      for (const Type& param : *func->params) for_each_sym_var(param, visit);
    }
    for_each_sym_var(func->result, visit);
  }
}

bool has_symbolic_dims(const Type& type) {
  if (const TensorType* tensor = type.as_tensor()) return is_symbolic(tensor->shape);
  bool found = false;
  for_each_sym_var(type, [&](const SymVar&) { found = true; });
  return found;
}

}  // namespace passdiff
