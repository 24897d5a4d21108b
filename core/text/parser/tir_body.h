// Statements of TensorIR: loops, blocks, stores.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/tir/prim_func.h"
#include "core/text/parser/expression_reader.h"
#include "core/text/parser/tir_buffers.h"

namespace passdiff {

// Fails with parse.*.
class TirBodyParser {
 public:
  TirBodyParser(ParseContext& context, ExpressionReader& reader, bool s_tir)
      : context_(context),
        nodes_(context.nodes),
        reader_(reader),
        exprs_(context, s_tir),
        buffers_(context, exprs_) {}

  TirExprParser& exprs() { return exprs_; }
  TirBufferParser& buffers() { return buffers_; }
  // An indented block of statements, from the colon before it.
  Result<tir::Stmt> block();

  // What the body adds to the function: T.match_buffer replaces handles by buffers.
  std::vector<tir::Param> params;
  NamedAttrs attrs;
  std::vector<tir::Buffer> root_allocations;  // of the block around all

 private:
  // A block while its statements are read.
  struct Frame {
    tir::SBlock block;
    std::vector<tir::Expr> iter_values;
    tir::Expr predicate;
    bool has_reads = false;
    bool has_writes = false;
  };
  using Stmts = std::vector<tir::Stmt>;

  // Up to the end of the enclosing block.
  Result<tir::Stmt> rest();
  std::optional<Error> statement(Stmts& into);
  std::optional<Error> compound_statement(Stmts& into);
  std::optional<Error> simple_statement(Stmts& into);
  std::optional<Error> for_loop(Stmts& into);
  Result<std::vector<tir::For>> loops(NodeIndex iterable);
  Result<tir::For> loop(NodeIndex call, tir::ForKind kind);
  std::optional<Error> loop_keyword(NodeIndex argument, tir::For& loop);
  std::optional<Error> while_loop(Stmts& into);
  std::optional<Error> branches(Stmts& into);
  std::optional<Error> with(Stmts& into);
  std::optional<Error> sblock(NodeIndex call, Stmts& into);
  std::optional<Error> assertion(Stmts& into);

  std::optional<Error> assignment(NodeIndex target, NodeIndex annotation, NodeIndex value, Stmts& into);
  std::optional<Error> annotated(NodeIndex target, NodeIndex annotation, NodeIndex value, Stmts& into);
  std::optional<Error> store(NodeIndex target, NodeIndex value, Stmts& into);
  std::optional<Error> bind(NodeIndex target, const std::optional<tir::ScalarType>& type, NodeIndex value,
                            Stmts& into);
  std::optional<Error> axis(NodeIndex target, NodeIndex call, std::string_view kind);
  std::optional<Error> remap(NodeIndex target, NodeIndex call);
  std::optional<Error> add_axis(NodeIndex name, tir::IterKind kind, tir::Range domain, tir::Expr value);
  bool are_slices(NodeIndex items) const;
  Result<bool> buffer_assignment(std::string_view name, NodeIndex call, Stmts& into);
  std::optional<Error> match_buffer(std::string_view name, NodeIndex call);
  Result<bool> declaration(NodeIndex target, NodeIndex value);
  std::optional<Error> expression(NodeIndex node, Stmts& into);
  Result<bool> block_statement(NodeIndex node, std::string_view name);
  Result<bool> frame_statement(NodeIndex node, std::string_view name, std::string_view as, bool indented,
                               Stmts& into);
  Result<tir::AttrStmt> attr(NodeIndex call);
  Result<tir::AttrStmt> launch_thread(NodeIndex call, std::string_view as);
  std::optional<Error> wrap(std::vector<tir::AttrStmt> frames, bool indented, Stmts& into);
  Result<tir::Stmt> vstore(NodeIndex call);
  void define(const tir::Buffer& buffer) { context_.names.set(buffer->name, buffer); }

  ParseContext& context_;
  Nodes& nodes_;
  ExpressionReader& reader_;
  TirExprParser exprs_;
  TirBufferParser buffers_;
  Frame* frame_ = nullptr;                                // of the innermost block
  std::map<const SymVarNode*, tir::Range> domains_;       // of the loops around
  std::map<const SymVarNode*, std::string> thread_tags_;  // of T.env_thread
  int depth_ = 0;
};

// One statement for several; those in sequences among them stand in it directly.
tir::Stmt make_sequence(std::vector<tir::Stmt> stmts);

}  // namespace passdiff
