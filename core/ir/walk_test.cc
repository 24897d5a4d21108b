#include "core/ir/walk.h"

#include <gtest/gtest.h>

#include "core/ir/queries.h"
#include "core/ir/rewriter.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

const Type kScalar = tensor_type({}, DType::boolean);

ExprPtr call_of(Callee callee, std::vector<ExprPtr> args) {
  return make_expr(Call{std::move(callee), std::move(args), {}, {}}, kScalar);
}

Var scalar(std::string name) {
  return make_var(std::move(name), kScalar);
}

// def f(x, y):
//   a = callee(x, (y,))
//   b = if x: { t = pure(a); t } else: { y }
//   def g(p): q = host(p); return (q, a)
//   return (b, other)
struct Example {
  Var x = scalar("x"), y = scalar("y"), a = scalar("a"), b = scalar("b"), t = scalar("t"), p = scalar("p"),
      q = scalar("q"), g = scalar("g");
  FunctionPtr function;

  Example() {
    const ExprPtr pair = make_expr(Tuple{{var_expr(y)}}, tuple_type({kScalar}));
    const auto then_branch = std::make_shared<const SeqExpr>(
        SeqExpr{{Block{false, {{t, call_of(GlobalRef{"pure"}, {var_expr(a)}), {}}}}}, var_expr(t)});
    const auto else_branch = std::make_shared<const SeqExpr>(SeqExpr{{}, var_expr(y)});
    const SeqExpr inner{{Block{false, {{q, call_of(ExternFunc{"host"}, {var_expr(p)}), {}}}}},
                        make_expr(Tuple{{var_expr(q), var_expr(a)}}, tuple_type({kScalar, kScalar}))};
    const auto local = std::make_shared<const Function>(Function{{p}, inner, inner.result->type, true, {}});
    const Block first{true, {{a, call_of(GlobalRef{"callee"}, {var_expr(x), pair}), {}}}};
    const Block second{false,
                       {{b, make_expr(If{var_expr(x), then_branch, else_branch}, kScalar), {}},
                        {g, make_expr(FunctionPtr(local), object_type()), {}}}};
    const ExprPtr result =
        make_expr(Tuple{{var_expr(b), make_expr(GlobalRef{"other"}, object_type())}}, object_type());
    function = std::make_shared<const Function>(
        Function{{x, y}, SeqExpr{{first, second}, result}, object_type(), true, {}});
  }
  const SeqExpr& body() const { return function->body; }
};

template <Enter kEnter>
std::string bound_in(const SeqExpr& seq) {
  std::string names;
  for_each_binding<kEnter>(seq, [&](const Binding& binding) { names += binding.var->name; });
  return names;
}

TEST(Walk, VisitsBindingsBeforeThoseInsideTheirValues) {
  const Example example;
  EXPECT_EQ(bound_in<Enter::all>(example.body()), "abtgq");
  EXPECT_EQ(bound_in<Enter::none>(example.body()), "abg");
  EXPECT_EQ(bound_in<Enter::branches>(example.body()), "abtg");
  EXPECT_EQ(bound_in<Enter::functions>(example.body()), "abgq");
}

TEST(Walk, TellsTheBlockOfABinding) {
  const Example example;
  std::string dataflow;
  for_each_binding(example.body(), [&](const Binding& binding, const Block& block) {
    if (block.dataflow) dataflow += binding.var->name;
  });
  EXPECT_EQ(dataflow, "a");
}

TEST(Walk, GoesBackwardsOverBindings) {
  const Example example;
  std::string names;
  for_each_binding_reversed(example.body(), [&](const Binding& binding) { names += binding.var->name; });
  EXPECT_EQ(names, "gba");
}

TEST(Walk, EndsOrSkipsAsTheVisitSays) {
  const Example example;
  std::string names;
  const auto until = [&](const std::string& name, Walk then) {
    names.clear();
    return for_each_binding(example.body(), [&](const Binding& binding) {
      names += binding.var->name;
      return binding.var->name == name ? then : Walk::on;
    });
  };
  EXPECT_FALSE(until("t", Walk::stop));
  EXPECT_EQ(names, "abt");
  EXPECT_TRUE(until("b", Walk::skip));
  EXPECT_EQ(names, "abgq");
}

TEST(Walk, VisitsExpressionsBeforeTheirOperands) {
  const Example example;
  std::string kinds;
  for_each_expr<Enter::none>(example.body(), [&](const ExprPtr& expr) {
    kinds += match(
        expr, [](const Var& var) { return var->name; }, [](const Call&) { return std::string("C"); },
        [](const Tuple&) { return std::string("T"); }, [](const If&) { return std::string("I"); },
        [](const OneOf<Constant, TupleGetItem, ShapeExpr, PrimValue, StringImm, DataTypeImm, GlobalRef, ExternFunc,
                       FunctionPtr> auto&) { return std::string("-"); });
  });
  EXPECT_EQ(kinds, "CxTyIx-Tb-");
}

TEST(Queries, FindUsesInBranchesAndLocalFunctionsToo) {
  const Example example;
  std::string used;
  for_each_use(example.body(), [&](const Var& var) { used += var->name; });
  EXPECT_EQ(used, "xyxatypqab");
  EXPECT_TRUE(uses(example.body(), example.t.get()));
  EXPECT_FALSE(uses(example.body(), example.g.get()));
}

TEST(Queries, FindTheBindingOfAVariableInTheSequenceItself) {
  const Example example;
  EXPECT_EQ(binding_of(example.body(), example.g.get()), &example.body().blocks[1].bindings[1]);
  EXPECT_EQ(binding_of(example.body(), example.t.get()), nullptr);
}

TEST(Queries, FindGlobalsThatAreCalledOrMentioned) {
  const Example example;
  std::vector<std::string> names;
  for_each_global(example.body(), [&](const std::string& name) { names.push_back(name); });
  EXPECT_EQ(names, (std::vector<std::string>{"callee", "pure", "other"}));
}

TEST(Queries, FindAGlobalThatAConditionMentions) {
  const auto seq = std::make_shared<const SeqExpr>(SeqExpr{{}, var_expr(scalar("x"))});
  const ExprPtr global = make_expr(GlobalRef{"g"}, object_type());
  const ExprPtr condition = make_expr(TupleGetItem{global, 0}, kScalar);
  int found = 0;
  for_each_global(make_expr(If{condition, seq, seq}, kScalar), [&](const std::string&) { ++found; });
  EXPECT_EQ(found, 1);
}

TEST(Queries, ReachWhatTheReachedMention) {
  const auto mentions = [](const std::string& name) {
    return std::make_shared<const Function>(
        Function{{}, SeqExpr{{}, make_expr(GlobalRef{name}, object_type())}, object_type(), true, {}});
  };
  const Module module{{{"f", mentions("g"), true}, {"g", mentions("f"), false}, {"h", mentions("g"), false}}, {}, {}};
  EXPECT_EQ(reachable_functions(module, {"f"}), (std::vector<std::string>{"f", "g"}));
  EXPECT_TRUE(is_referenced(module, "g"));
  EXPECT_FALSE(is_referenced(module, "h"));
}

TEST(Queries, FindSymbolsThatAreWrittenNotThoseInferred) {
  const SymVar n = make_sym_var("n");
  const SymVar m = make_sym_var("m");
  const Var x = make_var("x", tensor_type({Dim(m)}, DType::float32));
  const ExprPtr shape = make_expr(ShapeExpr{{Dim(n)}}, shape_type({Dim(n)}));
  std::string found;
  const auto visit = [&](const SymVar& symbol) { found += symbol->name; };
  for_each_symbol(call_of(ExternFunc{"f"}, {var_expr(x), shape}), visit);
  EXPECT_EQ(found, "n");
  for_each_symbol(Binding{x, var_expr(x), tensor_type({Dim(n)}, DType::float32)}, visit);
  EXPECT_EQ(found, "nmn");
}

TEST(Queries, CallImpureWhatCallsTheHostNotWhatMakesAClosure) {
  const Example example;
  const Module module{{{"pure", example.function, true}, {"callee", example.function, true}}, {}, {}};
  std::string impure;
  for_each_binding(example.body(), [&](const Binding& binding) {
    if (is_impure(module, binding.value)) impure += binding.var->name;
  });
  EXPECT_EQ(impure, "q");
  EXPECT_TRUE(is_impure({}, call_of(GlobalRef{"unknown"}, {})));
}

TEST(Rewriter, ReturnsTheFunctionItselfWhereNothingChanges) {
  const Example example;
  Rewriter rewriter;
  EXPECT_EQ(rewriter.function(example.function), example.function);
}

TEST(Rewriter, SharesWhatASubstitutionLeavesAlone) {
  const Example example;
  Substitution by;
  by.vars.set(example.y.get(), var_expr(example.p));
  const SeqExpr body = substitute(example.body(), by);
  EXPECT_FALSE(uses(body, example.y.get()));
  const auto value = [](const SeqExpr& seq, std::size_t block, std::size_t i) {
    return seq.blocks[block].bindings[i].value;
  };
  EXPECT_NE(value(body, 0, 0), value(example.body(), 0, 0));
  EXPECT_NE(value(body, 1, 0), value(example.body(), 1, 0));
  EXPECT_EQ(as<If>(value(body, 1, 0))->then_branch, as<If>(value(example.body(), 1, 0))->then_branch);
  EXPECT_EQ(value(body, 1, 1), value(example.body(), 1, 1));
}

TEST(Rewriter, ReplacesDimsInShapesTypesAndCasts) {
  const SymVar n = make_sym_var("n");
  Substitution by;
  by.symbols.set(n.get(), Dim(4));
  const Type type = tensor_type({Dim(n)}, DType::float32);
  const ExprPtr shape = make_expr(ShapeExpr{{Dim(n) + Dim(1)}}, shape_type({Dim(n) + Dim(1)}));
  const Var x = make_var("x", object_type());
  const SeqExpr seq = substitute(SeqExpr{{Block{false, {{x, shape, type}}}}, var_expr(x)}, by);
  const Binding& binding = seq.blocks[0].bindings[0];
  EXPECT_EQ(as<ShapeExpr>(binding.value)->values[0].value(), 5);
  EXPECT_TRUE(equal(binding.value->type, shape_type({Dim(5)})));
  EXPECT_TRUE(equal(*binding.match_cast, tensor_type({Dim(4)}, DType::float32)));
}

// Removes the bindings of one variable, wherever they are.
class Dropper : public BindingRewriter {
 public:
  explicit Dropper(Var var) : var_(std::move(var)) {}

 protected:
  bool binding(const Binding& old, BlockSink& to) override {
    return old.var == var_ || BindingRewriter::binding(old, to);
  }

 private:
  Var var_;
};

TEST(Rewriter, LeavesNoBlockEmpty) {
  const Example example;
  EXPECT_EQ(Dropper(example.a).function(example.function)->body.blocks.size(), 1u);
  const FunctionPtr rewritten = Dropper(example.q).function(example.function);
  EXPECT_EQ(bound_in<Enter::all>(rewritten->body), "abtg");
  EXPECT_EQ((*as<FunctionPtr>(rewritten->body.blocks[1].bindings[1].value))->body.blocks.size(), 0u);
}

// Fails at one variable.
class Failing : public Rewriter {
 public:
  explicit Failing(Var at) : at_(std::move(at)) {}
  ExprPtr expr(const ExprPtr& old) override {
    const Var* var = as<Var>(old);
    return var != nullptr && *var == at_ ? nullptr : Rewriter::expr(old);
  }

 private:
  Var at_;
};

TEST(Rewriter, FailsAsAWholeWhereAPartFails) {
  const Example example;
  for (const Var& at : {example.x, example.y, example.a, example.t, example.p, example.q, example.b}) {
    EXPECT_EQ(Failing(at).function(example.function), nullptr) << at->name;
  }
  EXPECT_EQ(Failing(example.g).function(example.function), example.function);
}

TEST(BlockSink, JoinsPlainBlocksOnly) {
  BlockSink sink;
  const Binding binding{scalar("x"), var_expr(scalar("y")), {}};
  sink.add(binding);
  sink.continue_plain();
  sink.add(binding);
  sink.begin_block(false);
  sink.add(binding);
  sink.begin_block(true);
  sink.begin_block(true);
  sink.add(binding);
  SeqExpr seq = sink.finish(var_expr(scalar("z")));
  ASSERT_EQ(seq.blocks.size(), 3u);
  EXPECT_EQ(seq.blocks[0].bindings.size(), 2u);
  join_plain_blocks(seq);
  ASSERT_EQ(seq.blocks.size(), 2u);
  EXPECT_EQ(seq.blocks[0].bindings.size(), 3u);
  EXPECT_TRUE(seq.blocks[1].dataflow);
  EXPECT_TRUE(join_as_plain(seq));
  ASSERT_EQ(seq.blocks.size(), 1u);
  EXPECT_EQ(seq.blocks[0].bindings.size(), 4u);
  EXPECT_FALSE(join_as_plain(seq)) << "all is plain already";
}

TEST(Sequences, BindAnotherVariableInPlaceOfOne) {
  BlockSink sink;
  const Var x = scalar("x");
  sink.add({x, var_expr(scalar("y")), x->type});
  sink.add({scalar("w"), var_expr(x), {}});
  SeqExpr seq = sink.finish(var_expr(x));
  const Var other = scalar("other");
  bind_instead(seq, x, other);
  EXPECT_EQ(seq.blocks[0].bindings[0].var, other);
  EXPECT_FALSE(seq.blocks[0].bindings[0].match_cast);
  EXPECT_EQ(*as<Var>(seq.blocks[0].bindings[1].value), x) << "uses stay";
}

}  // namespace
}  // namespace passdiff
