#include "core/ir/rewriter.h"

#include <algorithm>
#include <utility>

#include "core/ir/walk.h"

namespace passdiff {
namespace {

bool is_same(const Dim& a, const Dim& b) {
  if (a.is_static() || b.is_static()) return a.is_static() && b.is_static() && a.value() == b.value();
  return a.node() == b.node();
}

bool is_same(const std::optional<Type>& a, const std::optional<Type>& b) {
  return a.has_value() == b.has_value() && (!a || a->is_same(*b));
}

bool is_same(const Binding& a, const Binding& b) {
  return a.var == b.var && a.value == b.value && is_same(a.match_cast, b.match_cast);
}

// Whether two sequences consist of the very same nodes.
bool is_same(const SeqExpr& a, const SeqExpr& b) {
  const auto same_block = [](const Block& x, const Block& y) {
    return x.dataflow == y.dataflow && std::equal(x.bindings.begin(), x.bindings.end(), y.bindings.begin(),
                                                  y.bindings.end(),
                                                  [](const Binding& m, const Binding& n) { return is_same(m, n); });
  };
  return a.result == b.result &&
         std::equal(a.blocks.begin(), a.blocks.end(), b.blocks.begin(), b.blocks.end(), same_block);
}

}  // namespace

void BlockSink::add(Binding binding) {
  current().push_back(std::move(binding));
}

void BlockSink::add(const std::vector<Binding>& bindings) {
  current().insert(current().end(), bindings.begin(), bindings.end());
}

std::vector<Binding>& BlockSink::current() {
  if (blocks_.empty()) begin_block(false);
  return blocks_.back().bindings;
}

SeqExpr BlockSink::finish(ExprPtr result) {
  std::erase_if(blocks_, [](const Block& block) { return block.bindings.empty(); });
  return {std::move(blocks_), std::move(result)};
}

void join_plain_blocks(SeqExpr& seq) {
  std::vector<Block> joined;
  for (Block& block : seq.blocks) {
    if (joined.empty() || joined.back().dataflow || block.dataflow) {
      joined.push_back(std::move(block));
    } else {
      std::vector<Binding>& into = joined.back().bindings;
      into.insert(into.end(), block.bindings.begin(), block.bindings.end());
    }
  }
  seq.blocks = std::move(joined);
}

bool join_as_plain(SeqExpr& seq) {
  bool changed = false;
  for (Block& block : seq.blocks) changed |= std::exchange(block.dataflow, false);
  join_plain_blocks(seq);
  return changed;
}

void bind_instead(SeqExpr& seq, const Var& var, const Var& to) {
  for (Block& block : seq.blocks) {
    for (Binding& binding : block.bindings) {
      if (binding.var == var) binding = {to, binding.value, std::nullopt};
    }
  }
}

// Rewrites the parts of a node, for each alternative. A new node is made only if something changes.
struct Rewriter::Parts {
  Rewriter& by;
  const ExprPtr& old;

  // Whether the node can be kept: its parts have not changed, and neither has its type.
  bool is_kept(bool changed) const {
    return !changed && !by.remakes_all() && by.type(old->type).is_same(old->type);
  }

  // The type of a use is that of the variable, which stays itself.
  ExprPtr operator()(const Var&) const { return old; }
  ExprPtr operator()(const OneOf<Constant, StringImm, DataTypeImm, GlobalRef, ExternFunc> auto& leaf) const {
    return is_kept(false) ? old : by.remake(old, leaf);
  }
  ExprPtr operator()(const Call& call) const {
    const auto* value = std::get_if<ExprPtr>(&call.callee);
    ExprPtr callee = value == nullptr ? nullptr : by.expr(*value);
    if (value != nullptr && callee == nullptr) return nullptr;
    const List args(by, call.args);
    if (args.failed) return nullptr;
    std::vector<Type> types;
    bool changed = args.changed || (value != nullptr && callee != *value);
    for (const Type& type : call.type_args) {
      types.push_back(by.type(type));
      changed |= !types.back().is_same(type);
    }
    if (is_kept(changed)) return old;
    return by.remake(
        old, Call{value == nullptr ? call.callee : Callee(callee), args.items(), call.attrs, std::move(types)});
  }
  ExprPtr operator()(const Tuple& tuple) const {
    const List fields(by, tuple.fields);
    if (fields.failed) return nullptr;
    return is_kept(fields.changed) ? old : by.remake(old, Tuple{fields.items()});
  }
  ExprPtr operator()(const TupleGetItem& item) const {
    ExprPtr tuple = by.expr(item.tuple);
    if (tuple == nullptr || is_kept(tuple != item.tuple)) return tuple == nullptr ? nullptr : old;
    return by.remake(old, TupleGetItem{std::move(tuple), item.index});
  }
  ExprPtr operator()(const ShapeExpr& shape) const {
    ShapeExpr fresh;
    bool changed = false;
    for (const Dim& dim : shape.values) {
      fresh.values.push_back(by.dim(dim));
      changed |= !is_same(fresh.values.back(), dim);
    }
    return is_kept(changed) ? old : by.remake(old, std::move(fresh));
  }
  ExprPtr operator()(const PrimValue& prim) const {
    const auto* dim = std::get_if<Dim>(&prim.value);
    PrimValue fresh = prim;
    if (dim != nullptr) fresh.value = by.dim(*dim);
    const bool changed = dim != nullptr && !is_same(std::get<Dim>(fresh.value), *dim);
    return is_kept(changed) ? old : by.remake(old, std::move(fresh));
  }
  ExprPtr operator()(const If& branches) const {
    If fresh{by.expr(branches.condition), nullptr, nullptr};
    if (fresh.condition == nullptr) return nullptr;
    fresh.then_branch = by.branch(branches.then_branch);
    if (fresh.then_branch == nullptr) return nullptr;
    fresh.else_branch = by.branch(branches.else_branch);
    if (fresh.else_branch == nullptr) return nullptr;
    const bool changed = fresh.condition != branches.condition || fresh.then_branch != branches.then_branch ||
                         fresh.else_branch != branches.else_branch;
    return is_kept(changed) ? old : by.remake(old, std::move(fresh));
  }
  ExprPtr operator()(const FunctionPtr& function) const {
    FunctionPtr fresh = by.function(function);
    if (fresh == nullptr) return nullptr;
    const bool changed = fresh != function;
    return is_kept(changed) ? old : by.remake(old, std::move(fresh));
  }

 private:
  // Rewrites a list of operands, which is copied only if one of them changes.
  struct List {
    List(Rewriter& by, const std::vector<ExprPtr>& old) : old(old) {
      for (std::size_t i = 0; i < old.size(); ++i) {
        ExprPtr one = by.expr(old[i]);
        failed = one == nullptr;
        if (failed) return;
        if (!changed && one == old[i]) continue;
        if (!changed) fresh.assign(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(i));
        changed = true;
        fresh.push_back(std::move(one));
      }
    }
    const std::vector<ExprPtr>& items() const { return changed ? fresh : old; }

    const std::vector<ExprPtr>& old;
    std::vector<ExprPtr> fresh;
    bool failed = false;
    bool changed = false;
  };
};

ExprPtr Rewriter::parts(const ExprPtr& old) {
  return match(old, Parts{*this, old});
}

ExprPtr Rewriter::remake(const ExprPtr& old, ExprNode node) {
  return make_expr(std::move(node), type(old->type));
}

bool Rewriter::binding(const Binding& old, BlockSink& to) {
  ExprPtr value = expr(old.value);
  if (value == nullptr) return false;
  std::optional<Type> cast;
  if (old.match_cast) cast = type(*old.match_cast);
  to.add({old.var, std::move(value), std::move(cast)});
  return true;
}

bool Rewriter::block(const Block& old, BlockSink& to) {
  to.begin_block(old.dataflow);
  to.current().reserve(old.bindings.size());
  for (const Binding& one : old.bindings) {
    if (!binding(one, to)) return false;
  }
  return true;
}

bool Rewriter::blocks(const SeqExpr& old, BlockSink& to) {
  for (const Block& one : old.blocks) {
    if (!block(one, to)) return false;
  }
  return true;
}

bool Rewriter::seq(const SeqExpr& old, SeqExpr& fresh) {
  BlockSink to;
  if (!blocks(old, to)) return false;
  ExprPtr returned = result(old.result, to);
  if (returned == nullptr) return false;
  fresh = to.finish(std::move(returned));
  return true;
}

std::shared_ptr<const SeqExpr> Rewriter::branch(const std::shared_ptr<const SeqExpr>& old) {
  SeqExpr fresh;
  if (!seq(*old, fresh)) return nullptr;
  return is_same(*old, fresh) ? old : std::make_shared<const SeqExpr>(std::move(fresh));
}

FunctionPtr Rewriter::function(const FunctionPtr& old) {
  SeqExpr body;
  if (!seq(old->body, body)) return nullptr;
  if (is_same(old->body, body)) return old;
  return std::make_shared<const Function>(
      Function{old->params, std::move(body), old->result_type, old->pure, old->attrs});
}

ExprPtr BindingRewriter::expr(const ExprPtr& old) {
  bool nested = false;
  for_each_seq(*old, [&](const SeqExpr&) { nested = true; });
  return nested ? parts(old) : old;
}

Dim Substitution::dim(const Dim& dim) const {
  if (symbols.entries().empty()) return dim;
  return passdiff::substitute(dim, [&](const SymVar& var) -> std::optional<Dim> {
    const Dim* found = symbols.find(var.get());
    return found == nullptr ? std::nullopt : std::optional(*found);
  });
}

Type Substitution::type(const Type& type) const {
  if (symbols.entries().empty() || !has_symbolic_dims(type)) return type;
  return passdiff::substitute(type, [&](const SymVar& var) -> std::optional<Dim> {
    const Dim* found = symbols.find(var.get());
    return found == nullptr ? std::nullopt : std::optional(*found);
  });
}

ExprPtr Substituter::expr(const ExprPtr& old) {
  const Var* var = as<Var>(old);
  if (var == nullptr) return parts(old);
  const ExprPtr* found = by_.vars.find(var->get());
  return found == nullptr ? old : *found;
}

ExprPtr substitute(const ExprPtr& expr, const Substitution& substitution) {
  return Substituter(substitution).expr(expr);
}

SeqExpr substitute(const SeqExpr& seq, const Substitution& substitution) {
  SeqExpr result;
  Substituter(substitution).seq(seq, result);
  return result;
}

}  // namespace passdiff
