#include <gtest/gtest.h>

#include "core/ir/structural.h"
#include "core/form/builder.h"
#include "core/text/text.h"
#include "core/form/well_formed.h"
#include "passes/native/native_pass.h"

namespace passdiff {
namespace {

Module parse(const std::string& text) {
  auto module = parse_text("@I.ir_module\nclass Module:\n" + text);
  CHECK(module.ok()) << module.error().message;
  return *std::move(module);
}

Module after(const NativePass& pass, const std::string& before, std::string_view fault = {}) {
  NativeRun run{.options = "{}", .fault = fault};
  auto result = pass.run(parse(before), run);
  CHECK(result.ok()) << result.error().message;
  return *std::move(result);
}

const std::string kHead = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        cls = Module
)";
const std::string kHelpers = R"(
    @R.function(private=True)
    def inner(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.exp(x)
        return y

    @R.function(private=True)
    def outer(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Module
        y = cls.inner(x)
        return y
)";

TEST(DeadCodeElimination, RemovesChainsOfUnusedBindingsAndFunctions) {
  const Module target = after(dead_code_elimination(), kHead + R"(
        with R.dataflow():
            a = R.add(x, x)
            b = R.multiply(a, a)
            y = R.exp(x)
            R.output(b, y)
        d = cls.outer(b)
        return y
)" + kHelpers);
  EXPECT_TRUE(structural_equal(target, parse(kHead + R"(
        with R.dataflow():
            y = R.exp(x)
            R.output(y)
        return y
)"))) << print(target);
}

const std::string kBranch = kHead + R"(
        a = R.add(x, x)
        if c:
            b = R.exp(a)
            y = b
        else:
            b = R.exp(x)
            y = b
        d = cls.outer(y)
        return d
)" + kHelpers;

TEST(DeadCodeElimination, KeepsWhatBranchesAndCalleesUse) {
  EXPECT_TRUE(structural_equal(after(dead_code_elimination(), kBranch), parse(kBranch)));
}

TEST(DeadCodeElimination, FaultsBreakModules) {
  const auto code = [](std::string_view fault) {
    const auto broken = well_formed(after(dead_code_elimination(), kBranch, fault));
    return broken ? broken->code : "well-formed";
  };
  EXPECT_EQ(code("dead-code-elimination/branch-uses-missed"), "form.undefined-var");
  EXPECT_EQ(code("dead-code-elimination/callee-of-callee-removed"), "form.unknown-global");
}

const std::string kRepeated = R"(
    @R.function
    def main(x: R.Tensor((2, 2), "float32")) -> R.Tensor((2, 2), "float32"):
        with R.dataflow():
            a = R.permute_dims(x, axes=[1, 0])
            b = R.permute_dims(x, axes=[1, 0])
            d = R.permute_dims(x, axes=[0, 1])
            e = R.add(a, b)
            f = R.add(e, d)
            R.output(f)
        g = R.permute_dims(x, axes=[1, 0])
        h = R.add(f, g)
        return h
)";

TEST(EliminateCommonSubexpr, UsesTheFirstOfEqualComputationsWithinItsScope) {
  const Module target = after(eliminate_common_subexpr(), kRepeated);
  EXPECT_TRUE(structural_equal(target, parse(R"(
    @R.function
    def main(x: R.Tensor((2, 2), "float32")) -> R.Tensor((2, 2), "float32"):
        with R.dataflow():
            a = R.permute_dims(x, axes=[1, 0])
            b = a
            d = R.permute_dims(x, axes=[0, 1])
            e = R.add(a, a)
            f = R.add(e, d)
            R.output(f)
        g = R.permute_dims(x, axes=[1, 0])
        h = R.add(f, g)
        return h
)"))) << print(target);
  EXPECT_FALSE(well_formed(target).has_value());
}

TEST(EliminateCommonSubexpr, KeepsImpureCallsThatShareOneNode) {
  const ExprPtr call = call_extern("next_token", {}, {tensor_type({2}, DType::float32)});
  SeqBuilder builder;
  builder.begin_block(false);
  const Var first = builder.emit(call);
  const Var second = builder.emit(call);
  Module module;
  module.functions.push_back(
      {"main", make_function({}, builder.finish(make_tuple({var_expr(first), var_expr(second)})), false)});
  NativeRun run;
  const auto target = eliminate_common_subexpr().run(module, run);
  ASSERT_TRUE(target.ok());
  EXPECT_TRUE(structural_equal(*target, module)) << print(*target);
}

TEST(EliminateCommonSubexpr, FaultAttributesIgnoredMergesDifferentCalls) {
  const Module target =
      after(eliminate_common_subexpr(), kRepeated, "eliminate-common-subexpr/attributes-ignored");
  EXPECT_FALSE(structural_equal(target, after(eliminate_common_subexpr(), kRepeated)));
  EXPECT_FALSE(well_formed(target).has_value());
}

TEST(EliminateCommonSubexpr, FaultDataflowLeakUsesVariablesOutOfScope) {
  const auto broken =
      well_formed(after(eliminate_common_subexpr(), kRepeated, "eliminate-common-subexpr/dataflow-leak"));
  ASSERT_TRUE(broken.has_value());
}

}  // namespace
}  // namespace passdiff
