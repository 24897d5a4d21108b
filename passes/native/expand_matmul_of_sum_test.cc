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

Module expand(Module module, std::string_view fault = {}) {
  NativeRun run{.options = "{}", .fault = fault};
  auto result = expand_matmul_of_sum().run(module, run);
  CHECK(result.ok()) << result.error().message;
  return *std::move(result);
}

void expect_expanded(const std::string& before, const std::string& expected, std::string_view fault = {}) {
  const Module after = expand(parse(before), fault);
  EXPECT_TRUE(structural_equal(after, parse(expected))) << print(after);
  if (fault.empty()) {
    const auto broken = well_formed(after);
    EXPECT_FALSE(broken.has_value()) << broken->message;
    EXPECT_TRUE(structural_equal(expand(after), after)) << "not idempotent";
  }
}
void expect_kept(const std::string& before) {
  expect_expanded(before, before);
}

std::string error_code(const Module& module) {
  const auto broken = well_formed(module);
  return broken ? broken->code : "well-formed";
}

// main(x, a, b) with the given types of a, b and the result.
std::string function(const std::string& a, const std::string& b, const std::string& result,
                     const std::string& body, const std::string& dtype = "float32") {
  const auto tensor = [&](const std::string& shape) { return "R.Tensor(" + shape + ", \"" + dtype + "\")"; };
  return "    @R.function\n    def main(x: " + tensor("(4, 3)") + ", a: " + tensor(a) + ", b: " + tensor(b) +
         ") -> " + result + ":\n" + body;
}

const std::string kProduct = R"(R.Tensor((4, 5), "float32"))";
const std::string kSimple = R"(        with R.dataflow():
            w = R.add(a, b)
            y = R.matmul(x, w)
            R.output(y)
        return y
)";

TEST(ExpandMatmulOfSum, MultipliesBothAddendsAndDropsTheSum) {
  expect_expanded(function("(3, 5)", "(3, 5)", kProduct, kSimple),
                  function("(3, 5)", "(3, 5)", kProduct, R"(        with R.dataflow():
            p = R.matmul(x, a)
            q = R.matmul(x, b)
            y = R.add(p, q)
            R.output(y)
        return y
)"));
}

TEST(ExpandMatmulOfSum, PermutesBothAddendsAndKeepsOutDtype) {
  const std::string result = R"(R.Tensor((4, 5), "float64"))";
  expect_expanded(function("(5, 3)", "(5, 3)", result, R"(        w = R.add(a, b)
        t = R.permute_dims(w, axes=[1, 0])
        y = R.matmul(x, t, out_dtype="float64")
        return y
)"),
                  function("(5, 3)", "(5, 3)", result, R"(        s = R.permute_dims(a, axes=[1, 0])
        p = R.matmul(x, s, out_dtype="float64")
        t = R.permute_dims(b, axes=[1, 0])
        q = R.matmul(x, t, out_dtype="float64")
        y = R.add(p, q)
        return y
)"));
}

TEST(ExpandMatmulOfSum, ExpandsSumsOfSumsAndKeepsWhatIsUsedElsewhere) {
  const std::string result = R"(R.Tuple(R.Tensor((4, 5), "float32"), R.Tensor((3, 5), "float32")))";
  expect_expanded(function("(3, 5)", "(3, 5)", result, R"(        v = R.add(a, b)
        w = R.add(v, b)
        y = R.matmul(x, w)
        return (y, v)
)"),
                  function("(3, 5)", "(3, 5)", result, R"(        v = R.add(a, b)
        p = R.matmul(x, a)
        q = R.matmul(x, b)
        r = R.add(p, q)
        s = R.matmul(x, b)
        y = R.add(r, s)
        return (y, v)
)"));
}

TEST(ExpandMatmulOfSum, BroadcastsBatchesButNoMatrices) {
  const std::string batched = R"(R.Tensor((2, 4, 5), "float32"))";
  expect_expanded(function("(2, 3, 5)", "(3, 5)", batched, kSimple),
                  function("(2, 3, 5)", "(3, 5)", batched, R"(        with R.dataflow():
            p = R.matmul(x, a)
            q = R.matmul(x, b)
            y = R.add(p, q)
            R.output(y)
        return y
)"));
  expect_kept(function("(3, 5)", "(5,)", kProduct, kSimple));
  expect_kept(function("(3, 5)", "(1, 5)", kProduct, kSimple));
  // A column alone has the same rows: its product is broadcast in turn.
  EXPECT_FALSE(structural_equal(expand(parse(function("(3, 5)", "(3, 1)", kProduct, kSimple))),
                                parse(function("(3, 5)", "(3, 1)", kProduct, kSimple))));
  expect_kept(function("()", "(3, 5)", kProduct, kSimple));
}

TEST(ExpandMatmulOfSum, LeavesIntegersThatMayHaveWrappedBeforeTheyAreWidened) {
  const auto with = [](const std::string& dtype) {
    return function("(3, 5)", "(3, 5)", "R.Tensor((4, 5), \"" + dtype + "\")",
                    "        w = R.add(a, b)\n        y = R.matmul(x, w, out_dtype=\"" + dtype +
                        "\")\n        return y\n",
                    "int8");
  };
  expect_kept(with("int32"));
  expect_kept(with("float32"));
  EXPECT_FALSE(structural_equal(expand(parse(with("int8"))), parse(with("int8"))));
  EXPECT_FALSE(structural_equal(expand(parse(with("int32")), "expand-matmul-of-sum/wrapped-sum-widened"),
                                parse(with("int32"))));
}

TEST(ExpandMatmulOfSum, LeavesSumsThatAreKnownBeforeRunTimeOrOutOfReach) {
  const auto with_inputs = [](const std::string& count) {
    return function("(3, 5)", "(3, 5)", kProduct,
                    "        R.func_attr({\"num_input\": " + count + "})\n" + kSimple);
  };
  expect_kept(with_inputs("1"));
  EXPECT_FALSE(structural_equal(expand(parse(with_inputs("2"))), parse(with_inputs("2"))));
  const std::string other_block = function("(3, 5)", "(3, 5)", kProduct, R"(        with R.dataflow():
            c = R.exp(a)
            w = R.add(c, b)
            R.output(w)
        y = R.matmul(x, w)
        return y
)");
  expect_kept(other_block);
  EXPECT_EQ(error_code(expand(parse(other_block), "expand-matmul-of-sum/sum-of-another-block")),
            "form.dataflow-escape");
}

TEST(ExpandMatmulOfSum, WorksInsideBranches) {
  const std::string head = R"(    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor((2, 2), "float32"), a: R.Tensor((2, 2), "float32")) -> R.Tensor((2, 2), "float32"):
        w = R.add(a, a)
        if c:
)";
  const std::string tail = R"(        else:
            z = R.matmul(x, w)
            y = z
        return y
)";
  expect_expanded(head + R"(            v = R.add(a, w)
            z = R.matmul(x, v)
            y = z
)" + tail,
                  head + R"(            p = R.matmul(x, a)
            q = R.matmul(x, w)
            z = R.add(p, q)
            y = z
)" + tail);
}

TEST(ExpandMatmulOfSum, FaultOutDtypeDroppedMakesAnotherType) {
  const std::string before = function("(3, 5)", "(3, 5)", R"(R.Tensor((4, 5), "float64"))",
                                      R"(        w = R.add(a, b)
        y = R.matmul(x, w, out_dtype="float64")
        return y
)");
  EXPECT_EQ(error_code(expand(parse(before), "expand-matmul-of-sum/out-dtype-dropped")), "form.wrong-type");
}

TEST(ExpandMatmulOfSum, FaultBroadcastAddendMultipliesAVector) {
  const std::string types = R"(    @R.function
    def main(x: R.Tensor((3,), "float32"), a: R.Tensor((3, 3), "float32"), b: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
)";
  expect_expanded(types + kSimple, types + R"(        with R.dataflow():
            p = R.matmul(x, a)
            q = R.matmul(x, b)
            y = R.add(p, q)
            R.output(y)
        return y
)",
                  "expand-matmul-of-sum/broadcast-addend");
}

TEST(ExpandMatmulOfSum, FaultPermutationForgottenMultipliesTheAddendAsItIs) {
  const std::string square = R"(    @R.function
    def main(x: R.Tensor((3, 3), "float32"), a: R.Tensor((3, 3), "float32"), b: R.Tensor((3, 3), "float32")) -> R.Tensor((3, 3), "float32"):
)";
  expect_expanded(square + R"(        w = R.add(a, b)
        t = R.permute_dims(w)
        y = R.matmul(x, t)
        return y
)",
                  square + R"(        t = R.permute_dims(a)
        p = R.matmul(x, t)
        q = R.matmul(x, b)
        y = R.add(p, q)
        return y
)",
                  "expand-matmul-of-sum/permutation-forgotten");
}

TEST(ExpandMatmulOfSum, FaultsThatHarmTheModuleAroundTheSum) {
  const std::string used =
      function("(3, 5)", "(3, 5)", R"(R.Tuple(R.Tensor((4, 5), "float32"), R.Tensor((3, 5), "float32")))",
               R"(        w = R.add(a, b)
        y = R.matmul(x, w)
        return (y, w)
)");
  EXPECT_EQ(error_code(expand(parse(used), "expand-matmul-of-sum/used-sum-removed")), "form.undefined-var");
  Module given = parse(used);
  const FunctionPtr function = given.functions[0].function;
  NativeRun run{.fault = "expand-matmul-of-sum/input-mutated"};
  ASSERT_TRUE(expand_matmul_of_sum().run(given, run).ok());
  EXPECT_NE(given.functions[0].function, function);
}

}  // namespace
}  // namespace passdiff
