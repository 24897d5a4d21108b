// Expressions of a Relax function. Nodes are immutable and shared; a pass builds new ones.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/ir/attr.h"
#include "core/ir/type.h"
#include "core/tensor/tensor_ptr.h"

namespace passdiff {

// An op, as far as the IR knows it: its identity is its address. What it means stands in OpDef (core/ops/op.h).
struct Op {
  std::string_view name;  // "relax.take"; TVMScript says R.take
  bool pure = true;       // a call of it may be dropped, repeated and moved
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;
struct Function;
using FunctionPtr = std::shared_ptr<const Function>;

// A bound variable. Its identity is its address; the name is for people and for printing.
struct VarNode {
  std::string name;
  Type type;
  bool dataflow = false;  // visible in its dataflow block only
};
using Var = std::shared_ptr<const VarNode>;
Var make_var(std::string name, Type type, bool dataflow = false);

struct Constant {
  TensorPtr tensor;
};
struct GlobalRef {
  std::string name;
};
struct ExternFunc {
  std::string name;
};
// Who is called: an op, a function of the module, a local function (or any callable value), a function of the host.
using Callee = std::variant<const Op*, GlobalRef, ExprPtr, ExternFunc>;
struct Call {
  Callee callee;
  std::vector<ExprPtr> args;
  Attrs attrs;                  // for ops
  std::vector<Type> type_args;  // of extern functions, and of ops that take them: the declared result type
};
struct Tuple {
  std::vector<ExprPtr> fields;
};
struct TupleGetItem {
  ExprPtr tuple;
  int index = 0;
};
struct ShapeExpr {
  Shape values;
};
// A scalar of a PrimType: a dimension (int64, may be symbolic), or a number of `dtype`.
struct PrimValue {
  DType dtype = DType::int64;
  std::variant<Dim, double> value;  // Dim for integers and bool, double for floats
};
struct StringImm {
  std::string value;
};
struct DataTypeImm {
  DType value;
};

// `var = value`, or `var = R.match_cast(value, cast)`.
struct Binding {
  Var var;
  ExprPtr value;
  std::optional<Type> match_cast;
};
struct Block {
  bool dataflow = false;
  std::vector<Binding> bindings;
};
struct SeqExpr {
  std::vector<Block> blocks;
  ExprPtr result;
};
struct If {
  ExprPtr condition;  // a bool tensor of rank 0, or a bool scalar
  std::shared_ptr<const SeqExpr> then_branch;
  std::shared_ptr<const SeqExpr> else_branch;
};

// What an expression is, without its type.
using ExprNode = std::variant<Var, Constant, Call, Tuple, TupleGetItem, ShapeExpr, PrimValue, StringImm, DataTypeImm,
                              GlobalRef, ExternFunc, If, FunctionPtr>;
struct Expr {
  ExprNode node;
  Type type;
  // Set by make_call alone: `type` is what the op's inference gave for these operands. Saves inferring it again.
  bool inferred = false;
};

// A function, global or local. A local one may use variables of the functions around it.
struct Function {
  std::vector<Var> params;
  SeqExpr body;
  Type result_type;
  bool pure = true;
  NamedAttrs attrs;  // e.g. num_input
};

// The node as T, or null: as<Call>(expr).
template <class T>
const T* as(const ExprPtr& expr) {
  return std::get_if<T>(&expr->node);
}
template <class T>
ExprPtr make_expr(T node, Type type) {
  return std::make_shared<const Expr>(Expr{std::move(node), std::move(type)});
}
ExprPtr var_expr(const Var& var);

}  // namespace passdiff
