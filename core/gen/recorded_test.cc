#include "core/gen/recorded.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/eval/interpret.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

Module module_of(const char* functions) {
  Result<Module> module = parse_text(functions);
  CHECK(module.ok()) << module.error().message;
  return *std::move(module);
}

TEST(Recorded, DrawsValuesOfTheParametersTypes) {
  const Module module = module_of(R"(
n = TypeVar("n")
@R.function
def main(x: R.Tensor((n, 2 * n), "float16"), s: R.Shape((n, 3)), t: R.Tuple(R.Tensor((n,), "bool"), R.Prim("int64")),
         u: R.Tensor(ndim=3, dtype="uint8")):
    return (x, s)
)");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto arguments = draw_arguments(module, "main", {.seed = seed});
    ASSERT_TRUE(arguments.ok()) << arguments.error().message;
    ASSERT_EQ(arguments->size(), 4u);
    const std::int64_t n = (*arguments)[1].shape().dims[0];
    EXPECT_EQ((*arguments)[0].tensor().shape(), (std::vector{n, 2 * n}));
    EXPECT_EQ((*arguments)[0].tensor().dtype, DType::float16);
    EXPECT_EQ((*arguments)[1].shape().dims[1], 3);
    EXPECT_EQ((*arguments)[2].tuple().fields[0].tensor().shape(), std::vector{n});
    EXPECT_EQ((*arguments)[3].tensor().rank(), 3u);
  }
}

TEST(Recorded, DrawsValuesOfAllDTypes) {
  for (const DType dtype : all_dtypes()) {
    const std::string name = "\"" + std::string(dtype_name(dtype)) + "\"";
    const std::string text = "@R.function\ndef main(x: R.Tensor((4, 9), " + name + "), s: R.Prim(" + name + ")):\n    return x\n";
    const auto arguments = draw_arguments(module_of(text.c_str()), "main", {.seed = 3});
    ASSERT_TRUE(arguments.ok()) << name << arguments.error().message;
    const Tensor& drawn = (*arguments)[0].tensor();
    EXPECT_TRUE(bit_equal(*from_bytes(dtype, drawn.shape(), to_bytes(drawn)), drawn)) << name;
    if (is_packed(dtype)) EXPECT_FALSE(bit_equal(drawn, zeros(dtype, drawn.shape()))) << name;
    if (!is_float(dtype)) EXPECT_LE(std::get<std::int64_t>((*arguments)[1].scalar().value), scalar_max(dtype)) << name;
  }
}

TEST(Recorded, DrawsTheSameForTheSameSeed) {
  const Module module = module_of(R"(
@R.function
def main(x: R.Tensor((4, 4), "float32")):
    return x
)");
  const auto once = draw_arguments(module, "main", {.seed = 7});
  EXPECT_TRUE(bit_equal(once->front(), draw_arguments(module, "main", {.seed = 7})->front()));
  EXPECT_FALSE(bit_equal(once->front(), draw_arguments(module, "main", {.seed = 8})->front()));
}

TEST(Recorded, PrefersArgumentsOnWhichTheFunctionIsDefined) {
  const Module module = module_of(R"(
n = TypeVar("n")
m = TypeVar("m")
@R.function
def main(x: R.Tensor((n, 3), "float32"), i: R.Tensor((2,), "int64"), y: R.Tensor((m, 3), "float32")):
    a = R.take(x, i, axis=0, mode="fast")
    b = R.match_cast(y, R.Tensor((n, 3), "float32"))
    return (a, b)
)");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto arguments = draw_arguments(module, "main", {.seed = seed});
    EXPECT_TRUE(std::holds_alternative<Returned>(interpret(module, "main", *arguments))) << seed;
  }
}

// What a recorded pass binds are values and sizes of the program in which it ran.
TEST(Recorded, TakesWhatIsBoundAndDrawsTheRestToFit) {
  const Module module = module_of(R"(
n = TypeVar("n")
m = TypeVar("m")
@R.function
def main(x: R.Tensor((n, m), "float32"), w: R.Tensor((m, 3), "float32"), y: R.Tensor((n,), "float32")):
    return x
)");
  const Value weight = make_tensor(zeros(DType::float32, std::vector<std::int64_t>{7, 3}));
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto arguments = draw_arguments(module, "main", {.seed = seed, .bound = {.values = {{"w", weight}}, .sizes = {{"n", 9}}}});
    ASSERT_TRUE(arguments.ok()) << arguments.error().message;
    EXPECT_EQ((*arguments)[0].tensor().shape(), (std::vector<std::int64_t>{9, 7}));
    EXPECT_TRUE(bit_equal((*arguments)[1], weight));
    EXPECT_EQ((*arguments)[2].tensor().shape(), std::vector<std::int64_t>{9});
  }
}

TEST(Recorded, RefusesTypesOfWhichNoValueCanBeMade) {
  CaseFolder content;
  content.test.module = module_of(R"(
@R.function
def calls(f: R.Callable((R.Tensor((2,), "float32"),), R.Tensor((2,), "float32"), True)):
    return f
@R.function
def adds(x: R.Tensor((2,), "float32")):
    y = R.add(x, x)
    return y
)");
  content.test.entry.clear();
  content.arguments_given = false;
  std::vector<Error> refused;
  const std::vector<TestCase> tests = test_cases_of(content, 1, refused);
  ASSERT_EQ(tests.size(), 1u);
  EXPECT_EQ(tests[0].entry, "adds");
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].code, "draw.type");
}

TEST(Recorded, TriesOtherSizesWhereARunIsTooLarge) {
  const Module module = module_of(R"(
n = TypeVar("n")
@R.function
def main(x: R.Tensor((n,), "float32")):
    y = R.add(x, x)
    return y
)");
  const auto size = [&](std::uint64_t seed, std::uint64_t attempts) {
    return draw_arguments(module, "main", {.seed = seed, .attempts = attempts, .limits = {.elements = 1}}).value()[0].tensor().size();
  };
  std::size_t largest = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    largest = std::max(largest, size(seed, 1));
    EXPECT_LE(size(seed, 64), 1u);
  }
  EXPECT_GT(largest, 1u);
}

// FuseOps makes such functions private; those that a person wrote are public, and called by another one.
TEST(Recorded, RunsWhatIsFusedWhereItIsCalled) {
  CaseFolder content;
  content.test.module = module_of(R"(
@I.ir_module
class Module:
    @R.function
    def fused(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        R.func_attr({"Primitive": True})
        y: R.Tensor((2,), "float32") = R.add(x, x)
        return y
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Module
        y: R.Tensor((2,), "float32") = cls.fused(x)
        return y
)");
  content.test.entry.clear();
  content.arguments_given = false;
  std::vector<Error> refused;
  const std::vector<TestCase> tests = test_cases_of(content, 1, refused);
  ASSERT_EQ(tests.size(), 1u);
  EXPECT_EQ(tests[0].entry, "main");
  EXPECT_TRUE(refused.empty());
}

}  // namespace
}  // namespace passdiff
