#include <gtest/gtest.h>

#include "core/ir/tir/mutator.h"
#include "core/ir/tir/structural.h"

namespace passdiff::tir {
namespace {

const ScalarType kIndex = number_type(DType::int64);

Buffer memory(std::vector<Expr> shape) {
  BufferNode node{.name = "a", .dtype = kIndex, .shape = std::move(shape), .strides = {}};
  return std::make_shared<const BufferNode>(std::move(node));
}
Expr sum(const Expr& a, const Expr& b) {
  return make_expr(Binary{BinaryOp::add, a, b}, kIndex);
}
Expr load(const Buffer& buffer, const Expr& index) {
  return make_expr(BufferLoad{buffer, {index}, nullptr}, kIndex);
}

// An expression of each alternative that has operands, all of them `part`.
std::vector<Expr> expressions_of(const Expr& part, const Buffer& buffer) {
  const Var var = make_var("v", kIndex);
  const ScalarType two = number_type(DType::int64, 2);
  return {sum(part, part),
          make_expr(Not{part}, number_type(DType::boolean)),
          make_expr(Select{part, part, part}, kIndex),
          make_expr(Cast{part}, kIndex),
          load(buffer, part),
          make_expr(Ramp{part, part}, two),
          make_expr(Broadcast{part}, two),
          make_expr(Shuffle{{part}, {part}}, kIndex),
          make_expr(Let{var, part, part}, kIndex),
          make_expr(Call{"exp", {part}}, kIndex),
          make_expr(FunctionCall{"f", {part}}, kIndex)};
}

// A statement of each alternative that has expressions or statements, all of the expressions `part`.
std::vector<Stmt> statements_of(const Expr& part, const Buffer& buffer) {
  const Var var = make_var("v", kIndex);
  const Stmt store = make_stmt(BufferStore{buffer, part, {part}, nullptr});
  SBlock block{.name = "b"};
  block.iter_vars = {{make_var("w", kIndex), {part, part}, IterKind::spatial}};
  block.reads = {{buffer, {{part, part}}}};
  block.body = store;
  return {make_stmt(For{.var = var, .min = part, .extent = part, .body = store}),
          make_stmt(While{part, store}),
          make_stmt(Seq{{store, store}}),
          make_stmt(IfThenElse{part, store, store}),
          make_stmt(Evaluate{part}),
          make_stmt(Bind{var, part}),
          store,
          make_stmt(AllocBuffer{memory({part}), {}}),
          make_stmt(DeclBuffer{memory({part}), part}),
          make_stmt(AttrStmt{.node = buffer, .thread_tag = {}, .key = "k", .value = part, .body = store}),
          make_stmt(AssertStmt{.condition = part}),
          make_stmt(Return{part}),
          make_stmt(SBlockRealize{{part}, part, block})};
}

class Nothing : public Mutator {};
// Each literal 1 becomes 2.
class OneToTwo : public Mutator {
 public:
  Expr expr(const Expr& old) override {
    const IntImm* imm = as<IntImm>(old);
    return imm != nullptr && imm->value == 1 ? int_imm(2) : parts(old);
  }
};

int count_of_ones(const Stmt& stmt) {
  int ones = 0;
  for_each_nested(
      stmt, [](const Stmt&) {},
      [&](const Expr& expr) { ones += as<IntImm>(expr) != nullptr && as<IntImm>(expr)->value == 1 ? 1 : 0; });
  return ones;
}

TEST(TirMutator, ReturnsTheSameNodeWhereNothingChanges) {
  const Buffer buffer = memory({int_imm(4)});
  for (const Expr& expr : expressions_of(int_imm(1), buffer)) EXPECT_EQ(Nothing().expr(expr), expr);
  for (const Stmt& stmt : statements_of(int_imm(1), buffer)) EXPECT_EQ(Nothing().stmt(stmt), stmt);
}

TEST(TirMutator, RewritesEveryPart) {
  const Buffer buffer = memory({int_imm(4)});
  for (const Expr& expr : expressions_of(int_imm(1), buffer)) {
    const Stmt fresh = OneToTwo().stmt(make_stmt(Evaluate{expr}));
    EXPECT_EQ(count_of_ones(fresh), 0) << expr->node.index();
    EXPECT_EQ(as<Evaluate>(fresh)->value->node.index(), expr->node.index());
  }
  for (const Stmt& stmt : statements_of(int_imm(1), buffer)) {
    const Stmt fresh = OneToTwo().stmt(stmt);
    EXPECT_NE(fresh, stmt) << stmt->node.index();
    EXPECT_EQ(count_of_ones(fresh), 0) << stmt->node.index();
    EXPECT_EQ(fresh->node.index(), stmt->node.index());
  }
}

TEST(TirMutator, UsesOfABufferFollowItsDeclaration) {
  const Buffer buffer = memory({int_imm(1)});
  const Stmt alloc = make_stmt(AllocBuffer{buffer, {}});
  const Stmt fresh = OneToTwo().stmt(make_stmt(Seq{{alloc, make_stmt(Evaluate{load(buffer, int_imm(0))})}}));
  const Seq& seq = *as<Seq>(fresh);
  const Buffer& declared = as<AllocBuffer>(seq.stmts[0])->buffer;
  EXPECT_NE(declared, buffer);
  EXPECT_EQ(as<IntImm>(declared->shape[0])->value, 2);
  EXPECT_EQ(as<BufferLoad>(as<Evaluate>(seq.stmts[1])->value)->buffer, declared);
}

TEST(TirSubstitution, CopiesWhatTheStatementDefines) {
  const Var outer = make_var("i", kIndex);
  const Var inner = make_var("j", kIndex);
  const Buffer own = memory({var_expr(outer)});
  const Stmt body = make_stmt(
      Seq{{make_stmt(AllocBuffer{own, {}}),
           make_stmt(For{.var = inner,
                         .min = int_imm(0),
                         .extent = int_imm(3),
                         .body = make_stmt(Evaluate{load(own, sum(var_expr(outer), var_expr(inner)))})})}});
  Substitution seven;
  seven.replace(outer, int_imm(7));
  const Stmt fresh = seven.stmt(body);
  EXPECT_FALSE(uses(fresh, outer));
  EXPECT_FALSE(uses(fresh, inner));
  const Buffer& copy = as<AllocBuffer>(as<Seq>(fresh)->stmts[0])->buffer;
  EXPECT_EQ(as<IntImm>(copy->shape[0])->value, 7);
  const For& loop = *as<For>(as<Seq>(fresh)->stmts[1]);
  const BufferLoad& access = *as<BufferLoad>(as<Evaluate>(loop.body)->value);
  EXPECT_EQ(access.buffer, copy);
  EXPECT_TRUE(uses(access.indices[0], loop.var));
}

TEST(TirSequence, IsFlat) {
  const Stmt one = no_op();
  EXPECT_EQ(sequence({one}), one);
  const Stmt all = sequence({make_stmt(Seq{{one, one}}), one});
  EXPECT_EQ(as<Seq>(all)->stmts.size(), 3U);
}

}  // namespace
}  // namespace passdiff::tir
