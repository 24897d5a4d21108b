// Expressions of TensorIR: T.exp(A[i] + T.float32(1)).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ir/tir/stmt.h"
#include "core/text/parser/context.h"

namespace passdiff {

class TirExprParser {
 public:
  // Without blocks (`s_tir`), a buffer of one element stands for the element.
  TirExprParser(ParseContext& context, bool s_tir)
      : context_(context), nodes_(context.nodes), s_tir_(s_tir) {}

  // Fails with parse.*.
  Result<tir::Expr> expr(NodeIndex node);
  // The value as one of the type: digits take it, others are cast.
  Result<tir::Expr> expr_of(NodeIndex node, const tir::ScalarType& type);
  Result<std::vector<tir::Expr>> exprs(NodeIndex sequence);
  // The buffer that A, A.buffer, or a field of it names; null for anything else.
  tir::Buffer buffer(NodeIndex node) const;
  Result<tir::BufferRegion> region(NodeIndex node);
  // Of the part of a slice, of T.axis.spatial or of range(...) between two nodes.
  Result<tir::Range> range(NodeIndex start, NodeIndex stop);
  // The indices of A[i, 0:4]; slices are vectors.
  Result<std::vector<tir::Expr>> indices(NodeIndex subscript);
  // "float32", T.float32, T.handle("float32").ty. Fails with parse.dtype.
  Result<tir::ScalarType> type(NodeIndex node) const;
  // The value cast to the type, folded if it is a number.
  static tir::Expr cast(tir::Expr value, const tir::ScalarType& type);
  bool is_scalar(const tir::Buffer& buffer) const;

 private:
  // What Python has no type for: bare digits take that of the other operand.
  struct Operand {
    tir::Expr expr;
    bool bare = false;
  };
  Result<Operand> operand(NodeIndex node);
  Result<Operand> name(NodeIndex node);
  Result<Operand> unary(NodeIndex node);
  Result<Operand> attribute(NodeIndex node);
  Result<Operand> subscript(NodeIndex node);
  Result<tir::Expr> metadata_string(NodeIndex node);
  Result<Operand> operation(NodeIndex node);
  Result<tir::Expr> binary(NodeIndex node, tir::BinaryOp op, Operand lhs, Operand rhs);
  Result<tir::Expr> bitwise(NodeIndex node, std::string_view intrinsic, Operand lhs, Operand rhs);
  Result<std::pair<tir::Expr, tir::Expr>> matched(NodeIndex node, Operand lhs, Operand rhs);
  Result<Operand> call(NodeIndex node);
  Result<Operand> named_call(NodeIndex node, std::string_view name);
  Result<std::optional<tir::Expr>> structural_call(NodeIndex node, std::string_view name);
  Result<std::optional<tir::Expr>> two_operand_call(NodeIndex node, std::string_view name);
  Result<std::optional<tir::Expr>> vector_call(NodeIndex node, std::string_view name);
  Result<tir::Expr> number(NodeIndex node, const tir::ScalarType& type);
  Result<tir::Expr> intrinsic(NodeIndex node, std::string_view name);
  Result<tir::Expr> explicit_call(NodeIndex node);
  Result<tir::Expr> function_call(NodeIndex node, std::string_view name);
  Result<tir::Expr> let(NodeIndex node);
  Result<tir::Expr> vload(NodeIndex node);
  Result<Operand> method(NodeIndex node);
  Result<int> lanes(NodeIndex node);
  tir::Expr load(const tir::Buffer& buffer, std::vector<tir::Expr> indices,
                 tir::Expr predicate = nullptr) const;
  static Operand retyped(Operand operand, const tir::ScalarType& type);

  ParseContext& context_;
  Nodes& nodes_;
  bool s_tir_;
};

}  // namespace passdiff
