#include "passes/native/same_computation.h"

#include <algorithm>

#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

bool same_operands(const std::vector<ExprPtr>& a, const std::vector<ExprPtr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_computation);
}

bool same_node(const Call& a, const Call& b) {
  const OpDef* op = called_op(a);
  const OpDef* other = called_op(b);
  const auto same_type = [](const Type& x, const Type& y) { return equal(x, y); };
  return op != nullptr && other != nullptr && op == other && op->pure && a.attrs == b.attrs &&
         std::ranges::equal(a.type_args, b.type_args, same_type) && same_operands(a.args, b.args);
}
bool same_node(const Var& a, const Var& b) {
  return a == b;
}
bool same_node(const Constant& a, const Constant& b) {
  return a.tensor == b.tensor || bit_equal(*a.tensor, *b.tensor, true);
}
bool same_node(const Tuple& a, const Tuple& b) {
  return same_operands(a.fields, b.fields);
}
bool same_node(const TupleGetItem& a, const TupleGetItem& b) {
  return a.index == b.index && same_computation(a.tuple, b.tuple);
}
bool same_node(const ShapeExpr& a, const ShapeExpr& b) {
  return proven_equal(a.values, b.values);
}
bool same_node(const PrimValue& a, const PrimValue& b) {
  const auto* x = std::get_if<Dim>(&a.value);
  const auto* y = std::get_if<Dim>(&b.value);
  if (a.dtype != b.dtype || (x == nullptr) != (y == nullptr)) return false;
  return x != nullptr ? proven_equal(*x, *y) : std::get<double>(a.value) == std::get<double>(b.value);
}
bool same_node(const StringImm& a, const StringImm& b) {
  return a.value == b.value;
}
bool same_node(const DataTypeImm& a, const DataTypeImm& b) {
  return a.value == b.value;
}
// Never equal: evaluating these twice may have an effect twice.
bool same_node(const OneOf<GlobalRef, ExternFunc, If, FunctionPtr> auto& node, const auto&) {
  static_cast<void>(node);
  return false;
}

}  // namespace

bool same_computation(const ExprPtr& a, const ExprPtr& b) {
  // Two pointers to one node do not make two computations equal: bindings may share the node of an impure call.
  if (a->node.index() != b->node.index()) return false;
  return match(a, [&](const auto& node) -> decltype(same_node(node, node)) {
    return same_node(node, std::get<std::decay_t<decltype(node)>>(b->node));
  });
}

}  // namespace passdiff
