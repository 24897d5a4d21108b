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

Module reorder(Module module, std::string_view fault = {}) {
  NativeRun run{.options = "{}", .fault = fault};
  auto result = reorder_take_after_matmul().run(module, run);
  CHECK(result.ok()) << result.error().message;
  return *std::move(result);
}

void expect_reordered(const std::string& before, const std::string& expected, std::string_view fault = {}) {
  const Module after = reorder(parse(before), fault);
  EXPECT_TRUE(structural_equal(after, parse(expected))) << print(after);
  if (fault.empty()) {
    const auto broken = well_formed(after);
    EXPECT_FALSE(broken.has_value()) << broken->message;
    EXPECT_TRUE(structural_equal(reorder(after), after)) << "not idempotent";
  }
}
void expect_kept(const std::string& before) {
  expect_reordered(before, before);
}

std::string error_code(const Module& module) {
  const auto broken = well_formed(module);
  return broken ? broken->code : "well-formed";
}

// main(x, w, i) -> y, where y is the product of x and what is taken from w.
std::string function(const std::string& x, const std::string& w, const std::string& i, const std::string& y,
                     const std::string& body) {
  const auto tensor = [](const std::string& shape) { return "R.Tensor(" + shape + ", \"float32\")"; };
  return "    @R.function\n    def main(x: " + tensor(x) + ", w: " + tensor(w) + ", i: R.Tensor(" + i +
         ", \"int64\")) -> " + tensor(y) + ":\n" + body;
}
std::string take_first(const std::string& take_options, const std::string& matmul_options = "") {
  return "        with R.dataflow():\n            t = R.take(w, i" + take_options +
         ")\n            y = R.matmul(x, t" + matmul_options +
         ")\n            R.output(y)\n        return y\n";
}
std::string matmul_first(const std::string& take_options, const std::string& matmul_options = "") {
  return "        with R.dataflow():\n            p = R.matmul(x, w" + matmul_options +
         ")\n            y = R.take(p, i" + take_options + ")\n            R.output(y)\n        return y\n";
}

TEST(ReorderTakeAfterMatmul, TakesColumnsOfTheProductInTheSameMode) {
  for (const std::string mode : {"fast", "clip", "wrap", "nan"}) {
    const std::string option = ", axis=1, mode=\"" + mode + "\"";
    expect_reordered(function("(2, 3)", "(3, 9)", "(4,)", "(2, 4)", take_first(option)),
                     function("(2, 3)", "(3, 9)", "(4,)", "(2, 4)", matmul_first(option)));
  }
}

TEST(ReorderTakeAfterMatmul, TakesAlongTheLastAxisOfProductsOfAnyRank) {
  expect_reordered(function("(5, 2, 3)", "(3, 9)", "(4,)", "(5, 2, 4)", take_first(", axis=1")),
                   function("(5, 2, 3)", "(3, 9)", "(4,)", "(5, 2, 4)", matmul_first(", axis=2")));
  expect_reordered(function("(3,)", "(3, 9)", "(4,)", "(4,)", take_first(", axis=1")),
                   function("(3,)", "(3, 9)", "(4,)", "(4,)", matmul_first(", axis=0")));
  expect_reordered(function("(2, 3)", "(5, 3, 9)", "(4,)", "(5, 2, 4)", take_first(", axis=2")),
                   function("(2, 3)", "(5, 3, 9)", "(4,)", "(5, 2, 4)", matmul_first(", axis=2")));
}

TEST(ReorderTakeAfterMatmul, KeepsOutDtypeAndSymbolicSizes) {
  const auto module = [](const std::string& body) {
    return R"(    @R.function
    def main(x: R.Tensor((m, 3), "float16"), w: R.Tensor((3, n), "float16"), i: R.Tensor((4,), "int32")) -> R.Tensor((m, 4), "float32"):
        m = T.int64()
        n = T.int64()
)" + body;
  };
  const std::string out = ", out_dtype=\"float32\"";
  expect_reordered(module(take_first(", axis=1", out)), module(matmul_first(", axis=1", out)));
}

TEST(ReorderTakeAfterMatmul, LeavesTakesOfRowsOfVectorsAndOfBatches) {
  expect_kept(function("(2, 3)", "(3, 3)", "(3,)", "(2, 3)", take_first(", axis=0")));
  expect_kept(function("(2, 3)", "(3,)", "(3,)", "(2,)", take_first(", axis=0")));
  expect_kept(function("(2, 3)", "(3,)", "(3,)", "(2,)", take_first("")));
  expect_kept(function("(5, 2, 3)", "(7, 3, 4)", "(5,)", "(5, 2, 4)", take_first(", axis=0")));
  expect_kept(function("(2, 3)", "(3, 9)", "()", "(2,)", take_first(", axis=1")));
}

TEST(ReorderTakeAfterMatmul, LeavesWhatTheWholeTableWouldMakeOtherwise) {
  // Nothing to add up: the product is 0, though the column is NaN.
  expect_kept(function("(2, 0)", "(0, 9)", "(4,)", "(2, 4)", take_first(", axis=1, mode=\"nan\"")));
  const auto module = [](const std::string& table, const std::string& body, const std::string& result) {
    return "    @R.function\n    def main(x: R.Tensor((2, 3), \"int8\"), w: R.Tensor((3, 9), \"" + table +
           "\"), i: R.Tensor((4,), \"int64\")) -> R.Tensor((2, 4), \"" + result + "\"):\n" + body;
  };
  // The cast of an element that is not taken may be undefined.
  expect_kept(module("float32", take_first(", axis=1", ", out_dtype=\"int32\""), "int32"));
  // Of integers no column is NaN, but the product would have one.
  expect_kept(module("int8", take_first(", axis=1, mode=\"nan\"", ", out_dtype=\"float32\""), "float32"));
}

TEST(ReorderTakeAfterMatmul, KeepsATakeThatIsUsedElsewhere) {
  const auto module = [](const std::string& product) {
    return R"(    @R.function
    def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 9), "float32"), i: R.Tensor((4,), "int64")) -> R.Tuple(R.Tensor((2, 4), "float32"), R.Tensor((3, 4), "float32")):
        t = R.take(w, i, axis=1)
)" + product +
           "        return (y, t)\n";
  };
  const std::string before = module("        y = R.matmul(x, t)\n");
  expect_reordered(before, module("        p = R.matmul(x, w)\n        y = R.take(p, i, axis=1)\n"));
  EXPECT_EQ(error_code(reorder(parse(before), "reorder-take-after-matmul/used-take-removed")),
            "form.undefined-var");
}

TEST(ReorderTakeAfterMatmul, MovesTakesOfTakesAndThoseItHasMoved) {
  const auto module = [](const std::string& body) {
    return function("(2, 3)", "(3, 3)", "(3,)", "(2, 3)",
                    "        with R.dataflow():\n" + body + "            R.output(y)\n        return y\n");
  };
  expect_reordered(module(R"(            s = R.take(w, i, axis=1)
            t = R.take(s, i, axis=1, mode="clip")
            a = t
            z = R.matmul(w, a)
            y = R.matmul(x, z)
)"),
                   module(R"(            p = R.matmul(w, w)
            q = R.matmul(x, p)
            r = R.take(q, i, axis=1)
            y = R.take(r, i, axis=1, mode="clip")
)"));
}

TEST(ReorderTakeAfterMatmul, FaultsChangeTheCallsThatTakeTheirPlace) {
  const std::string clipped =
      function("(5, 2, 3)", "(3, 9)", "(4,)", "(5, 2, 4)", take_first(", axis=1, mode=\"clip\""));
  expect_reordered(clipped, function("(5, 2, 3)", "(3, 9)", "(4,)", "(5, 2, 4)", matmul_first(", axis=2")),
                   "reorder-take-after-matmul/mode-dropped");
  EXPECT_EQ(error_code(reorder(parse(clipped), "reorder-take-after-matmul/axis-of-table")),
            "form.wrong-type");
  const std::string rows = function("(3, 3)", "(3, 3)", "(3,)", "(3, 3)", take_first(", axis=0"));
  expect_reordered(rows, function("(3, 3)", "(3, 3)", "(3,)", "(3, 3)", matmul_first(", axis=1")),
                   "reorder-take-after-matmul/any-axis");
  const std::string vector = function("(3, 3)", "(3,)", "(3,)", "(3,)", take_first(", axis=0"));
  expect_reordered(vector, function("(3, 3)", "(3,)", "(3,)", "(3,)", matmul_first(", axis=0")),
                   "reorder-take-after-matmul/rank-one-table");
}

TEST(ReorderTakeAfterMatmul, FaultOutDtypeDroppedMakesAnotherType) {
  const std::string before = R"(    @R.function
    def main(x: R.Tensor((2, 3), "float16"), w: R.Tensor((3, 9), "float16"), i: R.Tensor((4,), "int64")) -> R.Tensor((2, 4), "float32"):
)" + take_first(", axis=1", ", out_dtype=\"float32\"");
  EXPECT_EQ(error_code(reorder(parse(before), "reorder-take-after-matmul/out-dtype-dropped")),
            "form.wrong-type");
}

TEST(ReorderTakeAfterMatmul, FaultInputMutatedWritesToTheModuleGiven) {
  Module given = parse(function("(2, 3)", "(3, 9)", "(4,)", "(2, 4)", take_first(", axis=1")));
  const FunctionPtr function = given.functions[0].function;
  NativeRun run{.fault = "reorder-take-after-matmul/input-mutated"};
  ASSERT_TRUE(reorder_take_after_matmul().run(given, run).ok());
  EXPECT_NE(given.functions[0].function, function);
}

}  // namespace
}  // namespace passdiff
