#include "core/eval/interpret.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/eval/test_ops.h"
#include "core/form/builder.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

Tensor ints(std::vector<std::int64_t> elements) {
  const std::int64_t shape[] = {static_cast<std::int64_t>(elements.size())};
  Tensor tensor = zeros(DType::int32, shape);
  std::copy(elements.begin(), elements.end(), std::get<Tensor::Ints>(tensor.values).begin());
  return tensor;
}

Tensor scalar(std::int64_t value, DType dtype = DType::int32) {
  Tensor tensor = zeros(dtype, {});
  std::get<Tensor::Ints>(tensor.values).data()[0] = value;
  return tensor;
}

Value value_of(Tensor tensor) {
  return make_tensor(std::move(tensor));
}

const Type kScalar = tensor_type({}, DType::int32);
const Type kCondition = tensor_type({}, DType::boolean);
Type vector_type(const Dim& size) {
  return tensor_type({size}, DType::int32);
}

ExprPtr call(const OpDef& op, std::vector<ExprPtr> args) {
  return make_call(op, std::move(args), {}).value();
}
ExprPtr number(std::int64_t value) {
  return make_constant(scalar(value));
}

Module main_of(FunctionPtr function) {
  Module module;
  module.functions.push_back({"main", std::move(function), true});
  return module;
}

Outcome run(FunctionPtr function, std::vector<Value> arguments, const InterpretOptions& options = {}) {
  return interpret(main_of(std::move(function)), "main", arguments, options);
}

template <class Kind>
const Kind& expect(const Outcome& outcome) {
  const Kind* kind = std::get_if<Kind>(&outcome);
  CHECK(kind != nullptr) << to_string(outcome);
  return *kind;
}

void expect_returns(const Outcome& outcome, const Tensor& tensor) {
  ASSERT_TRUE(std::holds_alternative<Returned>(outcome)) << to_string(outcome);
  EXPECT_TRUE(bit_equal(std::get<Returned>(outcome).value, value_of(tensor))) << to_string(outcome);
}

// The function main(x) with x of type `type`; `make` builds its body.
template <class Make>
FunctionPtr unary_function(const Type& type, Make make) {
  const Var x = make_var("x", type);
  SeqBuilder builder;
  const ExprPtr result = make(builder, var_expr(x));
  return make_function({x}, builder.finish(result));
}

TEST(Interpret, EvaluatesBindingsInOrder) {
  const FunctionPtr main = unary_function(vector_type(2), [](SeqBuilder& b, const ExprPtr& x) {
    const Var two = b.emit(call(sum_op(), {x, x}));
    return var_expr(b.emit(call(sum_op(), {var_expr(two), x})));
  });
  expect_returns(run(main, {value_of(ints({1, 5}))}), ints({3, 15}));
}

TEST(Interpret, SignedOverflowGoesOnWithTheWrappedValue) {
  const FunctionPtr main = unary_function(vector_type(1), [](SeqBuilder& b, const ExprPtr& x) {
    const Var big = b.emit(call(sum_op(), {x, x}), true, "big");
    return var_expr(b.emit(call(sum_op(), {var_expr(big), x})));
  });
  const Outcome outcome = run(main, {value_of(ints({0x40000000}))});
  expect_returns(outcome, ints({-0x40000000}));
  const auto& overflows = expect<Returned>(outcome).overflows;
  ASSERT_EQ(overflows.size(), 1U);
  EXPECT_EQ(overflows[0].binding, "big");
}

TEST(Interpret, UndefinedBehaviourStopsAndNamesOpAndBinding) {
  const FunctionPtr main = unary_function(vector_type(2), [](SeqBuilder& b, const ExprPtr& x) {
    return var_expr(b.emit(call(pick_op(), {x, number(2)}), true, "picked"));
  });
  const Outcome outcome = run(main, {value_of(ints({1, 2}))});
  const UndefinedRecord& record = expect<Undefined>(outcome).records.back();
  EXPECT_EQ(record.rule, UndefinedRule::index_out_of_bounds);
  EXPECT_EQ(record.op, "test.pick");
  EXPECT_EQ(record.binding, "picked");
}

FunctionPtr pick_if_below(std::int64_t limit) {
  return unary_function(kScalar, [&](SeqBuilder& b, const ExprPtr& x) {
    const Var below = b.emit(call(less_op(), {x, number(limit)}));
    SeqBuilder then_branch;
    const Var picked = then_branch.emit(call(pick_op(), {make_constant(ints({7, 8})), x}));
    SeqBuilder else_branch;
    return var_expr(
        b.emit(make_if(var_expr(below), then_branch.finish(var_expr(picked)), else_branch.finish(number(-1)))
                   .value()));
  });
}

TEST(Interpret, SaysWhenSomethingIsMadeOfNothing) {
  const auto applied = [](std::string_view name, std::vector<std::int64_t> elements) {
    const OpDef& op = *find_op(name);
    const Tensor x = ints(std::move(elements));
    const Type type = vector_type(static_cast<std::int64_t>(x.size()));
    return run(
        unary_function(type, [&](SeqBuilder&,
                                 const ExprPtr& v) { return make_call(op, {v}, default_attrs(op)).value(); }),
        {value_of(x)});
  };
  EXPECT_TRUE(expect<Returned>(applied("relax.sum", {})).from_nothing);
  EXPECT_FALSE(expect<Returned>(applied("relax.sum", {1})).from_nothing);
  EXPECT_FALSE(expect<Returned>(applied("relax.negative", {})).from_nothing);
}

TEST(Interpret, RunsOneBranchOfAnIfOnly) {
  expect_returns(run(pick_if_below(2), {value_of(scalar(1))}), scalar(8));
  expect_returns(run(pick_if_below(2), {value_of(scalar(9))}), scalar(-1));
  expect<Undefined>(run(pick_if_below(99), {value_of(scalar(9))}));
}

TEST(Interpret, BindsSymbolicDimsFromTheArguments) {
  const Dim n(make_sym_var("n"));
  const Var x = make_var("x", vector_type(n + 1));
  const Var y = make_var("y", vector_type(n));
  SeqBuilder b;
  const Var filled = b.emit(call(fill_op(), {make_shape({n})}));
  const FunctionPtr main =
      make_function({x, y}, b.finish(var_expr(b.emit(call(sum_op(), {var_expr(filled), var_expr(y)})))));
  expect_returns(run(main, {value_of(ints({0, 0, 0})), value_of(ints({4, 5}))}), ints({5, 6}));
  const Outcome outcome = run(main, {value_of(ints({0, 0})), value_of(ints({4, 5}))});
  EXPECT_EQ(expect<Trapped>(outcome).code, "trap.argument");
  EXPECT_EQ(expect<Trapped>(run(main, {value_of(ints({0}))})).code, "trap.arity");
}

TEST(Interpret, MatchCastBindsNewSymbolsAndTrapsOnOldOnes) {
  const Dim n(make_sym_var("n"));
  const Dim m(make_sym_var("m"));
  const Var x = make_var("x", tensor_type_of_rank(1, DType::int32));
  const Var y = make_var("y", tensor_type_of_rank(1, DType::int32));
  SeqBuilder b;
  b.emit_match_cast(var_expr(x), vector_type(n));
  const Var cast = b.emit_match_cast(var_expr(y), vector_type(m * n));
  const FunctionPtr main = make_function({x, y}, b.finish(var_expr(cast)));
  const Outcome open = run(main, {value_of(ints({1, 2})), value_of(ints({1, 2, 3}))});
  expect_returns(open, ints({1, 2, 3}));  // m * n is not known while m is unbound

  SeqBuilder b2;
  b2.emit_match_cast(var_expr(x), vector_type(n));
  const Var same = b2.emit_match_cast(var_expr(y), vector_type(n + 1));
  const FunctionPtr checked = make_function({x, y}, b2.finish(var_expr(same)));
  expect_returns(run(checked, {value_of(ints({1, 2})), value_of(ints({1, 2, 3}))}), ints({1, 2, 3}));
  const Outcome trapped = run(checked, {value_of(ints({1, 2})), value_of(ints({1, 2}))});
  EXPECT_EQ(expect<Trapped>(trapped).code, "trap.match-cast");
}

TEST(Interpret, OperandsOfUnknownShapeThatDoNotFitAreATrap) {
  const Type open = tensor_type_of_rank(1, DType::int32);
  const Var x = make_var("x", open);
  const Var y = make_var("y", open);
  SeqBuilder b;
  const FunctionPtr main =
      make_function({x, y}, b.finish(var_expr(b.emit(call(sum_op(), {var_expr(x), var_expr(y)})))));
  expect_returns(run(main, {value_of(ints({1})), value_of(ints({2}))}), ints({3}));
  const Outcome outcome = run(main, {value_of(ints({1})), value_of(ints({1, 2}))});
  EXPECT_EQ(expect<Trapped>(outcome).code, "trap.operands");
}

TEST(Interpret, ClosuresCaptureByValueAndCanCallThemselves) {
  // count(k) = k < limit ? count(k + step) : k, with limit and step captured.
  const FunctionPtr main = unary_function(kScalar, [](SeqBuilder& b, const ExprPtr& limit) {
    const Var step = b.emit(number(3), true, "step");
    const Type signature = func_type({kScalar}, kScalar);
    const Var count = make_var("count", signature);
    const Var k = make_var("k", kScalar);
    SeqBuilder body;
    const Var below = body.emit(call(less_op(), {var_expr(k), limit}));
    SeqBuilder more;
    const Var next = more.emit(call(sum_op(), {var_expr(k), var_expr(step)}));
    const Var result = more.emit(make_expr(Call{var_expr(count), {var_expr(next)}, {}, {}}, kScalar));
    const Var chosen = body.emit(
        make_expr(If{var_expr(below), std::make_shared<const SeqExpr>(more.finish(var_expr(result))),
                     std::make_shared<const SeqExpr>(SeqExpr{{}, var_expr(k)})},
                  kScalar));
    const FunctionPtr local = make_function({k}, body.finish(var_expr(chosen)));
    SeqExpr seq = b.finish(number(0));
    seq.blocks.back().bindings.push_back({count, make_expr(local, signature), {}});
    return make_expr(FunctionPtr(make_function({}, std::move(seq))), signature);
  });
  // The builder cannot bind a variable that was made before, so that main is built from its parts.
  const auto& parts = *as<FunctionPtr>(main->body.result);
  SeqExpr seq = (*parts).body;
  const Var count = seq.blocks.back().bindings.back().var;
  seq.result = make_expr(Call{var_expr(count), {number(0)}, {}, {}}, kScalar);
  expect_returns(run(make_function(main->params, seq), {value_of(scalar(10))}), scalar(12));

  seq.result = var_expr(count);
  const Outcome escaped = run(make_function(main->params, seq), {value_of(scalar(5))});
  const auto closure = std::get<std::shared_ptr<const Callable>>(expect<Returned>(escaped).value.node);
  const Value argument[] = {value_of(scalar(1))};
  expect_returns(closure->call(argument), scalar(7));
}

TEST(Interpret, CallsGlobalFunctionsWithSymbolsOfTheirOwn) {
  const Dim n(make_sym_var("n"));
  const Var p = make_var("p", vector_type(n));
  SeqBuilder inner;
  const Var doubled = inner.emit(call(sum_op(), {var_expr(p), var_expr(p)}));
  Module module = main_of(unary_function(vector_type(1), [](SeqBuilder& b, const ExprPtr& x) {
    const Var once = b.emit(make_expr(Call{GlobalRef{"f"}, {x}, {}, {}}, vector_type(1)));
    b.emit(make_expr(Call{GlobalRef{"f"}, {make_constant(ints({1, 2}))}, {}, {}}, vector_type(2)));
    return var_expr(b.emit(make_expr(Call{GlobalRef{"f"}, {var_expr(once)}, {}, {}}, vector_type(1))));
  }));
  module.functions.push_back({"f", make_function({p}, inner.finish(var_expr(doubled))), false});
  const Value argument[] = {value_of(ints({3}))};
  expect_returns(interpret(module, "main", argument), ints({12}));
  expect<Unsupported>(interpret(module, "absent", argument));
}

TEST(Interpret, CallsHostFunctions) {
  const FunctionPtr main = unary_function(object_type(), [](SeqBuilder& b, const ExprPtr& callback) {
    const Var item = b.emit(call_extern("get_item", {make_prim(std::int64_t{5})}, {object_type()}));
    const Var cast = b.emit_match_cast(var_expr(item), kScalar);
    b.emit(make_expr(Call{callback, {var_expr(cast)}, {}, {}}, tuple_type({})));
    return var_expr(cast);
  });
  std::vector<std::string> seen;
  const Value callback = host_function([&](std::span<const Value> args) -> Outcome {
    seen.push_back(to_string(args[0]));
    return Returned{};
  });
  InterpretOptions options;
  options.host_functions["get_item"] = host_function([](std::span<const Value> args) -> Outcome {
    return Returned{value_of(scalar(std::get<std::int64_t>(args[0].scalar().value) + 1)), {}};
  });
  expect_returns(run(main, {callback}, options), scalar(6));
  EXPECT_EQ(seen, std::vector<std::string>{"int32[] [6]"});
  EXPECT_EQ(expect<WrongType>(run(main, {value_of(scalar(1))}, options)).message, "not callable: int32[]");
}

TEST(Interpret, ModulesThatLieAreWrongTypedNotCrashes) {
  // A binding declares a type that its value does not have.
  const FunctionPtr lying_binding = unary_function(vector_type(2), [](SeqBuilder& b, const ExprPtr& x) {
    return var_expr(b.emit(make_expr(Call{&sum_op(), {x, x}, {}, {}}, vector_type(3)), true, "lie"));
  });
  EXPECT_EQ(expect<WrongType>(run(lying_binding, {value_of(ints({1, 2}))})).binding, "lie");
  // A call has operands that inference refuses, but a type as if it had accepted them.
  const FunctionPtr lying_operands = unary_function(vector_type(2), [](SeqBuilder& b, const ExprPtr& x) {
    return var_expr(b.emit(make_expr(Call{&sum_op(), {x, number(1)}, {}, {}}, vector_type(2))));
  });
  expect<WrongType>(run(lying_operands, {value_of(ints({1, 2}))}));
  // A variable is used with another type than it has.
  const FunctionPtr lying_variable = unary_function(vector_type(2), [](SeqBuilder& b, const ExprPtr& x) {
    const ExprPtr renamed = make_expr(*as<Var>(x), vector_type(1));
    return var_expr(b.emit(call(sum_op(), {renamed, make_constant(ints({1}))})));
  });
  expect<WrongType>(run(lying_variable, {value_of(ints({1, 2}))}));
  const FunctionPtr missing_operand = unary_function(vector_type(2), [](SeqBuilder& b, const ExprPtr& x) {
    return var_expr(b.emit(make_expr(Call{&sum_op(), {x}, {}, {}}, vector_type(2))));
  });
  expect<WrongType>(run(missing_operand, {value_of(ints({1, 2}))}));
}

TEST(Interpret, IllFormedModulesAreUnsupportedNotCrashes) {
  const Var stranger = make_var("stranger", kScalar);
  expect<Unsupported>(run(make_function({}, SeqExpr{{}, var_expr(stranger)}), {}));
  const Function no_result{{}, SeqExpr{}, kScalar, true, {}};
  expect<Unsupported>(run(std::make_shared<const Function>(no_result), {}));
  const Dim n(make_sym_var("n"));
  expect<Unsupported>(run(make_function({}, SeqExpr{{}, make_shape({n})}), {}));
  const ExprPtr zero_division = make_shape({Dim::binary(DimOp::floor_divide, 1, 0)});
  EXPECT_EQ(expect<Trapped>(run(make_function({}, SeqExpr{{}, zero_division}), {})).code, "trap.shape");
  const ExprPtr item = make_expr(TupleGetItem{make_tuple({}), 3}, kScalar);
  expect<WrongType>(run(make_function({}, SeqExpr{{}, item}), {}));
}

TEST(Interpret, LimitsEndTheRun) {
  const auto fill = [](Shape shape) {
    SeqBuilder b;
    const Var filled = b.emit(call(fill_op(), {make_shape(std::move(shape))}));
    const Var again = b.emit(call(sum_op(), {var_expr(filled), var_expr(filled)}));
    return make_function({}, b.finish(var_expr(again)));
  };
  const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(expect<LimitExceeded>(run(fill({huge}), {})).what, "elements");
  EXPECT_EQ(expect<LimitExceeded>(run(fill({huge, huge, huge}), {})).what, "elements");
  EXPECT_EQ(expect<Trapped>(run(fill({-1}), {})).code, "trap.shape");
  InterpretOptions tight;
  tight.limits.total_elements = 3;
  EXPECT_EQ(expect<LimitExceeded>(run(fill({2}), {}, tight)).what, "memory");
  tight.limits.total_elements = 4;
  tight.limits.steps = 2;  // the call and one binding
  EXPECT_EQ(expect<LimitExceeded>(run(fill({2}), {}, tight)).what, "steps");
  const ExprPtr self_call = make_expr(Call{GlobalRef{"main"}, {}, {}, {}}, kScalar);
  EXPECT_EQ(expect<LimitExceeded>(run(make_function({}, SeqExpr{{}, self_call}), {})).what, "depth");
  ExprPtr deep = make_tuple({});
  for (int i = 0; i < 5'000; ++i) deep = make_expr(Tuple{{deep}}, object_type());
  EXPECT_EQ(expect<LimitExceeded>(run(make_function({}, SeqExpr{{}, deep}), {})).what, "depth");
}

TEST(HasType, ChecksKindRankDTypeAndKnownDims) {
  const SymVar n = make_sym_var("n");
  const auto three = [&](const SymVar& var) {
    return var == n ? std::optional<std::int64_t>(3) : std::nullopt;
  };
  const Value vector = value_of(ints({1, 2, 3}));
  EXPECT_TRUE(has_type(vector, vector_type(Dim(n)), three));
  EXPECT_TRUE(has_type(vector, vector_type(Dim(make_sym_var("m"))), three));
  EXPECT_FALSE(has_type(vector, vector_type(Dim(n) + 1), three));
  EXPECT_FALSE(has_type(vector, tensor_type_of_rank(2, std::nullopt), three));
  EXPECT_FALSE(has_type(vector, tensor_type_of_rank(1, DType::int64), three));
  EXPECT_FALSE(has_type(vector, tuple_type({vector_type(3)}), three));
  EXPECT_TRUE(has_type(TupleValue{{vector}}, tuple_type({vector_type(3)}), three));
  EXPECT_TRUE(has_type(vector, object_type(), three));
}

TEST(Outcome, PrintsItsKindAndFacts) {
  EXPECT_EQ(to_string(Outcome(Trapped{"trap.arity", "1 arguments for 2 parameters"})),
            "trapped: trap.arity: 1 arguments for 2 parameters");
  EXPECT_EQ(to_string(Outcome(Returned{value_of(scalar(1)), {}})), "returned: int32[] [1]");
}

}  // namespace
}  // namespace passdiff
