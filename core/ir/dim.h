// One dimension of a shape: an integer, a symbolic variable, or integer arithmetic over these.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/dim_op.h"
#include "core/ir/tir/scalar_type.h"

namespace passdiff {

// A scalar variable. Its identity is its address; the name is for people. Those of shapes are int64; functions of TensorIR have
// others, too (core/ir/tir/expr.h).
struct SymVarNode {
  std::string name;
  tir::ScalarType type = tir::number_type(DType::int64);
};
using SymVar = std::shared_ptr<const SymVarNode>;
SymVar make_sym_var(std::string name);  // int64

struct DimNode;

class Dim {
 public:
  Dim(std::int64_t value = 0) : value_(value) {}  // NOLINT: shapes read as {2, 3}
  Dim(SymVar var);                                // NOLINT: shapes read as {n, 3}
  // Folds when both sides are static and the result is defined, or one is neutral (n + 0, n * 1) or zero (n * 0).
  static Dim binary(DimOp op, const Dim& lhs, const Dim& rhs);

  bool is_static() const { return node_ == nullptr; }
  std::int64_t value() const { return value_; }  // meaningful if is_static()
  const DimNode* node() const { return node_.get(); }
  // The variable, if the dimension is exactly one.
  const SymVar* as_var() const;

 private:
  std::int64_t value_ = 0;
  std::shared_ptr<const DimNode> node_;
};

struct DimBinary {
  DimOp op;
  Dim lhs;
  Dim rhs;
};
struct DimNode {
  std::variant<SymVar, DimBinary> node;
};
using Shape = std::vector<Dim>;

inline Dim operator+(const Dim& a, const Dim& b) { return Dim::binary(DimOp::add, a, b); }
inline Dim operator-(const Dim& a, const Dim& b) { return Dim::binary(DimOp::subtract, a, b); }
inline Dim operator*(const Dim& a, const Dim& b) { return Dim::binary(DimOp::multiply, a, b); }

// True if equal for all values of the variables as far as sums of products show (n * 2 + 1 equals 1 + n + n);
// other operators are equal only if built alike. False means "not shown equal".
bool proven_equal(const Dim& a, const Dim& b);
bool proven_equal(const Shape& a, const Shape& b);
// True if different for every value of the variables (n + 1 and n; 2 and 3).
bool proven_different(const Dim& a, const Dim& b);
// The value under an assignment of the variables; nothing if one is unbound or a division by zero arises.
std::optional<std::int64_t> evaluate(const Dim& dim,
                                     const std::function<std::optional<std::int64_t>(const SymVar&)>& lookup);
// The dimension with each variable replaced as `replace` says (nothing: kept).
Dim substitute(const Dim& dim, const std::function<std::optional<Dim>(const SymVar&)>& replace);
// Calls `visit` for every variable in it, left to right, with repetitions.
void for_each_sym_var(const Dim& dim, const std::function<void(const SymVar&)>& visit);
bool is_static(const Shape& shape);
std::string to_string(const Dim& dim);

}  // namespace passdiff
