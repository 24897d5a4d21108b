// What reduction makes of types, sizes, elements, attributes, options and names.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracle/reduction/examples.h"
#include "oracle/reduction/steps.h"

namespace passdiff {
namespace {

TestCase calling(const std::string& call, DType dtype, const std::vector<std::int64_t>& shape) {
  std::string sizes;
  for (std::int64_t size : shape) sizes += std::to_string(size) + ", ";
  return example("@R.function\ndef main(x: R.Tensor((" + sizes + "), \"" + std::string(dtype_name(dtype)) +
                     "\")):\n    a = " + call + "\n    return a\n",
                 {counting(dtype, shape)});
}

TEST(Reduce, MakesSizesSmallAndRanksLow) {
  EXPECT_EQ(print(reduced_to(calling("R.exp(x)", DType::float32, {7, 1, 5}), {"R.exp("}).module), printed(R"(
@R.function
def main(x: R.Tensor((), "float32")) -> R.Tensor((), "float32"):
    gv: R.Tensor((), "float32") = R.exp(x)
    return gv
)"));
  // A size that must not be 1 becomes 2, and the others 1.
  const StillShows wide = [](const TestCase& test, const Pipeline&) {
    const auto* tensor = test.arguments.empty() ? nullptr : test.arguments[0].as_tensor();
    return tensor != nullptr && (*tensor)->rank() == 2 && (*tensor)->shape()[1] > 1;
  };
  const TestCase reduced = reduce(calling("R.exp(x)", DType::float32, {4, 5}), {{"A", "{}"}}, wide).test;
  EXPECT_EQ(reduced.arguments.at(0).tensor().shape(), (std::vector<std::int64_t>{1, 2}));
}

TEST(Reduce, GivesAttributesTheirDefaultsWhereSizesNeedThem) {
  const TestCase test =
      example(R"(
@R.function
def main(x: R.Tensor((1, 1, 3, 3), "float32"), w: R.Tensor((2, 1, 3, 3), "float32")):
    a = R.nn.conv2d(x, w, padding=[1, 1, 1, 1], strides=[1, 2])
    return a
)",
              {counting(DType::float32, {1, 1, 3, 3}), counting(DType::float32, {2, 1, 3, 3})});
  const TestCase reduced = reduced_to(test, {"R.nn.conv2d("});
  EXPECT_TRUE(prints(reduced, "strides=[1, 1], padding=[0, 0, 0, 0]")) << print(reduced.module);
  ASSERT_EQ(reduced.arguments.size(), 1u);
  EXPECT_EQ(reduced.arguments[0].tensor().shape(), (std::vector<std::int64_t>{1, 1, 1, 1}));
}

TEST(Reduce, LeavesTheAttributesThatMatter) {
  const TestCase reduced = reduced_to(
      calling("R.sum(x, axis=[1, -3], keepdims=True)", DType::float32, {2, 2, 2}), {"keepdims=True"});
  EXPECT_TRUE(prints(reduced, "R.sum(x, keepdims=True)")) << print(reduced.module);
  const TestCase axis =
      reduced_to(calling("R.sum(x, axis=[1, -3], keepdims=True)", DType::float32, {2, 2, 2}), {"axis="});
  EXPECT_TRUE(prints(axis, "R.sum(x, axis=[0], keepdims=False)")) << print(axis.module);
}

TEST(Reduce, MakesDtypesFloat32OrInt32) {
  EXPECT_TRUE(prints(reduced_to(calling("R.add(x, x)", DType::int64, {2}), {"R.add("}),
                     "R.Tensor((), dtype=\"float32\")"));
  EXPECT_TRUE(prints(reduced_to(calling("R.add(x, x)", DType::bfloat16, {2}), {"R.add("}),
                     "R.Tensor((), dtype=\"float32\")"));
  EXPECT_TRUE(prints(reduced_to(calling("R.add(x, x)", DType::uint8, {2}), {"R.add(", "int"}),
                     "R.Tensor((), dtype=\"int32\")"));
  EXPECT_TRUE(
      prints(reduced_to(calling("R.astype(x, dtype=\"int8\")", DType::float64, {2}), {"R.astype(", "int"}),
             "dtype=\"int32\""));
}

TEST(Reduce, ChangesTheDtypeOfOneParameter) {
  const TestCase test = example(R"(
@R.function
def main(x: R.Tensor((2,), "float16"), y: R.Tensor((2, 2), "float16")):
    a = R.exp(x)
    b = R.abs(y)
    return (a, b)
)",
                                {counting(DType::float16, {2}), counting(DType::float16, {2, 2})});
  const TestCase reduced = reduced_to(test, {"R.exp(", "R.abs(", "\"float16\""});
  EXPECT_TRUE(prints(reduced, "\"float32\"")) << print(reduced.module);
}

constexpr std::string_view kSymbolic = R"(
@R.function
def main(x: R.Tensor(("a", "b", "c"), "float32")):
    a = T.int64()
    b = T.int64()
    c = T.int64()
    y = R.exp(x)
    z = R.arange(0, b, 1, dtype="float32")
    return (y, z)
)";

TEST(Reduce, MakesDimsStatic) {
  const TestCase test = example(kSymbolic, {counting(DType::float32, {2, 3, 2})});
  const TestCase reduced = reduced_to(test, {"R.exp("});
  EXPECT_TRUE(prints(reduced, "def main(x: R.Tensor((), dtype=\"float32\"))")) << print(reduced.module);
  // One dim stays symbolic where the finding needs it.
  const TestCase one = reduced_to(test, {"R.arange(", "T.int64()"});
  EXPECT_TRUE(prints(one, "def main(x: R.Tensor((\"n\",), dtype=\"float32\"))")) << print(one.module);
}

TEST(Reduce, ShrinksSizesBesideSymbolicDimsOfTheSameValue) {
  const TestCase test = example(R"(
@R.function
def main(x: R.Tensor((4, "n", "n + 1"), "float32")):
    n = T.int64()
    y = R.exp(x)
    return y
)",
                                {counting(DType::float32, {4, 4, 5})});
  const TestCase reduced = reduced_to(test, {"n + 1"});
  EXPECT_TRUE(prints(reduced, "R.Tensor((\"n\", \"n + 1\"), dtype=\"float32\")")) << print(reduced.module);
  EXPECT_EQ(reduced.arguments.at(0).tensor().shape(), (std::vector<std::int64_t>{1, 2}));
}

TEST(Reduce, MergesSymbolicDims) {
  const TestCase test = example(kSymbolic, {counting(DType::float32, {2, 3, 2})});
  const StillShows three = [](const TestCase& candidate, const Pipeline&) {
    const TensorType* tensor =
        candidate.module.find("main") == nullptr || candidate.module.find("main")->function->params.empty()
            ? nullptr
            : candidate.module.find("main")->function->params[0]->type.as_tensor();
    if (tensor == nullptr || !tensor->shape || tensor->shape->size() != 3) return false;
    return std::all_of(tensor->shape->begin(), tensor->shape->end(),
                       [](const Dim& dim) { return dim.as_var() != nullptr; });
  };
  EXPECT_TRUE(prints(reduce(test, {{"A", "{}"}}, three).test, "R.Tensor((\"n\", \"n\", \"n\")"));
}

StillShows while_some_element(bool (*holds)(double)) {
  return [holds](const TestCase& test, const Pipeline&) {
    for (const Value& argument : test.arguments) {
      for (std::size_t i = 0; argument.as_tensor() != nullptr && i < argument.tensor().size(); ++i) {
        if (holds(as_double(argument.tensor(), i))) return true;
      }
    }
    return false;
  };
}

TEST(Reduce, MakesElementsPlain) {
  TestCase test = calling("R.exp(x)", DType::float32, {2, 3});
  Tensor odd = test.arguments[0].tensor();
  std::get<Tensor::Floats>(odd.values).data()[4] = std::numeric_limits<double>::quiet_NaN();
  std::get<Tensor::Floats>(odd.values).data()[5] = 2.71828174591064453125;
  test.arguments[0] = make_tensor(std::move(odd));
  const auto reduced = [&](bool (*holds)(double)) {
    return to_string(reduce(test, {{"A", "{}"}}, while_some_element(holds)).test.arguments.at(0));
  };
  EXPECT_EQ(reduced([](double x) { return std::isnan(x); }), "float32[2, 2] [0, 0, 0, nan]");
  EXPECT_EQ(reduced([](double x) { return x > 2 && x < 4; }), "float32[] [3]");
  EXPECT_EQ(reduced([](double x) { return x != 0; }), "float32[] [1]");
}

TEST(Reduce, ShortensTheOptionsOfPasses) {
  const Pipeline pipeline = {{"A", R"({"layouts": {"conv": [1, 2], "pool": [3]}, "other": true})"},
                             {"B", R"({"n": 1})"}};
  const TestCase test = calling("R.exp(x)", DType::float32, {2});
  const StillShows needs_conv = [](const TestCase&, const Pipeline& passes) {
    return passes[0].options.find("conv") != std::string::npos && passes.size() == 2;
  };
  EXPECT_EQ(reduce(test, pipeline, needs_conv).pipeline,
            (Pipeline{{"A", R"({"layouts":{"conv":[1,2]}})"}, {"B", "{}"}}));
}

constexpr std::string_view kNamed = R"(
@I.ir_module
class Module:
    @R.function(private=True)
    def callee(thing: R.Tensor(("size",), "float32")) -> R.Tensor(("size",), "float32"):
        size = T.int64()
        return thing
    @R.function
    def entry(thing: R.Tensor((1,), "float32"), weight: R.Tensor((1,), "float32")):
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            first = cls.callee(thing)
            second = R.add(first, weight)
            R.output(second)
        third = R.exp(second)
        return third
)";

TEST(PlainNames, AreThoseThatTvmGives) {
  const TestCase test =
      example(kNamed, {counting(DType::float32, {1}), counting(DType::float32, {1})}, "entry");
  const TestCase renamed = with_plain_names(test, kNameGroups);
  EXPECT_EQ(renamed.entry, "main");
  EXPECT_EQ(print(renamed.module), printed(R"(
@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        return x
    @R.function
    def main(x: R.Tensor((1,), "float32"), w: R.Tensor((1,), "float32")):
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            lv = cls.f(x)
            gv = R.add(lv, w)
            R.output(gv)
        gv1 = R.exp(gv)
        return gv1
)"));
}

TEST(Reduce, KeepsTheNamesThatTheFindingNeeds) {
  const TestCase test =
      example(kNamed, {counting(DType::float32, {1}), counting(DType::float32, {1})}, "entry");
  const TestCase reduced = reduced_to(test, {"R.exp(", "thing"});
  EXPECT_EQ(reduced.entry, "main");
  EXPECT_TRUE(prints(reduced, "def main(thing: ")) << print(reduced.module);
  EXPECT_TRUE(prints(reduced, "gv: ")) << print(reduced.module);
}

TEST(Reduce, KeepsACheckForTheNames) {
  TestCase test = example(kNamed, {counting(DType::float32, {1}), counting(DType::float32, {1})}, "entry");
  const Reduced reduced = reduce(test, {{"A", "{}"}}, while_it_prints({"R.exp("}), {.max_checks = 3});
  EXPECT_EQ(reduced.checks, 3);
  EXPECT_EQ(reduced.test.entry, "main");
}

}  // namespace
}  // namespace passdiff
