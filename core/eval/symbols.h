// What is known of symbolic dims while a function runs, and the check of values against types.
#pragma once

#include <optional>
#include <span>

#include "core/ir/pointer_map.h"
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
  // Nothing if a variable is unbound or the arithmetic is undefined.
  std::optional<std::int64_t> evaluate(const Dim& dim) const;

 private:
  PointerMap<std::int64_t> values_;
};

// Does the value have the type? A dim that hangs on an unbound variable counts as holding.
bool has_type(const Value& value, const Type& type, const Symbols& symbols);
// The same for several values, left to right; on the way a dim that is one unbound variable binds it. Dims
// that compute (n + 1) are checked last, since a later value may bind their variables. Returns the first
// index that does not fit.
std::optional<std::size_t> bind_types(std::span<const Value> values, std::span<const Type* const> types,
                                      Symbols& symbols);

// Does the type say everything about the value's dtype and shape, and is it true?
enum class StaticMatch : std::uint8_t { yes, no, open };
StaticMatch match_static(const Value& value, const Type& type);

}  // namespace passdiff
