// Plainer statements in the place of loops, branches and blocks.
#include <algorithm>
#include <utility>

#include "oracle/reduction/prim_funcs.h"

namespace passdiff {
namespace {

tir::Stmt substituted(const tir::Stmt& body, const tir::Var& var, const tir::Expr& by) {
  tir::Substitution substitution;
  substitution.replace(var, by);
  return substitution.stmt(body);
}

// Puts `from + by` in the place of a variable, and adds up what is added to it.
class Shifter : public tir::Mutator {
 public:
  Shifter(const tir::Var& from, const tir::Var& to, std::int64_t by) : from_(from), to_(to), by_(by) {}
  tir::Expr expr(const tir::Expr& old) override {
    const tir::Var* var = tir::as<tir::Var>(old);
    if (var != nullptr) return *var == from_ ? sum(tir::var_expr(to_), by_) : old;
    const tir::Expr fresh = parts(old);
    const auto outer = added(fresh);
    if (!outer) return fresh;
    const auto inner = added(outer->to);
    return inner ? sum(inner->to, inner->number + outer->number) : fresh;
  }

 private:
  struct Added {
    tir::Expr to;
    std::int64_t number;
  };
  // What the expression adds to what, if it is such a sum or difference.
  static std::optional<Added> added(const tir::Expr& expr) {
    const auto* binary = tir::as<tir::Binary>(expr);
    const auto* number = binary == nullptr ? nullptr : tir::as<tir::IntImm>(binary->rhs);
    if (number == nullptr || expr->type.lanes != 1) return std::nullopt;
    if (binary->op == tir::BinaryOp::add) return Added{binary->lhs, number->value};
    if (binary->op == tir::BinaryOp::subtract) return Added{binary->lhs, -number->value};
    return std::nullopt;
  }
  static tir::Expr sum(const tir::Expr& to, std::int64_t by) {
    if (by == 0) return to;
    const auto op = by < 0 ? tir::BinaryOp::subtract : tir::BinaryOp::add;
    return tir::make_expr(tir::Binary{op, to, tir::int_imm(by < 0 ? -by : by, to->type.dtype)}, to->type);
  }

  const tir::Var& from_;
  const tir::Var& to_;
  std::int64_t by_;
};

// The loop with its variable counted from 0.
tir::Stmt from_zero(const tir::For& loop, std::int64_t min) {
  tir::For plain = loop;
  plain.var = tir::make_var(loop.var->name, loop.var->type);
  plain.min = tir::int_imm(0, loop.var->type.dtype);
  plain.body = Shifter(loop.var, plain.var, min).stmt(loop.body);
  return tir::make_stmt(std::move(plain));
}

// The loop's body with its variable at the start, and plainer loops.
Alternatives alternatives_of(const tir::For& loop) {
  Alternatives found;
  const auto add = [&](const std::function<void(tir::For&)>& change) {
    tir::For plain = loop;
    change(plain);
    found.push_back(tir::make_stmt(std::move(plain)));
  };
  const DType dtype = loop.var->type.dtype;
  found.push_back(substituted(loop.body, loop.var, loop.min));
  for (const std::int64_t extent : {1, 2}) add([&](tir::For& l) { l.extent = tir::int_imm(extent, dtype); });
  add([&](tir::For& l) { l.min = tir::int_imm(0, dtype); });
  if (const auto* min = tir::as<tir::IntImm>(loop.min); min != nullptr && min->value != 0)
    found.push_back(from_zero(loop, min->value));
  if (loop.kind != tir::ForKind::serial || !loop.annotations.empty()) {
    add([](tir::For& l) {
      l.kind = tir::ForKind::serial;
      l.thread_tag.clear();
      l.annotations.clear();
    });
  }
  if (!loop.annotations.empty()) add([](tir::For& l) { l.annotations.clear(); });
  if (loop.step != nullptr) add([](tir::For& l) { l.step = nullptr; });
  return found;
}

bool is_true(const tir::Expr& expr) {
  const auto* number = tir::as<tir::IntImm>(expr);
  return number != nullptr && number->value == 1;
}

// What the block does, without a block: its body, after the buffers that it has of its own.
tir::Stmt opened(const tir::SBlockRealize& realize) {
  tir::Substitution substitution;
  const tir::SBlock& block = realize.block;
  for (std::size_t i = 0; i < block.iter_vars.size(); ++i)
    substitution.replace(block.iter_vars[i].var, realize.iter_values[i]);
  std::vector<tir::Stmt> stmts;
  for (const tir::Buffer& buffer : block.alloc_buffers)
    stmts.push_back(tir::make_stmt(tir::AllocBuffer{buffer, {}}));
  stmts.push_back(block.body);
  return substitution.stmt(tir::sequence(stmts));
}

// What the block does without a block, and plainer blocks.
Alternatives alternatives_of(const tir::SBlockRealize& realize) {
  const tir::SBlock& block = realize.block;
  Alternatives found;
  const auto add = [&](const std::function<void(tir::SBlockRealize&)>& change) {
    tir::SBlockRealize plain = realize;
    change(plain);
    found.push_back(tir::make_stmt(std::move(plain)));
  };
  if (block.match_buffers.empty() && (block.alloc_buffers.empty() || is_true(realize.predicate)))
    found.push_back(opened(realize));
  found.push_back(tir::make_stmt(tidied(realize)));
  for (std::size_t i = 0; i < block.iter_vars.size(); ++i) {
    // One variable less: its value is written where it was used.
    add([&](tir::SBlockRealize& plain) {
      plain.block.iter_vars.erase(plain.block.iter_vars.begin() + static_cast<std::ptrdiff_t>(i));
      plain.iter_values.erase(plain.iter_values.begin() + static_cast<std::ptrdiff_t>(i));
      tir::Substitution substitution;
      substitution.replace(block.iter_vars[i].var, realize.iter_values[i]);
      plain = *tir::as<tir::SBlockRealize>(substitution.stmt(tir::make_stmt(plain)));
    });
  }
  add([](tir::SBlockRealize& plain) { plain.predicate = tir::int_imm(1, DType::boolean); });
  if (!block.annotations.empty()) add([](tir::SBlockRealize& plain) { plain.block.annotations.clear(); });
  return found;
}

}  // namespace

tir::SBlockRealize tidied(const tir::SBlockRealize& realize) {
  tir::SBlockRealize tidy = realize;
  tir::SBlock& block = tidy.block;
  const auto is_idle = [&](const tir::Buffer& buffer) {
    const auto of_buffer = [&](const tir::MatchBuffer& match) { return match.source.buffer == buffer; };
    return !accesses(block.body, buffer) && !accesses(block.init, buffer) &&
           std::none_of(block.match_buffers.begin(), block.match_buffers.end(), of_buffer);
  };
  std::erase_if(block.match_buffers, [&](const tir::MatchBuffer& match) { return is_idle(match.buffer); });
  std::erase_if(block.alloc_buffers, is_idle);
  std::erase_if(block.reads, [&](const tir::BufferRegion& region) { return is_idle(region.buffer); });
  std::erase_if(block.writes, [&](const tir::BufferRegion& region) { return is_idle(region.buffer); });
  const tir::Stmt whole = tir::make_stmt(tidy);
  for (std::size_t i = block.iter_vars.size(); i-- > 0;) {
    if (tir::uses(whole, block.iter_vars[i].var)) continue;
    block.iter_vars.erase(block.iter_vars.begin() + static_cast<std::ptrdiff_t>(i));
    tidy.iter_values.erase(tidy.iter_values.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return tidy;
}

Alternatives alternatives(const tir::Stmt& stmt) {
  return match(
      stmt->node, [](const OneOf<tir::For, tir::SBlockRealize> auto& node) { return alternatives_of(node); },
      [](const tir::IfThenElse& choice) {
        Alternatives found = {choice.then_case};
        if (choice.else_case != nullptr) found.push_back(choice.else_case);
        return found;
      },
      [](const tir::While& loop) { return Alternatives{loop.body}; },
      [](const tir::AttrStmt& hint) { return Alternatives{hint.body}; },
      [](const OneOf<tir::Seq, tir::Evaluate, tir::Bind, tir::BufferStore, tir::AllocBuffer, tir::DeclBuffer,
                     tir::AssertStmt, tir::Return, tir::Break, tir::Continue> auto&) {
        return Alternatives{};
      });
}

}  // namespace passdiff
