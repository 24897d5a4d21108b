// Types of Relax expressions. TVM up to 0.25 calls them StructInfo, from 0.26 on Type; we say Type.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/dim.h"
#include "core/ir/dtype.h"

namespace passdiff {

struct Type;

// Any value at all (`R.Any`, `R.Object`).
struct ObjectType {};

inline constexpr int kUnknownRank = -1;

// A tensor. `rank` is shape->size() if the shape is known; kUnknownRank if not even the rank is.
struct TensorType {
  std::optional<Shape> shape;
  int rank = kUnknownRank;
  std::optional<DType> dtype;
  std::optional<int> vdevice;  // index into Module::vdevices
};

struct TupleType {
  std::vector<Type> fields;
};

struct ShapeType {
  std::optional<Shape> values;
  int rank = kUnknownRank;
};

// A scalar (`R.Prim`).
struct PrimType {
  DType dtype = DType::int64;
};

struct FuncType {
  std::optional<std::vector<Type>> params;  // nothing: any parameters
  std::shared_ptr<const Type> result;
  bool pure = true;
};

struct Type {
  std::variant<ObjectType, TensorType, TupleType, ShapeType, PrimType, FuncType> node;

  Type() = default;
  template <class T>
    requires std::is_constructible_v<decltype(node), T&&> && (!std::is_same_v<std::decay_t<T>, Type>)
  Type(T&& alternative) : node(std::forward<T>(alternative)) {}  // NOLINT: implicit by design

  const TensorType* as_tensor() const { return std::get_if<TensorType>(&node); }
  const TupleType* as_tuple() const { return std::get_if<TupleType>(&node); }
  const ShapeType* as_shape() const { return std::get_if<ShapeType>(&node); }
  const PrimType* as_prim() const { return std::get_if<PrimType>(&node); }
  const FuncType* as_func() const { return std::get_if<FuncType>(&node); }
  bool is_object() const { return std::holds_alternative<ObjectType>(node); }
};

Type tensor_type(Shape shape, DType dtype, std::optional<int> vdevice = std::nullopt);
Type tensor_type_of_rank(int rank, std::optional<DType> dtype);
Type tuple_type(std::vector<Type> fields);
Type shape_type(Shape values);
Type prim_type(DType dtype);
Type object_type();
Type func_type(std::vector<Type> params, Type result, bool pure = true);

// Same type, symbolic variables by identity, dims by proven_equal. Ignores vdevices if asked to.
enum class VDevices { compare, ignore };
bool equal(const Type& a, const Type& b, VDevices vdevices = VDevices::compare);
// Every value of `sub` is known to be one of `super` (Relax's IsBaseOf): a known shape refines an unknown one, ...
bool is_subtype(const Type& sub, const Type& super);
// Could a value have both types? False only if no value can (Relax's kFailL0: rank 2 against rank 3, 4 against 5).
bool compatible(const Type& a, const Type& b);
// The smallest type here that includes both (Relax's TypeLCA), for the branches of an If.
Type unify(const Type& a, const Type& b);
Type substitute(const Type& type, const std::function<std::optional<Dim>(const SymVar&)>& replace);
void for_each_sym_var(const Type& type, const std::function<void(const SymVar&)>& visit);
bool has_symbolic_dims(const Type& type);
// As in TVMScript: R.Tensor((2, n), dtype="float32").
std::string to_string(const Type& type);

}  // namespace passdiff
