// CallScope: what the generation rule of an op may draw on for one call that stands alone.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "core/ops/scope.h"
#include "fuzz/conform/odd_values.h"

namespace passdiff {

// Operands are variables, whose values it knows, or constants. All dtypes, ranks 0 to 5, sizes 0 and 1; in
// some calls a symbolic dim, in some two virtual devices.
class CallScope final : public Scope {
 public:
  CallScope(Choices& choices, Reach reach);

  std::optional<ScopeEntry> tensor(Choices& choices, const Want& want) override;
  std::optional<ScopeEntry> existing(Choices& choices,
                                     const std::function<bool(const ScopeEntry&)>& fits) override;
  ExprPtr constant(Tensor tensor) override;
  DType dtype(Choices& choices) override;
  DType float_dtype(Choices& choices) override;
  Shape shape(Choices& choices, int min_rank, int max_rank) override;
  std::int64_t dim(Choices& choices) override;
  int vdevice_count() const override { return vdevices_; }
  bool allow_undefined(Choices&) override { return false; }

  // The value of a variable that a rule was given by this scope.
  const Value& value_of(const Var& var) const;
  // The value of the symbolic dim.
  std::int64_t size() const { return size_; }
  std::int64_t size_of(const Dim& dim) const;

 private:
  std::vector<std::int64_t> sizes(const Shape& shape) const;
  bool suits(const ScopeEntry& entry, const Want& want) const;
  ScopeEntry add(Type type, Tensor value);

  Reach reach_;
  SymVar symbol_;
  std::int64_t size_;
  bool symbolic_;
  int vdevices_;
  std::deque<ScopeEntry> entries_;
};

}  // namespace passdiff
