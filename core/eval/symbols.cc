#include "core/eval/symbols.h"

#include "core/eval/interpret.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// Compares a value with a type, part by part. `Dims` says whether an extent fits a symbolic dim.
template <class Dims>
class TypeMatcher {
 public:
  explicit TypeMatcher(Dims& dims) : dims_(dims) {}

  bool match(const Value& value, const Type& type) {
    if (const TensorType* tensor = type.as_tensor()) {
      const TensorPtr* held = value.as_tensor();
      return held != nullptr && *held != nullptr && match_tensor(**held, *tensor);
    }
    if (const TupleType* tuple = type.as_tuple()) return match_tuple(value, *tuple);
    if (const ShapeType* shape = type.as_shape()) {
      const auto* held = std::get_if<ShapeValue>(&value.node);
      return held != nullptr && match_extents(held->dims, shape->values, shape->rank);
    }
    if (const PrimType* prim = type.as_prim()) {
      const auto* held = std::get_if<ScalarValue>(&value.node);
      return held != nullptr && held->dtype == prim->dtype &&
             std::holds_alternative<double>(held->value) == is_float(prim->dtype);
    }
    if (type.as_func() != nullptr) return std::holds_alternative<std::shared_ptr<const Callable>>(value.node);
    return true;
  }

 private:
  bool match_tensor(const Tensor& tensor, const TensorType& type) {
    if (type.dtype && *type.dtype != tensor.dtype) return false;
    return std::visit([&](const auto& array) { return match_extents(array.shape(), type.shape, type.rank); },
                      tensor.values);
  }

  bool match_tuple(const Value& value, const TupleType& type) {
    const TupleValue* held = value.as_tuple();
    // A host function that returns nothing is declared to return R.Tuple().
    if (held == nullptr) return type.fields.empty() && std::holds_alternative<std::monostate>(value.node);
    if (held->fields.size() != type.fields.size()) return false;
    for (std::size_t i = 0; i < type.fields.size(); ++i) {
      if (!match(held->fields[i], type.fields[i])) return false;
    }
    return true;
  }

  template <class Extents>
  bool match_extents(const Extents& extents, const std::optional<Shape>& shape, int rank) {
    if (!shape) return rank == kUnknownRank || extents.size() == static_cast<std::size_t>(rank);
    if (extents.size() != shape->size()) return false;
    for (std::size_t i = 0; i < shape->size(); ++i) {
      const Dim& dim = (*shape)[i];
      const auto extent = static_cast<std::int64_t>(extents[i]);
      if (dim.is_static() ? dim.value() != extent : !dims_.holds(extent, dim)) return false;
    }
    return true;
  }

  Dims& dims_;
};

struct KnownDims {
  const Symbols& symbols;
  bool holds(std::int64_t extent, const Dim& dim) const {
    return symbols.evaluate(dim).value_or(extent) == extent;
  }
};

struct BindingDims {
  Symbols& symbols;
  bool deferred = false;
  bool holds(std::int64_t extent, const Dim& dim) {
    if (const std::optional<std::int64_t> known = symbols.evaluate(dim)) return *known == extent;
    const SymVar* var = dim.as_var();
    if (var == nullptr) {
      deferred = true;
    } else {
      symbols.bind(*var, extent);
    }
    return true;
  }
};

struct LookupDims {
  const std::function<std::optional<std::int64_t>(const SymVar&)>& lookup;
  bool holds(std::int64_t extent, const Dim& dim) const {
    return evaluate(dim, lookup).value_or(extent) == extent;
  }
};

// Lets any extent fit a symbolic dim, and notes that there was one.
struct StaticDims {
  bool open = false;
  bool holds(std::int64_t, const Dim&) {
    open = true;
    return true;
  }
};

template <class Dims>
std::optional<std::size_t> first_mismatch(std::span<const Value> values, std::span<const Type* const> types,
                                          Dims& dims) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!TypeMatcher<Dims>(dims).match(values[i], *types[i])) return i;
  }
  return std::nullopt;
}

bool says_everything(const Type& type) {
  if (const TensorType* tensor = type.as_tensor()) return tensor->shape && tensor->dtype;
  if (const ShapeType* shape = type.as_shape()) return shape->values.has_value();
  if (const TupleType* tuple = type.as_tuple()) {
    for (const Type& field : tuple->fields) {
      if (!says_everything(field)) return false;
    }
    return true;
  }
  return type.as_prim() != nullptr;
}

}  // namespace

std::optional<std::int64_t> Symbols::evaluate(const Dim& dim) const {
  if (dim.is_static()) return dim.value();
  if (const SymVar* var = dim.as_var()) return find(*var);
  return passdiff::evaluate(dim, [this](const SymVar& var) { return find(var); });
}

bool has_type(const Value& value, const Type& type, const Symbols& symbols) {
  KnownDims dims{symbols};
  return TypeMatcher<KnownDims>(dims).match(value, type);
}

bool has_type(const Value& value, const Type& type,
              const std::function<std::optional<std::int64_t>(const SymVar&)>& lookup) {
  LookupDims dims{lookup};
  return TypeMatcher<LookupDims>(dims).match(value, type);
}

std::optional<std::size_t> bind_types(std::span<const Value> values, std::span<const Type* const> types,
                                      Symbols& symbols) {
  BindingDims binding{symbols};
  if (const auto mismatch = first_mismatch(values, types, binding)) return mismatch;
  if (!binding.deferred) return std::nullopt;
  KnownDims known{symbols};
  return first_mismatch(values, types, known);
}

StaticMatch match_static(const Value& value, const Type& type) {
  StaticDims dims;
  if (!TypeMatcher<StaticDims>(dims).match(value, type)) return StaticMatch::no;
  return dims.open || !says_everything(type) ? StaticMatch::open : StaticMatch::yes;
}

}  // namespace passdiff
