// The printed text of functions of TensorIR. Internal to core/text, as printer.h.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/module.h"
#include "core/text/printer.h"

namespace passdiff {

namespace tir {

// How strongly Python's operators bind, the weakest first.
enum Precedence : int {
  kAnyPrecedence,
  kOrPrecedence,
  kAndPrecedence,
  kNotPrecedence,
  kComparisonPrecedence,
  kBitOrPrecedence,
  kBitXorPrecedence,
  kBitAndPrecedence,
  kShiftPrecedence,
  kSumPrecedence,
  kProductPrecedence,
  kUnaryPrecedence,
};

// Prints expressions of one function. What is folded by TVM's parser in the form `x + 0` is printed as T.Add(x, 0).
class ExprPrinter {
 public:
  explicit ExprPrinter(PrintNames& names) : names_(names) {}

  std::string expr(const Expr& expr, int precedence = kAnyPrecedence);
  std::string list(const std::vector<Expr>& exprs);  // a, b
  // The name, which is in scope from here on.
  std::string define(const Var& var);
  std::string define(const Buffer& buffer);
  std::string use(const Var& var);
  std::string use(const Buffer& buffer);
  // A[0:4, i]
  std::string region(const BufferRegion& region);
  // min + extent, as Python's ranges have it.
  std::string end(const Range& range);
  // Of a declaration: shape, dtype, and what differs from the defaults.
  std::vector<std::string> buffer_arguments(const Buffer& buffer, std::string_view shape, bool dtype_always);
  std::string shape(const Buffer& buffer);

  // What was used before it was defined, in this order: the function declares it at its start.
  std::vector<Var> free_vars;
  std::vector<Buffer> free_buffers;

 private:
  std::string binary(const Binary& binary, int precedence);
  std::string infix(std::string_view symbol, const Expr& lhs, const Expr& rhs, int own, int precedence);
  std::string call(const Call& call, const ScalarType& type, int precedence);
  std::string load(const BufferLoad& load);
  std::string call_text(std::string_view callee, const std::vector<Expr>& args) {
    return std::string(callee) + "(" + list(args) + ")";
  }

  PrintNames& names_;
};

std::string type_text(const ScalarType& type);  // T.int64
// Of offsets into a buffer of this shape.
ScalarType index_type(const std::vector<Expr>& shape);
// Are the expressions built alike?
bool same(const Expr& a, const Expr& b);
bool is_int(const Expr& expr, std::int64_t value);
// Does the function's text leave the block around all out, because TVM's parser adds it? The statement is the body of a
// function with the attribute s_tir.
const SBlock* implicit_root(const Stmt& body);
// Whether TVM's parser adds a root block around such a body.
bool needs_root(const Stmt& body, bool has_allocations);

}  // namespace tir

// Appends the function to `out`. Adds to `type_vars` what has to be declared before the module: n = TypeVar("n"). Returns where in `out`
// each statement begins, those inside of another after it.
std::vector<std::size_t> print_prim_func(const GlobalPrimFunc& global, int indent, std::string& out,
                                         std::set<std::string>& type_vars);
std::string type_var_lines(const std::set<std::string>& type_vars);

}  // namespace passdiff
