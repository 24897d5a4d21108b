// Shared steps of type inference: operands, broadcasting, axes, dtypes, vdevices. Each fails with a stable
// type.* code.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "core/ir/expr.h"
#include "core/result.h"

namespace passdiff {

// The operand's type; fails with type.operand if it is of another kind.
Result<const TensorType*> tensor_operand(std::span<const ExprPtr> args, std::size_t i);
Result<const ShapeType*> shape_operand(std::span<const ExprPtr> args, std::size_t i);
Result<std::vector<const TensorType*>> tensors_operand(std::span<const ExprPtr> args, std::size_t i);
Result<const PrimType*> scalar_operand(std::span<const ExprPtr> args, std::size_t i);
// The operand as a PrimValue node (not a variable of PrimType); fails with type.operand.
Result<const PrimValue*> prim_operand(std::span<const ExprPtr> args, std::size_t i);

// The broadcast shape; nothing if it depends on symbolic dims that are not shown equal (an unknown shape of
// known rank, then). Fails with type.broadcast if two static sizes differ and neither is 1.
Result<std::optional<Shape>> broadcast_shapes(const Shape& a, const Shape& b);
// Shape and rank of the broadcast of two tensor types, with `dtype` and no vdevice.
Result<TensorType> broadcast_types(const TensorType& a, const TensorType& b, std::optional<DType> dtype);
// The common dtype: nothing if either is unknown. bool beside another dtype is accepted, with the left one's
// dtype, as InferBinaryArithOpOutDtype in TVM's op_common.h does. Fails with type.dtype.
Result<std::optional<DType>> unify_dtypes(std::optional<DType> a, std::optional<DType> b);
// The vdevice of a binary op: the one that is known. Fails with type.vdevice if both are known and differ.
Result<std::optional<int>> unify_vdevices(const TensorType& a, const TensorType& b);

// The vdevice that those operands agree on which have one; none if two differ. What ops do that refuse no mixture.
std::optional<int> agreed_vdevice(std::initializer_list<const TensorType*> types);
// The type of an op on pairs of elements: the broadcast shape and the unified vdevice of the operands, with `dtype`.
Result<TensorType> elementwise_type(const TensorType& a, const TensorType& b, std::optional<DType> dtype);
// The same with the operands' unified dtype.
// An operand that is a tensor or a scalar, which counts as a tensor of shape (1,) (InferTypeBroadcast in binary.cc).
struct TermType {
  const TensorType& tensor;
  bool scalar = false;
};
// The type of tensors of one element that stand for scalars.
const TensorType& scalar_as_tensor(DType dtype);
// elementwise_type of the terms; of two scalars it is a scalar.
Result<Type> term_type(const TermType& a, const TermType& b, std::optional<DType> dtype);
Result<Type> infer_elementwise(const TermType& a, const TermType& b);

// Axis in [0, rank) from one in [-rank, rank); fails with type.axis.
Result<int> normalise_axis(std::int64_t axis, int rank);
// Several; fails with type.axis if out of range, type.repeated-axis if one occurs twice.
Result<std::vector<int>> normalise_axes(std::span<const std::int64_t> axes, int rank);

// A tensor type from a shape or, without one, a rank (kUnknownRank: unknown).
TensorType make_tensor_type(std::optional<Shape> shape, int rank, std::optional<DType> dtype,
                            std::optional<int> vdevice);

// The type of a tensor made of x's elements: x's dtype and vdevice, with another shape or rank.
TensorType of_shape(const TensorType& x, Shape shape);
TensorType of_unknown_shape(const TensorType& x, int rank = kUnknownRank);

std::int64_t element_count(std::span<const std::int64_t> shape);

}  // namespace passdiff
