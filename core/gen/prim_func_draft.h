// A function of TensorIR that is drawn: a loop nest with blocks for each stage, tiles that do not divide, guards, unused margins, updates in
// place, branches around blocks, loops that do not start at 0, integer arithmetic that simplifiers must get right.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/choices/choices.h"
#include "core/ir/module.h"

namespace passdiff::tir {

// One generated function: x to y.
class PrimFuncDraft {
 public:
  // `shape` is that of x: its dims are integers or variables, whose values in this test case are `sizes`.
  PrimFuncDraft(Choices& choices, DType dtype, const Shape& shape, const std::vector<std::int64_t>& sizes);

  PrimFuncPtr make();
  Shape result_shape() const;

 private:
  // The size of an axis: an integer, or a variable that an argument's shape binds, with its value in this test case.
  struct Extent {
    Expr expr;
    std::int64_t value = 0;
    Dim dim;  // what the caller's types have for it

    bool is_static() const { return as<IntImm>(expr) != nullptr; }
  };
  using Extents = std::vector<Extent>;
  static Expr plus(const Extent& extent, std::int64_t offset);
  // What is left unused of a stage before and after the elements in use, by axis.
  struct Margin {
    std::int64_t before = 0;
    std::int64_t after = 0;
  };
  Buffer buffer(std::string name, const Extents& in_use, const std::vector<Margin>& margins = {});
  Buffer stage();
  // The sizes of what is in use of the buffer.
  const Extents& extents_of(const Buffer& buffer) const { return extents_.at(buffer.get()); }
  std::vector<Expr> place(const Buffer& buffer, std::vector<Expr> indices) const;
  Expr load(const Buffer& buffer, std::vector<Expr> indices) const;
  Expr index_expr(const std::vector<Expr>& vars, int depth);
  Expr strided(const Expr& var);
  Expr quotient(const std::vector<Expr>& vars, int depth);
  Expr within(Expr index, const Extent& extent);
  Expr condition(const std::vector<Expr>& vars);
  Expr value(const Buffer& x, const std::vector<Expr>& vars);
  Expr guarded(const Buffer& x, const std::vector<Expr>& vars);
  Expr changed(Expr value, const std::vector<Expr>& vars);
  BufferRegion whole(const Buffer& buffer) const;
  BufferRegion point(const Buffer& buffer, const std::vector<Expr>& at) const;
  Stmt elementwise(const Buffer& x, const Buffer& y);
  Stmt running(const Buffer& y);
  Stmt reduction(const Buffer& x, const Buffer& y);
  Stmt block(std::string name, std::vector<IterVar> iters, std::vector<Expr> values, Expr predicate, const Buffer& read,
                  const Buffer& written, const std::vector<Expr>& at, Stmt init, Stmt body, std::vector<MatchBuffer> views = {});
  // A loop nest over the extents, some of whose loops are split: the indices that it gives, and the predicate of the split.
  struct Loops {
    std::vector<Expr> indices;
    Expr predicate;
    std::vector<For> loops;
  };
  Stmt elementwise_block(const Buffer& x, const Buffer& y, const Loops& loops);
  Loops draw_loops(const Extents& extents, bool concurrent);
  Stmt nest(Loops loops, Stmt body);
  void annotate(For& loop, bool concurrent);
  MatchBuffer element_view(const Buffer& buffer, const std::vector<Expr>& at);
  ForKind draw_kind(bool concurrent);
  std::string fresh(std::string_view base) { return std::string(base) + std::to_string(names_++); }

  Choices& choices_;
  ScalarType type_;
  Extents shape_;
  Extents result_shape_;
  std::vector<Expr> sizes_;  // the variables among the extents
  std::vector<Buffer> stages_;
  std::unordered_map<const BufferNode*, Extents> extents_;  // of what is in use
  std::unordered_map<const BufferNode*, std::vector<Margin>> margins_;
  int names_ = 0;
  bool has_virtual_threads_ = false;
};

}  // namespace passdiff::tir
