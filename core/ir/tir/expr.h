// Scalar expressions of TensorIR. Nodes are immutable and shared, as those of Relax are (core/ir/expr.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ir/dim.h"
#include "core/ir/tir/scalar_type.h"

namespace passdiff::tir {

struct ExprNode;
using Expr = std::shared_ptr<const ExprNode>;

// A scalar variable: of a loop, a block, a Bind, a scalar parameter, or a symbolic size in the shape of a buffer.
using Var = SymVar;
Var make_var(std::string name, ScalarType type);

// Memory as statements see it: elements of one dtype, addressed by one index for each axis. Its identity is its address. The place
// of its elements is given where it is declared: as a parameter, an allocation, a DeclBuffer or a match_buffer.
struct BufferNode {
  std::string name;
  ScalarType dtype = number_type(DType::float32);  // of an element, which may be a vector
  std::vector<Expr> shape;
  std::vector<Expr> strides;  // in elements; empty: row-major without gaps
  Expr elem_offset;           // of the first element from the start of the memory, in elements; null: 0
  std::string scope = "global";
  int data_alignment = 64;  // in bytes
  int offset_factor = 1;
  std::vector<std::int64_t> axis_separators = {};
};
using Buffer = std::shared_ptr<const BufferNode>;

// By value of the enum, the names of the nodes of TVM: "Add", ..., "FloorMod", "Or".
enum class BinaryOp : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,  // of integers: rounds towards zero
  modulo,  // of integers: has the sign of the dividend
  floor_divide,
  floor_mod,
  minimum,
  maximum,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,  // evaluates both sides, as its code does
  logical_or,
};
inline constexpr std::size_t kBinaryOps = static_cast<std::size_t>(BinaryOp::logical_or) + 1;
std::string_view binary_op_name(BinaryOp op);  // "Add"
std::optional<BinaryOp> binary_op_from_name(std::string_view name);
constexpr bool is_comparison(BinaryOp op) {
  return op >= BinaryOp::equal && op <= BinaryOp::greater_equal;
}
constexpr bool is_logical(BinaryOp op) {
  return op >= BinaryOp::logical_and;
}

struct IntImm {
  std::int64_t value = 0;  // a uint64 from 2^63 on is negative, as in two's complement
};
struct FloatImm {
  double value = 0;
};
struct StringImm {
  std::string value;
};
struct Binary {
  BinaryOp op;
  Expr lhs;
  Expr rhs;
};
struct Not {
  Expr operand;
};
// Both arms are evaluated; one of them is the value.
struct Select {
  Expr condition;
  Expr on_true;
  Expr on_false;
};
struct Cast {
  Expr operand;
};
struct BufferLoad {
  Buffer buffer;
  std::vector<Expr> indices;
  Expr predicate;  // a vector of bools: lanes that are loaded; null: all
};
// base, base + stride, ... in as many lanes as the type says.
struct Ramp {
  Expr base;
  Expr stride;
};
struct Broadcast {
  Expr value;
};
// Lanes of the concatenated vectors, chosen by constant indices.
struct Shuffle {
  std::vector<Expr> vectors;
  std::vector<Expr> indices;
};
struct Let {
  Var var;
  Expr value;
  Expr body;
};
// A call of an intrinsic of TensorIR ("exp", "if_then_else", "call_packed"), by TVM's name without its prefix "tirx.", "tir." or
// "prim.".
struct Call {
  std::string intrinsic;
  std::vector<Expr> args;
};
// A call of another function of the module.
struct FunctionCall {
  std::string function;
  std::vector<Expr> args;
};
// A pointer to the first element of the memory in which the buffer lies (`buffer.data`).
struct BufferData {
  Buffer buffer;
};
// A buffer as an argument of a call (T.address_of's is a BufferLoad).
struct BufferArg {
  Buffer buffer;
};

using ExprAlternatives = std::variant<IntImm, FloatImm, StringImm, Var, Binary, Not, Select, Cast, BufferLoad, Ramp, Broadcast,
                                      Shuffle, Let, Call, FunctionCall, BufferData, BufferArg>;
struct ExprNode {
  ExprAlternatives node;
  ScalarType type;
};

Expr make_expr(ExprAlternatives node, ScalarType type);
Expr int_imm(std::int64_t value, DType dtype = DType::int64);
Expr var_expr(const Var& var);
// Of operands of one type, which the result has, too; or a bool for each lane of a comparison or a logical operation.
Expr binary_expr(BinaryOp op, Expr lhs, Expr rhs);
// The dim as an expression over the same variables.
Expr dim_expr(const Dim& dim);
// The node as T, or null: as<BufferLoad>(expr).
template <class T>
const T* as(const Expr& expr) {
  return std::get_if<T>(&expr->node);
}

// Calls `visit(const Expr&)` on each direct operand, indices, predicates and bound values included, in the order of evaluation.
void for_each_operand(const Expr& expr, const std::function<void(const Expr&)>& visit);
// Calls `visit(const Buffer&)` if the expression itself mentions a buffer.
void for_each_buffer(const Expr& expr, const std::function<void(const Buffer&)>& visit);

}  // namespace passdiff::tir
