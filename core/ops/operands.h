// What inference and evaluation functions may ask for as operands: the type of a function's parameter says what the op
// takes at that place (ParamKind) and how it is read. A pointer is an operand that may be left out (null).
//
//   inference                              evaluation                          the op takes
//   const TensorType&, const AnyTensor&    const Tensor&, const Value&         a tensor
//   const TermType&                        const Tensor&                       a tensor or a scalar (a tensor of shape (1,))
//   const IndexType&                       const Value&                        a tensor of integers or an integer scalar
//   const FillType&                        const Tensor&                       a tensor of rank 0, or a number in text
//   const TensorTypes&                     const Tensors&                      a tuple of tensors
//   const ShapeArg&, const NewShapeArg&    const ShapeValue&                   a shape
//   const PrimType&, const PrimValue&      const ScalarValue&                  a scalar; a literal scalar
//   const PrimTuple&                       const Ints&                         a tuple of scalars
//   const ExprPtr&                         any of the above, const Value&      anything: the expression itself
#pragma once

#include "core/ops/attributes.h"
#include "core/ops/infer.h"
#include "core/tensor/tensor.h"
#include "core/tensor/value.h"

namespace passdiff {

// A tensor's type, and the same as the handle that the operand holds: a result of that very type shares it.
struct AnyTensor {
  const Type& type;
  const TensorType& tensor;
};
// Of a scalar: a tensor type of rank 0.
struct IndexType : TensorType {};
struct FillType : TensorType {};
using TensorTypes = std::vector<const TensorType*>;
// A shape operand: its type, and whether it is written out as a ShapeExpr.
struct ShapeArg {
  const ShapeType& type;
  bool literal;
};
// The same where TVM's builder function reads a size of 0 as "that of the operand's axis" (R.reshape).
struct NewShapeArg : ShapeArg {};
// A tuple of int64 scalars: how many, and their values if the tuple and its fields are literals.
struct PrimTuple {
  std::size_t size;
  std::optional<Shape> values;
};
using Tensors = std::vector<const Tensor*>;

// A tensor of shape (1,) with the scalar in it, and the scalar in such a tensor. Other values stay as they are.
TensorPtr scalar_tensor(const ScalarValue& scalar);
Value scalar_of(Value value);

// How a parameter of type T of an inference function is made of the operand at place i; fails with type.operand.
template <class T>
struct TypeOperand;
template <>
struct TypeOperand<TensorType> {
  static constexpr ParamKind kind = ParamKind::tensor;
  static Result<const TensorType*> read(std::span<const ExprPtr> args, std::size_t i) {
    return tensor_operand(args, i);
  }
  static const TensorType& pass(const TensorType* type) { return *type; }
};
template <>
struct TypeOperand<AnyTensor> {
  static constexpr ParamKind kind = ParamKind::tensor;
  static Result<AnyTensor> read(std::span<const ExprPtr> args, std::size_t i) {
    const TensorType* tensor = TRY(tensor_operand(args, i));
    return AnyTensor{args[i]->type, *tensor};
  }
  static const AnyTensor& pass(const AnyTensor& type) { return type; }
};
template <>
struct TypeOperand<TermType> {
  static constexpr ParamKind kind = ParamKind::tensor;
  static Result<TermType> read(std::span<const ExprPtr> args, std::size_t i) {
    if (const PrimType* prim = args[i]->type.as_prim()) return TermType{scalar_as_tensor(prim->dtype), true};
    return TermType{*TRY(tensor_operand(args, i))};
  }
  static const TermType& pass(const TermType& term) { return term; }
};
template <>
struct TypeOperand<Type> {  // anything at all
  static constexpr ParamKind kind = ParamKind::tensor;
  static Result<const Type*> read(std::span<const ExprPtr> args, std::size_t i) { return &args[i]->type; }
  static const Type& pass(const Type* type) { return *type; }
};
template <>
struct TypeOperand<ExprPtr> {
  static constexpr ParamKind kind = ParamKind::tensor;
  static Result<const ExprPtr*> read(std::span<const ExprPtr> args, std::size_t i) { return &args[i]; }
  static const ExprPtr& pass(const ExprPtr* expr) { return *expr; }
};
template <>
struct TypeOperand<FillType> {
  static constexpr ParamKind kind = ParamKind::fill;
  static Result<FillType> read(std::span<const ExprPtr> args, std::size_t i) {
    return FillType{*TRY(tensor_operand(args, i))};
  }
  static const FillType& pass(const FillType& type) { return type; }
};
template <>
struct TypeOperand<IndexType> {
  static constexpr ParamKind kind = ParamKind::tensor;
  static Result<IndexType> read(std::span<const ExprPtr> args, std::size_t i) {
    if (const PrimType* prim = args[i]->type.as_prim())
      return IndexType{make_tensor_type(Shape(), 0, prim->dtype, {})};
    return IndexType{*TRY(tensor_operand(args, i))};
  }
  static const IndexType& pass(const IndexType& type) { return type; }
};
template <>
struct TypeOperand<TensorTypes> {
  static constexpr ParamKind kind = ParamKind::tensors;
  static Result<TensorTypes> read(std::span<const ExprPtr> args, std::size_t i) {
    return tensors_operand(args, i);
  }
  static const TensorTypes& pass(const TensorTypes& types) { return types; }
};
template <>
struct TypeOperand<ShapeArg> {
  static constexpr ParamKind kind = ParamKind::shape;
  static Result<ShapeArg> read(std::span<const ExprPtr> args, std::size_t i) {
    return ShapeArg{*TRY(shape_operand(args, i)), as<ShapeExpr>(args[i]) != nullptr};
  }
  static const ShapeArg& pass(const ShapeArg& shape) { return shape; }
};
template <>
struct TypeOperand<NewShapeArg> {
  static constexpr ParamKind kind = ParamKind::new_shape;
  static Result<NewShapeArg> read(std::span<const ExprPtr> args, std::size_t i) {
    return NewShapeArg{TRY(TypeOperand<ShapeArg>::read(args, i))};
  }
  static const NewShapeArg& pass(const NewShapeArg& shape) { return shape; }
};
template <>
struct TypeOperand<PrimType> {
  static constexpr ParamKind kind = ParamKind::prim;
  static Result<const PrimType*> read(std::span<const ExprPtr> args, std::size_t i) {
    return scalar_operand(args, i);
  }
  static const PrimType& pass(const PrimType* type) { return *type; }
};
template <>
struct TypeOperand<PrimValue> {
  static constexpr ParamKind kind = ParamKind::prim;
  static Result<const PrimValue*> read(std::span<const ExprPtr> args, std::size_t i) {
    return prim_operand(args, i);
  }
  static const PrimValue& pass(const PrimValue* value) { return *value; }
};
template <>
struct TypeOperand<PrimTuple> {
  static constexpr ParamKind kind = ParamKind::prims;
  static Result<PrimTuple> read(std::span<const ExprPtr> args, std::size_t i);
  static const PrimTuple& pass(const PrimTuple& tuple) { return tuple; }
};

// A tensor, or the tensor of one element that stands for a scalar.
class TensorOrScalar {
 public:
  explicit TensorOrScalar(const Value& value)
      : made_(value.as_tensor() == nullptr ? scalar_tensor(value.scalar()) : nullptr),
        tensor_(made_ == nullptr ? &value.tensor() : made_.get()) {}
  operator const Tensor&() const { return *tensor_; }  // NOLINT: stands for it

 private:
  TensorPtr made_;
  const Tensor* tensor_;
};

// The same for evaluation functions. Operands have the types that inference accepted.
template <class T>
struct ValueOperand;
template <>
struct ValueOperand<Value> {
  static const Value& read(const Value& value) { return value; }
};
template <>
struct ValueOperand<Tensor> {
  static const Tensor& read(const Value& value) { return value.tensor(); }
};
template <>
struct ValueOperand<ShapeValue> {
  static const ShapeValue& read(const Value& value) { return value.shape(); }
};
template <>
struct ValueOperand<ScalarValue> {
  static const ScalarValue& read(const Value& value) { return value.scalar(); }
};
template <>
struct ValueOperand<Tensors> {
  static Tensors read(const Value& value);
};
template <>
struct ValueOperand<Ints> {
  static Ints read(const Value& value);
};

}  // namespace passdiff
