// TirVectorize: innermost loops of the kind `vectorized` become statements on vectors, with one lane for each
// iteration.
//
// As TVM's VectorizeLoop does, but blocks need not be lowered before: those without reductions and buffers of
// their own are, inside of such loops. What cannot be a vector (a store to the same place in all lanes, a
// guard that differs by lane, an index on two axes, a call) is left to a serial loop.
#include "passes/native/tir_passes.h"

namespace passdiff {
namespace native::tir_vectorize {
namespace {

using tir::BinaryOp;
using tir::Expr;
using tir::Stmt;

constexpr std::int64_t kMaxLanes = 64;

struct Faults {
  bool serial_too = false;
  bool guard_dropped = false;
  bool ramp_lost = false;
  bool stride_lost = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::serial_too, "tir-vectorize/serial-too",
     "serial loops become vectors as well, whose iterations depend on those before", "outputs-refine"},
    {&Faults::guard_dropped, "tir-vectorize/guard-dropped",
     "a store under a guard that differs by lane is made in all lanes", "outputs-refine"},
    {&Faults::ramp_lost, "tir-vectorize/ramp-lost",
     "the index of a load is that of the first lane in all of them", "outputs-refine"},
    {&Faults::stride_lost, "tir-vectorize/stride-lost",
     "a multiple of the loop's variable still counts in steps of one", "outputs-refine"},
};

// Expressions as vectors of one lane for each iteration. Null stands for what cannot be one. What does not
// depend on the loop's variable stays a scalar.
class Lanes {
 public:
  Lanes(const tir::For& loop, int count, const Faults& faults)
      : loop_(loop), count_(count), faults_(faults) {}

  Expr vector(const Expr& old) {
    if (!tir::uses(old, loop_.var)) return old;
    if (const auto* node = tir::as<tir::Binary>(old)) return binary(*node);
    if (tir::as<tir::Var>(old) != nullptr)
      return make_expr(tir::Ramp{loop_.min, tir::int_imm(1, old->type.dtype)}, widened(old->type));
    if (const auto* cast = tir::as<tir::Cast>(old)) {
      const Expr operand = vector(cast->operand);
      return operand == nullptr ? nullptr : make_expr(tir::Cast{operand}, widened(old->type));
    }
    if (const auto* negation = tir::as<tir::Not>(old)) {
      const Expr operand = vector(negation->operand);
      return operand == nullptr ? nullptr : make_expr(tir::Not{operand}, widened(old->type));
    }
    if (const auto* select = tir::as<tir::Select>(old)) return choice(*select, old->type);
    const auto* load = tir::as<tir::BufferLoad>(old);
    return load == nullptr ? nullptr : this->load(*load, old->type);
  }

  // A store on vectors, or null.
  Stmt store(const tir::BufferStore& old) {
    tir::BufferStore fresh = old;
    if (old.predicate != nullptr || !indices(fresh.indices)) return nullptr;
    const Expr value = vector(old.value);
    if (value == nullptr) return nullptr;
    fresh.value = broadcast(value);
    return make_stmt(std::move(fresh));
  }

 private:
  tir::ScalarType widened(tir::ScalarType type) const {
    type.lanes = count_;
    return type;
  }
  Expr broadcast(const Expr& value) const {
    return value->type.lanes == count_ ? value : make_expr(tir::Broadcast{value}, widened(value->type));
  }

  Expr binary(const tir::Binary& node) {
    const Expr lhs = vector(node.lhs);
    const Expr rhs = vector(node.rhs);
    if (lhs == nullptr || rhs == nullptr) return nullptr;
    if (Expr ramp = ramp_of(node.op, lhs, rhs)) return ramp;
    return tir::binary_expr(node.op, broadcast(lhs), broadcast(rhs));
  }

  // A ramp plus, minus or times a scalar is a ramp.
  Expr ramp_of(BinaryOp op, const Expr& lhs, const Expr& rhs) const {
    const bool commutes = op == BinaryOp::add || op == BinaryOp::multiply;
    const bool ramp_right = tir::as<tir::Ramp>(lhs) == nullptr;
    const auto* ramp = tir::as<tir::Ramp>(ramp_right ? rhs : lhs);
    const Expr& scalar = ramp_right ? lhs : rhs;
    if (ramp == nullptr || scalar->type.lanes != 1 ||
        !(commutes || (op == BinaryOp::subtract && !ramp_right)))
      return nullptr;
    const Expr base = ramp_right ? tir::binary_expr(op, scalar, ramp->base) : tir::binary_expr(op, ramp->base, scalar);
    const bool scales = op == BinaryOp::multiply && !faults_.stride_lost;
    return make_expr(tir::Ramp{base, scales ? tir::binary_expr(op, ramp->stride, scalar) : ramp->stride},
                     widened(scalar->type));
  }

  Expr choice(const tir::Select& select, const tir::ScalarType& type) {
    const Expr condition = vector(select.condition);
    const Expr on_true = vector(select.on_true);
    const Expr on_false = vector(select.on_false);
    if (condition == nullptr || on_true == nullptr || on_false == nullptr) return nullptr;
    return make_expr(tir::Select{broadcast(condition), broadcast(on_true), broadcast(on_false)},
                     widened(type));
  }

  Expr load(const tir::BufferLoad& old, const tir::ScalarType& type) {
    tir::BufferLoad fresh = old;
    if (old.predicate != nullptr || type.lanes != 1 || !indices(fresh.indices)) return nullptr;
    if (faults_.ramp_lost) {
      for (Expr& index : fresh.indices) {
        if (const auto* ramp = tir::as<tir::Ramp>(index)) index = broadcast(ramp->base);
      }
    }
    return make_expr(std::move(fresh), widened(type));
  }

  // Whether exactly one of the indices is a vector; writes them as vectors.
  bool indices(std::vector<Expr>& indices) {
    int vectors = 0;
    for (Expr& index : indices) {
      index = vector(index);
      if (index == nullptr) return false;
      vectors += index->type.lanes == count_ ? 1 : 0;
    }
    return vectors == 1;
  }

  const tir::For& loop_;
  int count_;
  const Faults& faults_;
};

// What the block does, without saying that it is a block. Null if it has a reduction or buffers of its own.
Stmt lowered(const tir::SBlockRealize& realize) {
  const tir::SBlock& block = realize.block;
  if (block.init != nullptr || !block.alloc_buffers.empty() || !block.match_buffers.empty()) return nullptr;
  tir::Substitution values;
  for (std::size_t i = 0; i < block.iter_vars.size(); ++i) {
    if (block.iter_vars[i].kind == tir::IterKind::reduction) return nullptr;
    values.replace(block.iter_vars[i].var, realize.iter_values[i]);
  }
  const Stmt body = values.stmt(block.body);
  if (literal(realize.predicate) == 1) return body;
  return make_stmt(tir::IfThenElse{realize.predicate, body, nullptr});
}

class Vectorizer : public tir::Mutator {
 public:
  explicit Vectorizer(const Faults& faults) : faults_(faults) {}

  Stmt stmt(const Stmt& old) override {
    const auto* loop = tir::as<tir::For>(old);
    if (loop == nullptr) return parts(old);
    const auto extent = literal(loop->extent);
    const bool asked =
        loop->kind == tir::ForKind::vectorized || (faults_.serial_too && loop->kind == tir::ForKind::serial);
    if (!asked || !extent || *extent < 2 || *extent > kMaxLanes || loop->step != nullptr ||
        !is_arithmetic(loop->min))
      return parts(old);
    const Stmt body = without_block(loop->body);
    if (body == nullptr || !is_simple(body)) return parts(old);
    return distributed(*loop, static_cast<int>(*extent), body);
  }

 private:
  static Stmt without_block(const Stmt& body) {
    const auto* realize = tir::as<tir::SBlockRealize>(body);
    return realize == nullptr ? body : lowered(*realize);
  }

  // Whether the statement is made of guards, sequences and stores that are no vectors yet.
  static bool is_simple(const Stmt& stmt) {
    if (const auto* store = tir::as<tir::BufferStore>(stmt)) return store->value->type.lanes == 1;
    if (!tir::as<tir::Seq>(stmt) && !tir::as<tir::IfThenElse>(stmt)) return false;
    bool simple = true;
    tir::for_each_child(stmt, [&](const Stmt& child) { simple = simple && is_simple(child); });
    return simple;
  }

  // Each statement by itself in all lanes: iterations of a vectorised loop are in no order.
  Stmt distributed(const tir::For& loop, int lanes, const Stmt& body) {
    if (const auto* seq = tir::as<tir::Seq>(body)) {
      std::vector<Stmt> stmts;
      for (const Stmt& one : seq->stmts) stmts.push_back(distributed(loop, lanes, one));
      return tir::sequence(stmts);
    }
    if (const auto* branches = tir::as<tir::IfThenElse>(body)) return guarded(loop, lanes, *branches, body);
    const Stmt store = Lanes(loop, lanes, faults_).store(std::get<tir::BufferStore>(body->node));
    return store == nullptr ? serial(loop, body) : store;
  }

  Stmt guarded(const tir::For& loop, int lanes, const tir::IfThenElse& branches, const Stmt& body) {
    const bool differs = tir::uses(branches.condition, loop.var);
    if (differs && faults_.guard_dropped) return distributed(loop, lanes, branches.then_case);
    // A condition on memory could be changed by a lane.
    if (differs || !is_arithmetic(branches.condition)) return serial(loop, body);
    const Stmt then_case = distributed(loop, lanes, branches.then_case);
    const Stmt else_case =
        branches.else_case == nullptr ? nullptr : distributed(loop, lanes, branches.else_case);
    return make_stmt(tir::IfThenElse{branches.condition, then_case, else_case});
  }

  static Stmt serial(tir::For loop, const Stmt& body) {
    loop.kind = tir::ForKind::serial;
    loop.body = body;
    return tir::Substitution().stmt(
        make_stmt(std::move(loop)));  // one loop may become several, each with its own variable
  }

  const Faults& faults_;
};

}  // namespace
}  // namespace native::tir_vectorize

NativePass tir_vectorize() {
  using namespace native::tir_vectorize;
  return {.pass = tir_pass("TirVectorize", "passes/native/tir_vectorize.cc"),
          .run = rewrite_bodies<Vectorizer, kFaults>,
          .faults = listed(kFaults)};
}

}  // namespace passdiff
