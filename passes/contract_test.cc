#include "passes/contract.h"

#include <gtest/gtest.h>

#include "core/text/text.h"

namespace passdiff {
namespace {

// The text of a function with this name, parameters, body and num_input: conventions look at nothing else.
std::string function(const std::string& name, const std::string& params, const std::string& body,
                     const std::string& num_input = "") {
  std::string text = "    @R.function\n    def " + name + "(" + params + "):\n";
  if (!num_input.empty()) text += "        R.func_attr({\"num_input\": " + num_input + "})\n";
  return text + body + "\n";
}
Module module(const std::string& functions) {
  auto result = parse_text("@I.ir_module\nclass Module:\n" + functions);
  CHECK(result.ok()) << result.error().message;
  return *std::move(result);
}
const std::string kT = "R.Tensor((2,), \"float32\")";
const std::string kReturnX = "        return x";

Module source() {
  return module(function("main", "x: " + kT + ", w: " + kT + ", v: " + kT, kReturnX, "1"));
}
Module lifted(const std::string& transform) {
  return module(function("main", "x: " + kT + ", a: " + kT, kReturnX, "1") +
                function(transform, "params: R.Tuple(" + kT + ", " + kT + ")",
                         "        w = params[0]\n        out = (w,)\n        return out", "0"));
}

std::string applied(Convention convention, const CallPlan& plan, const Module& before, const Module& after) {
  const auto result = apply_convention(convention, plan, before, after);
  return result.ok() ? to_string(*result, source()) : result.error().code;
}

TEST(Convention, UnchangedIsTheDirectCall) {
  EXPECT_EQ(applied(Convention::unchanged, direct_plan("main", 3), source(), source()), "main(x, w, v)\n");
  EXPECT_EQ(applied(Convention::unchanged, direct_plan("main", 3), source(), lifted("t")),
            "convention.arity");
  EXPECT_EQ(applied(Convention::unchanged, direct_plan("main", 3), source(), Module()),
            "convention.missing-function");
}

TEST(Convention, FunctionsOfTensorIrAreCalledAsTheyWere) {
  const auto kernel = [](const std::string& params) {
    return module("    @T.prim_func\n    def f(" + params + "):\n        T.evaluate(0)\n");
  };
  const Module both = kernel("A: T.Buffer((2,), \"float32\"), n: T.int32");
  const auto plan = apply_convention(Convention::lift_transform_params, direct_plan("f", 2), both, both);
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_EQ(to_string(*plan, both), "f(A, n)\n");
  EXPECT_EQ(applied(Convention::unchanged, direct_plan("f", 2), both, kernel("n: T.int32")), "convention.arity");
  EXPECT_EQ(applied(Convention::unchanged, direct_plan("f", 2), both, source()), "convention.missing-function");
}

TEST(Convention, BoundParametersAreNoLongerPassed) {
  const Module bound = module(function("main", "x: " + kT + ", v: " + kT, kReturnX, "1"));
  EXPECT_EQ(applied(Convention::bind_params, direct_plan("main", 3), source(), bound), "main(x, v)\n");
  EXPECT_EQ(applied(Convention::bind_params, direct_plan("main", 3), source(), source()), "main(x, w, v)\n");
  EXPECT_EQ(applied(Convention::bind_params, direct_plan("main", 3), source(), module(function("main", "y: " + kT, "        return y"))),
            "convention.arity");
}

TEST(Convention, LiftedWeightsGoThroughTheTransformation) {
  const CallPlan direct = direct_plan("main", 3);
  EXPECT_EQ(applied(Convention::lift_transform_params, direct, source(), lifted("main_transform_params")),
            "t = main_transform_params((w, v))\nmain(x, t[0])\n");
  EXPECT_EQ(applied(Convention::shared_transform_params, direct, source(), lifted("transform_params")),
            "t = transform_params((w, v))\nmain(x, t[0])\n");
  EXPECT_EQ(applied(Convention::lift_transform_params, direct, source(), lifted("transform_params")),
            "convention.missing-function");
}

// The option of a shared transformation may list a function that is named as if it were a transformation itself.
TEST(Convention, AFunctionNamedLikeATransformationIsLiftedIfItIsListed) {
  const Module before = module(function("a_transform_params", "w: " + kT + ", v: " + kT, "        return v", "0"));
  const Module after = module(function("a_transform_params", "v: " + kT, "        return v", "0") +
                              function("transform_params", "params: R.Tuple(" + kT + ", " + kT + ")",
                                       "        v = params[1]\n        out = (v,)\n        return out", "0"));
  EXPECT_EQ(applied(Convention::shared_transform_params, direct_plan("a_transform_params", 2), before, after),
            "t = transform_params((arg0, arg1))\na_transform_params(t[0])\n");
}

TEST(Convention, LiftingTwiceComposesTheTransformations) {
  const Module once = lifted("main_transform_params");
  const Module twice =
      module(function("main", "x: " + kT + ", a: " + kT + ", b: " + kT, kReturnX, "1") +
             function("main_transform_params", "params: R.Tuple(" + kT + ", " + kT + ")",
                      "        w = params[0]\n        out = (w, w)\n        return out", "0"));
  const auto plan =
      apply_convention(Convention::lift_transform_params, direct_plan("main", 3), source(), once);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(applied(Convention::lift_transform_params, *plan, once, twice),
            "t = main_transform_params((w, v))\nmain(x, t[0], t[1])\n");
}

// The plan calls a transformation for its own sake. Once another is appended to it, no function of the target does what it
// did.
TEST(Convention, WhatWasComposedCannotBeCalledAsItWas) {
  const Module before = lifted("transform_params");
  const Module after =
      module(function("main", "x: " + kT, kReturnX, "1") +
             function("transform_params", "params: R.Tuple(" + kT + ", " + kT + ")",
                      "        w = params[0]\n        out = R.tuple()\n        return out", "0"));
  for (const CallPlan& plan : {direct_plan("transform_params", 1), direct_plan("main", 2)}) {
    EXPECT_EQ(applied(Convention::shared_transform_params, plan, before, after), kComposedConvention);
  }
  EXPECT_EQ(applied(Convention::unchanged, direct_plan("transform_params", 1), before, after),
            "transform_params(arg0)\n");
}

TEST(Convention, BundledWeightsAreOneTuple) {
  const Module target =
      module(function("main", "x: " + kT + ", p: R.Tuple(" + kT + ", " + kT + ")", kReturnX, "1"));
  EXPECT_EQ(applied(Convention::bundle_model_params, direct_plan("main", 3), source(), target),
            "main(x, (w, v))\n");
}

TEST(Convention, CallbacksStandWhereTheWeightsBegan) {
  const Module target = module(function("main", "x: " + kT + ", get: R.Object", kReturnX, "2"));
  const auto plan = apply_convention(Convention::lazy_get_input, direct_plan("main", 3), source(), target);
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_EQ(to_string(*plan, source()), "main(x, lambda index, name: (w, v)[index])\n");
  const Module both = module(function("main", "x: " + kT + ", get: R.Object, set: R.Object", kReturnX, "3"));
  const auto composed = apply_convention(Convention::lazy_set_output, *plan, target, both);
  ASSERT_TRUE(composed.ok()) << composed.error().message;
  EXPECT_EQ(to_string(*composed, source()), "main(x, lambda index, name: (w, v)[index], set_output)\n");
  EXPECT_TRUE(composed->steps[0].single_output);
}

TEST(Convention, SecondCallbacksCollectNothing) {
  const std::string callbacks = "x: " + kT + ", set: R.Object, w: " + kT + ", v: " + kT;
  const Module once = module(function("main", callbacks, "        return R.tuple()", "2"));
  const Module twice =
      module(function("main", "x: " + kT + ", set: R.Object, again: R.Object, w: " + kT + ", v: " + kT,
                      "        return R.tuple()", "3"));
  const auto plan = apply_convention(Convention::lazy_set_output, direct_plan("main", 3), source(), once);
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  const auto again = apply_convention(Convention::lazy_set_output, *plan, once, twice);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_TRUE(again->steps[0].single_output);
  EXPECT_EQ(to_string(*again, source()), "main(x, set_output, ignore_output, w, v)\n");
}

TEST(Convention, LazyTransformationIsServedItemByItem) {
  const Module once = lifted("main_transform_params");
  const Module lazy = module(function("main", "x: " + kT + ", a: " + kT, kReturnX, "1") +
                             function("main_transform_params", "", "        return R.prim_value(0)", "0"));
  const auto plan =
      apply_convention(Convention::lift_transform_params, direct_plan("main", 3), source(), once);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(
      applied(Convention::lazy_transform_params, *plan, once, lazy),
      "t = main_transform_params() with get_item from (w, v) and the result from set_item\nmain(x, t[0])\n");
  const auto first = apply_convention(Convention::lazy_transform_params, *plan, once, lazy);
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_EQ(applied(Convention::lazy_transform_params, *first, lazy, lazy), to_string(*first, source()));
}

TEST(Convention, ALazyTransformationWithoutATupleReturnsItsResult) {
  const Module eager = module(function("transform_params", "w: " + kT, "        return w", "0"));
  const Module lazy = module(function("transform_params", "", "        return R.prim_value(0)", "0"));
  EXPECT_EQ(applied(Convention::lazy_transform_params, direct_plan("transform_params", 1), eager, lazy),
            "transform_params() with get_item from (arg0,)\n");
}

}  // namespace
}  // namespace passdiff
