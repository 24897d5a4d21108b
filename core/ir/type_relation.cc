// How types relate: equality, subtyping and the least common supertype, after Relax's TypeBaseCheck and
// TypeLCA.
#include <algorithm>

#include "core/ir/type.h"

namespace passdiff {
namespace {

// What is known of the statement that every value of the second type is one of the first.
enum class Relation : std::uint8_t { never, sometimes, always };

Relation both(Relation a, Relation b) {
  return std::min(a, b);
}

Relation relate(const Type& super, const Type& sub);

Relation relate(const std::vector<Type>& super, const std::vector<Type>& sub) {
  if (super.size() != sub.size()) return Relation::never;
  Relation result = Relation::always;
  for (std::size_t i = 0; i < super.size(); ++i) result = both(result, relate(super[i], sub[i]));
  return result;
}

Relation relate(const std::optional<Shape>& super, const std::optional<Shape>& sub) {
  if (!super) return Relation::always;
  if (!sub) return Relation::sometimes;
  if (super->size() != sub->size()) return Relation::never;
  Relation result = Relation::always;
  for (std::size_t i = 0; i < super->size(); ++i) {
    const Dim& a = (*super)[i];
    const Dim& b = (*sub)[i];
    if (proven_equal(a, b)) continue;
    // As in Relax, only two integers are known to be different; n and n + 1 are not.
    result = both(result, a.is_static() && b.is_static() ? Relation::never : Relation::sometimes);
  }
  return result;
}

// Compares a fact that a type may state: if the supertype does not state it, all is well; if only the subtype does not, it may
// hold.
template <class T>
Relation relate_fact(const std::optional<T>& super, const std::optional<T>& sub) {
  if (!super) return Relation::always;
  if (!sub) return Relation::sometimes;
  return *super == *sub ? Relation::always : Relation::never;
}

Relation relate_rank(int super, int sub) {
  const auto known = [](int rank) { return rank == kUnknownRank ? std::nullopt : std::optional<int>(rank); };
  return relate_fact(known(super), known(sub));
}

Relation relate(const TensorType& super, const TensorType& sub) {
  Relation result = relate_fact(super.dtype, sub.dtype);
  result = both(result, relate_rank(super.rank, sub.rank));
  result = both(result, relate_fact(super.vdevice, sub.vdevice));
  result = both(result, relate_fact(super.sharding, sub.sharding));
  return both(result, relate(super.shape, sub.shape));
}

// Whether two function types are equal after the symbolic variables of their parameters have been matched with each other.
bool alpha_equal(const FuncType& a, const FuncType& b);

Relation relate(const FuncType& super, const FuncType& sub) {
  if (super.pure && !sub.pure) return Relation::never;
  if (!super.params) return relate(super.result, sub.result);
  if (!sub.params) return Relation::sometimes;
  if (alpha_equal(super, sub)) return Relation::always;
  return both(relate(*super.params, *sub.params), relate(super.result, sub.result));
}

Relation relate(const Type& super, const Type& sub) {
  if (super.is_object() || super.is_same(sub)) return Relation::always;
  if (sub.is_object()) return Relation::sometimes;
  if (super.kind() != sub.kind()) return Relation::never;
  if (const TensorType* tensor = super.as_tensor()) return relate(*tensor, *sub.as_tensor());
  if (const TupleType* tuple = super.as_tuple()) return relate(tuple->fields, sub.as_tuple()->fields);
  if (const ShapeType* shape = super.as_shape()) {
    const ShapeType& other = *sub.as_shape();
    return both(relate_rank(shape->rank, other.rank), relate(shape->values, other.values));
  }
  if (const PrimType* prim = super.as_prim()) {
    return prim->dtype == sub.as_prim()->dtype ? Relation::always : Relation::never;
  }
  return relate(*super.as_func(), *sub.as_func());
}

bool equal_shapes(const std::optional<Shape>& a, const std::optional<Shape>& b) {
  return a.has_value() == b.has_value() && (!a || proven_equal(*a, *b));
}

bool equal_types(const std::vector<Type>& a, const std::vector<Type>& b, VDevices vdevices) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const Type& x, const Type& y) { return equal(x, y, vdevices); });
}

bool equal_funcs(const FuncType& a, const FuncType& b, VDevices vdevices) {
  if (a.pure != b.pure || a.params.has_value() != b.params.has_value()) return false;
  if (a.params && !equal_types(*a.params, *b.params, vdevices)) return false;
  return equal(a.result, b.result, vdevices);
}

bool alpha_equal(const FuncType& a, const FuncType& b) {
  std::vector<SymVar> order_a;
  std::vector<SymVar> order_b;
  const auto collect = [](const FuncType& func, std::vector<SymVar>& order) {
    for (const Type& param : *func.params) {
      for_each_sym_var(param, [&](const SymVar& var) {
        if (std::find(order.begin(), order.end(), var) == order.end()) order.push_back(var);
      });
    }
  };
  collect(a, order_a);
  collect(b, order_b);
  if (order_a.size() != order_b.size()) return false;
  const auto rename = [&](const SymVar& var) -> std::optional<Dim> {
    const auto found = std::find(order_a.begin(), order_a.end(), var);
    if (found == order_a.end()) return std::nullopt;
    return Dim(order_b[static_cast<std::size_t>(found - order_a.begin())]);
  };
  return equal(order_a.empty() ? Type(a) : substitute(Type(a), rename), Type(b));
}

Type unify_tensors(const TensorType& a, const TensorType& b) {
  TensorType result;
  if (a.dtype == b.dtype) result.dtype = a.dtype;
  if (a.vdevice == b.vdevice) result.vdevice = a.vdevice;
  if (a.sharding == b.sharding) result.sharding = a.sharding;
  if (a.rank == b.rank) result.rank = a.rank;
  if (equal_shapes(a.shape, b.shape)) result.shape = a.shape;
  return result;
}

std::optional<std::vector<Type>> unify_all(const std::vector<Type>& a, const std::vector<Type>& b) {
  if (a.size() != b.size()) return std::nullopt;
  std::vector<Type> result;
  result.reserve(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(unify(a[i], b[i]));
  return result;
}

Type unify_funcs(const FuncType& a, const FuncType& b) {
  if (a.params && b.params && alpha_equal(a, b)) return a;
  FuncType result;
  result.pure = a.pure && b.pure;
  if (a.params && b.params) result.params = unify_all(*a.params, *b.params);
  result.result = unify(a.result, b.result);
  return result;
}

}  // namespace

bool equal(const Type& a, const Type& b, VDevices vdevices) {
  if (a.is_same(b)) return true;
  if (a.kind() != b.kind()) return false;
  if (const TensorType* tensor = a.as_tensor()) {
    const TensorType& other = *b.as_tensor();
    return tensor->rank == other.rank && tensor->dtype == other.dtype &&
           (vdevices == VDevices::ignore || (tensor->vdevice == other.vdevice && tensor->sharding == other.sharding)) &&
           equal_shapes(tensor->shape, other.shape);
  }
  if (const TupleType* tuple = a.as_tuple())
    return equal_types(tuple->fields, b.as_tuple()->fields, vdevices);
  if (const ShapeType* shape = a.as_shape()) {
    return shape->rank == b.as_shape()->rank && equal_shapes(shape->values, b.as_shape()->values);
  }
  if (const PrimType* prim = a.as_prim()) return prim->dtype == b.as_prim()->dtype;
  if (const FuncType* func = a.as_func()) return equal_funcs(*func, *b.as_func(), vdevices);
  return true;
}

bool is_subtype(const Type& sub, const Type& super) {
  return relate(super, sub) == Relation::always;
}

bool compatible(const Type& a, const Type& b) {
  return relate(a, b) != Relation::never || relate(b, a) != Relation::never;
}

bool may_match(const Type& value, const Type& cast) {
  const auto anywhere = [](const Type& type) { return without_shardings(without_vdevices(type)); };
  return compatible(anywhere(value), anywhere(cast));
}

Type unify(const Type& a, const Type& b) {
  if (a.is_same(b)) return a;
  if (a.kind() != b.kind()) return object_type();
  if (const TensorType* tensor = a.as_tensor()) return unify_tensors(*tensor, *b.as_tensor());
  if (const TupleType* tuple = a.as_tuple()) {
    std::optional<std::vector<Type>> fields = unify_all(tuple->fields, b.as_tuple()->fields);
    return fields ? tuple_type(std::move(*fields)) : object_type();
  }
  if (const ShapeType* shape = a.as_shape()) {
    const ShapeType& other = *b.as_shape();
    if (equal_shapes(shape->values, other.values)) {
      return ShapeType{shape->values, shape->rank == other.rank ? shape->rank : kUnknownRank};
    }
    return ShapeType{std::nullopt, shape->rank == other.rank ? shape->rank : kUnknownRank};
  }
  if (const PrimType* prim = a.as_prim()) return prim->dtype == b.as_prim()->dtype ? a : object_type();
  if (a.as_func() != nullptr) return unify_funcs(*a.as_func(), *b.as_func());
  return a;
}

}  // namespace passdiff
