// Statements of TensorIR as text.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/text/tir_printer.h"

namespace passdiff::tir {

// Whether a block is always run: its predicate is the literal True.
inline bool is_true(const Expr& predicate) {
  return is_int(predicate, 1) && predicate->type == number_type(DType::boolean);
}

// Appends the statements of one function to a text.
class StmtPrinter {
 public:
  StmtPrinter(std::string& out, ExprPrinter& exprs) : out_(out), exprs_(exprs) {}

  void line(int indent, std::string_view text);
  void stmt(const Stmt& stmt, int indent);
  // The body of the function. Buffers that nothing declares are declared before the first statement of the body that uses them.
  void body(const Stmt& body, int indent);
  void allocation(const Buffer& buffer, int indent);
  // Variables of threads that more than one T.launch_thread names are declared before the body.
  void declare_threads(const Stmt& body, int indent);
  // Says that the next statement, each before those inside of it, begins at the end of the text.
  void note_start() { starts_.push_back(out_.size()); }
  // Inserts lines before all statements but the first `kept` ones.
  void insert(std::size_t at, const std::string& lines, std::size_t kept);
  // Where in the text each statement begins.
  const std::vector<std::size_t>& starts() const { return starts_; }

 private:
  void stmt(const For& loop, int indent);
  void stmt(const While& loop, int indent);
  void stmt(const Seq& seq, int indent);
  void stmt(const IfThenElse& branches, int indent);
  void stmt(const Evaluate& evaluate, int indent);
  void stmt(const Bind& bind, int indent);
  void stmt(const BufferStore& store, int indent);
  void stmt(const AllocBuffer& alloc, int indent);
  void stmt(const DeclBuffer& declared, int indent);
  void stmt(const AttrStmt& attr, int indent);
  void stmt(const AssertStmt& assertion, int indent);
  void stmt(const Return& result, int indent) { line(indent, "return " + exprs_.expr(result.value)); }
  void stmt(const Break&, int indent) { line(indent, "break"); }
  void stmt(const Continue&, int indent) { line(indent, "continue"); }
  void stmt(const SBlockRealize& realize, int indent);

  void grid(const std::vector<const For*>& loops, int indent);
  void loop_body(const std::vector<const For*>& loops, int indent);
  std::string loop_range(const For& loop);
  void axes(const SBlockRealize& realize, int indent);
  void axis(const IterVar& iter, const Expr& value, int indent);
  void remap(const SBlockRealize& realize, std::size_t first, std::size_t last, int indent);
  bool is_remapped(const IterVar& iter, const Expr& value) const;
  std::string attr_node(const AttrStmt& attr);
  void count_threads(const Stmt& stmt, std::map<const SymVarNode*, int>& uses,
                     std::vector<const AttrStmt*>& order);

  std::string& out_;
  ExprPrinter& exprs_;
  std::unordered_map<const SymVarNode*, const For*> loops_;  // around the statement being printed
  std::unordered_set<const SymVarNode*> threads_;            // declared before the body
  std::vector<std::size_t> starts_;
};

}  // namespace passdiff::tir
