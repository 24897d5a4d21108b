#include <gtest/gtest.h>

#include "core/ir/structural.h"
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

Result<Module> lift(const Module& module, std::string_view options = "{}", std::string_view fault = {}) {
  NativeRun run{.options = options, .fault = fault};
  return lift_transform_params().run(module, run);
}

void expect_lifted(const std::string& before, const std::string& expected, std::string_view options = "{}",
                   std::string_view fault = {}) {
  const auto after = lift(parse(before), options, fault);
  ASSERT_TRUE(after.ok()) << after.error().message;
  EXPECT_TRUE(structural_equal(*after, parse(expected))) << print(*after);
  if (fault.empty()) {
    const auto broken = well_formed(*after);
    EXPECT_FALSE(broken.has_value()) << broken->message << "\n" << print(*after);
  }
}

const std::string kBefore = R"(
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 3), "float32"), v: R.Tensor((3,), "float32")) -> R.Tensor((2, 3), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            wt = R.permute_dims(w, axes=[1, 0])
            unused = R.add(v, v)
            y = R.matmul(x, wt)
            z = R.add(y, v)
            R.output(z)
        return z
)";

TEST(LiftTransformParams, MovesWhatDependsOnWeightsAloneAndHandsOnWhatIsUsed) {
  expect_lifted(kBefore, R"(
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), v: R.Tensor((3,), "float32"), wt: R.Tensor((3, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y = R.matmul(x, wt)
            z = R.add(y, v)
            R.output(z)
        return z

    @R.function
    def main_transform_params(params: R.Tuple(R.Tensor((3, 3), "float32"), R.Tensor((3,), "float32"))) -> R.Tuple(R.Tensor((3,), "float32"), R.Tensor((3, 3), "float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w = params[0]
            v = params[1]
            wt = R.permute_dims(w, axes=[1, 0])
            out = (v, wt)
            R.output(out)
        return out
)");
}

const std::string kOutput = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y = R.add(w, w)
            R.output(y)
        return y
)";
const std::string kOutputTransform = R"(
    @R.function
    def main_transform_params(params: R.Tuple(R.Tensor((2,), "float32"))) -> R.Tuple(R.Tensor((2,), "float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w = params[0]
)";

TEST(LiftTransformParams, HandsOnAResultThatIsLifted) {
  expect_lifted(kOutput, R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        return y
)" + kOutputTransform + R"(
            y = R.add(w, w)
            out = (y,)
            R.output(out)
        return out
)");
}

TEST(LiftTransformParams, FaultOutputDroppedLeavesTheResultUndefined) {
  const auto after = lift(parse(kOutput), "{}", "lift-transform-params/output-dropped");
  ASSERT_TRUE(after.ok());
  const auto broken = well_formed(*after);
  ASSERT_TRUE(broken.has_value());
  EXPECT_EQ(broken->code, "form.undefined-var");
}

TEST(LiftTransformParams, FaultUntransformedArgumentPassesTheWeightAsItCame) {
  expect_lifted(kOutput, R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        return y
)" + kOutputTransform + R"(
            out = (w,)
            R.output(out)
        return out
)",
                "{}", "lift-transform-params/untransformed-argument");
}

TEST(LiftTransformParams, LeavesConstantsPlainBindingsAndFunctionsWithoutNumInput) {
  const std::string before = R"(
    @R.function
    def other(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.add(x, x)
        return y

    @R.function
    def main(x: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            c = R.zeros(R.shape([2]), dtype="float32")
            y = R.add(x, c)
            R.output(y)
        z = R.add(w, w)
        u = R.add(y, z)
        return u
)";
  const auto after = lift(parse(before));
  ASSERT_TRUE(after.ok());
  EXPECT_TRUE(structural_equal(*after->find("main")->function, *parse(before).find("main")->function))
      << print(*after);
  EXPECT_TRUE(structural_equal(*after->find("other")->function, *parse(before).find("other")->function));
}

TEST(LiftTransformParams, PassesOnDimsThatOnlyTheWeightsKnow) {
  const Module before = parse(R"(
    @R.function
    def main(x: R.Tensor((1,), "float32"), w: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
        R.func_attr({"num_input": 1})
        n = T.int64()
        with R.dataflow():
            s = R.sum(w, axis=[0], keepdims=True)
            y = R.add(x, s)
            z = R.broadcast_to(y, R.shape([n]))
            R.output(z)
        return z
)");
  const auto after = lift(before);
  ASSERT_TRUE(after.ok());
  const auto broken = well_formed(*after);
  EXPECT_FALSE(broken.has_value()) << broken->message << "\n" << print(*after);
  ASSERT_EQ(after->find("main")->function->params.size(), 3U);
  EXPECT_NE(after->find("main")->function->params[1]->type.as_shape(), nullptr);
}

// `w` has a dim that inputs define: in the transformation its shape is unknown, and so is m.
TEST(LiftTransformParams, LeavesWhatNeedsADimOfAWeightWhoseShapeIsLost) {
  const auto after = lift(parse(R"(
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), w: R.Tensor(("n + n", "m"), "float32"), v: R.Tensor((), "float32"), u: R.Tensor(("m + 4",), "float32")) -> R.Tensor(("m",), "float32"):
        n = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y = R.full(R.shape([m]), v)
            R.output(y)
        return y
)"));
  ASSERT_TRUE(after.ok()) << after.error().message;
  const auto broken = well_formed(*after);
  EXPECT_FALSE(broken.has_value()) << broken->message << "\n" << print(*after);
}

// After CombineParallelMatmul `a` is the first part of a split into (2, min(2, 2 + n)), still declared (2, 2): of the
// former, squeeze takes a dim away that might be 1.
TEST(LiftTransformParams, KeepsDeclaredTypes) {
  const auto before = parse(R"(
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
)");
  const Pipeline pipeline = {{"CombineParallelMatmul"}, {"LiftTransformParams"}};
  const auto replies = make_native_subject()->transform(before, std::span(&pipeline, 1), {});
  const auto* after = std::get_if<Transformed>(&replies.at(0).result);
  ASSERT_NE(after, nullptr);
  const auto broken = well_formed(*after->target);
  EXPECT_FALSE(broken.has_value()) << broken->message << "\n" << print(*after->target);
}

TEST(LiftTransformParams, SharesWhatAllFunctionsCompute) {
  const auto function = [](const std::string& name, const std::string& own) {
    return "    @R.function\n    def " + name +
           R"((x: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            a = R.add(w, w)
            b = R.)" +
           own + R"((w, w)
            c = R.add(a, b)
            y = R.add(x, c)
            R.output(y)
        return y

)";
  };
  const auto expected = [](const std::string& name, const std::string& own) {
    return "    @R.function\n    def " + name +
           R"((x: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32"), a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            b = R.)" +
           own + R"((w, w)
            c = R.add(a, b)
            y = R.add(x, c)
            R.output(y)
        return y

)";
  };
  expect_lifted(function("f", "multiply") + function("g", "subtract"),
                expected("f", "multiply") + expected("g", "subtract") + R"(
    @R.function
    def transform_params(params: R.Tuple(R.Tensor((2,), "float32"))) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w = params[0]
            a = R.add(w, w)
            out = (w, a)
            R.output(out)
        return out
)",
                R"({"shared_transform": true})");
}

// The transformation keeps one of `a` and `b`, and knows it under both names.
TEST(LiftTransformParams, SharesWhatOneFunctionComputesTwice) {
  const std::string twice = R"((w: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            a = R.add(w, w)
            b = R.add(w, w)
            c = R.negative(b)
            R.output(c)
        return c

)";
  const auto after = lift(parse("    @R.function\n    def f" + twice + "    @R.function\n    def g" + twice),
                          R"({"shared_transform": true})");
  ASSERT_TRUE(after.ok()) << after.error().message;
  const auto broken = well_formed(*after);
  EXPECT_FALSE(broken.has_value()) << broken->message << "\n" << print(*after);
  EXPECT_EQ(after->find("transform_params")->function->body.blocks.at(0).bindings.size(), 4U)
      << print(*after);
}

TEST(LiftTransformParams, SecondRunComposesWithTheFirst) {
  const auto once = lift(parse(kBefore));
  ASSERT_TRUE(once.ok());
  const auto twice = lift(*once);
  ASSERT_TRUE(twice.ok()) << twice.error().message;
  EXPECT_EQ(twice->functions.size(), 2U);
  const auto broken = well_formed(*twice);
  EXPECT_FALSE(broken.has_value()) << broken->message << "\n" << print(*twice);
}

TEST(LiftTransformParams, RefusesOptionsAndWeightsThatDoNotFit) {
  EXPECT_EQ(lift(parse(kBefore), R"({"shared": true})").error().code, "options.unknown");
  EXPECT_EQ(lift(parse(kBefore), R"({"shared_transform": ["nobody"]})").error().code,
            "native.shared-function");
}

TEST(LiftTransformParams, ASecondRunTakesItsDimsFromTheFirst) {
  const auto once = lift(parse(R"(
    @R.function
    def main(w: R.Tensor(("n", 2), "float32")) -> R.Tensor(("n", 2), "float32"):
        n = T.int64()
        R.func_attr({"num_input": 0})
        return w
)"));
  ASSERT_TRUE(once.ok()) << once.error().message;
  const auto twice = lift(*once);
  ASSERT_TRUE(twice.ok()) << twice.error().message;
  const auto broken = well_formed(*twice);
  EXPECT_FALSE(broken.has_value()) << broken->message << "\n" << print(*twice);
  const Function& transform = *twice->find("main_transform_params")->function;
  EXPECT_TRUE(equal(transform.result_type, transform.params[0]->type)) << print(*twice);
}

TEST(NativeSubject, RunsPipelinesAndSaysWhatWentWrong) {
  const auto subject = make_native_subject();
  const Module before = parse(kBefore);
  const Pipeline pipelines[] = {{{"LiftTransformParams"}}, {{"NoSuchPass"}}, {}};
  const auto replies = subject->transform(before, pipelines, {.snapshots = true});
  ASSERT_EQ(replies.size(), 3U);
  EXPECT_EQ(replies[0].snapshots.size(), 1U);
  EXPECT_FALSE(std::get<Transformed>(replies[0].result).unchanged);
  EXPECT_EQ(std::get<Refused>(replies[1].result).kind, "native.unknown-pass");
  EXPECT_TRUE(std::get<Transformed>(replies[2].result).unchanged);
}

TEST(NativeSubject, EveryFaultBelongsToAPassOfItsName) {
  const auto subject = make_native_subject();
  for (const Fault& fault : all_faults()) {
    EXPECT_NE(find_pass(*subject, fault.pass), nullptr) << fault.name;
    EXPECT_FALSE(fault.summary.empty()) << fault.name;
    EXPECT_EQ(make_native_subject(fault.name)->name(), "native");
  }
}

}  // namespace
}  // namespace passdiff
