// Scope: what a generation rule may draw on. Every value in scope is known while generating.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/choices/choices.h"
#include "core/choices/fill.h"
#include "core/ops/op.h"
#include "core/tensor/value.h"

namespace passdiff {

// An expression that can be used here (a variable, mostly), with its type and its value for this test case's arguments.
struct ScopeEntry {
  ExprPtr expr;
  Value value;
};

// What a generation rule wants of a tensor operand. Unset members leave the choice free.
struct Want {
  std::optional<DType> dtype;
  std::optional<Shape> shape;  // exact, symbolic dims by identity
  std::optional<int> min_rank;
  std::optional<int> max_rank;
  bool float_only = false;
  bool numeric_only = false;  // no bool
  FillSpec fill;              // for a new tensor; an existing one is taken only if its values fit it
};

class Scope {
 public:
  virtual ~Scope() = default;

  // An existing entry that fits, or a new parameter or constant made to fit. Nothing only if budgets are used up.
  virtual std::optional<ScopeEntry> tensor(Choices& choices, const Want& want) = 0;
  // An existing entry for which `fits` holds, if there is one.
  virtual std::optional<ScopeEntry> existing(Choices& choices,
                                             const std::function<bool(const ScopeEntry&)>& fits) = 0;
  // A constant with these elements.
  virtual ExprPtr constant(Tensor tensor) = 0;

  // Choices that the case's configuration (swarm) constrains.
  virtual DType dtype(Choices& choices) = 0;        // any enabled dtype
  virtual DType float_dtype(Choices& choices) = 0;  // an enabled float dtype (float32 if none)
  virtual Shape shape(Choices& choices, int min_rank, int max_rank) = 0;  // dims are small; may be symbolic
  virtual std::int64_t dim(Choices& choices) = 0;                         // a size: mostly 1..4, seldom 0
  virtual int vdevice_count() const = 0;
  // True (seldom) if the rule may create undefined behaviour on purpose, e.g. an index out of range.
  virtual bool allow_undefined(Choices& choices) = 0;
};

}  // namespace passdiff
