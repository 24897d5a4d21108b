#include "core/ops/infer.h"

#include <algorithm>
#include <string>

namespace passdiff {
namespace {

Error operand_error(std::size_t i, const char* wanted, const Type& type) {
  return Error{"type.operand",
               "operand " + std::to_string(i) + ": wanted " + wanted + ", got " + to_string(type)};
}

Error axis_error(std::int64_t axis, int rank) {
  return Error{"type.axis", "axis " + std::to_string(axis) + " is outside rank " + std::to_string(rank)};
}

bool is_one(const Dim& dim) {
  return dim.is_static() && dim.value() == 1;
}

}  // namespace

Result<const TensorType*> tensor_operand(std::span<const ExprPtr> args, std::size_t i) {
  CHECK(i < args.size()) << "operand " << i << " of " << args.size();
  const TensorType* type = args[i]->type.as_tensor();
  if (!type) return operand_error(i, "a tensor", args[i]->type);
  return type;
}

Result<const ShapeType*> shape_operand(std::span<const ExprPtr> args, std::size_t i) {
  CHECK(i < args.size()) << "operand " << i << " of " << args.size();
  const ShapeType* type = args[i]->type.as_shape();
  if (!type) return operand_error(i, "a shape", args[i]->type);
  return type;
}

Result<std::vector<const TensorType*>> tensors_operand(std::span<const ExprPtr> args, std::size_t i) {
  CHECK(i < args.size()) << "operand " << i << " of " << args.size();
  const TupleType* tuple = args[i]->type.as_tuple();
  if (!tuple) return operand_error(i, "a tuple of tensors", args[i]->type);
  std::vector<const TensorType*> types;
  types.reserve(tuple->fields.size());
  for (const Type& field : tuple->fields) {
    if (!field.as_tensor()) return operand_error(i, "a tuple of tensors", args[i]->type);
    types.push_back(field.as_tensor());
  }
  return types;
}

Result<const PrimType*> scalar_operand(std::span<const ExprPtr> args, std::size_t i) {
  CHECK(i < args.size()) << "operand " << i << " of " << args.size();
  const PrimType* type = args[i]->type.as_prim();
  if (!type) return operand_error(i, "a scalar", args[i]->type);
  return type;
}

Result<const PrimValue*> prim_operand(std::span<const ExprPtr> args, std::size_t i) {
  CHECK(i < args.size()) << "operand " << i << " of " << args.size();
  const PrimValue* value = as<PrimValue>(args[i]);
  if (!value) return operand_error(i, "a PrimValue", args[i]->type);
  return value;
}

Result<std::optional<Shape>> broadcast_shapes(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() > b.size() ? a : b;
  const Shape& shorter = a.size() > b.size() ? b : a;
  const std::size_t offset = longer.size() - shorter.size();
  Shape result = longer;
  // Right-aligned, from the last axis on: TVM stops at the first pair that it can neither unify nor refute,
  // so a conflict further left goes unseen.
  for (std::size_t i = shorter.size(); i-- > 0;) {
    const Dim& x = a[a.size() - shorter.size() + i];
    const Dim& y = b[b.size() - shorter.size() + i];
    Dim& out = result[offset + i];
    if (is_one(x)) {
      out = y;
    } else if (is_one(y)) {
      out = x;
    } else if (x.is_static() && y.is_static()) {
      if (x.value() != y.value()) {
        return Error{"type.broadcast",
                     "sizes " + to_string(x) + " and " + to_string(y) + " do not broadcast"};
      }
    } else if (proven_equal(x, y)) {
      out = x;
    } else {
      return std::optional<Shape>();
    }
  }
  return std::optional<Shape>(std::move(result));
}

Result<TensorType> broadcast_types(const TensorType& a, const TensorType& b, std::optional<DType> dtype) {
  const bool known = a.rank != kUnknownRank && b.rank != kUnknownRank;
  const int rank = known ? std::max(a.rank, b.rank) : kUnknownRank;
  if (!a.shape || !b.shape) return make_tensor_type(std::nullopt, rank, dtype, std::nullopt);
  return make_tensor_type(TRY(broadcast_shapes(*a.shape, *b.shape)), rank, dtype, std::nullopt);
}

Result<std::optional<DType>> unify_dtypes(std::optional<DType> a, std::optional<DType> b) {
  if (!a || !b) return std::optional<DType>();
  if (*a != *b && *a != DType::boolean && *b != DType::boolean) {
    return Error{"type.dtype",
                 "dtypes " + std::string(dtype_name(*a)) + " and " + std::string(dtype_name(*b)) + " differ"};
  }
  return a;
}

Result<std::optional<int>> unify_vdevices(const TensorType& a, const TensorType& b) {
  if (a.vdevice && b.vdevice && *a.vdevice != *b.vdevice) {
    return Error{"type.vdevice",
                 "vdevices " + std::to_string(*a.vdevice) + " and " + std::to_string(*b.vdevice) + " differ"};
  }
  return a.vdevice ? a.vdevice : b.vdevice;
}

std::optional<int> agreed_vdevice(std::initializer_list<const TensorType*> types) {
  std::optional<int> found;
  for (const TensorType* type : types) {
    if (found && type->vdevice && *found != *type->vdevice) return std::nullopt;
    if (type->vdevice) found = type->vdevice;
  }
  return found;
}

Result<TensorType> elementwise_type(const TensorType& a, const TensorType& b, std::optional<DType> dtype) {
  const std::optional<int> vdevice = TRY(unify_vdevices(a, b));
  TensorType type = TRY(broadcast_types(a, b, dtype));
  type.vdevice = vdevice;
  return type;
}

const TensorType& scalar_as_tensor(DType dtype) {
  static const std::vector<TensorType> types = [] {
    std::vector<TensorType> all;
    for (const DType one : all_dtypes()) all.push_back(make_tensor_type(Shape{1}, 1, one, {}));
    return all;
  }();
  return types[static_cast<std::size_t>(dtype)];
}

Result<Type> term_type(const TermType& a, const TermType& b, std::optional<DType> dtype) {
  if (a.scalar && b.scalar && dtype) return prim_type(*dtype);
  return Type(TRY(elementwise_type(a.tensor, b.tensor, dtype)));
}

Result<Type> infer_elementwise(const TermType& a, const TermType& b) {
  return term_type(a, b, TRY(unify_dtypes(a.tensor.dtype, b.tensor.dtype)));
}

Result<int> normalise_axis(std::int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) return axis_error(axis, rank);
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Result<std::vector<int>> normalise_axes(std::span<const std::int64_t> axes, int rank) {
  std::vector<int> result;
  result.reserve(axes.size());
  for (const std::int64_t axis : axes) {
    if (axis < -rank || axis >= rank) return axis_error(axis, rank);
    const int normal = static_cast<int>(axis < 0 ? axis + rank : axis);
    if (std::find(result.begin(), result.end(), normal) != result.end()) {
      return Error{"type.repeated-axis", "axis " + std::to_string(normal) + " is given twice"};
    }
    result.push_back(normal);
  }
  return result;
}

TensorType make_tensor_type(std::optional<Shape> shape, int rank, std::optional<DType> dtype,
                            std::optional<int> vdevice) {
  TensorType type;
  type.rank = shape ? static_cast<int>(shape->size()) : rank;
  type.shape = std::move(shape);
  type.dtype = dtype;
  type.vdevice = vdevice;
  return type;
}

TensorType of_shape(const TensorType& x, Shape shape) {
  const int rank = static_cast<int>(shape.size());
  return make_tensor_type(std::move(shape), rank, x.dtype, x.vdevice);
}

TensorType of_unknown_shape(const TensorType& x, int rank) {
  return make_tensor_type(std::nullopt, rank, x.dtype, x.vdevice);
}

std::int64_t element_count(std::span<const std::int64_t> shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

}  // namespace passdiff
