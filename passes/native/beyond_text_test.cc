// Tests of passes on modules that TVMScript cannot express. All others are files in testdata.
#include <gtest/gtest.h>

#include "core/form/builder.h"
#include "core/form/well_formed.h"
#include "core/ir/structural.h"
#include "core/text/text.h"
#include "passes/native/native_pass.h"

namespace passdiff {
namespace {

Module run(const Pipeline& pipeline, const Module& module) {
  const auto replies = make_native_subject()->transform(module, std::span(&pipeline, 1), {});
  return std::get<Transformed>(replies.at(0).result).target.value();
}

TEST(BeyondText, EliminateCommonSubexprKeepsImpureCallsThatShareOneNode) {
  const ExprPtr call = call_extern("next_token", {}, {tensor_type({2}, DType::float32)});
  SeqBuilder builder;
  builder.begin_block(false);
  const Var first = builder.emit(call);
  const Var second = builder.emit(call);
  Module module;
  module.functions.push_back(
      {"main", make_function({}, builder.finish(make_tuple({var_expr(first), var_expr(second)})), false)});
  const Module target = run({{"EliminateCommonSubexpr"}}, module);
  EXPECT_TRUE(structural_equal(target, module)) << print(target);
}

// After CombineParallelMatmul `a` is the first part of a split into (2, min(2, 2 + n)), but is still declared (2, 2). Text would
// declare it as inferred; squeeze then removes a dim that might be 1.
TEST(BeyondText, LiftTransformParamsKeepsDeclaredTypes) {
  const Module source = parse_text(R"(
@R.function
def main(w: R.Tensor((2, 2), "float32"), v: R.Tensor((2, "n"), "float32")) -> R.Tensor((2, 2), "float32"):
    n = T.int64()
    R.func_attr({"num_input": 0})
    with R.dataflow():
        a = R.matmul(w, w)
        b = R.matmul(w, v)
        c = R.squeeze(a, axis=[0, -1])
        R.output(c)
    return c
)").value();
  const Module target = run({{"CombineParallelMatmul"}, {"LiftTransformParams"}}, source);
  const auto broken = well_formed(target);
  EXPECT_FALSE(broken.has_value()) << broken->message << "\n" << print(target);
}

}  // namespace
}  // namespace passdiff
