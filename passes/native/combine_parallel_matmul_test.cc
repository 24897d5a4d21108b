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

Result<Module> run(const Module& module, std::string_view fault = {}) {
  NativeRun run{.options = R"({"check": {"$callable": "always"}})", .fault = fault};
  return combine_parallel_matmul().run(module, run);
}

void expect_combined(const std::string& before, const std::string& expected, std::string_view fault = {}) {
  const auto after = run(parse(before), fault);
  ASSERT_TRUE(after.ok()) << after.error().message;
  EXPECT_TRUE(structural_equal(*after, parse(expected))) << print(*after);
  if (!fault.empty()) return;
  const auto broken = well_formed(*after);
  EXPECT_FALSE(broken.has_value()) << broken->message << print(*after);
  EXPECT_TRUE(structural_equal(*run(*after), *after)) << "not idempotent";
}
void expect_kept(const std::string& before) {
  expect_combined(before, before);
}

// What the checks see first: the error of the pass, or that of the target's form.
std::string symptom(const std::string& before, std::string_view fault) {
  const auto after = run(parse(before), fault);
  if (!after) return after.error().code;
  const auto broken = well_formed(*after);
  return broken ? broken->code : "well-formed";
}

std::string tensor(const std::string& shape, const std::string& dtype = "float32") {
  return "R.Tensor(" + shape + ", \"" + dtype + "\")";
}
std::string function(const std::string& params, const std::string& result, const std::string& body,
                     const std::string& outputs, const std::string& returned) {
  return "    @R.function\n    def main(" + params + ") -> " + result + ":\n        with R.dataflow():\n" +
         body + "            R.output(" + outputs + ")\n        return " + returned + "\n";
}
// Two or three products of x that are returned.
std::string products(const std::string& params, const std::string& result, const std::string& body) {
  return function(params, "R.Tuple(" + result + ")", body, "y, z", "(y, z)");
}

const std::string kWeights =
    "x: " + tensor("(2, 3)") + ", v: " + tensor("(3, 4)") + ", w: " + tensor("(3, 5)");
const std::string kPlain = R"(            y = R.matmul(x, v)
            z = R.matmul(x, w)
)";
const std::string kResults = tensor("(2, 4)") + ", " + tensor("(2, 5)");

TEST(CombineParallelMatmul, JoinsRightOperandsAndSplitsTheResult) {
  expect_combined(products(kWeights, kResults, kPlain),
                  products(kWeights, kResults, R"(            j = R.concat((v, w), axis=1)
            p = R.matmul(x, j, out_dtype="float32")
            s = R.split(p, indices_or_sections=[4], axis=1)
            y = s[0]
            z = s[1]
)"));
}

TEST(CombineParallelMatmul, SplitsAlongTheLastAxisOfTheResult) {
  const auto split = [](int axis) {
    const std::string last = std::to_string(axis);
    return R"(            j = R.concat((v, w), axis=1)
            p = R.matmul(x, j, out_dtype="float32")
            s = R.split(p, indices_or_sections=[4], axis=)" +
           last + R"()
            y = s[0]
            z = s[1]
)";
  };
  const std::string weights = ", v: " + tensor("(3, 4)") + ", w: " + tensor("(3, 5)");
  const std::string vector = "x: " + tensor("(3,)") + weights,
                    batched = "x: " + tensor("(6, 2, 3)") + weights;
  expect_combined(products(vector, tensor("(4,)") + ", " + tensor("(5,)"), kPlain),
                  products(vector, tensor("(4,)") + ", " + tensor("(5,)"), split(0)));
  expect_combined(products(batched, tensor("(6, 2, 4)") + ", " + tensor("(6, 2, 5)"), kPlain),
                  products(batched, tensor("(6, 2, 4)") + ", " + tensor("(6, 2, 5)"), split(2)));
  EXPECT_EQ(symptom(products(vector, tensor("(4,)") + ", " + tensor("(5,)"), kPlain),
                    "combine-parallel-matmul/split-axis-of-operands"),
            "type.axis");
}

TEST(CombineParallelMatmul, TakesBiasesAndActivationsAlong) {
  const std::string params = kWeights + ", a: " + tensor("(1, 4)") + ", b: " + tensor("(1, 5)");
  const std::string before = products(params, kResults, R"(            p = R.matmul(x, v)
            q = R.add(p, a)
            y = R.nn.relu(q)
            r = R.matmul(x, w)
            s = R.add(r, b)
            z = R.nn.relu(s)
)");
  expect_combined(before, products(params, kResults, R"(            j = R.concat((v, w), axis=1)
            p = R.matmul(x, j, out_dtype="float32")
            c = R.concat((a, b), axis=1)
            q = R.add(p, c)
            r = R.nn.relu(q)
            s = R.split(r, indices_or_sections=[4], axis=1)
            y = s[0]
            z = s[1]
)"));
  EXPECT_EQ(symptom(before, "combine-parallel-matmul/bias-on-first-axis"), "type.shape");
}

TEST(CombineParallelMatmul, LeavesBiasesThatAreBroadcastOrProducts) {
  const auto parts = [](const std::string& rest) {
    return R"(            j = R.concat((v, w), axis=1)
            p = R.matmul(x, j, out_dtype="float32")
            s = R.split(p, indices_or_sections=[4], axis=1)
            m = s[0]
            n = s[1]
)" + rest;
  };
  const std::string plain = "            m = R.matmul(x, v)\n            n = R.matmul(x, w)\n";
  const std::string params = kWeights + ", a: " + tensor("(4,)") + ", b: " + tensor("(1,)");
  const std::string sums = "            y = R.add(m, a)\n            z = R.add(n, b)\n";
  expect_combined(products(params, kResults, plain + sums), products(params, kResults, parts(sums)));
  EXPECT_EQ(symptom(products(params, kResults, plain + sums), "combine-parallel-matmul/broadcast-bias"),
            "type.broadcast");
}

TEST(CombineParallelMatmul, KeepsActivationsThatOnlySomeHave) {
  const std::string before = products(kWeights, kResults, R"(            m = R.matmul(x, v)
            y = R.nn.relu(m)
            z = R.matmul(x, w)
)");
  expect_combined(before, products(kWeights, kResults, R"(            j = R.concat((v, w), axis=1)
            p = R.matmul(x, j, out_dtype="float32")
            s = R.split(p, indices_or_sections=[4], axis=1)
            m = s[0]
            y = R.nn.relu(m)
            z = s[1]
)"));
  expect_combined(before, products(kWeights, kResults, R"(            j = R.concat((v, w), axis=1)
            p = R.matmul(x, j, out_dtype="float32")
            r = R.nn.relu(p)
            s = R.split(r, indices_or_sections=[4], axis=1)
            y = s[0]
            z = s[1]
)"),
                  "combine-parallel-matmul/activation-for-all");
}

TEST(CombineParallelMatmul, KeepsProductsThatAreUsedBesideTheirBias) {
  const std::string params = kWeights + ", a: " + tensor("(4,)") + ", b: " + tensor("(5,)");
  const std::string results = "R.Tuple(" + kResults + ", " + tensor("(2, 4)") + ")";
  const std::string before = function(params, results, R"(            m = R.matmul(x, v)
            y = R.add(m, a)
            n = R.matmul(x, w)
            z = R.add(n, b)
)",
                                      "m, y, z", "(y, z, m)");
  expect_combined(before, function(params, results, R"(            j = R.concat((v, w), axis=1)
            p = R.matmul(x, j, out_dtype="float32")
            s = R.split(p, indices_or_sections=[4], axis=1)
            m = s[0]
            y = R.add(m, a)
            n = s[1]
            z = R.add(n, b)
)",
                                   "m, y, z", "(y, z, m)"));
  EXPECT_EQ(symptom(before, "combine-parallel-matmul/used-product-removed"), "form.undefined-var");
}

TEST(CombineParallelMatmul, LeavesOperandsThatDependOnAnotherProduct) {
  const std::string params = "x: " + tensor("(3, 3)") + ", v: " + tensor("(3, 3)");
  const std::string results = tensor("(3, 3)") + ", " + tensor("(3, 3)");
  const std::string before = products(params, results, R"(            y = R.matmul(x, v)
            n = R.exp(y)
            z = R.matmul(x, n)
)");
  expect_kept(before);
  EXPECT_EQ(symptom(before, "combine-parallel-matmul/dependent-operand"), "form.undefined-var");
}

TEST(CombineParallelMatmul, BindsOperandsFirstAndUsersAfterwards) {
  const std::string params = "x: " + tensor("(3, 3)") + ", v: " + tensor("(3, 3)");
  const std::string results = tensor("(3, 3)") + ", " + tensor("(3, 3)");
  expect_combined(products(params, results, R"(            m = R.matmul(x, v)
            y = R.exp(m)
            w = R.exp(v)
            z = R.matmul(x, w)
)"),
                  products(params, results, R"(            w = R.exp(v)
            j = R.concat((v, w), axis=1)
            p = R.matmul(x, j, out_dtype="float32")
            s = R.split(p, indices_or_sections=[3], axis=1)
            m = s[0]
            y = R.exp(m)
            z = s[1]
)"));
}

TEST(CombineParallelMatmul, PutsTheOneSymbolicWidthLast) {
  const auto module = [](const std::string& body) {
    return "    @R.function\n    def main(x: " + tensor("(2, 3)") + ", v: " + tensor("(3, n)") +
           ", w: " + tensor("(3, 4)") + ", u: " + tensor("(3, m)") + ") -> R.Tuple(" + tensor("(2, n)") +
           ", " + tensor("(2, 4)") + ", " + tensor("(2, m)") +
           "):\n        n = T.int64()\n        m = T.int64()\n        with R.dataflow():\n" + body +
           "            R.output(y, z, a)\n        return (y, z, a)\n";
  };
  const std::string before = module(R"(            y = R.matmul(x, v)
            z = R.matmul(x, w)
            a = R.matmul(x, u)
)");
  const auto after = run(parse(before));
  ASSERT_TRUE(after.ok());
  const auto broken = well_formed(*after);
  EXPECT_FALSE(broken.has_value()) << broken->message;
  const std::string text = print(*after);
  EXPECT_NE(text.find("R.concat((w, v), axis=1)"), std::string::npos) << text;
  EXPECT_NE(text.find("R.matmul(x, u)"), std::string::npos) << text;
  EXPECT_TRUE(structural_equal(*run(*after), *after));
  EXPECT_FALSE(
      structural_equal(*run(parse(before), "combine-parallel-matmul/dynamic-part-not-moved"), *after));
}

TEST(CombineParallelMatmul, LeavesOtherRanksDtypesBatchesAndBranches) {
  const std::string result = tensor("(2,)") + ", " + tensor("(2,)");
  const std::string vectors = products(
      "x: " + tensor("(2, 3)") + ", v: " + tensor("(3,)") + ", w: " + tensor("(3,)"), result, kPlain);
  expect_kept(vectors);
  EXPECT_EQ(symptom(vectors, "combine-parallel-matmul/rank-one-operand"), "type.matmul");
  expect_kept(
      products("x: " + tensor("(2, 3)") + ", v: " + tensor("(6, 3, 4)") + ", w: " + tensor("(1, 3, 4)"),
               tensor("(6, 2, 4)") + ", " + tensor("(1, 2, 4)"), kPlain));
  const std::string dtypes = products(kWeights, tensor("(2, 4)", "float64") + ", " + tensor("(2, 5)"),
                                      R"(            y = R.matmul(x, v, out_dtype="float64")
            z = R.matmul(x, w)
)");
  expect_kept(dtypes);
  EXPECT_EQ(symptom(dtypes, "combine-parallel-matmul/mixed-out-dtypes"), "form.wrong-type");
  expect_kept(R"(    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor((3, 3), "float32"), v: R.Tensor((3, 3), "float32")) -> R.Tensor((3, 3), "float32"):
        m = R.matmul(x, v)
        if c:
            n = R.matmul(x, v)
            y = n
        else:
            y = m
        z = R.add(m, y)
        return z
)");
}

TEST(CombineParallelMatmul, FaultSplitSizesReversedGivesPartsOtherTypes) {
  EXPECT_EQ(symptom(products(kWeights, kResults, kPlain), "combine-parallel-matmul/split-sizes-reversed"),
            "form.wrong-type");
}

TEST(CombineParallelMatmul, FaultOrderAlternatesDiffersFromRunToRun) {
  const Module before = parse(products(kWeights, kResults, kPlain));
  const auto once = run(before, "combine-parallel-matmul/order-alternates");
  const auto again = run(before, "combine-parallel-matmul/order-alternates");
  ASSERT_TRUE(once.ok() && again.ok());
  EXPECT_FALSE(structural_equal(*once, *again));
  EXPECT_FALSE(well_formed(*once).has_value());
  EXPECT_FALSE(well_formed(*again).has_value());
}

TEST(CombineParallelMatmul, FaultLoneMatmulIsNeverDone) {
  const Module before =
      parse(products(kWeights, tensor("(2, 4)") + ", " + tensor("(3, 5)"), R"(            y = R.matmul(x, v)
            z = R.exp(w)
)"));
  const auto once = run(before, "combine-parallel-matmul/lone-matmul");
  ASSERT_TRUE(once.ok());
  EXPECT_FALSE(structural_equal(*once, before));
  EXPECT_FALSE(structural_equal(*run(*once, "combine-parallel-matmul/lone-matmul"), *once));
}

TEST(CombineParallelMatmul, RefusesChecksThatItCannotCall) {
  NativeRun odd{.options = R"({"check": 1})"};
  EXPECT_EQ(combine_parallel_matmul().run(parse(products(kWeights, kResults, kPlain)), odd).error().code,
            "options.unknown");
}

}  // namespace
}  // namespace passdiff
