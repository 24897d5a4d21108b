// The values of symbolic dims while a function runs, and the comparison of values with types.
#pragma once

#include <optional>
#include <span>

#include "core/ir/pointer_map.h"
#include "core/ir/type.h"
#include "core/tensor/value.h"

namespace passdiff {

// The values of symbolic variables in one function call.
class Symbols {
 public:
  std::optional<std::int64_t> find(const SymVar& var) const {
    const std::int64_t* value = values_.find(var.get());
    return value == nullptr ? std::nullopt : std::optional<std::int64_t>(*value);
  }
  void bind(const SymVar& var, std::int64_t value) { values_.set(var.get(), value); }
  // The value of a dim; nothing if a variable in it is unbound or the arithmetic is undefined.
  std::optional<std::int64_t> evaluate(const Dim& dim) const;

 private:
  PointerMap<std::int64_t> values_;
};

// Whether the value has the type. A dim with an unbound variable fits any size.
bool has_type(const Value& value, const Type& type, const Symbols& symbols);
// Compares several values with types, left to right, and binds each unbound variable where it is a dim by itself. Dims that are
// computed (n + 1) are compared last, since a later value may bind their variables. Returns the index of the first value that
// does not fit, or nothing if all do.
std::optional<std::size_t> bind_types(std::span<const Value> values, std::span<const Type* const> types,
                                      Symbols& symbols);

// Whether the value has the type; `open` if it may, but the type does not say everything about the value's dtype and shape.
enum class StaticMatch : std::uint8_t { yes, no, open };
StaticMatch match_static(const Value& value, const Type& type);

}  // namespace passdiff
