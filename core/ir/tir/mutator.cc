#include "core/ir/tir/mutator.h"

#include <algorithm>
#include <utility>

#include "core/match.h"

namespace passdiff::tir {

// Copies of alternatives whose parts are rewritten in place, with a note of whether any of them changed.
struct MutatedParts {
  Mutator& by;
  bool changed = false;

  void rewrite(Expr& part) {
    if (part == nullptr) return;
    note(part, by.expr(part));
  }
  void rewrite(Stmt& part) {
    if (part == nullptr) return;
    note(part, by.stmt(part));
  }
  void rewrite(std::vector<Expr>& parts) {
    for (Expr& part : parts) rewrite(part);
  }
  void use(Buffer& buffer) { note(buffer, by.buffer(buffer)); }
  template <class Symbol>
  void define(Symbol& symbol) {
    note(symbol, by.definition(symbol));
  }
  void rewrite(Range& range) {
    rewrite(range.min);
    rewrite(range.extent);
  }
  void rewrite(BufferRegion& region) {
    BufferRegion fresh = by.region(region);
    const auto same = [](const Range& a, const Range& b) { return a.min == b.min && a.extent == b.extent; };
    changed = changed || fresh.buffer != region.buffer ||
              !std::equal(fresh.region.begin(), fresh.region.end(), region.region.begin(),
                          region.region.end(), same);
    region = std::move(fresh);
  }
  void rewrite(SBlockRealize& realize) {
    SBlock& block = realize.block;
    rewrite(realize.iter_values);
    rewrite(realize.predicate);
    for (IterVar& iter : block.iter_vars) rewrite(iter.domain);
    for (IterVar& iter : block.iter_vars) define(iter.var);
    for (Buffer& buffer : block.alloc_buffers) define(buffer);
    for (MatchBuffer& match : block.match_buffers) {
      rewrite(match.source);
      define(match.buffer);
    }
    for (BufferRegion& region : block.reads) rewrite(region);
    for (BufferRegion& region : block.writes) rewrite(region);
    rewrite(block.init);
    rewrite(block.body);
  }

 private:
  template <class Part>
  void note(Part& part, Part fresh) {
    changed = changed || fresh != part;
    part = std::move(fresh);
  }
};

Buffer Mutator::buffer(const Buffer& old) {
  const auto known = buffers_.find(old.get());
  if (known != buffers_.end()) return known->second;
  BufferNode node = *old;
  MutatedParts parts{*this};
  parts.rewrite(node.shape);
  parts.rewrite(node.strides);
  parts.rewrite(node.elem_offset);
  Buffer fresh = parts.changed ? std::make_shared<const BufferNode>(std::move(node)) : old;
  buffers_.emplace(old.get(), fresh);
  return fresh;
}

BufferRegion Mutator::region(const BufferRegion& old) {
  BufferRegion fresh{buffer(old.buffer), {}};
  for (const Range& range : old.region) fresh.region.push_back({expr(range.min), expr(range.extent)});
  return fresh;
}

Expr Mutator::parts(const Expr& old) {
  MutatedParts parts{*this};
  const auto remade = [&](auto node) { return parts.changed ? make_expr(std::move(node), old->type) : old; };
  return match(
      old->node, [&](const OneOf<IntImm, FloatImm, StringImm, Var> auto&) { return old; },
      [&](Binary node) {
        parts.rewrite(node.lhs);
        parts.rewrite(node.rhs);
        return remade(std::move(node));
      },
      [&](const OneOf<Not, Cast> auto& held) {
        auto node = held;
        parts.rewrite(node.operand);
        return remade(std::move(node));
      },
      [&](Select node) {
        parts.rewrite(node.condition);
        parts.rewrite(node.on_true);
        parts.rewrite(node.on_false);
        return remade(std::move(node));
      },
      [&](BufferLoad node) {
        parts.use(node.buffer);
        parts.rewrite(node.indices);
        parts.rewrite(node.predicate);
        return remade(std::move(node));
      },
      [&](Ramp node) {
        parts.rewrite(node.base);
        parts.rewrite(node.stride);
        return remade(std::move(node));
      },
      [&](Broadcast node) {
        parts.rewrite(node.value);
        return remade(std::move(node));
      },
      [&](Shuffle node) {
        parts.rewrite(node.vectors);
        parts.rewrite(node.indices);
        return remade(std::move(node));
      },
      [&](Let node) {
        parts.rewrite(node.value);
        parts.define(node.var);
        parts.rewrite(node.body);
        return remade(std::move(node));
      },
      [&](const OneOf<Call, FunctionCall> auto& held) {
        auto node = held;
        parts.rewrite(node.args);
        return remade(std::move(node));
      },
      [&](const OneOf<BufferData, BufferArg> auto& held) {
        auto node = held;
        parts.use(node.buffer);
        return remade(std::move(node));
      });
}

Stmt Mutator::parts(const Stmt& old) {
  MutatedParts parts{*this};
  const auto remade = [&](auto node) { return parts.changed ? make_stmt(std::move(node)) : old; };
  return match(
      old->node,
      [&](For node) {
        parts.rewrite(node.min);
        parts.rewrite(node.extent);
        parts.rewrite(node.step);
        parts.define(node.var);
        parts.rewrite(node.body);
        return remade(std::move(node));
      },
      [&](While node) {
        parts.rewrite(node.condition);
        parts.rewrite(node.body);
        return remade(std::move(node));
      },
      [&](Seq node) {
        for (Stmt& one : node.stmts) parts.rewrite(one);
        return parts.changed ? sequence(node.stmts) : old;
      },
      [&](IfThenElse node) {
        parts.rewrite(node.condition);
        parts.rewrite(node.then_case);
        parts.rewrite(node.else_case);
        return remade(std::move(node));
      },
      [&](const OneOf<Evaluate, Return> auto& held) {
        auto node = held;
        parts.rewrite(node.value);
        return remade(std::move(node));
      },
      [&](Bind node) {
        parts.rewrite(node.value);
        parts.define(node.var);
        return remade(std::move(node));
      },
      [&](BufferStore node) {
        parts.use(node.buffer);
        parts.rewrite(node.indices);
        parts.rewrite(node.value);
        parts.rewrite(node.predicate);
        return remade(std::move(node));
      },
      [&](AllocBuffer node) {
        parts.define(node.buffer);
        return remade(std::move(node));
      },
      [&](DeclBuffer node) {
        parts.rewrite(node.data);
        parts.define(node.buffer);
        return remade(std::move(node));
      },
      [&](AttrStmt node) {
        parts.rewrite(node.value);
        if (auto* var = std::get_if<Var>(&node.node); var != nullptr && !node.thread_tag.empty())
          parts.define(*var);
        if (auto* buffer = std::get_if<Buffer>(&node.node)) parts.use(*buffer);
        parts.rewrite(node.body);
        return remade(std::move(node));
      },
      [&](AssertStmt node) {
        parts.rewrite(node.condition);
        return remade(std::move(node));
      },
      [&](SBlockRealize node) {
        parts.rewrite(node);
        return remade(std::move(node));
      },
      [&](const OneOf<Break, Continue> auto&) { return old; });
}

Expr Substitution::expr(const Expr& old) {
  const Var* var = as<Var>(old);
  if (var == nullptr) return parts(old);
  const auto value = values_.find(var->get());
  return value == values_.end() ? old : value->second;
}

Buffer Substitution::buffer(const Buffer& old) {
  const auto copy = copies_.find(old.get());
  return copy == copies_.end() ? old : copy->second;
}

Var Substitution::definition(const Var& old) {
  Var copy = make_var(old->name, old->type);
  replace(old, var_expr(copy));
  return copy;
}

Buffer Substitution::definition(const Buffer& old) {
  // The base remembers one form of each buffer, but the sizes of a copy may depend on what is replaced now.
  BufferNode node = *old;
  MutatedParts parts{*this};
  parts.rewrite(node.shape);
  parts.rewrite(node.strides);
  parts.rewrite(node.elem_offset);
  return copies_[old.get()] = std::make_shared<const BufferNode>(std::move(node));
}

PrimFuncPtr with_body(const PrimFuncPtr& function, Stmt body) {
  if (body == function->body) return function;
  PrimFunc fresh = *function;
  fresh.body = std::move(body);
  return std::make_shared<const PrimFunc>(std::move(fresh));
}

namespace {

void append_flat(const Stmt& stmt, std::vector<Stmt>& to) {
  const Seq* seq = as<Seq>(stmt);
  if (seq == nullptr) {
    to.push_back(stmt);
    return;
  }
  for (const Stmt& one : seq->stmts) append_flat(one, to);
}

}  // namespace

Stmt sequence(const std::vector<Stmt>& stmts) {
  std::vector<Stmt> flat;
  for (const Stmt& one : stmts) append_flat(one, flat);
  return flat.size() == 1 ? flat.front() : make_stmt(Seq{std::move(flat)});
}

Stmt no_op() {
  return make_stmt(Evaluate{int_imm(0, DType::int32)});
}

void for_each_nested(const Expr& expr, const std::function<void(const Expr&)>& visit) {
  visit(expr);
  for_each_operand(expr, [&](const Expr& operand) { for_each_nested(operand, visit); });
}

void for_each_nested(const Stmt& stmt, const std::function<void(const Stmt&)>& visit,
                     const std::function<void(const Expr&)>& visit_expr) {
  visit(stmt);
  for_each_expr(stmt, [&](const Expr& expr) { for_each_nested(expr, visit_expr); });
  for_each_child(stmt, [&](const Stmt& child) { for_each_nested(child, visit, visit_expr); });
}

bool uses(const Expr& expr, const Var& var) {
  bool found = false;
  for_each_nested(expr, [&](const Expr& one) {
    const Var* used = as<Var>(one);
    found = found || (used != nullptr && *used == var);
  });
  return found;
}

bool uses(const Stmt& stmt, const Var& var) {
  bool found = false;
  for_each_nested(
      stmt, [](const Stmt&) {},
      [&](const Expr& one) {
        const Var* used = as<Var>(one);
        found = found || (used != nullptr && *used == var);
      });
  return found;
}

}  // namespace passdiff::tir
