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

Module inlined(const std::string& before, std::string_view fault = {}) {
  const Module module = parse(before);
  NativeRun run{.options = "{}", .fault = fault};
  auto result = inline_private_functions().run(module, run);
  CHECK(result.ok()) << result.error().message;
  return *std::move(result);
}

void expect_inlined(const std::string& before, const std::string& expected) {
  const Module target = inlined(before);
  const auto broken = well_formed(target);
  EXPECT_FALSE(broken.has_value()) << broken->message << print(target);
  EXPECT_TRUE(structural_equal(target, parse(expected))) << print(target);
}

std::string code_with(const std::string& before, std::string_view fault) {
  const auto broken = well_formed(inlined(before, fault));
  return broken ? broken->code : "well-formed";
}

const std::string kTwoCalls = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")) -> R.Tensor((5,), "float32"):
        cls = Module
        with R.dataflow():
            a = cls.halve(x)
            b = cls.halve(y)
            c = R.concat((a, b), axis=0)
            R.output(c)
        return c

    @R.function(private=True)
    def halve(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        with R.dataflow():
            s = R.zeros(R.shape([n]), "float32")
            lv = R.subtract(s, x)
            R.output(lv)
        out = R.multiply(lv, R.const(0.5, "float32"))
        return out
)";

TEST(InlinePrivateFunctions, SymbolicDimsBecomeTheCallersInTypesAndShapes) {
  expect_inlined(kTwoCalls, R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")) -> R.Tensor((5,), "float32"):
        with R.dataflow():
            s = R.zeros(R.shape([2]), "float32")
            lv = R.subtract(s, x)
            a = R.multiply(lv, R.const(0.5, "float32"))
            s1 = R.zeros(R.shape([3]), "float32")
            lv1 = R.subtract(s1, y)
            b = R.multiply(lv1, R.const(0.5, "float32"))
            c = R.concat((a, b), axis=0)
            R.output(c)
        return c
)");
}

TEST(InlinePrivateFunctions, FaultsOfCopyingBreakModules) {
  EXPECT_EQ(code_with(kTwoCalls, "inline-private-functions/types-not-updated"), "form.undefined-symbol");
  EXPECT_EQ(code_with(kTwoCalls, "inline-private-functions/shapes-not-updated"), "form.undefined-symbol");
}

const std::string kBranching = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        cls = Module
        with R.dataflow():
            a = R.exp(x)
            b = cls.pick(a, c)
            d = R.add(a, b)
            R.output(d)
        return d

    @R.function(private=True)
    def pick(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        if c:
            y = R.negative(x)
            z = y
        else:
            y = R.abs(x)
            z = y
        return z
)";

TEST(InlinePrivateFunctions, ABranchSplitsTheDataflowBlockItIsInlinedInto) {
  expect_inlined(kBranching, R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        with R.dataflow():
            a = R.exp(x)
            R.output(a)
        if c:
            y = R.negative(a)
            b = y
        else:
            y = R.abs(a)
            b = y
        with R.dataflow():
            d = R.add(a, b)
            R.output(d)
        return d
)");
}

const std::string kRecursive = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        cls = Module
        y = cls.even(x, c)
        return y

    @R.function(private=True)
    def even(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        cls = Module
        y = cls.odd(x, c)
        return y

    @R.function(private=True)
    def odd(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        cls = Module
        if c:
            y = cls.even(x, R.const(False, "bool"))
            z = y
        else:
            z = x
        return z
)";

TEST(InlinePrivateFunctions, FunctionsThatCallEachOtherStay) {
  expect_inlined(kRecursive, kRecursive);
  EXPECT_EQ(code_with(kRecursive, "inline-private-functions/recursive-removed"), "form.unknown-global");
}

const std::string kMentioned = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Module
        f = cls.twice
        y = f(x)
        z = cls.twice(y)
        return z

    @R.function(private=True)
    def twice(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.add(x, x)
        return y

    @R.function(private=True)
    def unused(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return x
)";

TEST(InlinePrivateFunctions, AFunctionMentionedAsAValueStaysAndAnUnusedOneGoes) {
  expect_inlined(kMentioned, R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Module
        f = cls.twice
        y = f(x)
        z = R.add(y, y)
        return z

    @R.function(private=True)
    def twice(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.add(x, x)
        return y
)");
  EXPECT_EQ(code_with(kMentioned, "inline-private-functions/mentioned-removed"), "form.unknown-global");
}

// The type of the argument does not tell the callee's dims; and the callee has a match_cast of its own.
const std::string kCasts = R"(
    @R.function
    def main(x: R.Tensor(dtype="float32", ndim=1), y: R.Tensor((3, 4), "float32")) -> R.Tensor(dtype="float32", ndim=2):
        cls = Module
        a = cls.pair(x, x)
        b = cls.pair(x, x)
        return b

    @R.function(private=True)
    def pair(x: R.Tensor(("n",), "float32"), y: R.Tensor(("n",), "float32")) -> R.Tensor(dtype="float32", ndim=2):
        n = T.int64()
        m = T.int64()
        s = R.add(x, y)
        t = R.match_cast(s, R.Tensor((m,), "float32"))
        with R.dataflow():
            z = R.zeros(R.shape([m, n]), "float32")
            u = R.add(z, z)
            R.output(u)
        return u
)";

TEST(InlinePrivateFunctions, DimsThatTheArgumentDoesNotTellAreCast) {
  expect_inlined(kCasts, R"(
    @R.function
    def main(x: R.Tensor(dtype="float32", ndim=1), y: R.Tensor((3, 4), "float32")) -> R.Tensor(dtype="float32", ndim=2):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        l = T.int64()
        x1 = R.match_cast(x, R.Tensor((n,), "float32"))
        y1 = R.match_cast(x, R.Tensor((n,), "float32"))
        s = R.add(x1, y1)
        t = R.match_cast(s, R.Tensor((m,), "float32"))
        with R.dataflow():
            z = R.zeros(R.shape([m, n]), "float32")
            u = R.add(z, z)
            R.output(u)
        a: R.Tensor(dtype="float32", ndim=2) = u
        x2 = R.match_cast(x, R.Tensor((k,), "float32"))
        y2 = R.match_cast(x, R.Tensor((k,), "float32"))
        s1 = R.add(x2, y2)
        t1 = R.match_cast(s1, R.Tensor((l,), "float32"))
        with R.dataflow():
            z1 = R.zeros(R.shape([l, k]), "float32")
            u1 = R.add(z1, z1)
            R.output(u1)
        b: R.Tensor(dtype="float32", ndim=2) = u1
        return b
)");
  EXPECT_EQ(code_with(kCasts, "inline-private-functions/dataflow-leak"), "form.dataflow-escape");
}

TEST(InlinePrivateFunctions, FaultMatchCastDimsSharedMergesTheDimsOfTwoCalls) {
  const Module target = inlined(kCasts, "inline-private-functions/match-cast-dims-shared");
  EXPECT_FALSE(well_formed(target).has_value());
  EXPECT_FALSE(structural_equal(target, inlined(kCasts)));
}

const std::string kShapes = R"(
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        cls = Module
        a = cls.less(x, y)
        return a

    @R.function(private=True)
    def less(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("n", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        z = R.subtract(x, y)
        return z
)";

TEST(InlinePrivateFunctions, FaultVariablesSharedBindsThemTwice) {
  const std::string twice = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Module
        a = cls.f(x)
        b = cls.f(a)
        return b

    @R.function(private=True)
    def f(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.exp(x)
        z = R.add(x, y)
        return z
)";
  EXPECT_EQ(code_with(twice, ""), "well-formed");
  EXPECT_EQ(code_with(twice, "inline-private-functions/variables-shared"), "form.redefined-var");
}

TEST(InlinePrivateFunctions, FaultArgumentsReversedExchangesOperands) {
  const std::string swapped = R"(
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        a = R.subtract(y, x)
        return a
)";
  EXPECT_TRUE(
      structural_equal(inlined(kShapes, "inline-private-functions/arguments-reversed"), parse(swapped)));
}

TEST(InlinePrivateFunctions, FaultFirstDimForAllMakesShapesSquare) {
  const std::string text = print(inlined(kShapes, "inline-private-functions/first-dim-for-all"));
  EXPECT_NE(text.find("(2, 2)"), std::string::npos) << text;
}

}  // namespace
}  // namespace passdiff
