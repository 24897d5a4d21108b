// Operands: the Scope of the ops' generation rules. Operands are drawn from the values in scope, or made as new
// parameters and constants within the limits of the case's configuration.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/gen/draft.h"
#include "core/gen/known_values.h"
#include "core/ops/scope.h"

namespace passdiff {

class Operands : public Scope {
 public:
  // `outer` is the body around a branch or a local function, where parameters are made.
  Operands(CaseDraft& draft, FunctionDraft& function, Operands* outer = nullptr)
      : draft_(draft),
        function_(function),
        outer_(outer),
        values_(function, outer != nullptr ? &outer->values_ : nullptr) {}

  std::optional<ScopeEntry> tensor(Choices& choices, const Want& want) override;
  std::optional<ScopeEntry> existing(Choices& choices,
                                     const std::function<bool(const ScopeEntry&)>& fits) override;
  ExprPtr constant(Tensor tensor) override;
  DType dtype(Choices& choices) override { return choices.pick(draft_.config.dtypes); }
  DType float_dtype(Choices& choices) override { return choices.pick(draft_.config.float_dtypes); }
  Shape shape(Choices& choices, int min_rank, int max_rank) override;
  std::int64_t dim(Choices& choices) override { return choices.pick(draft_.config.dims); }
  int vdevice_count() const override { return draft_.config.vdevices; }
  bool allow_undefined(Choices& choices) override;

  // An existing tensor or a new one; null if no more may be made.
  ExprPtr want(Choices& choices, DType dtype, Shape shape, FillSpec fill = {});
  ExprPtr any_tensor(Choices& choices, int min_rank, int max_rank, bool float_only = false);
  // A new tensor; null if it is too large or no more may be made.
  ExprPtr fresh(Choices& choices, Origin origin, DType dtype, const Shape& shape, FillSpec fill = {});
  // A parameter with this value. Null if its type mentions a symbolic dim that no parameter defines.
  ExprPtr parameter(Origin origin, Type type, Value value);
  // A parameter whose value is that of the caller's `argument`. Parameters of a local function are added to
  // `closure_params`, and their argument is null.
  ExprPtr parameter_for(Type type, const Entry& value, ExprPtr argument,
                        std::vector<Var>* closure_params = nullptr);

  CaseDraft& draft() { return draft_; }
  const Config& config() const { return draft_.config; }
  FunctionDraft& function() { return function_; }
  Operands* outer() const { return outer_; }
  bool has_symbols() const { return !function_.symbols.empty(); }
  std::int64_t size_of(const Dim& dim) const { return function_.size_of(dim); }
  std::vector<std::int64_t> sizes(const Shape& shape) const { return function_.sizes(shape); }
  // The values in scope; see KnownValues.
  std::span<const Entry> entries() const { return values_.entries(); }
  const Entry* find(const ExprPtr& var) const { return values_.find(var); }
  const Entry* choose(Choices& choices, const std::function<bool(const Entry&)>& fits) {
    return values_.choose(choices, fits);
  }
  Value value_of(const ExprPtr& operand, Provenance& provenance) const {
    return values_.value_of(operand, provenance);
  }

 protected:
  KnownValues& values() { return values_; }
  // Did allow_undefined hold since this was last asked?
  bool take_intent() { return std::exchange(intend_undefined_, false); }
  // Parameters and constants that were made since a mark can be taken back as long as nothing uses them.
  struct Mark {
    std::size_t entries, inputs, weights;
  };
  Mark mark() const { return {values_.entries().size(), function_.inputs.size(), function_.weights.size()}; }
  void roll_back(const Mark& mark);

 private:
  bool matches(Entry& entry, const Want& want) const;
  Entry* choose_matching(Choices& choices, const Want& want);
  std::optional<ScopeEntry> new_tensor(Choices& choices, const Want& want);
  DType new_dtype(Choices& choices, const Want& want);
  Origin new_origin(Choices& choices) const;
  ExprPtr add_tensor(Origin origin, const Shape& shape, Tensor tensor, std::optional<int> vdevice);
  bool may_be_parameter(const Type& type) const;
  bool pass_on_from_caller(const Type& type, const Value& value);

  CaseDraft& draft_;
  FunctionDraft& function_;
  Operands* outer_;
  KnownValues values_;
  bool intend_undefined_ = false;
};

}  // namespace passdiff
