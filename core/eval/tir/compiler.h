// The compiler of functions of TensorIR: one class, whose parts are in compile.cc (functions, variables, buffers, statements) and in
// compile_expr.cc.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/eval/tir/program.h"
#include "core/ir/pointer_map.h"

namespace passdiff::tir {

// How deep expressions and statements may be nested, so that the stack stays small with AddressSanitizer.
inline constexpr int kMaxNesting = 400;

// Compiles one function. Methods that return an index add what they are given to the program.
class Compiler {
 public:
  Result<Program> compile(const PrimFunc& function);

 private:
  Error ill_formed(std::string message) const { return {"form.prim-func", std::move(message)}; }
  Error unsupported(std::string what) const { return {"unsupported.tir", std::move(what)}; }

  Index add(Node node) {
    program_.nodes.push_back(node);
    return static_cast<Index>(program_.nodes.size() - 1);
  }
  Index add(StmtCode stmt) {
    program_.stmts.push_back(std::move(stmt));
    program_.statements.push_back(statement_);
    return static_cast<Index>(program_.stmts.size() - 1);
  }
  const Node& node(Index index) const { return program_.nodes[static_cast<std::size_t>(index)]; }

  Index define(const Var& var);
  Result<Index> slot_of(const Var& var) const;
  Index define_pointer(const Var& var);
  Result<Index> pointer_of(const Expr& expr) const;
  Result<TensorField> field_of(const Call& call) const;
  Result<Index> pointer(const Bind& bind);
  Result<Index> pointer(const Call& call, Index slot);
  Result<Index> define(const Buffer& buffer);
  // The buffer that the place which is being compiled uses.
  Result<Index> buffer_of(const Buffer& buffer);
  void allocate_in_loops();

  Result<Index> expr(const Expr& expr);
  Result<std::vector<Index>> exprs(const std::vector<Expr>& exprs);
  // An operand that must be an integer, a bool, or a float.
  Result<Index> integer(const Expr& expr, const char* what);
  Result<std::vector<Index>> integers(const std::vector<Expr>& exprs, const char* what);
  Result<Index> condition(const Expr& expr);

  Result<Index> compiled(const ExprNode& expr, const IntImm& imm);
  Result<Index> compiled(const ExprNode& expr, const FloatImm& imm);
  Result<Index> compiled(const ExprNode& expr, const StringImm& imm);
  Result<Index> compiled(const ExprNode& expr, const Var& var);
  Result<Index> compiled(const ExprNode& expr, const Binary& binary);
  Result<Index> compiled(const ExprNode& expr, const Not& negation);
  Result<Index> compiled(const ExprNode& expr, const Select& select);
  Result<Index> compiled(const ExprNode& expr, const Cast& cast);
  Result<Index> compiled(const ExprNode& expr, const BufferLoad& load);
  Result<Index> compiled(const ExprNode& expr, const Ramp& ramp);
  Result<Index> compiled(const ExprNode& expr, const Broadcast& broadcast);
  Result<Index> compiled(const ExprNode& expr, const Shuffle& shuffle);
  Result<Index> compiled(const ExprNode& expr, const Let& let);
  Result<Index> compiled(const ExprNode& expr, const Call& call);
  Result<Index> compiled(const ExprNode& expr, const FunctionCall& call);
  Result<Index> compiled(const ExprNode& expr, const BufferData& data);
  Result<Index> compiled(const ExprNode& expr, const BufferArg& arg);
  Result<Index> choice(Code code, const ExprNode& expr, const Expr& condition, const Expr& on_true, const Expr& on_false);
  Result<Index> intrinsic(const ScalarFunction& row, const ExprNode& expr, const Call& call);
  Result<Index> shift(const ExprNode& expr, const Call& call);
  Result<Index> packed_call(const Call& call);
  Result<PackedArg> packed_arg(const Expr& arg);

  Result<Place> place(const Buffer& buffer, const std::vector<Expr>& indices, const Expr& predicate, const ScalarType& type);

  Result<Index> stmt(const Stmt& stmt);
  Result<Index> optional_stmt(const Stmt& stmt) { return stmt == nullptr ? Result<Index>(kNone) : this->stmt(stmt); }
  Result<Index> compiled(const For& loop);
  Result<Index> compiled(const While& loop);
  Result<Index> compiled(const Seq& seq);
  Result<Index> compiled(const IfThenElse& branches);
  Result<Index> compiled(const Evaluate& evaluate);
  Result<Index> compiled(const Bind& bind);
  Result<Index> compiled(const BufferStore& store);
  Result<Index> compiled(const AllocBuffer& alloc);
  Result<Index> compiled(const DeclBuffer& declared);
  Result<Index> compiled(const AttrStmt& attr);
  Result<Index> compiled(const AssertStmt& assertion);
  Result<Index> compiled(const Return& result);
  Result<Index> compiled(const Break&) { return add(BreakCode{}); }
  Result<Index> compiled(const Continue&) { return add(ContinueCode{}); }
  Result<Index> compiled(const SBlockRealize& realize);
  Result<RegionCode> region(const BufferRegion& region);
  Result<std::vector<RegionCode>> regions(const std::vector<BufferRegion>& regions);
  Result<Index> params(const PrimFunc& function);

  Program program_;
  PointerMap<Index> slots_;
  PointerMap<Index> buffers_;
  // The loops around the place that is being compiled, statements (kNone: a while), and, by buffer, how many are around its declaration, and which
  // are around all its uses.
  using Loops = std::vector<Index>;
  Loops loops_;
  struct Scope {
    std::size_t declared = 0;
    std::optional<Loops> used = std::nullopt;
  };
  std::vector<Scope> scopes_;
  int nesting_ = 0;
  int statement_ = -1;  // that is being compiled
  int met_ = 0;         // statements so far
};

}  // namespace passdiff::tir
