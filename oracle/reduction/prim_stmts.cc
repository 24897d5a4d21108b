// Steps for the statements of functions of TensorIR.
#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "oracle/reduction/parts.h"
#include "oracle/reduction/prim_funcs.h"

namespace passdiff {
namespace {

std::size_t count_stmts(const TestCase& test) {
  return stmts_of(test).size();
}
std::optional<TestCase> drop_stmts(const TestCase& test, std::size_t first, std::size_t last) {
  const std::vector<tir::Stmt> stmts = stmts_of(test);
  std::unordered_set<const tir::StmtNode*> dropped;
  for (std::size_t i = first; i < last; ++i) dropped.insert(stmts[i].get());
  return with_stmts(test, [&](const tir::Stmt& stmt) {
    return dropped.contains(stmt.get()) ? std::optional(nothing()) : std::nullopt;
  });
}

struct StmtChange {
  tir::Stmt from;
  tir::Stmt to;
};
std::vector<StmtChange> stmt_changes(const TestCase& test) {
  std::vector<StmtChange> changes;
  for (const tir::Stmt& stmt : stmts_of(test)) {
    for (tir::Stmt& alternative : alternatives(stmt)) changes.push_back({stmt, std::move(alternative)});
  }
  return changes;
}
std::size_t count_stmt_changes(const TestCase& test) {
  return stmt_changes(test).size();
}
std::optional<TestCase> plain_stmt(const TestCase& test, std::size_t i) {
  const StmtChange change = stmt_changes(test)[i];
  return with_stmts(
      test, [&](const tir::Stmt& stmt) { return stmt == change.from ? std::optional(change.to) : std::nullopt; });
}

// The stored values become zero.
std::vector<tir::Stmt> stores_of(const TestCase& test) {
  std::vector<tir::Stmt> stores = stmts_of(test);
  std::erase_if(stores, [](const tir::Stmt& stmt) { return tir::as<tir::BufferStore>(stmt) == nullptr; });
  return stores;
}
std::size_t count_stores(const TestCase& test) {
  return stores_of(test).size();
}
std::optional<TestCase> zero_stores(const TestCase& test, std::size_t first, std::size_t last) {
  const std::vector<tir::Stmt> stores = stores_of(test);
  std::unordered_set<const tir::StmtNode*> chosen;
  for (std::size_t i = first; i < last; ++i) chosen.insert(stores[i].get());
  return with_stmts(test, [&](const tir::Stmt& stmt) -> std::optional<tir::Stmt> {
    if (!chosen.contains(stmt.get())) return std::nullopt;
    tir::BufferStore store = *tir::as<tir::BufferStore>(stmt);
    if (!store.value->type.is_number() || store.value->type.lanes != 1) return std::nullopt;
    store.value = number(store.value->type, 0);
    return tir::make_stmt(std::move(store));
  });
}

// Puts the value of a store in the place of the loads of its buffer, which nothing else stores to.
class Forwarder : public tir::Mutator {
 public:
  explicit Forwarder(const tir::Stmt& store) : store_(store), stored_(*tir::as<tir::BufferStore>(store)) {}
  tir::Stmt stmt(const tir::Stmt& old) override { return old == store_ ? nothing() : collapsed(parts(old)); }
  tir::Expr expr(const tir::Expr& old) override {
    const auto* load = tir::as<tir::BufferLoad>(old);
    return load != nullptr && load->buffer == stored_.buffer ? stored_.value : parts(old);
  }

 private:
  const tir::Stmt& store_;
  const tir::BufferStore& stored_;
};
std::optional<TestCase> forward_store(const TestCase& test, std::size_t i) {
  const std::vector<tir::Stmt> stores = stores_of(test);
  const auto buffer_of = [](const tir::Stmt& store) { return tir::as<tir::BufferStore>(store)->buffer; };
  const auto same = [&](const tir::Stmt& store) { return buffer_of(store) == buffer_of(stores[i]); };
  if (std::count_if(stores.begin(), stores.end(), same) != 1) return std::nullopt;
  return with_bodies(test, [&](const tir::Stmt& body) { return Forwarder(stores[i]).stmt(body); });
}

// Blocks lose what they do not need.
class Tidier : public tir::Mutator {
 public:
  tir::Stmt stmt(const tir::Stmt& old) override {
    const tir::Stmt fresh = collapsed(parts(old));
    const auto* realize = tir::as<tir::SBlockRealize>(fresh);
    return realize == nullptr ? fresh : tir::make_stmt(tidied(*realize));
  }
};
std::optional<TestCase> tidy_blocks(const TestCase& test, std::size_t) {
  return with_bodies(test, [](const tir::Stmt& body) { return Tidier().stmt(body); });
}

constexpr std::array kRanges = {
    RangeStep{"drop-statements", count_stmts, drop_stmts},
    RangeStep{"zero-stores", count_stores, zero_stores},
};
}  // namespace

RangeSteps prim_stmt_ranges() {
  return kRanges;
}
ReduceSteps prim_stmt_steps() {
  static constexpr std::array kSteps = {
      ReduceStep{"plain-statement", count_stmt_changes, plain_stmt, Order::forward},
      ReduceStep{"forward-store", count_stores, forward_store},
      ReduceStep{"tidy-blocks", count_one, tidy_blocks},
  };
  return kSteps;
}

}  // namespace passdiff
