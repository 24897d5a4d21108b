#include "core/text/parser/tir_access.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/match.h"
#include "core/text/tir_printer.h"

namespace passdiff {
namespace {

using tir::Stmt;

struct Access {
  tir::Buffer buffer;
  std::vector<tir::Expr> indices;
};

class Accesses {
 public:
  explicit Accesses(const tir::SBlock& block) {
    for (const tir::Buffer& own : block.alloc_buffers) own_.insert(own.get());
    if (block.init) stmt(block.init);
    stmt(block.body);
  }
  std::vector<tir::BufferRegion> regions(const std::vector<Access>& accesses) const;

  std::vector<Access> reads;
  std::vector<Access> writes;

 private:
  void expr(const tir::Expr& expr);
  void stmt(const Stmt& stmt);
  void add(std::vector<Access>& to, const tir::Buffer& buffer, const std::vector<tir::Expr>& indices) const {
    if (!own_.contains(buffer.get())) to.push_back({buffer, indices});
  }
  bool is_fixed(const tir::Expr& index) const;

  std::unordered_set<const tir::BufferNode*> own_;
  std::unordered_set<const SymVarNode*> inner_;  // variables of loops and others inside of the block
};

void Accesses::expr(const tir::Expr& any) {
  if (const auto* load = tir::as<tir::BufferLoad>(any)) add(reads, load->buffer, load->indices);
  for_each_operand(any, [&](const tir::Expr& operand) { expr(operand); });
}

void Accesses::stmt(const Stmt& any) {
  if (const auto* loop = tir::as<tir::For>(any)) inner_.insert(loop->var.get());
  if (const auto* bind = tir::as<tir::Bind>(any)) inner_.insert(bind->var.get());
  if (const auto* store = tir::as<tir::BufferStore>(any)) add(writes, store->buffer, store->indices);
  if (const auto* realize = tir::as<tir::SBlockRealize>(any)) {
    for (const tir::IterVar& iter : realize->block.iter_vars) inner_.insert(iter.var.get());
    for (const tir::Buffer& own : realize->block.alloc_buffers) own_.insert(own.get());
  }
  for_each_expr(any, [&](const tir::Expr& one) { expr(one); });
  for_each_child(any, [&](const Stmt& child) { stmt(child); });
}

bool Accesses::is_fixed(const tir::Expr& index) const {
  if (const auto* var = tir::as<tir::Var>(index)) return !inner_.contains(var->get());
  bool fixed = tir::as<tir::BufferLoad>(index) == nullptr && index->type.lanes == 1;
  for_each_operand(index, [&](const tir::Expr& operand) { fixed = fixed && is_fixed(operand); });
  return fixed;
}

std::vector<tir::BufferRegion> Accesses::regions(const std::vector<Access>& accesses) const {
  const auto number = [](std::int64_t value, const tir::ScalarType& type) {
    return tir::make_expr(tir::IntImm{value}, type);
  };
  std::vector<tir::BufferRegion> all;
  for (const Access& access : accesses) {
    tir::BufferRegion region{access.buffer, {}};
    for (std::size_t axis = 0; axis < access.indices.size() && axis < access.buffer->shape.size(); ++axis) {
      const tir::Expr& index = access.indices[axis];
      const tir::Expr& size = access.buffer->shape[axis];
      if (is_fixed(index)) {
        region.region.push_back({index, number(1, index->type)});
      } else {
        region.region.push_back({number(0, size->type), size});
      }
    }
    const auto known = std::ranges::find(all, access.buffer, &tir::BufferRegion::buffer);
    if (known == all.end()) {
      all.push_back(std::move(region));
      continue;
    }
    for (std::size_t axis = 0; axis < known->region.size() && axis < region.region.size(); ++axis) {
      const bool alike = tir::same(known->region[axis].min, region.region[axis].min) &&
                         tir::same(known->region[axis].extent, region.region[axis].extent);
      const tir::Expr& size = access.buffer->shape[axis];
      if (!alike) known->region[axis] = {number(0, size->type), size};
    }
  }
  return all;
}

}  // namespace

void detect_accesses(tir::SBlock& block, bool reads, bool writes) {
  if (!reads && !writes) return;
  const Accesses accesses(block);
  if (reads) {
    block.reads = accesses.regions(accesses.reads);
    // What a reduction accumulates in is written, not read.
    std::erase_if(block.reads, [&](const tir::BufferRegion& region) {
      return block.init != nullptr && std::ranges::any_of(accesses.writes, [&](const Access& access) {
               return access.buffer == region.buffer;
             });
    });
  }
  if (writes) block.writes = accesses.regions(accesses.writes);
}

}  // namespace passdiff
