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

Result<Module> run_pass(const NativePass& pass, const Module& module, std::string_view fault = {},
                        std::string_view options = "{}") {
  NativeRun run{.options = options, .fault = fault};
  return pass.run(module, run);
}

void expect(const NativePass& pass, const std::string& before, const std::string& expected,
            std::string_view fault = {}, std::string_view options = "{}") {
  const auto after = run_pass(pass, parse(before), fault, options);
  ASSERT_TRUE(after.ok()) << after.error().message;
  EXPECT_TRUE(structural_equal(*after, parse(expected))) << print(*after);
  if (!fault.empty()) return;
  const auto broken = well_formed(*after);
  EXPECT_FALSE(broken.has_value()) << broken->message << "\n" << print(*after);
}

// The first thing that is wrong with what the pass makes of the module.
std::string flaw(const NativePass& pass, const std::string& before, std::string_view fault) {
  const auto after = run_pass(pass, parse(before), fault);
  if (!after) return after.error().code;
  const auto broken = well_formed(*after);
  return broken ? broken->code : "";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  CHECK(at != std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

const std::string kT = R"(R.Tensor((2,), "float32"))";
const std::string kGetter = "fget_param: R.Callable((R.Prim(\"int64\"), R.Object), R.Object, True)";
const std::string kSetter = "fset_output: R.Callable((R.Prim(\"int64\"), R.Object), R.Tuple(), False)";

const std::string kMain = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32"), v: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            a = R.add(x, x)
            b = R.add(a, v)
            c = R.add(b, w)
            R.output(c)
        return c
)";
const std::string kMainGets = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), )" +
                              kGetter + R"() -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 2})
        with R.dataflow():
            a = R.add(x, x)
            v_untyped = fget_param(R.prim_value(1), R.str("v"))
            v = R.match_cast(v_untyped, R.Tensor((2,), "float32"))
            b = R.add(a, v)
            w_untyped = fget_param(R.prim_value(0), R.str("w"))
            w = R.match_cast(w_untyped, R.Tensor((2,), "float32"))
            c = R.add(b, w)
            R.output(v, w, c)
        return c
)";

TEST(LazyGetInput, AsksForEachWeightBeforeItsFirstUse) {
  expect(lazy_get_input(), kMain, kMainGets);
}

TEST(LazyGetInput, FaultsOfTheIndexAskForAnotherWeight) {
  expect(lazy_get_input(), kMain,
         replaced(replaced(kMainGets, "prim_value(1)", "prim_value(2)"), "prim_value(0)", "prim_value(1)"),
         "lazy-get-input/index-counts-inputs");
  const std::string swapped = replaced(
      replaced(replaced(kMainGets, "prim_value(1)", "prim_value(?)"), "prim_value(0)", "prim_value(1)"),
      "prim_value(?)", "prim_value(0)");
  expect(lazy_get_input(), kMain, swapped, "lazy-get-input/last-weight-first");
}

// A branch and a dim: `w` is used in the branch alone, `n` is known from `v` alone.
const std::string kNested = R"(
    @R.function
    def main(c: R.Tensor((), "bool"), w: R.Tensor((2,), "float32"), v: R.Tensor(("n",), "float32")) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor(("n",), "float32")):
        R.func_attr({"num_input": 1})
        n = T.int64()
        z = R.zeros(R.shape([n]), dtype="float32")
        if c:
            t = R.add(w, w)
            y = t
        else:
            e = R.zeros(R.shape([2]), dtype="float32")
            y = e
        u = R.add(z, v)
        return (y, u)
)";

TEST(LazyGetInput, BindsDimsBeforeTheyAreMentionedAndWeightsBeforeTheBranch) {
  expect(lazy_get_input(), kNested,
         R"(
    @R.function
    def main(c: R.Tensor((), "bool"), )" +
             kGetter +
             R"() -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor(dtype="float32", ndim=1)):
        R.func_attr({"num_input": 2})
        n = T.int64()
        v_untyped = fget_param(R.prim_value(1), R.str("v"))
        v = R.match_cast(v_untyped, R.Tensor((n,), "float32"))
        z = R.zeros(R.shape([n]), dtype="float32")
        w_untyped = fget_param(R.prim_value(0), R.str("w"))
        w = R.match_cast(w_untyped, R.Tensor((2,), "float32"))
        if c:
            t = R.add(w, w)
            y = t
        else:
            e = R.zeros(R.shape([2]), dtype="float32")
            y = e
        u = R.add(z, v)
        return (y, u)
)");
}

TEST(LazyGetInput, FaultsLeaveVariablesDimsOrTypesUnknown) {
  EXPECT_EQ(flaw(lazy_get_input(), kNested, "lazy-get-input/nested-use-overlooked"), "form.undefined-var");
  EXPECT_EQ(flaw(lazy_get_input(), kNested, "lazy-get-input/dims-overlooked"), "form.undefined-symbol");
  EXPECT_EQ(flaw(lazy_get_input(), kMain, "lazy-get-input/asked-after-use"), "form.undefined-var");
  EXPECT_EQ(flaw(lazy_get_input(), kMain, "lazy-get-input/cast-omitted"), "form.wrong-type");
}

const std::string kDims = R"(
    @R.function
    def main(w: R.Tensor(("n", "m + 1"), "float32"), v: R.Tensor(("m", "n + 1"), "float32")) -> R.Tensor((2,), "float32"):
        n = T.int64()
        m = T.int64()
        a = R.sum(w)
        b = R.sum(v)
        c = R.add(a, b)
        d = R.broadcast_to(c, R.shape([2]))
        return d
)";

TEST(LazyGetInput, BindsDimsOfWeightsThatDependOnEachOther) {
  EXPECT_EQ(flaw(lazy_get_input(), kDims, ""), "");
}

const std::string kCalled = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = Module.shared(x)
        return y

    @R.function
    def shared(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.add(x, x)
        return y
)";

TEST(LazyGetInput, CallersInTheModuleGoOnCallingWhatTheyCalled) {
  expect(lazy_get_input(), kCalled, R"(
    @R.function
    def main()" + kGetter + R"() -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        x_untyped = fget_param(R.prim_value(0), R.str("x"))
        x = R.match_cast(x_untyped, R.Tensor((2,), "float32"))
        y = Module.shared_unchanged(x)
        return y

    @R.function
    def shared()" + kGetter + R"() -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        x_untyped = fget_param(R.prim_value(0), R.str("x"))
        x = R.match_cast(x_untyped, R.Tensor((2,), "float32"))
        y = Module.shared_unchanged(x)
        return y

    @R.function(private=True)
    def shared_unchanged(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.add(x, x)
        return y
)");
}

// Outputs: a parameter, a variable of a dataflow block twice, and a tuple of others.
const std::string kOutputs = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32")) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32"), R.Tensor((2,), "float32"), R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32"))):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            a = R.add(x, w)
            b = R.multiply(a, a)
            R.output(a, b)
        return (w, a, a, (a, b))
)";
const std::string kOutputsSet = R"(
    @R.function(pure=False)
    def main(x: R.Tensor((2,), "float32"), )" +
                                kSetter + R"(, w: R.Tensor((2,), "float32")) -> R.Tuple():
        R.func_attr({"num_input": 2})
        s0 = fset_output(R.prim_value(0), w)
        with R.dataflow():
            a = R.add(x, w)
            b = R.multiply(a, a)
            R.output(a, b)
        s1 = fset_output(R.prim_value(1), a)
        s2 = fset_output(R.prim_value(2), a)
        s3 = fset_output(R.prim_value(3), (a, b))
        return R.tuple()
)";

TEST(LazySetOutput, SetsEveryOutputOutsideOfDataflowBlocks) {
  expect(lazy_set_output(), kOutputs, kOutputsSet);
}

TEST(LazySetOutput, FaultsLeaveOutputsOut) {
  expect(lazy_set_output(), kOutputs,
         replaced(kOutputsSet, "        s0 = fset_output(R.prim_value(0), w)\n", ""),
         "lazy-set-output/parameter-skipped");
  expect(lazy_set_output(), kOutputs,
         replaced(kOutputsSet, "        s2 = fset_output(R.prim_value(2), a)\n", ""),
         "lazy-set-output/repeated-once");
  expect(lazy_set_output(), kOutputs,
         replaced(kOutputsSet, "        s3 = fset_output(R.prim_value(3), (a, b))\n", ""),
         "lazy-set-output/unbound-skipped");
}

TEST(LazySetOutput, FaultsExchangeOutputsAndArguments) {
  const std::string one = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32")) -> R.Tuple(R.Tensor((2,), "float32"), R.Tensor((2,), "float32")):
        R.func_attr({"num_input": 1})
        return (x, w)
)";
  const auto set = [](const std::string& params, const std::string& first, const std::string& second) {
    return "\n    @R.function(pure=False)\n    def main(" + params + R"() -> R.Tuple():
        R.func_attr({"num_input": 2})
        s0 = fset_output(R.prim_value()" +
           first + R"(), x)
        s1 = fset_output(R.prim_value()" +
           second + R"(), w)
        return R.tuple()
)";
  };
  const std::string between = "x: " + kT + ", " + kSetter + ", w: " + kT;
  expect(lazy_set_output(), one, set(between, "0", "1"));
  expect(lazy_set_output(), one, set(between, "1", "0"), "lazy-set-output/last-output-first");
  expect(lazy_set_output(), one, set("x: " + kT + ", w: " + kT + ", " + kSetter, "0", "1"),
         "lazy-set-output/callback-last");
}

TEST(LazySetOutput, FaultsCallWhereOnlyPureCallsMayStand) {
  EXPECT_EQ(flaw(lazy_set_output(), kOutputs, "lazy-set-output/still-pure"), "form.impure-call");
  EXPECT_EQ(flaw(lazy_set_output(), kOutputs, "lazy-set-output/inside-dataflow"), "form.impure-call");
}

TEST(LazySetOutput, FaultInnerTupleSpreadShiftsWhatFollows) {
  expect(
      lazy_set_output(), kOutputs,
      replaced(
          kOutputsSet,
          "        s2 = fset_output(R.prim_value(2), a)\n        s3 = fset_output(R.prim_value(3), (a, b))\n",
          "        s2 = fset_output(R.prim_value(2), a)\n        s3 = fset_output(R.prim_value(3), a)\n"
          "        s4 = fset_output(R.prim_value(4), b)\n"),
      "lazy-set-output/inner-tuple-spread");
}

const std::string kBundle = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), p: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32"))) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        w = p[0]
        y = R.add(x, w)
        return y
)";
const std::string kUnbundled = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), w: R.Tensor((2,), "float32"), unused: R.Tensor((3,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"num_input": 1})
        y = R.add(x, w)
        return y
)";

TEST(BundleModelParams, TakesWeightsOutOfOneTuple) {
  expect(bundle_model_params(), kUnbundled, kBundle, "", R"({"param_tuple_name": "p"})");
  EXPECT_EQ(
      run_pass(bundle_model_params(), parse(kUnbundled), "", R"({"param_tuple_name": "a b"})").error().code,
      "options.name");
}

TEST(BundleModelParams, FaultsTakeAnotherFieldOrNone) {
  EXPECT_EQ(flaw(bundle_model_params(), kUnbundled, "bundle-model-params/index-counts-inputs"),
            "form.wrong-type");
  EXPECT_EQ(flaw(bundle_model_params(), kNested, "bundle-model-params/nested-use-overlooked"),
            "form.undefined-var");
  expect(bundle_model_params(), kUnbundled,
         replaced(replaced(kBundle, R"(R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32")))",
                           R"(R.Tuple(R.Tensor((3,), "float32"), R.Tensor((2,), "float32")))"),
                  "p[0]", "p[1]"),
         "bundle-model-params/fields-reversed");
}

TEST(BundleModelParams, FaultInputMutatedWritesToTheModuleItIsGiven) {
  const Module before = parse(kUnbundled);
  ASSERT_TRUE(run_pass(bundle_model_params(), before, "bundle-model-params/input-mutated").ok());
  EXPECT_EQ(before.functions[0].function->params.size(), 2U);
}

}  // namespace
}  // namespace passdiff
