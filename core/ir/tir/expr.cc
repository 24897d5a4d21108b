#include "core/ir/tir/expr.h"

#include <array>
#include <utility>

#include "core/ir/tir/names.h"
#include "core/match.h"

namespace passdiff::tir {
namespace {

constexpr std::array<std::string_view, kBinaryOps> kBinaryOpNames = {
    "Add", "Sub", "Mul", "Div", "Mod", "FloorDiv", "FloorMod", "Min", "Max",
    "EQ",  "NE",  "LT",  "LE",  "GT",  "GE",       "And",      "Or"};
static_assert(kBinaryOpNames.back() == "Or");

BinaryOp binary_op_of(DimOp op) {
  switch (op) {
    case DimOp::add:
      return BinaryOp::add;
    case DimOp::subtract:
      return BinaryOp::subtract;
    case DimOp::multiply:
      return BinaryOp::multiply;
    case DimOp::floor_divide:
      return BinaryOp::floor_divide;
    case DimOp::floor_mod:
      return BinaryOp::floor_mod;
    case DimOp::minimum:
      return BinaryOp::minimum;
    case DimOp::maximum:
      return BinaryOp::maximum;
    case DimOp::equal:
      return BinaryOp::equal;
    case DimOp::not_equal:
      return BinaryOp::not_equal;
    case DimOp::less:
      return BinaryOp::less;
    case DimOp::less_equal:
      return BinaryOp::less_equal;
    case DimOp::greater:
      return BinaryOp::greater;
    case DimOp::greater_equal:
      break;
  }
  return BinaryOp::greater_equal;
}

}  // namespace

std::string_view binary_op_name(BinaryOp op) {
  return kBinaryOpNames[static_cast<std::size_t>(op)];
}
std::optional<BinaryOp> binary_op_from_name(std::string_view name) {
  return detail::value_named<BinaryOp>(kBinaryOpNames, name);
}

Var make_var(std::string name, ScalarType type) {
  return std::make_shared<const SymVarNode>(SymVarNode{std::move(name), type});
}

Expr make_expr(ExprAlternatives node, ScalarType type) {
  return std::make_shared<const ExprNode>(ExprNode{std::move(node), type});
}
Expr int_imm(std::int64_t value, DType dtype) {
  return make_expr(IntImm{value}, number_type(dtype));
}
Expr var_expr(const Var& var) {
  return make_expr(var, var->type);
}

Expr binary_expr(BinaryOp op, Expr lhs, Expr rhs) {
  const bool truth = is_comparison(op) || is_logical(op);
  const ScalarType type = truth ? number_type(DType::boolean, lhs->type.lanes) : lhs->type;
  return make_expr(Binary{op, std::move(lhs), std::move(rhs)}, type);
}

Expr dim_expr(const Dim& dim) {
  if (dim.is_static()) return int_imm(dim.value());
  if (const SymVar* var = dim.as_var()) return var_expr(*var);
  const auto& binary = std::get<DimBinary>(dim.node()->node);
  const DType dtype = passdiff::is_comparison(binary.op) ? DType::boolean : DType::int64;
  return make_expr(Binary{binary_op_of(binary.op), dim_expr(binary.lhs), dim_expr(binary.rhs)}, number_type(dtype));
}

void for_each_operand(const Expr& expr, const std::function<void(const Expr&)>& visit) {
  const auto visit_all = [&](const std::vector<Expr>& exprs) {
    for (const Expr& one : exprs) visit(one);
  };
  match(
      expr->node, [](const OneOf<IntImm, FloatImm, StringImm, Var, BufferData, BufferArg> auto&) {},
      [&](const Binary& binary) {
        visit(binary.lhs);
        visit(binary.rhs);
      },
      [&](const Not& negation) { visit(negation.operand); },
      [&](const Select& select) {
        visit(select.condition);
        visit(select.on_true);
        visit(select.on_false);
      },
      [&](const Cast& cast) { visit(cast.operand); },
      [&](const BufferLoad& load) {
        visit_all(load.indices);
        if (load.predicate) visit(load.predicate);
      },
      [&](const Ramp& ramp) {
        visit(ramp.base);
        visit(ramp.stride);
      },
      [&](const Broadcast& broadcast) { visit(broadcast.value); },
      [&](const Shuffle& shuffle) {
        visit_all(shuffle.vectors);
        visit_all(shuffle.indices);
      },
      [&](const Let& let) {
        visit(let.value);
        visit(let.body);
      },
      [&](const OneOf<Call, FunctionCall> auto& call) { visit_all(call.args); });
}

void for_each_buffer(const Expr& expr, const std::function<void(const Buffer&)>& visit) {
  match(
      expr->node, [&](const OneOf<BufferLoad, BufferData, BufferArg> auto& node) { visit(node.buffer); },
      [](const OneOf<IntImm, FloatImm, StringImm, Var, Binary, Not, Select, Cast, Ramp, Broadcast, Shuffle, Let, Call,
                     FunctionCall> auto&) {});
}

}  // namespace passdiff::tir
