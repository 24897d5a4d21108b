// Types of Relax expressions. TVM up to 0.25 calls them StructInfo, from 0.26 on Type. Types are immutable and shared: a copy
// costs no more than that of a pointer.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/ir/dim.h"
#include "core/ir/sharding.h"
#include "core/tensor/dtype.h"

namespace passdiff {

struct TypeNode;
struct ObjectType;
struct TensorType;
struct TupleType;
struct ShapeType;
struct PrimType;
struct FuncType;

class Type {
 public:
  Type() = default;  // ObjectType
  Type(ObjectType);  // NOLINT: types read as the alternative that they are
  Type(TensorType type);
  Type(TupleType type);
  Type(ShapeType type);
  Type(PrimType type);
  Type(FuncType type);

  bool is_object() const { return node_ == nullptr; }
  const TensorType* as_tensor() const { return as<TensorType>(); }
  const TupleType* as_tuple() const { return as<TupleType>(); }
  const ShapeType* as_shape() const { return as<ShapeType>(); }
  const PrimType* as_prim() const { return as<PrimType>(); }
  const FuncType* as_func() const { return as<FuncType>(); }
  // The index of the alternative: equal for two types of one kind.
  std::size_t kind() const;
  // Calls `visitor` with the alternative.
  template <class Visitor>
  decltype(auto) visit(Visitor&& visitor) const;
  // Whether both are the same object, and therefore equal. Different objects may be equal, too.
  bool is_same(const Type& other) const { return node_ == other.node_; }

 private:
  template <class T>
  const T* as() const;

  std::shared_ptr<const TypeNode> node_;
};

// Any value at all (`R.Any`, `R.Object`).
struct ObjectType {};

inline constexpr int kUnknownRank = -1;

// A tensor. `rank` is shape->size() if the shape is known; kUnknownRank if not even the rank is. With a sharding it is an `R.DTensor`, which stands
// for the whole of what the devices of a mesh hold together.
struct TensorType {
  std::optional<Shape> shape;
  int rank = kUnknownRank;
  std::optional<DType> dtype;
  std::optional<int> vdevice;  // index into Module::vdevices
  std::optional<Sharding> sharding = std::nullopt;
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
  Type result;
  bool pure = true;
};

struct TypeNode {
  std::variant<ObjectType, TensorType, TupleType, ShapeType, PrimType, FuncType> alternative;
};

template <class T>
const T* Type::as() const {
  return node_ == nullptr ? nullptr : std::get_if<T>(&node_->alternative);
}
inline std::size_t Type::kind() const {
  return node_ == nullptr ? 0 : node_->alternative.index();
}
template <class Visitor>
decltype(auto) Type::visit(Visitor&& visitor) const {
  static const TypeNode object;
  return std::visit(std::forward<Visitor>(visitor), (node_ == nullptr ? object : *node_).alternative);
}

Type tensor_type(Shape shape, DType dtype, std::optional<int> vdevice = std::nullopt);
Type tensor_type_of_rank(int rank, std::optional<DType> dtype);
Type tuple_type(std::vector<Type> fields);
Type shape_type(Shape values);
Type prim_type(DType dtype);
Type object_type();
Type func_type(std::vector<Type> params, Type result, bool pure = true);

// Whether both are the same type: symbolic variables are compared by identity, dims by proven_equal, vdevices and shardings if asked for.
enum class VDevices { compare, ignore };
bool equal(const Type& a, const Type& b, VDevices vdevices = VDevices::compare);
// Whether every value of `sub` is known to be one of `super` (Relax's IsBaseOf): a known shape is a subtype of an unknown one.
bool is_subtype(const Type& sub, const Type& super);
// Whether a value could have both types. False only if none can (Relax's kFailL0): ranks 2 and 3, sizes 4 and 5.
bool compatible(const Type& a, const Type& b);
// Whether a match_cast of a value of this type could succeed: as compatible(), but without vdevices and shardings, at which no run
// looks.
bool may_match(const Type& value, const Type& cast);
// The smallest type that includes both (Relax's TypeLCA): that of an If with such branches.
Type unify(const Type& a, const Type& b);
// The type with every tensor type in it, also in tuples, replaced by what `replace` returns.
Type replace_tensors(const Type& type, const std::function<TensorType(const TensorType&)>& replace);
// The type without vdevices, which says nothing of where its tensors are.
Type without_vdevices(const Type& type);
// The type without shardings: that of the whole tensors.
Type without_shardings(const Type& type);
Type substitute(const Type& type, const std::function<std::optional<Dim>(const SymVar&)>& replace);
void for_each_sym_var(const Type& type, const std::function<void(const SymVar&)>& visit);
bool has_symbolic_dims(const Type& type);
// The type in TVMScript: R.Tensor((2, n), dtype="float32").
std::string to_string(const Type& type);

}  // namespace passdiff
