// Idioms of TensorIR: calls of functions that are generated here, as loop nests with blocks, so that passes over TensorIR see more
// than what LegalizeOps makes: tiles that do not divide, guards, several stages with unused margins, updates in place, branches around
// blocks, loops that do not start at 0, integer arithmetic that simplifiers must get right.
#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "core/eval/interpret.h"
#include "core/form/builder.h"
#include "core/gen/graph_builder.h"
#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"
#include "core/gen/magnitude.h"
#include "core/ops/op.h"

namespace passdiff {
namespace {

using tir::BinaryOp;
using tir::Buffer;
using tir::Expr;
using tir::ScalarType;
using tir::Stmt;

const ScalarType kIndex = tir::number_type(DType::int64);
const ScalarType kBool = tir::number_type(DType::boolean);

Expr binary(BinaryOp op, Expr lhs, Expr rhs) {
  const ScalarType type = tir::is_comparison(op) || tir::is_logical(op) ? kBool : lhs->type;
  return make_expr(tir::Binary{op, std::move(lhs), std::move(rhs)}, type);
}
// The literal; of unsigned types its magnitude, since these have no negative ones.
Expr number(std::int64_t value, const ScalarType& type = kIndex) {
  if (is_unsigned_int(type.dtype)) value = std::abs(value);
  if (is_float(type.dtype)) return make_expr(tir::FloatImm{static_cast<double>(value)}, type);
  return make_expr(tir::IntImm{value}, type);
}
Expr cast(Expr value, const ScalarType& type) {
  return value->type == type ? value : make_expr(tir::Cast{std::move(value)}, type);
}

// The size of an axis: an integer, or a variable that an argument's shape binds, with its value in this test case.
struct Extent {
  Expr expr;
  std::int64_t value = 0;
  Dim dim;  // what the caller's types have for it

  bool is_static() const { return tir::as<tir::IntImm>(expr) != nullptr; }
};
using Extents = std::vector<Extent>;

Expr plus(const Extent& extent, std::int64_t offset) {
  if (extent.is_static()) return number(extent.value + offset);
  if (offset == 0) return extent.expr;
  return binary(offset < 0 ? BinaryOp::subtract : BinaryOp::add, extent.expr, number(std::abs(offset)));
}

// One generated function: x to y.
class PrimFuncDraft {
 public:
  // `shape` is that of x: its dims are integers or variables, whose values in this test case are `sizes`.
  PrimFuncDraft(Choices& choices, DType dtype, const Shape& shape, const std::vector<std::int64_t>& sizes);

  tir::PrimFuncPtr make();
  Shape result_shape() const;

 private:
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
  tir::BufferRegion whole(const Buffer& buffer) const;
  tir::BufferRegion point(const Buffer& buffer, const std::vector<Expr>& at) const;
  Stmt elementwise(const Buffer& x, const Buffer& y);
  Stmt running(const Buffer& y);
  Stmt reduction(const Buffer& x, const Buffer& y);
  Stmt block(std::string name, std::vector<tir::IterVar> iters, std::vector<Expr> values, Expr predicate, const Buffer& read,
             const Buffer& written, const std::vector<Expr>& at, Stmt init, Stmt body, std::vector<tir::MatchBuffer> views = {});
  // A loop nest over the extents, some of whose loops are split: the indices that it gives, and the predicate of the split.
  struct Loops {
    std::vector<Expr> indices;
    Expr predicate;
    std::vector<tir::For> loops;
  };
  Stmt elementwise_block(const Buffer& x, const Buffer& y, const Loops& loops);
  Loops draw_loops(const Extents& extents, bool concurrent);
  Stmt nest(Loops loops, Stmt body);
  void annotate(tir::For& loop, bool concurrent);
  tir::MatchBuffer element_view(const Buffer& buffer, const std::vector<Expr>& at);
  tir::ForKind draw_kind(bool concurrent);
  std::string fresh(std::string_view base) { return std::string(base) + std::to_string(names_++); }

  Choices& choices_;
  ScalarType type_;
  Extents shape_;
  Extents result_shape_;
  std::vector<Expr> sizes_;  // the variables among the extents
  std::vector<Buffer> stages_;
  std::unordered_map<const tir::BufferNode*, Extents> extents_;  // of what is in use
  std::unordered_map<const tir::BufferNode*, std::vector<Margin>> margins_;
  int names_ = 0;
  bool has_virtual_threads_ = false;
};

PrimFuncDraft::PrimFuncDraft(Choices& choices, DType dtype, const Shape& shape, const std::vector<std::int64_t>& sizes)
    : choices_(choices), type_(tir::number_type(dtype)) {
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const Dim& dim = shape[axis];
    const auto known = std::find_if(shape_.begin(), shape_.end(), [&](const Extent& extent) { return proven_equal(extent.dim, dim); });
    if (known != shape_.end()) {
      shape_.push_back(*known);
    } else if (dim.is_static()) {
      shape_.push_back({number(dim.value()), sizes[axis], dim});
    } else {
      sizes_.push_back(tir::var_expr(tir::make_var(fresh("n"), kIndex)));
      shape_.push_back({sizes_.back(), sizes[axis], dim});
    }
  }
}

Shape PrimFuncDraft::result_shape() const {
  Shape shape;
  for (const Extent& extent : result_shape_) shape.push_back(extent.dim);
  return shape;
}

Buffer PrimFuncDraft::buffer(std::string name, const Extents& in_use, const std::vector<Margin>& margins) {
  tir::BufferNode node{.name = std::move(name), .dtype = type_, .shape = {}, .strides = {}};
  for (std::size_t axis = 0; axis < in_use.size(); ++axis) {
    node.shape.push_back(plus(in_use[axis], margins.empty() ? 0 : margins[axis].before + margins[axis].after));
  }
  auto made = std::make_shared<const tir::BufferNode>(std::move(node));
  extents_[made.get()] = in_use;
  return made;
}

// Memory for elements as x has them.
Buffer PrimFuncDraft::stage() {
  std::vector<Margin> margins(shape_.size());
  if (choices_.one_in(3)) {
    for (Margin& margin : margins) margin = {choices_.integer(0, 2), choices_.integer(0, 2)};
  }
  stages_.push_back(buffer(fresh("stage"), shape_, margins));
  margins_[stages_.back().get()] = std::move(margins);
  return stages_.back();
}

// The indices in the buffer of an element of what is in use.
std::vector<Expr> PrimFuncDraft::place(const Buffer& buffer, std::vector<Expr> indices) const {
  const auto margins = margins_.find(buffer.get());
  if (margins == margins_.end()) return indices;
  for (std::size_t axis = 0; axis < indices.size(); ++axis) {
    const std::int64_t before = margins->second[axis].before;
    if (before > 0) indices[axis] = binary(BinaryOp::add, indices[axis], number(before));
  }
  return indices;
}

Expr PrimFuncDraft::load(const Buffer& buffer, std::vector<Expr> indices) const {
  return make_expr(tir::BufferLoad{buffer, place(buffer, std::move(indices)), nullptr}, buffer->dtype);
}

// Integer arithmetic over the variables, negative numbers among its values: divisions round towards minus infinity or towards zero.
Expr PrimFuncDraft::index_expr(const std::vector<Expr>& vars, int depth) {
  if (depth == 0 || choices_.one_in(3)) {
    if (!sizes_.empty() && choices_.one_in(6)) return choices_.pick(sizes_);
    if (vars.empty() || choices_.one_in(4)) return number(choices_.integer(0, 12) - 6);
    return choices_.pick(vars);
  }
  if (choices_.one_in(8)) return quotient(vars, depth - 1);
  constexpr BinaryOp kOps[] = {BinaryOp::add,       BinaryOp::subtract, BinaryOp::multiply, BinaryOp::floor_divide,
                               BinaryOp::floor_mod, BinaryOp::minimum,  BinaryOp::maximum,  BinaryOp::divide,
                               BinaryOp::modulo};
  const BinaryOp op = choices_.pick(kOps);
  Expr lhs = index_expr(vars, depth - 1);
  const bool divides = op == BinaryOp::floor_divide || op == BinaryOp::floor_mod || op == BinaryOp::divide || op == BinaryOp::modulo;
  if (divides) return binary(op, std::move(lhs), number(choices_.integer(1, 6)));
  return binary(op, std::move(lhs), index_expr(vars, depth - 1));
}

// A multiple of a number plus an offset, which may be no remainder, by that number.
Expr PrimFuncDraft::quotient(const std::vector<Expr>& vars, int depth) {
  const std::int64_t divisor = choices_.integer(1, 4);
  const Expr multiple = binary(BinaryOp::multiply, index_expr(vars, depth), number(divisor));
  const Expr sum = binary(BinaryOp::add, multiple, number(choices_.integer(0, 3 * divisor) - divisor));
  return binary(choices_.flip() ? BinaryOp::floor_divide : BinaryOp::floor_mod, sum, number(divisor));
}

// Every so many elements, backwards if the stride is negative.
Expr PrimFuncDraft::strided(const Expr& var) {
  constexpr std::int64_t kStrides[] = {2, 3, -1, -2};
  const std::int64_t stride = choices_.pick(kStrides);
  return binary(BinaryOp::add, binary(BinaryOp::multiply, var, number(stride)), number(choices_.integer(0, 3)));
}

// The index, brought into [0, extent).
Expr PrimFuncDraft::within(Expr index, const Extent& extent) {
  if (choices_.flip()) return binary(BinaryOp::floor_mod, std::move(index), extent.expr);
  return binary(BinaryOp::maximum, binary(BinaryOp::minimum, std::move(index), plus(extent, -1)), number(0));
}

Expr PrimFuncDraft::condition(const std::vector<Expr>& vars) {
  constexpr BinaryOp kTests[] = {BinaryOp::less, BinaryOp::less_equal, BinaryOp::equal, BinaryOp::not_equal, BinaryOp::greater};
  return binary(choices_.pick(kTests), index_expr(vars, 2), index_expr(vars, 1));
}

// An element of a neighbour, where there is one.
Expr PrimFuncDraft::guarded(const Buffer& x, const std::vector<Expr>& vars) {
  const std::size_t axis = choices_.index(vars.size());
  const std::int64_t distance = choices_.integer(1, 2);
  std::vector<Expr> at = vars;
  Expr inside;
  if (choices_.flip()) {
    inside = binary(BinaryOp::less_equal, number(distance), vars[axis]);
    at[axis] = binary(BinaryOp::subtract, vars[axis], number(distance));
  } else {
    inside = binary(BinaryOp::less, binary(BinaryOp::add, vars[axis], number(distance)), extents_of(x)[axis].expr);
    at[axis] = binary(BinaryOp::add, vars[axis], number(distance));
  }
  return make_expr(tir::Call{"if_then_else", {std::move(inside), load(x, std::move(at)), number(choices_.integer(0, 2), type_)}},
                   type_);
}

Expr PrimFuncDraft::changed(Expr value, const std::vector<Expr>& vars) {
  switch (choices_.index(5)) {
    case 0:
      return value;
    case 1:
      return binary(BinaryOp::add, std::move(value), number(choices_.integer(1, 3), type_));
    case 2:
      return binary(BinaryOp::maximum, std::move(value), number(choices_.integer(0, 4) - 2, type_));
    case 3:
      return make_expr(tir::Select{condition(vars), value, binary(BinaryOp::add, value, number(1, type_))}, type_);
    default:
      return binary(BinaryOp::add, std::move(value), cast(index_expr(vars, 3), type_));
  }
}

Expr PrimFuncDraft::value(const Buffer& x, const std::vector<Expr>& vars) {
  const std::size_t rank = x->shape.size();
  if (rank == vars.size() && rank > 0 && choices_.one_in(3)) return changed(guarded(x, vars), vars);
  std::vector<Expr> at = vars;
  at.resize(rank, number(0));
  const Extents& extents = extents_of(x);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (axis < vars.size() && !choices_.one_in(4)) continue;
    Expr index = choices_.one_in(3) && axis < vars.size() ? strided(vars[axis]) : index_expr(vars, 3);
    at[axis] = within(std::move(index), extents[axis]);
  }
  return changed(load(x, std::move(at)), vars);
}

tir::BufferRegion PrimFuncDraft::whole(const Buffer& buffer) const {
  tir::BufferRegion region{buffer, {}};
  for (const Expr& size : buffer->shape) region.region.push_back({number(0), size});
  return region;
}
tir::BufferRegion PrimFuncDraft::point(const Buffer& buffer, const std::vector<Expr>& at) const {
  tir::BufferRegion region{buffer, {}};
  for (const Expr& index : place(buffer, at)) region.region.push_back({index, number(1)});
  return region;
}

tir::ForKind PrimFuncDraft::draw_kind(bool concurrent) {
  if (!choices_.one_in(3)) return tir::ForKind::serial;
  constexpr tir::ForKind kKinds[] = {tir::ForKind::unrolled, tir::ForKind::parallel, tir::ForKind::vectorized};
  return kKinds[choices_.index(concurrent ? 3 : 1)];
}

// What schedules ask passes to make of a loop: parts with conditions of their own, or virtual threads.
void PrimFuncDraft::annotate(tir::For& loop, bool concurrent) {
  const bool is_static = tir::as<tir::IntImm>(loop.extent) != nullptr;
  if (choices_.one_in(6)) {
    loop.annotations = {{"pragma_loop_partition_hint", std::int64_t{1}}};
  } else if (concurrent && is_static && !has_virtual_threads_ && choices_.one_in(6)) {
    loop.kind = tir::ForKind::thread_binding;
    loop.thread_tag = "vthread.x";
    has_virtual_threads_ = true;
  }
}

// A view of one element, as code for tensor instructions has them.
tir::MatchBuffer PrimFuncDraft::element_view(const Buffer& buffer, const std::vector<Expr>& at) {
  tir::BufferNode node{.name = fresh("view"), .dtype = type_, .shape = {}, .strides = {}};
  node.shape.assign(at.size(), number(1));
  node.elem_offset = tir::var_expr(tir::make_var(fresh("offset"), kIndex));
  node.offset_factor = 1;
  return {std::make_shared<const tir::BufferNode>(std::move(node)), point(buffer, at)};
}

PrimFuncDraft::Loops PrimFuncDraft::draw_loops(const Extents& extents, bool concurrent) {
  Loops result;
  const auto add_loop = [&](Expr extent, tir::ForKind kind, std::int64_t start) {
    const tir::Var var = tir::make_var(fresh("i"), kIndex);
    result.loops.push_back(tir::For{.var = var, .min = number(start), .extent = std::move(extent), .step = nullptr, .kind = kind});
    if (kind == tir::ForKind::serial && start == 0) annotate(result.loops.back(), concurrent);
    const Expr value = tir::var_expr(var);
    return start == 0 ? value : binary(BinaryOp::subtract, value, number(start));
  };
  for (const Extent& extent : extents) {
    // Vector loops must be innermost, and of more than one iteration; these and unrolled ones have as many as are written down.
    if (!choices_.one_in(3)) {
      tir::ForKind kind = draw_kind(concurrent);
      const bool is_free = kind == tir::ForKind::parallel || (kind == tir::ForKind::unrolled && extent.is_static());
      if (!is_free) kind = tir::ForKind::serial;
      result.indices.push_back(add_loop(extent.expr, kind, choices_.one_in(4) ? choices_.integer(1, 3) : 0));
      continue;
    }
    const std::int64_t tile = choices_.integer(1, 4);
    const Expr tiles = extent.is_static() ? number((extent.value + tile - 1) / tile)
                                          : binary(BinaryOp::floor_divide, plus(extent, tile - 1), number(tile));
    const Expr outer = add_loop(tiles, tir::ForKind::serial, 0);
    const Expr inner = add_loop(number(tile), tir::ForKind::serial, 0);
    const Expr index = binary(BinaryOp::add, binary(BinaryOp::multiply, outer, number(tile)), inner);
    result.indices.push_back(index);
    if (extent.is_static() && extent.value % tile == 0 && !choices_.one_in(4)) continue;
    const Expr inside = binary(BinaryOp::less, index, extent.expr);
    result.predicate = result.predicate == nullptr ? inside : binary(BinaryOp::logical_and, result.predicate, inside);
  }
  if (!result.loops.empty() && concurrent && choices_.one_in(4)) {
    tir::For& innermost = result.loops.back();
    const bool is_plain = innermost.annotations.empty() && innermost.thread_tag.empty();
    if (is_plain && tir::as<tir::IntImm>(innermost.extent) != nullptr) innermost.kind = tir::ForKind::vectorized;
  }
  return result;
}

Stmt PrimFuncDraft::nest(Loops loops, Stmt body) {
  for (auto loop = loops.loops.rbegin(); loop != loops.loops.rend(); ++loop) {
    loop->body = std::move(body);
    body = make_stmt(std::move(*loop));
  }
  return body;
}

Stmt PrimFuncDraft::block(std::string name, std::vector<tir::IterVar> iters, std::vector<Expr> values, Expr predicate,
                          const Buffer& read, const Buffer& written, const std::vector<Expr>& at, Stmt init, Stmt body,
                          std::vector<tir::MatchBuffer> views) {
  tir::SBlock made{.name = std::move(name), .iter_vars = std::move(iters)};
  made.match_buffers = std::move(views);
  made.reads = {whole(read)};
  made.writes = {point(written, at)};
  made.init = std::move(init);
  made.body = std::move(body);
  if (predicate == nullptr) predicate = number(1, kBool);
  return make_stmt(tir::SBlockRealize{std::move(values), std::move(predicate), std::move(made)});
}

Stmt PrimFuncDraft::elementwise_block(const Buffer& x, const Buffer& y, const Loops& loops) {
  std::vector<tir::IterVar> iters;
  std::vector<Expr> vars;
  for (const Extent& extent : extents_of(y)) {
    iters.push_back({tir::make_var(fresh("v"), kIndex), {number(0), extent.expr}, tir::IterKind::spatial});
    vars.push_back(tir::var_expr(iters.back().var));
  }
  const auto store = [&] { return make_stmt(tir::BufferStore{y, value(x, vars), place(y, vars), nullptr}); };
  if (!vars.empty() && choices_.one_in(6)) {
    tir::MatchBuffer view = element_view(y, vars);
    Stmt store_there = make_stmt(tir::BufferStore{view.buffer, value(x, vars), std::vector<Expr>(vars.size(), number(0)), nullptr});
    return block(fresh("b"), std::move(iters), loops.indices, loops.predicate, x, y, vars, nullptr, std::move(store_there), {std::move(view)});
  }
  Stmt body = store();
  if (!vars.empty() && choices_.one_in(4)) body = make_stmt(tir::IfThenElse{condition(vars), std::move(body), store()});
  return block(fresh("b"), std::move(iters), loops.indices, loops.predicate, x, y, vars, nullptr, std::move(body));
}

// y[i, ...] = something of x. There may be two blocks for it: a condition on some of the loops' variables chooses one.
Stmt PrimFuncDraft::elementwise(const Buffer& x, const Buffer& y) {
  Loops loops = draw_loops(extents_of(y), true);
  Stmt made = elementwise_block(x, y, loops);
  if (!loops.loops.empty() && choices_.one_in(4)) {
    std::vector<Expr> outer;
    const auto count = static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(loops.loops.size())));
    for (std::size_t i = 0; i < count; ++i) outer.push_back(tir::var_expr(loops.loops[i].var));
    made = make_stmt(tir::IfThenElse{condition(outer), std::move(made), elementwise_block(x, y, loops)});
  }
  return nest(std::move(loops), std::move(made));
}

// y[..., i] = y[..., i] op y[..., i - d], in place: what one iteration writes another one reads.
Stmt PrimFuncDraft::running(const Buffer& y) {
  const Extents& extents = extents_of(y);
  const std::int64_t distance = choices_.integer(1, std::min<std::int64_t>(2, extents.back().value - 1));
  std::vector<tir::IterVar> iters;
  std::vector<Expr> vars, values;
  Loops loops;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const std::int64_t start = axis + 1 == extents.size() ? distance : 0;
    const tir::Var var = tir::make_var(fresh("i"), kIndex);
    const tir::ForKind kind = extents[axis].is_static() ? draw_kind(false) : tir::ForKind::serial;
    loops.loops.push_back({.var = var, .min = number(start), .extent = plus(extents[axis], -start), .kind = kind});
    iters.push_back({tir::make_var(fresh("v"), kIndex), {number(0), extents[axis].expr}, tir::IterKind::opaque});
    values.push_back(tir::var_expr(var));
    vars.push_back(tir::var_expr(iters.back().var));
  }
  std::vector<Expr> before = vars;
  before.back() = binary(BinaryOp::subtract, before.back(), number(distance));
  constexpr BinaryOp kOps[] = {BinaryOp::add, BinaryOp::subtract, BinaryOp::maximum};
  Expr next = binary(choices_.pick(kOps), load(y, vars), load(y, std::move(before)));
  Stmt body = make_stmt(tir::BufferStore{y, std::move(next), place(y, vars), nullptr});
  if (choices_.one_in(3)) {  // and a store of what is there
    body = make_stmt(tir::Seq{{std::move(body), make_stmt(tir::BufferStore{y, load(y, vars), place(y, vars), nullptr})}});
  }
  Stmt made = block(fresh("b"), std::move(iters), std::move(values), nullptr, y, y, vars, nullptr, std::move(body));
  return nest(std::move(loops), std::move(made));
}

// y[rest] = the sum, the least or the greatest of x over its last axis.
Stmt PrimFuncDraft::reduction(const Buffer& x, const Buffer& y) {
  const Extents& extents = extents_of(x);
  Loops loops = draw_loops(extents, false);
  std::vector<tir::IterVar> iters;
  std::vector<Expr> vars;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const tir::IterKind kind = axis + 1 == extents.size() ? tir::IterKind::reduction : tir::IterKind::spatial;
    iters.push_back({tir::make_var(fresh("v"), kIndex), {number(0), extents[axis].expr}, kind});
    vars.push_back(tir::var_expr(iters.back().var));
  }
  const std::vector<Expr> at(vars.begin(), vars.end() - 1);
  constexpr BinaryOp kOps[] = {BinaryOp::add, BinaryOp::maximum, BinaryOp::minimum};
  const BinaryOp op = choices_.pick(kOps);
  const std::int64_t start = op == BinaryOp::add ? 0 : op == BinaryOp::maximum ? -100 : 100;
  Stmt init = make_stmt(tir::BufferStore{y, number(start, type_), at, nullptr});
  Stmt body = make_stmt(tir::BufferStore{y, binary(op, load(y, at), value(x, vars)), at, nullptr});
  Stmt made = block(fresh("b"), std::move(iters), loops.indices, loops.predicate, x, y, at, std::move(init), std::move(body));
  return nest(std::move(loops), std::move(made));
}

tir::PrimFuncPtr PrimFuncDraft::make() {
  const Buffer x = buffer("x", shape_);
  result_shape_ = shape_;
  const bool reduces = !shape_.empty() && shape_.back().value > 0 && choices_.one_in(3);
  if (reduces) result_shape_.pop_back();
  std::vector<Stmt> stmts;
  Buffer from = x;
  const auto add_running = [&](const Buffer& buffer) {
    const Extents& extents = extents_of(buffer);
    if (!extents.empty() && extents.back().value > 1 && choices_.one_in(3)) stmts.push_back(running(buffer));
  };
  for (int stages = static_cast<int>(choices_.integer(0, 3)); stages > 0; --stages) {
    const Buffer next = stage();
    stmts.push_back(elementwise(from, next));
    add_running(next);
    from = next;
  }
  const Buffer y = buffer("y", result_shape_);
  stmts.push_back(reduces ? reduction(from, y) : elementwise(from, y));
  add_running(y);
  tir::SBlock root{.name = "root"};
  root.alloc_buffers = stages_;
  root.body = stmts.size() == 1 ? stmts.front() : make_stmt(tir::Seq{std::move(stmts)});
  Stmt body = make_stmt(tir::SBlockRealize{{}, number(1, kBool), std::move(root)});
  tir::PrimFunc function{.params = {x, y}, .body = std::move(body)};
  function.attrs = {{"tirx.noalias", true}, {"s_tir", true}};
  return std::make_shared<const tir::PrimFunc>(std::move(function));
}

std::string free_name(const Module& module) {
  std::string name = "loops";
  for (int i = 1; module.find(name) != nullptr || module.find_prim_func(name) != nullptr; ++i) name = "loops" + std::to_string(i);
  return name;
}

// The function applied to the value; nothing if it is undefined there.
std::optional<Value> applied(const GlobalPrimFunc& function, const ExprPtr& x, const Type& result, const Value& value) {
  Module module;
  module.prim_funcs = {function};
  const Var param = make_var("x", x->type);
  SeqBuilder body;
  Result<ExprPtr> call = make_call(*find_op("relax.call_tir"),
                                   {make_global(module, function.name), make_tuple({var_expr(param)})}, {}, {result});
  if (!call) return std::nullopt;
  const ExprPtr made = var_expr(body.emit(*call));
  module.functions.push_back({.name = "main", .function = make_function({param}, body.finish(made))});
  const Outcome outcome = interpret(module, "main", {&value, 1});
  const auto* returned = std::get_if<Returned>(&outcome);
  if (returned == nullptr || !returned->overflows.empty() || !is_moderate(returned->value)) return std::nullopt;
  return returned->value;
}

struct AppliedFunction {
  GlobalPrimFunc function;
  Type result;
  Value value;
};

// A function of x and what it returns for this value. Nothing if all of a few drafts are undefined there.
std::optional<AppliedFunction> draw_function(Choices& choices, GraphBuilder& graph, const ExprPtr& x, const Value& argument) {
  constexpr int kDrafts = 3;
  for (int i = 0; i < kDrafts; ++i) {
    PrimFuncDraft draft(choices, result_dtype(x), result_shape(x), graph.sizes(result_shape(x)));
    GlobalPrimFunc function{.name = free_name(graph.draft().module), .function = draft.make(), .is_public = false};
    const Type result = tensor_type(draft.result_shape(), result_dtype(x));
    if (std::optional<Value> value = applied(function, x, result, argument)) return AppliedFunction{function, result, *std::move(value)};
  }
  return std::nullopt;
}

// Whether loops can run over the tensor: it has elements, and each of its sizes is an integer or a variable.
bool can_be_looped_over(const GraphBuilder& graph, const ExprPtr& x) {
  if (x == nullptr || result_dtype(x) == DType::boolean || is_minifloat(result_dtype(x))) return false;
  const Shape& shape = result_shape(x);
  return std::all_of(shape.begin(), shape.end(), [&](const Dim& dim) {
    return (dim.is_static() || dim.as_var() != nullptr) && graph.size_of(dim) != 0;
  });
}

// Calls of two or three functions, one of what the other returned.
void call_functions(Choices& choices, GraphBuilder& graph, ExprPtr x) {
  if (!can_be_looped_over(graph, x)) return;
  const int chain = static_cast<int>(choices.integer(2, 3));
  for (int i = 0; i < chain && x != nullptr; ++i) {
    Provenance provenance;
    const Value argument = graph.value_of(x, provenance);
    const std::optional<AppliedFunction> made = draw_function(choices, graph, x, argument);
    if (!made) return;
    Module& module = graph.draft().module;
    module.prim_funcs.push_back(made->function);
    Result<ExprPtr> call = make_call(*find_op("relax.call_tir"), {make_global(module, made->function.name), make_tuple({x})}, {},
                                     {made->result});
    x = call.ok() ? graph.bind_known(*call, made->value, provenance) : nullptr;
  }
}

void loop_nest(Choices& choices, GraphBuilder& graph) {
  call_functions(choices, graph, graph.any_tensor(choices, 0, 3));
}

void loop_nest_of_bfloat16(Choices& choices, GraphBuilder& graph) {
  const ExprPtr like = graph.any_tensor(choices, 0, 3);
  if (like != nullptr) call_functions(choices, graph, graph.want(choices, DType::bfloat16, result_shape(like)));
}

}  // namespace

std::vector<Idiom> tensor_ir_idioms() {
  return {
      {.name = "loop-nest",
       .summary = "calls of generated functions of TensorIR: tiles, guards, stages, reductions, integer arithmetic",
       .weight = 6,
       .make = loop_nest,
       .passes = {"s_tir.StmtSimplify", "s_tir.LoopPartition", "tirx.VectorizeLoop", "tirx.UnrollLoop", "s_tir.HoistExpression",
                  "s_tir.CompactBufferAllocation", "tirx.StorageRewrite", "s_tir.CanonicalizeLoop", "s_tir.InjectVirtualThread",
                  "s_tir.LowerMatchBuffer", "tirx.RemoveNoOp"},
       .needs_tensor_ir = true},
      {.name = "loop-nest-of-bfloat16",
       .summary = "calls of generated functions of TensorIR that compute in bfloat16",
       .weight = 1,
       .make = loop_nest_of_bfloat16,
       .passes = {"tirx.BF16ComputeLegalize"},
       .needs_tensor_ir = true},
  };
}

}  // namespace passdiff
