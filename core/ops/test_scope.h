// A Scope for the tests of this folder: variables of many types with known values, and new ones on demand.
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/scope.h"
#include "core/tensor/tensor.h"
#include "core/tensor/value.h"

namespace passdiff {

class TestScope final : public Scope {
 public:
  explicit TestScope(bool undefined) : undefined_(undefined), n_(make_sym_var("n")) {}

  std::optional<ScopeEntry> tensor(Choices& choices, const Want& want) override {
    if (choices.one_in(2)) {
      auto found = existing(choices, [&](const ScopeEntry& e) { return suits(e, want); });
      if (found) return found;
    }
    const DType dtype = want.dtype          ? *want.dtype
                        : want.float_only   ? float_dtype(choices)
                        : want.numeric_only ? pick_numeric(choices)
                                            : this->dtype(choices);
    Shape shape =
        want.shape ? *want.shape : this->shape(choices, want.min_rank.value_or(0), want.max_rank.value_or(3));
    Tensor value = filled_tensor(choices, dtype, dims_of(shape), want.fill);
    return add(tensor_type(std::move(shape), dtype), std::move(value));
  }

  std::optional<ScopeEntry> existing(Choices& choices,
                                     const std::function<bool(const ScopeEntry&)>& suits) override {
    std::vector<const ScopeEntry*> found;
    for (const ScopeEntry& e : entries_) {
      if (suits(e)) found.push_back(&e);
    }
    if (found.empty()) return std::nullopt;
    return *choices.pick(found);
  }

  ExprPtr constant(Tensor tensor) override {
    Shape shape;
    for (const std::int64_t size : tensor.shape()) shape.emplace_back(size);
    Type type = tensor_type(std::move(shape), tensor.dtype);
    return make_expr(Constant{make_tensor(std::move(tensor))}, std::move(type));
  }

  DType dtype(Choices& choices) override { return drawn_dtypes()[choices.index(drawn_dtypes().size())]; }
  DType float_dtype(Choices& choices) override {
    constexpr DType kFloats[] = {DType::float32, DType::float16, DType::bfloat16, DType::float64};
    return choices.pick(kFloats);
  }
  Shape shape(Choices& choices, int min_rank, int max_rank) override {
    Shape shape(static_cast<std::size_t>(choices.integer(min_rank, max_rank)));
    for (Dim& size : shape) size = choices.one_in(4) ? Dim(n_) : Dim(dim(choices));
    return shape;
  }
  std::int64_t dim(Choices& choices) override { return choices.one_in(16) ? 0 : choices.integer(1, 4); }
  int vdevice_count() const override { return 2; }
  bool allow_undefined(Choices& choices) override { return undefined_ && choices.one_in(2); }

  ScopeEntry add(Type type, Tensor value) {
    const Var var = make_var("v" + std::to_string(entries_.size()), std::move(type));
    entries_.push_back({var_expr(var), make_tensor(std::move(value))});
    return entries_.back();
  }

  // The value of an operand that a rule made from this scope.
  Value value_of(const ExprPtr& expr) const {
    if (const Constant* constant = as<Constant>(expr)) return constant->tensor;
    if (const ShapeExpr* shape = as<ShapeExpr>(expr)) return ShapeValue{dims_of(shape->values)};
    if (const PrimValue* prim = as<PrimValue>(expr)) return scalar_of(*prim);
    if (const DataTypeImm* dtype = as<DataTypeImm>(expr)) return dtype->value;
    if (const Tuple* tuple = as<Tuple>(expr)) {
      TupleValue fields;
      for (const ExprPtr& field : tuple->fields) fields.fields.push_back(value_of(field));
      return fields;
    }
    for (const ScopeEntry& e : entries_) {
      const Var* var = as<Var>(e.expr);
      if (e.expr == expr || (as<Var>(expr) && *var == *as<Var>(expr))) return e.value;
    }
    CHECK(false) << "an operand from elsewhere";
    return {};
  }

  std::int64_t size_of(const Dim& dim) const {
    return evaluate(dim, [](const SymVar&) { return std::optional<std::int64_t>(kN); }).value();
  }

 private:
  static constexpr std::int64_t kN = 3;

  DType pick_numeric(Choices& choices) {
    const DType drawn = dtype(choices);
    return drawn == DType::boolean ? DType::int32 : drawn;
  }

  std::vector<std::int64_t> dims_of(const Shape& shape) const {
    std::vector<std::int64_t> dims;
    for (const Dim& size : shape) dims.push_back(size_of(size));
    return dims;
  }

  Value scalar_of(const PrimValue& prim) const {
    if (const double* real = std::get_if<double>(&prim.value)) return ScalarValue{prim.dtype, *real};
    return ScalarValue{prim.dtype, size_of(std::get<Dim>(prim.value))};
  }

  static bool suits(const ScopeEntry& entry, const Want& want) {
    const TensorType& type = *entry.expr->type.as_tensor();
    if (!type.dtype || (want.dtype && *want.dtype != *type.dtype)) return false;
    if (want.float_only && !is_float(*type.dtype)) return false;
    if (want.numeric_only && *type.dtype == DType::boolean) return false;
    if (want.shape && !(type.shape && proven_equal(*type.shape, *want.shape))) return false;
    const int rank = static_cast<int>(entry.value.tensor().rank());
    if (rank < want.min_rank.value_or(0) || rank > want.max_rank.value_or(rank)) return false;
    return fits(entry.value.tensor(), want.fill);
  }

  bool undefined_;
  SymVar n_;
  std::deque<ScopeEntry> entries_;
};

}  // namespace passdiff
