#include <gtest/gtest.h>

#include "core/eval/interpret.h"
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

Module folded(const std::string& before, std::string_view fault = {}) {
  const Module module = parse(before);
  NativeRun run{.options = "{}", .fault = fault};
  auto result = fold_constant().run(module, run);
  CHECK(result.ok()) << result.error().message;
  return *std::move(result);
}

void expect_folded(const std::string& before, const std::string& expected) {
  const Module target = folded(before);
  const auto broken = well_formed(target);
  EXPECT_FALSE(broken.has_value()) << broken->message << print(target);
  EXPECT_TRUE(structural_equal(target, parse(expected))) << print(target);
}

std::string code_with(const std::string& before, std::string_view fault) {
  const auto broken = well_formed(folded(before, fault));
  return broken ? broken->code : "well-formed";
}

std::string result_of(const Module& module) {
  const Outcome outcome = interpret(module, "main", {});
  const auto* returned = std::get_if<Returned>(&outcome);
  return returned == nullptr ? to_string(outcome) : to_string(returned->value);
}

TEST(FoldConstant, FoldsChainsInDataflowBlocksAndSpreadsConstantsEverywhere) {
  expect_folded(R"(
    @R.function
    def main(x: R.Tensor((2,), "int32")) -> R.Tuple(R.Tensor((2,), "int32"), R.Tensor((2,), "int32")):
        with R.dataflow():
            a = R.const([1, 2], "int32")
            b = R.add(a, a)
            c = R.multiply(b, R.const(3, "int32"))
            dead = R.add(x, x)
            d = R.add(x, c)
            R.output(c, d)
        e = R.add(c, c)
        f = (d, e)
        return f
)",
                R"(
    @R.function
    def main(x: R.Tensor((2,), "int32")) -> R.Tuple(R.Tensor((2,), "int32"), R.Tensor((2,), "int32")):
        with R.dataflow():
            d = R.add(x, R.const([6, 12], "int32"))
            R.output(d)
        e = R.add(R.const([6, 12], "int32"), R.const([6, 12], "int32"))
        f = (d, e)
        return f
)");
}

TEST(FoldConstant, LeavesWhatIsUndefinedTrapsOrIsPlaced) {
  const std::string text = R"(
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global")]})

    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tuple(R.Tensor((1,), "float32"), R.Tensor((), "int32"), R.Tensor((), "int32"), R.Tensor((2,), "float32"), R.Tensor((2,), "float32")):
        with R.dataflow():
            a = R.take(R.const([1.0, 2.0], "float32"), R.const([2], "int64"), axis=0)
            b = R.floor_divide(R.const(1, "int32"), R.const(0, "int32"))
            c = R.add(R.const(2147483647, "int32"), R.const(1, "int32"))
            d = R.to_vdevice(R.const([1.0, 2.0], "float32"), "llvm:0")
            e = R.hint_on_device(R.const([1.0, 2.0], "float32"), R.device(1, 0))
            R.output(a, b, c, d, e)
        return (a, b, c, d, e)
)";
  expect_folded(text, text);
}

TEST(FoldConstant, LeavesLargeCreationsButFoldsWhatOpsMakeOfTuplesAndShapes) {
  expect_folded(R"(
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((1025,), "float32"), R.Tensor((2,), "float32"), R.Tensor((3,), "int32"), R.Tensor((2, 2), "float32")):
        with R.dataflow():
            large = R.zeros(R.shape([1025]), "float32")
            small = R.ones(R.shape([2]), "float32")
            t = (R.const([1], "int32"), R.const([2, 3], "int32"))
            joined = R.concat(t, axis=0)
            s = R.shape([2, 2])
            r = R.reshape(x, s)
            R.output(large, small, joined, r)
        return (large, small, joined, r)
)",
                R"(
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((1025,), "float32"), R.Tensor((2,), "float32"), R.Tensor((3,), "int32"), R.Tensor((2, 2), "float32")):
        with R.dataflow():
            large = R.zeros(R.shape([1025]), "float32")
            r = R.reshape(x, R.shape([2, 2]))
            R.output(large, r)
        return (large, R.const([1.0, 1.0], "float32"), R.const([1, 2, 3], "int32"), r)
)");
}

const std::string kBranch = R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        with R.dataflow():
            c = R.less(R.const(2, "int32"), R.const(1, "int32"))
            R.output(c)
        if c:
            y = R.exp(x)
            z = y
        else:
            y = R.negative(x)
            z = R.add(y, y)
        w = R.add(z, z)
        return w
)";

TEST(FoldConstant, AnIfOnAConstantBecomesTheBranchItTakes) {
  expect_folded(kBranch, R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = R.negative(x)
        z = R.add(y, y)
        w = R.add(z, z)
        return w
)");
  EXPECT_NE(print(folded(kBranch, "fold-constant/else-never-taken")).find("R.exp"), std::string::npos);
}

std::string returning(const std::string& bindings, const std::string& type) {
  return "    @R.function\n    def main() -> " + type + ":\n        with R.dataflow():\n" + bindings +
         "            R.output(r)\n        return r\n";
}

TEST(FoldConstant, FaultsChangeWhatIsComputed) {
  const std::string cast = returning("            r = R.astype(R.const([1, -1], \"int32\"), \"float32\")\n",
                                     "R.Tensor((2,), \"float32\")");
  EXPECT_EQ(result_of(folded(cast)), "float32[2] [1, -1]");
  EXPECT_NE(result_of(folded(cast, "fold-constant/cast-copies-bits")), "float32[2] [1, -1]");

  const std::string take = returning(
      "            r = R.take(R.const([1.0, 2.0, 3.0], \"float32\"), R.const([4], \"int64\"), axis=0, "
      "mode=\"wrap\")\n",
      "R.Tensor((1,), \"float32\")");
  EXPECT_EQ(result_of(folded(take)), "float32[1] [2]");
  EXPECT_EQ(result_of(folded(take, "fold-constant/take-mode-ignored")), "float32[1] [3]");

  const std::string sums = returning(R"(
            a = R.sum(R.const([[1, 2], [3, 4]], "int32"), axis=[0])
            b = R.sum(R.const([[1, 2], [3, 4]], "int32"), axis=[1])
            r = R.subtract(a, b)
)",
                                     "R.Tensor((2,), \"int32\")");
  EXPECT_EQ(result_of(folded(sums)), "int32[2] [1, -1]");
  EXPECT_EQ(result_of(folded(sums, "fold-constant/results-cached-by-operands")), "int32[2] [0, 0]");
}

TEST(FoldConstant, FaultsBreakModules) {
  const std::string added =
      returning("            r = R.add(R.const(1, \"int32\"), R.const([1, 2], \"int32\"))\n",
                "R.Tensor((2,), \"int32\")");
  EXPECT_EQ(code_with(added, "fold-constant/wide-integers"), "form.wrong-type");
  EXPECT_EQ(code_with(added, "fold-constant/broadcast-shape"), "form.wrong-type");
  EXPECT_EQ(code_with(added, "fold-constant/only-operands-replaced"), "form.undefined-var");
  EXPECT_EQ(code_with(R"(
    @R.function
    def main() -> R.Tensor(dtype="float32", ndim=1):
        k = T.int64()
        a = R.match_cast(R.const([1.0, 2.0], "float32"), R.Tensor((k,), "float32"))
        b = R.zeros(R.shape([k]), "float32")
        return b
)",
                      "fold-constant/match-cast-removed"),
            "form.undefined-symbol");
}

}  // namespace
}  // namespace passdiff
