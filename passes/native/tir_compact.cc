// TirCompact: the buffers that the root block allocates shrink to the part that is accessed, and one whose
// first use comes after the last use of another takes its place.
//
// Does in small what TVM's CompactBufferAllocation and StorageRewrite do. Only sizes that are literals
// shrink, and only buffers that loads and stores alone access; buffers share memory if shape, dtype and scope
// are the same.
#include <algorithm>
#include <unordered_map>

#include "passes/native/tir_bounds.h"
#include "passes/native/tir_passes.h"

namespace passdiff {
namespace native::tir_compact {
namespace {

using tir::Buffer;
using tir::Expr;
using tir::Stmt;

struct Faults {
  bool reused_while_live = false;
  bool shrunk_by_one = false;
  bool load_not_shifted = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::reused_while_live, "tir-compact/reused-while-live",
     "a buffer takes the place of one that is read for the last time where it is written first",
     "outputs-refine"},
    {&Faults::shrunk_by_one, "tir-compact/shrunk-by-one",
     "a buffer that shrinks loses one element of its last axis too many", "outputs-refine"},
    {&Faults::load_not_shifted, "tir-compact/load-not-shifted",
     "loads from a buffer that lost its first elements keep their indices", "outputs-refine"},
};

// The elements of a buffer that are accessed, by axis.
using Accessed = std::vector<std::optional<Interval>>;

// What loads and stores access of the buffers that are asked for. A buffer that something else refers to is
// dropped.
class AccessedParts {
 public:
  explicit AccessedParts(const std::vector<Buffer>& buffers) {
    for (const Buffer& buffer : buffers) parts_[buffer.get()] = Accessed(buffer->shape.size());
  }

  void visit(const Stmt& stmt) {
    if (const auto* loop = tir::as<tir::For>(stmt)) bound(loop->var, {loop->min, loop->extent});
    if (const auto* realize = tir::as<tir::SBlockRealize>(stmt)) {
      for (const tir::IterVar& iter : realize->block.iter_vars) bound(iter.var, iter.domain);
      for (const tir::MatchBuffer& matched : realize->block.match_buffers)
        parts_.erase(matched.source.buffer.get());
    }
    if (const auto* store = tir::as<tir::BufferStore>(stmt)) access(store->buffer, store->indices);
    if (const auto* attr = tir::as<tir::AttrStmt>(stmt)) {
      if (const auto* buffer = std::get_if<Buffer>(&attr->node)) parts_.erase(buffer->get());
    }
    tir::for_each_expr(
        stmt, [&](const Expr& expr) { tir::for_each_nested(expr, [&](const Expr& one) { visit(one); }); });
    tir::for_each_child(stmt, [&](const Stmt& child) { visit(child); });
  }

  const Accessed* of(const Buffer& buffer) const {
    const auto found = parts_.find(buffer.get());
    return found == parts_.end() ? nullptr : &found->second;
  }

 private:
  void visit(const Expr& expr) {
    if (const auto* load = tir::as<tir::BufferLoad>(expr)) {
      access(load->buffer, load->indices);
    } else {
      tir::for_each_buffer(expr, [&](const Buffer& buffer) { parts_.erase(buffer.get()); });
    }
  }

  void bound(const tir::Var& var, const tir::Range& range) {
    const auto min = bounds_of(range.min, bounds_);
    const auto extent = bounds_of(range.extent, bounds_);
    if (min && extent && extent->high > 0) bounds_[var.get()] = {min->low, min->high + extent->high - 1};
  }

  // An access outside of the buffer does not happen.
  void access(const Buffer& buffer, const std::vector<Expr>& indices) {
    const auto found = parts_.find(buffer.get());
    if (found == parts_.end()) return;
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
      const std::int64_t last = literal(buffer->shape[axis]).value_or(0) - 1;
      Interval part = bounds_of(indices[axis], bounds_).value_or(Interval{0, last});
      part = {std::max<std::int64_t>(part.low, 0), std::min(part.high, last)};
      if (part.low > part.high) continue;
      std::optional<Interval>& known = found->second[axis];
      known = known ? Interval{std::min(known->low, part.low), std::max(known->high, part.high)} : part;
    }
  }

  std::unordered_map<const tir::BufferNode*, Accessed> parts_;
  VariableBounds bounds_;
};

// Puts smaller buffers in the place of buffers: an index loses the number of elements that are cut off
// before.
class Shrinker : public tir::Mutator {
 public:
  explicit Shrinker(const Faults& faults) : faults_(faults) {}

  // Whether any axis shrinks.
  bool shrink(const Buffer& old, const Accessed& accessed) {
    Shrunk shrunk{.buffer = nullptr, .cut = std::vector<std::int64_t>(old->shape.size(), 0)};
    tir::BufferNode node = *old;
    bool changes = false;
    for (std::size_t axis = 0; axis < old->shape.size(); ++axis) {
      const auto size = literal(old->shape[axis]);
      if (!size || !accessed[axis]) continue;
      const std::int64_t kept = accessed[axis]->high - accessed[axis]->low + 1;
      if (kept >= *size) continue;
      changes = true;
      shrunk.cut[axis] = accessed[axis]->low;
      node.shape[axis] = tir::int_imm(kept, old->shape[axis]->type.dtype);
    }
    if (!changes || !old->strides.empty() || old->elem_offset != nullptr) return false;
    if (faults_.shrunk_by_one)
      node.shape.back() = plus(node.shape.back(), *literal(node.shape.back()) > 1 ? -1 : 0);
    shrunk.buffer = std::make_shared<const tir::BufferNode>(std::move(node));
    shrunk_[old.get()] = std::move(shrunk);
    return true;
  }

  Expr expr(const Expr& old) override {
    const auto* load = tir::as<tir::BufferLoad>(old);
    if (load == nullptr || shrunk_.find(load->buffer.get()) == shrunk_.end()) return parts(old);
    tir::BufferLoad fresh = *load;
    fresh.indices = shifted(load->buffer, fresh.indices, !faults_.load_not_shifted);
    fresh.buffer = buffer(load->buffer);
    return make_expr(std::move(fresh), old->type);
  }

  Stmt stmt(const Stmt& old) override {
    const auto* store = tir::as<tir::BufferStore>(old);
    if (store == nullptr || shrunk_.find(store->buffer.get()) == shrunk_.end()) return parts(old);
    tir::BufferStore fresh = *store;
    fresh.value = expr(fresh.value);
    fresh.indices = shifted(store->buffer, fresh.indices, true);
    fresh.buffer = buffer(store->buffer);
    return make_stmt(std::move(fresh));
  }

  Buffer buffer(const Buffer& old) override {
    const auto found = shrunk_.find(old.get());
    return found == shrunk_.end() ? old : found->second.buffer;
  }

 protected:
  // A region of one element moves with it. Others become the whole of the smaller buffer, which they may well
  // be.
  tir::BufferRegion region(const tir::BufferRegion& old) override {
    const auto found = shrunk_.find(old.buffer.get());
    if (found == shrunk_.end()) return Mutator::region(old);
    const Buffer& fresh = found->second.buffer;
    tir::BufferRegion result{fresh, {}};
    for (std::size_t axis = 0; axis < old.region.size(); ++axis) {
      const tir::Range& range = old.region[axis];
      const tir::Range whole{tir::int_imm(0, range.min->type.dtype), fresh->shape[axis]};
      const bool is_point = literal(range.extent) == 1;
      result.region.push_back(
          is_point ? tir::Range{plus(expr(range.min), -found->second.cut[axis]), range.extent} : whole);
    }
    return result;
  }

 private:
  struct Shrunk {
    Buffer buffer;
    std::vector<std::int64_t> cut;  // elements before the first that is kept, by axis
  };

  std::vector<Expr> shifted(const Buffer& old, const std::vector<Expr>& indices, bool shifts) {
    const std::vector<std::int64_t>& cut = shrunk_.at(old.get()).cut;
    std::vector<Expr> result;
    for (std::size_t axis = 0; axis < indices.size(); ++axis) {
      const Expr index = expr(indices[axis]);
      result.push_back(shifts ? less(index, cut[axis]) : index);
    }
    return result;
  }

  // `i + 2` less 2 is `i`.
  static Expr less(const Expr& index, std::int64_t number) {
    const auto* sum = tir::as<tir::Binary>(index);
    const bool adds = sum != nullptr && sum->op == tir::BinaryOp::add && literal(sum->rhs).has_value();
    return adds ? plus(sum->lhs, *literal(sum->rhs) - number) : plus(index, -number);
  }

  const Faults& faults_;
  std::unordered_map<const tir::BufferNode*, Shrunk> shrunk_;
};

class Renamer : public tir::Mutator {
 public:
  void rename(const Buffer& old, const Buffer& fresh) { names_[old.get()] = fresh; }

 protected:
  Buffer buffer(const Buffer& old) override {
    const auto found = names_.find(old.get());
    return found == names_.end() ? old : found->second;
  }

 private:
  std::unordered_map<const tir::BufferNode*, Buffer> names_;
};

bool mentions(const Stmt& stmt, const Buffer& buffer) {
  bool found = false;
  tir::for_each_nested(
      stmt,
      [&](const Stmt& one) {
        if (const auto* store = tir::as<tir::BufferStore>(one)) found = found || store->buffer == buffer;
        if (const auto* realize = tir::as<tir::SBlockRealize>(one)) {
          for (const tir::MatchBuffer& matched : realize->block.match_buffers)
            found = found || matched.source.buffer == buffer;
        }
      },
      [&](const Expr& one) {
        tir::for_each_buffer(one, [&](const Buffer& used) { found = found || used == buffer; });
      });
  return found;
}

bool same_memory(const tir::BufferNode& a, const tir::BufferNode& b) {
  const bool plain =
      a.strides.empty() && b.strides.empty() && a.elem_offset == nullptr && b.elem_offset == nullptr;
  if (!plain || !(a.dtype == b.dtype) || a.scope != b.scope) return false;
  return std::equal(
      a.shape.begin(), a.shape.end(), b.shape.begin(), b.shape.end(),
      [](const Expr& x, const Expr& y) { return literal(x).has_value() && literal(x) == literal(y); });
}

// A buffer of the root block, and the first and last of the root's statements in which it is used.
struct Lifetime {
  Buffer buffer;
  std::size_t first;
  std::size_t last;
};

// The block with buffers that are live one after the other in one place.
tir::SBlock with_shared_buffers(const tir::SBlock& root, const Faults& faults) {
  const auto* seq = tir::as<tir::Seq>(root.body);
  if (seq == nullptr) return root;
  AccessedParts accessed(root.alloc_buffers);
  accessed.visit(root.body);
  std::vector<Lifetime> kept;
  Renamer renamer;
  for (const Buffer& buffer : root.alloc_buffers) {
    Lifetime life{buffer, seq->stmts.size(), 0};
    for (std::size_t i = 0; i < seq->stmts.size(); ++i) {
      if (!mentions(seq->stmts[i], buffer)) continue;
      life.first = std::min(life.first, i);
      life.last = i;
    }
    const auto over = std::find_if(kept.begin(), kept.end(), [&](const Lifetime& other) {
      if (accessed.of(buffer) == nullptr || accessed.of(other.buffer) == nullptr)
        return false;  // another buffer may be a view of it
      const bool ended = other.last < life.first || (faults.reused_while_live && other.last == life.first);
      return ended && same_memory(*other.buffer, *buffer);
    });
    if (over == kept.end()) {
      kept.push_back(life);
      continue;
    }
    renamer.rename(buffer, over->buffer);
    over->last = std::max(over->last, life.last);
  }
  if (kept.size() == root.alloc_buffers.size()) return root;
  tir::SBlock fresh = root;
  fresh.alloc_buffers.clear();
  for (const Lifetime& life : kept) fresh.alloc_buffers.push_back(life.buffer);
  fresh.body = renamer.stmt(root.body);
  return fresh;
}

tir::SBlock with_smaller_buffers(const tir::SBlock& root, const Faults& faults) {
  AccessedParts accessed(root.alloc_buffers);
  accessed.visit(root.body);
  Shrinker shrinker(faults);
  bool changes = false;
  for (const Buffer& buffer : root.alloc_buffers) {
    const Accessed* parts = accessed.of(buffer);
    if (parts != nullptr && shrinker.shrink(buffer, *parts)) changes = true;
  }
  if (!changes) return root;
  tir::SBlock fresh = root;
  for (Buffer& buffer : fresh.alloc_buffers) buffer = shrinker.buffer(buffer);
  fresh.body = shrinker.stmt(root.body);
  return fresh;
}

tir::PrimFuncPtr compact(const tir::PrimFuncPtr& function, const Faults& faults) {
  const auto* realize = tir::as<tir::SBlockRealize>(function->body);
  if (realize == nullptr || !realize->block.iter_vars.empty() || realize->block.init != nullptr)
    return function;
  tir::SBlockRealize fresh = *realize;
  fresh.block = with_shared_buffers(with_smaller_buffers(realize->block, faults), faults);
  const bool changes =
      fresh.block.alloc_buffers != realize->block.alloc_buffers || fresh.block.body != realize->block.body;
  return changes ? with_body(function, make_stmt(std::move(fresh))) : function;
}

Result<Module> run(const Module& module, NativeRun& run) {
  const Faults faults = switched_on(kFaults, run);
  return rewrite_prim_funcs(module, run,
                            [&](const tir::PrimFuncPtr& function) { return compact(function, faults); });
}

}  // namespace
}  // namespace native::tir_compact

NativePass tir_compact() {
  using namespace native::tir_compact;
  return {
      .pass = tir_pass("TirCompact", "passes/native/tir_compact.cc"), .run = run, .faults = listed(kFaults)};
}

}  // namespace passdiff
