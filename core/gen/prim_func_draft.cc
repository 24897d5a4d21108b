#include "core/gen/prim_func_draft.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "core/form/builder.h"

namespace passdiff::tir {
namespace {

const ScalarType kIndex = number_type(DType::int64);
const ScalarType kBool = number_type(DType::boolean);

// The literal; of unsigned types its magnitude, since these have no negative ones.
Expr number(std::int64_t value, const ScalarType& type = kIndex) {
  if (is_unsigned_int(type.dtype)) value = std::abs(value);
  if (is_float(type.dtype)) return make_expr(FloatImm{static_cast<double>(value)}, type);
  return make_expr(IntImm{value}, type);
}
Expr cast(Expr value, const ScalarType& type) {
  return value->type == type ? value : make_expr(Cast{std::move(value)}, type);
}

}  // namespace

Expr PrimFuncDraft::plus(const Extent& extent, std::int64_t offset) {
  if (extent.is_static()) return number(extent.value + offset);
  if (offset == 0) return extent.expr;
  return binary_expr(offset < 0 ? BinaryOp::subtract : BinaryOp::add, extent.expr, number(std::abs(offset)));
}

PrimFuncDraft::PrimFuncDraft(Choices& choices, DType dtype, const Shape& shape, const std::vector<std::int64_t>& sizes)
    : choices_(choices), type_(number_type(dtype)) {
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const Dim& dim = shape[axis];
    const auto known = std::find_if(shape_.begin(), shape_.end(), [&](const Extent& extent) { return proven_equal(extent.dim, dim); });
    if (known != shape_.end()) {
      shape_.push_back(*known);
    } else if (dim.is_static()) {
      shape_.push_back({number(dim.value()), sizes[axis], dim});
    } else {
      sizes_.push_back(var_expr(make_var(fresh("n"), kIndex)));
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
  BufferNode node{.name = std::move(name), .dtype = type_, .shape = {}, .strides = {}};
  for (std::size_t axis = 0; axis < in_use.size(); ++axis) {
    node.shape.push_back(plus(in_use[axis], margins.empty() ? 0 : margins[axis].before + margins[axis].after));
  }
  auto made = std::make_shared<const BufferNode>(std::move(node));
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
    if (before > 0) indices[axis] = binary_expr(BinaryOp::add, indices[axis], number(before));
  }
  return indices;
}

Expr PrimFuncDraft::load(const Buffer& buffer, std::vector<Expr> indices) const {
  return make_expr(BufferLoad{buffer, place(buffer, std::move(indices)), nullptr}, buffer->dtype);
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
  if (divides) return binary_expr(op, std::move(lhs), number(choices_.integer(1, 6)));
  return binary_expr(op, std::move(lhs), index_expr(vars, depth - 1));
}

// A multiple of a number plus an offset, which may be no remainder, by that number.
Expr PrimFuncDraft::quotient(const std::vector<Expr>& vars, int depth) {
  const std::int64_t divisor = choices_.integer(1, 4);
  const Expr multiple = binary_expr(BinaryOp::multiply, index_expr(vars, depth), number(divisor));
  const Expr sum = binary_expr(BinaryOp::add, multiple, number(choices_.integer(0, 3 * divisor) - divisor));
  return binary_expr(choices_.flip() ? BinaryOp::floor_divide : BinaryOp::floor_mod, sum, number(divisor));
}

// Every so many elements, backwards if the stride is negative.
Expr PrimFuncDraft::strided(const Expr& var) {
  constexpr std::int64_t kStrides[] = {2, 3, -1, -2};
  const std::int64_t stride = choices_.pick(kStrides);
  return binary_expr(BinaryOp::add, binary_expr(BinaryOp::multiply, var, number(stride)), number(choices_.integer(0, 3)));
}

// The index, brought into [0, extent).
Expr PrimFuncDraft::within(Expr index, const Extent& extent) {
  if (choices_.flip()) return binary_expr(BinaryOp::floor_mod, std::move(index), extent.expr);
  return binary_expr(BinaryOp::maximum, binary_expr(BinaryOp::minimum, std::move(index), plus(extent, -1)), number(0));
}

Expr PrimFuncDraft::condition(const std::vector<Expr>& vars) {
  constexpr BinaryOp kTests[] = {BinaryOp::less, BinaryOp::less_equal, BinaryOp::equal, BinaryOp::not_equal, BinaryOp::greater};
  return binary_expr(choices_.pick(kTests), index_expr(vars, 2), index_expr(vars, 1));
}

// An element of a neighbour, where there is one.
Expr PrimFuncDraft::guarded(const Buffer& x, const std::vector<Expr>& vars) {
  const std::size_t axis = choices_.index(vars.size());
  const std::int64_t distance = choices_.integer(1, 2);
  std::vector<Expr> at = vars;
  Expr inside;
  if (choices_.flip()) {
    inside = binary_expr(BinaryOp::less_equal, number(distance), vars[axis]);
    at[axis] = binary_expr(BinaryOp::subtract, vars[axis], number(distance));
  } else {
    inside = binary_expr(BinaryOp::less, binary_expr(BinaryOp::add, vars[axis], number(distance)), extents_of(x)[axis].expr);
    at[axis] = binary_expr(BinaryOp::add, vars[axis], number(distance));
  }
  return make_expr(Call{"if_then_else", {std::move(inside), load(x, std::move(at)), number(choices_.integer(0, 2), type_)}},
                   type_);
}

Expr PrimFuncDraft::changed(Expr value, const std::vector<Expr>& vars) {
  switch (choices_.index(5)) {
    case 0:
      return value;
    case 1:
      return binary_expr(BinaryOp::add, std::move(value), number(choices_.integer(1, 3), type_));
    case 2:
      return binary_expr(BinaryOp::maximum, std::move(value), number(choices_.integer(0, 4) - 2, type_));
    case 3:
      return make_expr(Select{condition(vars), value, binary_expr(BinaryOp::add, value, number(1, type_))}, type_);
    default:
      return binary_expr(BinaryOp::add, std::move(value), cast(index_expr(vars, 3), type_));
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

BufferRegion PrimFuncDraft::whole(const Buffer& buffer) const {
  BufferRegion region{buffer, {}};
  for (const Expr& size : buffer->shape) region.region.push_back({number(0), size});
  return region;
}
BufferRegion PrimFuncDraft::point(const Buffer& buffer, const std::vector<Expr>& at) const {
  BufferRegion region{buffer, {}};
  for (const Expr& index : place(buffer, at)) region.region.push_back({index, number(1)});
  return region;
}

ForKind PrimFuncDraft::draw_kind(bool concurrent) {
  if (!choices_.one_in(3)) return ForKind::serial;
  constexpr ForKind kKinds[] = {ForKind::unrolled, ForKind::parallel, ForKind::vectorized};
  return kKinds[choices_.index(concurrent ? 3 : 1)];
}

// What schedules ask passes to make of a loop: parts with conditions of their own, or virtual threads.
void PrimFuncDraft::annotate(For& loop, bool concurrent) {
  const bool is_static = as<IntImm>(loop.extent) != nullptr;
  if (choices_.one_in(6)) {
    loop.annotations = {{"pragma_loop_partition_hint", std::int64_t{1}}};
  } else if (concurrent && is_static && !has_virtual_threads_ && choices_.one_in(6)) {
    loop.kind = ForKind::thread_binding;
    loop.thread_tag = "vthread.x";
    has_virtual_threads_ = true;
  }
}

// A view of one element, as code for tensor instructions has them.
MatchBuffer PrimFuncDraft::element_view(const Buffer& buffer, const std::vector<Expr>& at) {
  BufferNode node{.name = fresh("view"), .dtype = type_, .shape = {}, .strides = {}};
  node.shape.assign(at.size(), number(1));
  node.elem_offset = var_expr(make_var(fresh("offset"), kIndex));
  node.offset_factor = 1;
  return {std::make_shared<const BufferNode>(std::move(node)), point(buffer, at)};
}

PrimFuncDraft::Loops PrimFuncDraft::draw_loops(const Extents& extents, bool concurrent) {
  Loops result;
  const auto add_loop = [&](Expr extent, ForKind kind, std::int64_t start) {
    const Var var = make_var(fresh("i"), kIndex);
    result.loops.push_back(For{.var = var, .min = number(start), .extent = std::move(extent), .step = nullptr, .kind = kind});
    if (kind == ForKind::serial && start == 0) annotate(result.loops.back(), concurrent);
    const Expr value = var_expr(var);
    return start == 0 ? value : binary_expr(BinaryOp::subtract, value, number(start));
  };
  for (const Extent& extent : extents) {
    // Vector loops must be innermost, and of more than one iteration; these and unrolled ones have as many as are written down.
    if (!choices_.one_in(3)) {
      ForKind kind = draw_kind(concurrent);
      const bool is_free = kind == ForKind::parallel || (kind == ForKind::unrolled && extent.is_static());
      if (!is_free) kind = ForKind::serial;
      result.indices.push_back(add_loop(extent.expr, kind, choices_.one_in(4) ? choices_.integer(1, 3) : 0));
      continue;
    }
    const std::int64_t tile = choices_.integer(1, 4);
    const Expr tiles = extent.is_static() ? number((extent.value + tile - 1) / tile)
                                          : binary_expr(BinaryOp::floor_divide, plus(extent, tile - 1), number(tile));
    const Expr outer = add_loop(tiles, ForKind::serial, 0);
    const Expr inner = add_loop(number(tile), ForKind::serial, 0);
    const Expr index = binary_expr(BinaryOp::add, binary_expr(BinaryOp::multiply, outer, number(tile)), inner);
    result.indices.push_back(index);
    if (extent.is_static() && extent.value % tile == 0 && !choices_.one_in(4)) continue;
    const Expr inside = binary_expr(BinaryOp::less, index, extent.expr);
    result.predicate = result.predicate == nullptr ? inside : binary_expr(BinaryOp::logical_and, result.predicate, inside);
  }
  if (!result.loops.empty() && concurrent && choices_.one_in(4)) {
    For& innermost = result.loops.back();
    const bool is_plain = innermost.annotations.empty() && innermost.thread_tag.empty();
    if (is_plain && as<IntImm>(innermost.extent) != nullptr) innermost.kind = ForKind::vectorized;
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

Stmt PrimFuncDraft::block(std::string name, std::vector<IterVar> iters, std::vector<Expr> values, Expr predicate,
                          const Buffer& read, const Buffer& written, const std::vector<Expr>& at, Stmt init, Stmt body,
                          std::vector<MatchBuffer> views) {
  SBlock made{.name = std::move(name), .iter_vars = std::move(iters)};
  made.match_buffers = std::move(views);
  made.reads = {whole(read)};
  made.writes = {point(written, at)};
  made.init = std::move(init);
  made.body = std::move(body);
  if (predicate == nullptr) predicate = number(1, kBool);
  return make_stmt(SBlockRealize{std::move(values), std::move(predicate), std::move(made)});
}

Stmt PrimFuncDraft::elementwise_block(const Buffer& x, const Buffer& y, const Loops& loops) {
  std::vector<IterVar> iters;
  std::vector<Expr> vars;
  for (const Extent& extent : extents_of(y)) {
    iters.push_back({make_var(fresh("v"), kIndex), {number(0), extent.expr}, IterKind::spatial});
    vars.push_back(var_expr(iters.back().var));
  }
  const auto store = [&] { return make_stmt(BufferStore{y, value(x, vars), place(y, vars), nullptr}); };
  if (!vars.empty() && choices_.one_in(6)) {
    MatchBuffer view = element_view(y, vars);
    Stmt store_there = make_stmt(BufferStore{view.buffer, value(x, vars), std::vector<Expr>(vars.size(), number(0)), nullptr});
    return block(fresh("b"), std::move(iters), loops.indices, loops.predicate, x, y, vars, nullptr, std::move(store_there), {std::move(view)});
  }
  Stmt body = store();
  if (!vars.empty() && choices_.one_in(4)) body = make_stmt(IfThenElse{condition(vars), std::move(body), store()});
  return block(fresh("b"), std::move(iters), loops.indices, loops.predicate, x, y, vars, nullptr, std::move(body));
}

// y[i, ...] = something of x. There may be two blocks for it: a condition on some of the loops' variables chooses one.
Stmt PrimFuncDraft::elementwise(const Buffer& x, const Buffer& y) {
  Loops loops = draw_loops(extents_of(y), true);
  Stmt made = elementwise_block(x, y, loops);
  if (!loops.loops.empty() && choices_.one_in(4)) {
    std::vector<Expr> outer;
    const auto count = static_cast<std::size_t>(choices_.integer(0, static_cast<std::int64_t>(loops.loops.size())));
    for (std::size_t i = 0; i < count; ++i) outer.push_back(var_expr(loops.loops[i].var));
    made = make_stmt(IfThenElse{condition(outer), std::move(made), elementwise_block(x, y, loops)});
  }
  return nest(std::move(loops), std::move(made));
}

// y[..., i] = y[..., i] op y[..., i - d], in place: what one iteration writes another one reads.
Stmt PrimFuncDraft::running(const Buffer& y) {
  const Extents& extents = extents_of(y);
  const std::int64_t distance = choices_.integer(1, std::min<std::int64_t>(2, extents.back().value - 1));
  std::vector<IterVar> iters;
  std::vector<Expr> vars, values;
  Loops loops;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const std::int64_t start = axis + 1 == extents.size() ? distance : 0;
    const Var var = make_var(fresh("i"), kIndex);
    const ForKind kind = extents[axis].is_static() ? draw_kind(false) : ForKind::serial;
    loops.loops.push_back({.var = var, .min = number(start), .extent = plus(extents[axis], -start), .kind = kind});
    iters.push_back({make_var(fresh("v"), kIndex), {number(0), extents[axis].expr}, IterKind::opaque});
    values.push_back(var_expr(var));
    vars.push_back(var_expr(iters.back().var));
  }
  std::vector<Expr> before = vars;
  before.back() = binary_expr(BinaryOp::subtract, before.back(), number(distance));
  constexpr BinaryOp kOps[] = {BinaryOp::add, BinaryOp::subtract, BinaryOp::maximum};
  Expr next = binary_expr(choices_.pick(kOps), load(y, vars), load(y, std::move(before)));
  Stmt body = make_stmt(BufferStore{y, std::move(next), place(y, vars), nullptr});
  if (choices_.one_in(3)) {  // and a store of what is there
    body = make_stmt(Seq{{std::move(body), make_stmt(BufferStore{y, load(y, vars), place(y, vars), nullptr})}});
  }
  Stmt made = block(fresh("b"), std::move(iters), std::move(values), nullptr, y, y, vars, nullptr, std::move(body));
  return nest(std::move(loops), std::move(made));
}

// y[rest] = the sum, the least or the greatest of x over its last axis.
Stmt PrimFuncDraft::reduction(const Buffer& x, const Buffer& y) {
  const Extents& extents = extents_of(x);
  Loops loops = draw_loops(extents, false);
  std::vector<IterVar> iters;
  std::vector<Expr> vars;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    const IterKind kind = axis + 1 == extents.size() ? IterKind::reduction : IterKind::spatial;
    iters.push_back({make_var(fresh("v"), kIndex), {number(0), extents[axis].expr}, kind});
    vars.push_back(var_expr(iters.back().var));
  }
  const std::vector<Expr> at(vars.begin(), vars.end() - 1);
  constexpr BinaryOp kOps[] = {BinaryOp::add, BinaryOp::maximum, BinaryOp::minimum};
  const BinaryOp op = choices_.pick(kOps);
  const std::int64_t start = op == BinaryOp::add ? 0 : op == BinaryOp::maximum ? -100 : 100;
  Stmt init = make_stmt(BufferStore{y, number(start, type_), at, nullptr});
  Stmt body = make_stmt(BufferStore{y, binary_expr(op, load(y, at), value(x, vars)), at, nullptr});
  Stmt made = block(fresh("b"), std::move(iters), loops.indices, loops.predicate, x, y, at, std::move(init), std::move(body));
  return nest(std::move(loops), std::move(made));
}

PrimFuncPtr PrimFuncDraft::make() {
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
  SBlock root{.name = "root"};
  root.alloc_buffers = stages_;
  root.body = stmts.size() == 1 ? stmts.front() : make_stmt(Seq{std::move(stmts)});
  Stmt body = make_stmt(SBlockRealize{{}, number(1, kBool), std::move(root)});
  PrimFunc function{.params = {x, y}, .body = std::move(body)};
  function.attrs = {{"tirx.noalias", true}, {"s_tir", true}};
  return std::make_shared<const PrimFunc>(std::move(function));
}

}  // namespace passdiff::tir
