#include "core/form/well_formed.h"

#include <gtest/gtest.h>

#include <set>

#include "core/form/builder.h"
#include "core/ops/op.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

const Type kVector = tensor_type({2}, DType::float32);

ExprPtr add(const ExprPtr& a, const ExprPtr& b) {
  return *make_call(*find_op("relax.add"), {a, b}, {});
}

Module module_of(std::vector<Var> params, SeqExpr body, bool pure = true, NamedAttrs attrs = {}) {
  FunctionPtr function = make_function(std::move(params), std::move(body), pure, std::move(attrs));
  return {.functions = {{.name = "main", .function = std::move(function)}}};
}

std::string code_of(const Module& module) {
  const std::optional<Error> error = well_formed(module);
  return error ? error->code : "";
}

Binding bind(const Var& var, ExprPtr value) {
  return {.var = var, .value = std::move(value), .match_cast = std::nullopt};
}

TEST(WellFormed, AcceptsWhatTheBuilderMakes) {
  const Var x = make_var("x", kVector);
  SeqBuilder builder;
  builder.begin_block(true);
  const Var a = builder.emit(add(var_expr(x), var_expr(x)), false);
  const Var b = builder.emit(add(var_expr(a), var_expr(x)));
  EXPECT_EQ(code_of(module_of({x}, builder.finish(var_expr(b)))), "");
}

TEST(WellFormed, VariablesAreBoundOnceAndBeforeUse) {
  const Var x = make_var("x", kVector);
  const Var y = make_var("y", kVector);
  EXPECT_EQ(code_of(module_of({x}, {.blocks = {}, .result = var_expr(y)})), "form.undefined-var");
  EXPECT_EQ(code_of(module_of({x, x}, {.blocks = {}, .result = var_expr(x)})), "form.redefined-var");
  const Block twice{.bindings = {bind(y, var_expr(x)), bind(y, var_expr(x))}};
  EXPECT_EQ(code_of(module_of({x}, {.blocks = {twice}, .result = var_expr(y)})), "form.redefined-var");
}

TEST(WellFormed, DataflowVariablesStayInTheirBlock) {
  const Var x = make_var("x", kVector);
  const Var inner = make_var("inner", kVector, true);
  const Block block{.dataflow = true, .bindings = {bind(inner, var_expr(x))}};
  EXPECT_EQ(code_of(module_of({x}, {.blocks = {block}, .result = var_expr(inner)})), "form.dataflow-escape");
  const Block plain{.dataflow = false, .bindings = {bind(inner, var_expr(x))}};
  EXPECT_EQ(code_of(module_of({x}, {.blocks = {plain}, .result = var_expr(x)})), "form.dataflow-escape");
}

TEST(WellFormed, VariablesOfABranchEndWithIt) {
  const Var x = make_var("x", kVector);
  const Var c = make_var("c", tensor_type({}, DType::boolean));
  const Var t = make_var("t", kVector);
  const SeqExpr yes{.blocks = {{.bindings = {bind(t, var_expr(x))}}}, .result = var_expr(t)};
  const SeqExpr no{.blocks = {}, .result = var_expr(x)};
  const Var v = make_var("v", kVector);
  const Block block{.bindings = {bind(v, *make_if(var_expr(c), yes, no))}};
  EXPECT_EQ(code_of(module_of({x, c}, {.blocks = {block}, .result = var_expr(v)})), "");
  EXPECT_EQ(code_of(module_of({x, c}, {.blocks = {block}, .result = var_expr(t)})), "form.undefined-var");
  const Block dataflow{.dataflow = true, .bindings = block.bindings};
  EXPECT_EQ(code_of(module_of({x, c}, {.blocks = {dataflow}, .result = var_expr(v)})),
            "form.control-flow-in-dataflow");
}

TEST(WellFormed, OperandsAreLeaves) {
  const Var x = make_var("x", kVector);
  const ExprPtr nested = add(add(var_expr(x), var_expr(x)), var_expr(x));
  const Var y = make_var("y", kVector);
  EXPECT_EQ(code_of(module_of({x}, {.blocks = {{.bindings = {bind(y, nested)}}}, .result = var_expr(y)})),
            "form.not-normal");
}

TEST(WellFormed, SymbolsComeFromParametersAndMatchCasts) {
  const SymVar n = make_sym_var("n");
  const Var x = make_var("x", tensor_type({Dim(n)}, DType::float32));
  const Var later = make_var("later", tensor_type({Dim(n) + 1}, DType::float32));
  EXPECT_EQ(code_of(module_of({later, x}, {.blocks = {}, .result = var_expr(x)})), "");
  EXPECT_EQ(code_of(module_of({later}, {.blocks = {}, .result = var_expr(later)})), "form.undefined-symbol");
  const Var any = make_var("any", object_type());
  SeqBuilder builder;
  const Var cast = builder.emit_match_cast(var_expr(any), x->type);
  EXPECT_EQ(code_of(module_of({any}, builder.finish(var_expr(cast)))), "");
}

TEST(WellFormed, SomeValueMayPassAMatchCast) {
  const Var x = make_var("x", kVector);
  SeqBuilder builder;
  const Var cast = builder.emit_match_cast(var_expr(x), tensor_type({2}, DType::int8));
  EXPECT_EQ(code_of(module_of({x}, builder.finish(var_expr(cast)))), "form.wrong-type");
}

// Where no type is known, a run tells.
TEST(WellFormed, AConditionMayBeAScalarBool) {
  const auto fault_of = [](const std::string& type) {
    return code_of(parse_text("@R.function\ndef main(c: " + type +
                              ", x: R.Tensor((), \"float32\")):\n    if c:\n        y = x\n    else:\n        y = x\n    return y\n")
                       .value());
  };
  for (const char* type : {"R.Tensor((), \"bool\")", "R.Prim(\"bool\")", "R.Tensor(dtype=\"bool\")", "R.Tensor(ndim=0)", "R.Tensor()"})
    EXPECT_EQ(fault_of(type), "") << type;
  for (const char* type : {"R.Tensor((1,), \"bool\")", "R.Tensor(dtype=\"int32\")"}) EXPECT_EQ(fault_of(type), "form.condition") << type;
}

TEST(WellFormed, PureFunctionsCallPureFunctionsOnly) {
  const Var x = make_var("x", kVector);
  const auto body = [&] {
    SeqBuilder builder;
    builder.emit(call_extern("effect", {var_expr(x)}, {kVector}));
    return builder.finish(var_expr(x));
  };
  EXPECT_EQ(code_of(module_of({x}, body())), "form.impure-call");
  EXPECT_EQ(code_of(module_of({x}, body(), false)), "");
  EXPECT_EQ(code_of(module_of({x}, body(), true, {{"relax.force_pure", true}})), "");
}

TEST(WellFormed, DeclaredTypesDoNotContradictInference) {
  const Var x = make_var("x", kVector);
  const ExprPtr sum = add(var_expr(x), var_expr(x));
  const Var general = make_var("y", tensor_type_of_rank(1, std::nullopt));
  EXPECT_EQ(
      code_of(module_of({x}, {.blocks = {{.bindings = {bind(general, sum)}}}, .result = var_expr(general)})),
      "");
  const Type wrong = tensor_type({3}, DType::float32);
  const Var lie = make_var("y", wrong);
  const ExprPtr retyped = make_expr(*as<Call>(sum), wrong);
  EXPECT_EQ(code_of(module_of({x}, {.blocks = {{.bindings = {bind(lie, sum)}}}, .result = var_expr(lie)})),
            "form.wrong-type");
  EXPECT_EQ(
      code_of(module_of({x}, {.blocks = {{.bindings = {bind(lie, retyped)}}}, .result = var_expr(lie)})),
      "form.wrong-type");
}

// The variable that nothing binds is why the type is wrong, or at least as wrong.
TEST(WellFormed, AWrongTypeIsToldOnlyIfThereIsNoOtherFault) {
  const Var x = make_var("x", kVector);
  const Var lie = make_var("y", tensor_type({3}, DType::float32));
  const Var unbound = make_var("z", kVector);
  const Block block{.bindings = {bind(lie, add(var_expr(x), var_expr(x)))}};
  EXPECT_EQ(code_of(module_of({x}, {.blocks = {block}, .result = var_expr(unbound)})), "form.undefined-var");
  EXPECT_EQ(well_formed(module_of({x}, {.blocks = {block}, .result = var_expr(x)}))->message.substr(0, 8), "main: y ");
}

TEST(WellFormed, GlobalsVdevicesAndNumInputExist) {
  const Var x = make_var("x", kVector);
  const Type type = func_type({kVector}, kVector);
  SeqBuilder builder;
  const Var y = builder.emit(*call_global("missing", type, {var_expr(x)}));
  EXPECT_EQ(code_of(module_of({x}, builder.finish(var_expr(y)))), "form.unknown-global");
  const Var placed = make_var("x", tensor_type({2}, DType::float32, 0));
  EXPECT_EQ(code_of(module_of({placed}, {.blocks = {}, .result = var_expr(placed)})), "form.vdevice");
  TensorType spread = *kVector.as_tensor();
  spread.sharding = Sharding{.mesh = 0, .placement = {0}};
  const Var there = make_var("x", spread);
  Module module = module_of({there}, {.blocks = {}, .result = var_expr(there)});
  EXPECT_EQ(code_of(module), "form.mesh");
  module.meshes = {{.shape = {2}, .device_ids = {0, 1}}};
  EXPECT_EQ(code_of(module), "");
  module.meshes = {{.shape = {2, 1}, .device_ids = {0, 1}}};
  EXPECT_EQ(code_of(module), "form.mesh");
  const NamedAttrs attrs = {{"num_input", std::int64_t{2}}};
  EXPECT_EQ(code_of(module_of({x}, {.blocks = {}, .result = var_expr(x)}, true, attrs)), "form.num-input");
}

TEST(WellFormed, LocalFunctionsMayCallThemselves) {
  const Module module = *parse_text(R"py(
@R.function
def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
    @R.function
    def loop(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        if c:
            b = loop(a)
        else:
            b = R.add(a, x)
        return b
    y = loop(x)
    return y
)py");
  EXPECT_EQ(code_of(module), "");
}

TEST(Builder, CallsReplaceTheCalleesSymbolicDims) {
  const SymVar n = make_sym_var("n");
  const SymVar m = make_sym_var("m");
  const Type signature =
      func_type({tensor_type({Dim(n), 2}, DType::float32)}, tensor_type({Dim(n) * 2}, DType::float32));
  const Var x = make_var("x", tensor_type({Dim(m) + 1, 2}, DType::float32));
  const ExprPtr call = *call_global("f", signature, {var_expr(x)});
  EXPECT_TRUE(equal(call->type, tensor_type({(Dim(m) + 1) * 2}, DType::float32))) << to_string(call->type);
  const Var unknown = make_var("u", tensor_type_of_rank(2, DType::float32));
  EXPECT_TRUE(equal((*call_global("f", signature, {var_expr(unknown)}))->type,
                    tensor_type_of_rank(1, DType::float32)));
  const Var other = make_var("o", tensor_type({2, 3}, DType::float32));
  EXPECT_EQ(call_global("f", signature, {var_expr(other)}).error().code, "type.argument");
  EXPECT_EQ(call_global("f", signature, {}).error().code, "type.arity");
}

TEST(Builder, NamesAreUnique) {
  SeqBuilder builder;
  const ExprPtr value = make_prim(std::int64_t{1});
  std::set<std::string> names;
  for (const std::string_view wanted : {"", "", "lv", "lv2", "", "lv1", ""})
    names.insert(builder.emit(value, true, wanted)->name);
  EXPECT_EQ(names.size(), 7U);
  EXPECT_TRUE(names.contains("lv") && names.contains("lv1"));
}

}  // namespace
}  // namespace passdiff
