#include "fuzz/cases/tensor_ir_facts.h"

#include <string>
#include <utility>

#include "fuzz/cases/hashes.h"

namespace passdiff {
namespace {

std::uint64_t hash_type(const tir::ScalarType& type) {
  return mix(mix(static_cast<std::uint64_t>(type.kind), static_cast<std::uint64_t>(type.dtype)), static_cast<std::uint64_t>(type.lanes));
}

// What an expression is, by itself.
std::uint64_t kind_of(const tir::Expr& expr) {
  if (expr == nullptr) return 0;
  const std::uint64_t alternative = mix(expr->node.index(), hash_type(expr->type));
  if (const auto* binary = tir::as<tir::Binary>(expr)) return mix(alternative, static_cast<std::uint64_t>(binary->op));
  if (const auto* call = tir::as<tir::Call>(expr)) return mix(alternative, hash_text(call->intrinsic));
  if (const auto* load = tir::as<tir::BufferLoad>(expr)) return mix(alternative, load->indices.size());
  return alternative;
}

// What a statement is, by itself.
std::uint64_t kind_of(const tir::Stmt& stmt) {
  const std::uint64_t alternative = 1000 + stmt->node.index();
  if (const auto* loop = tir::as<tir::For>(stmt)) return mix(alternative, mix(static_cast<std::uint64_t>(loop->kind), hash_text(loop->thread_tag)));
  if (const auto* attr = tir::as<tir::AttrStmt>(stmt)) return mix(alternative, hash_text(attr->key));
  if (const auto* store = tir::as<tir::BufferStore>(stmt)) return mix(alternative, store->indices.size());
  return alternative;
}

class Collector {
 public:
  std::vector<std::uint64_t> facts;

  void add_function(const tir::PrimFunc& function) {
    add_names(function.attrs, mix(function.params.size(), static_cast<std::uint64_t>(tir::count_statements(function))));
    add(function.params.size());
    add_stmt(function.body);
  }

 private:
  void add(std::uint64_t fact) { facts.push_back(mix(fact, 17)); }

  // Names, each together with what has them.
  void add_names(const NamedAttrs& attrs, std::uint64_t owner) {
    for (const auto& [name, value] : attrs) add(mix(hash_text(name), owner));
  }

  void add_stmt(const tir::Stmt& stmt) {
    std::uint64_t whole = kind_of(stmt);
    tir::for_each_child(stmt, [&](const tir::Stmt& inside) { whole = mix(whole, kind_of(inside)); });
    tir::for_each_expr(stmt, [&](const tir::Expr& expr) { whole = mix(whole, kind_of(expr)); });
    add(whole);
    if (const auto* loop = tir::as<tir::For>(stmt)) add_names(loop->annotations, whole);
    if (const auto* realize = tir::as<tir::SBlockRealize>(stmt)) add_block(realize->block, whole);
    tir::for_each_child(stmt, [&](const tir::Stmt& inside) { add_stmt(inside); });
    tir::for_each_expr(stmt, [&](const tir::Expr& expr) { add_expr(expr); });
  }

  void add_block(const tir::SBlock& block, std::uint64_t whole) {
    add_names(block.annotations, whole);
    for (const tir::IterVar& iter : block.iter_vars) add(mix(2000, static_cast<std::uint64_t>(iter.kind)));
    for (const tir::Buffer& buffer : block.alloc_buffers) add(mix(2001, buffer->shape.size()));
    for (const tir::MatchBuffer& match : block.match_buffers) add(mix(2002, match.buffer->shape.size()));
    add(mix(2003, mix(block.reads.size(), block.writes.size())));
  }

  void add_expr(const tir::Expr& expr) {
    if (expr == nullptr) return;
    std::uint64_t whole = kind_of(expr);
    tir::for_each_operand(expr, [&](const tir::Expr& operand) { whole = mix(whole, kind_of(operand)); });
    add(whole);
    tir::for_each_operand(expr, [&](const tir::Expr& operand) { add_expr(operand); });
  }
};

}  // namespace

std::vector<std::uint64_t> tensor_ir_facts(const Module& module) {
  Collector collector;
  for (const GlobalPrimFunc& global : module.prim_funcs) collector.add_function(*global.function);
  return std::move(collector.facts);
}

}  // namespace passdiff
