// What reduction makes of bindings, functions, tuples, branches and local functions.
#include <gtest/gtest.h>

#include <set>

#include "core/ir/walk.h"
#include "oracle/reduction/examples.h"

namespace passdiff {
namespace {

Value number(DType dtype = DType::float32) {
  return counting(dtype, {});
}

TEST(Reduce, CutsAwayHalvesOfALongModule) {
  std::string text = "@R.function\ndef main(x0: R.Tensor((2, 2), \"float32\")):\n    with R.dataflow():\n";
  constexpr int kBindings = 64;
  for (int i = 0; i < kBindings; ++i) {
    const std::string op = i == kBindings / 2 ? "matmul" : "add";
    text += "        x" + std::to_string(i + 1) + " = R." + op + "(x" + std::to_string(i) + ", x" +
            std::to_string(i) + ")\n";
  }
  text += "        R.output(x64)\n    return x64\n";
  const TestCase test = example(text, {counting(DType::float32, {2, 2})});
  const Reduced reduced = reduce(test, {{"A", "{}"}}, while_it_prints({"R.matmul("}));
  EXPECT_EQ(print(reduced.test.module), printed(R"(
@R.function
def main(x: R.Tensor((1,), "float32")) -> R.Tensor((), "float32"):
    gv: R.Tensor((), "float32") = R.matmul(x, x)
    return gv
)"));
  EXPECT_LT(reduced.checks, 40);
}

TEST(Reduce, AsksAboutNoCaseTwice) {
  const TestCase test = example(R"(
@R.function
def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 2), "float32")):
    with R.dataflow():
        a = R.add(x, x)
        b = R.matmul(a, w)
        c = R.negative(b)
        d = R.sum(c, axis=[1])
        R.output(d)
    return d
)",
                                {counting(DType::float32, {2, 3}), counting(DType::float32, {3, 2})});
  std::multiset<std::string> asked;
  const StillShows shows = [&](const TestCase& candidate, const Pipeline&) {
    std::string text = print(candidate.module);
    for (const Value& argument : candidate.arguments) text += to_string(argument);
    asked.insert(text);
    return prints(candidate, "R.matmul(") && prints(candidate, "R.sum(");
  };
  reduce(test, {{"A", "{}"}}, shows);
  for (const std::string& text : asked) EXPECT_EQ(asked.count(text), 1u) << text;
}

TEST(Reduce, ReturnsWhatTheFindingNeeds) {
  const TestCase test = example(R"(
@R.function
def main(x: R.Tensor((2, 2), "float32"), y: R.Tensor((2,), "float32")):
    with R.dataflow():
        a = R.matmul(x, x)
        b = R.matmul(x, y)
        c = R.exp(y)
        R.output(c)
    return c
)",
                                {counting(DType::float32, {2, 2}), counting(DType::float32, {2})});
  EXPECT_EQ(print(reduced_to(test, {"R.matmul("}).module), printed(R"(
@R.function
def main(x: R.Tensor((1,), "float32")) -> R.Tensor((), "float32"):
    gv: R.Tensor((), "float32") = R.matmul(x, x)
    return gv
)"));
  // Both of two matmuls are returned.
  const StillShows twice = [](const TestCase& candidate, const Pipeline&) {
    const std::string text = print(candidate.module);
    return text.find("R.matmul(") != text.rfind("R.matmul(");
  };
  EXPECT_EQ(print(reduce(test, {{"A", "{}"}}, twice).test.module), printed(R"(
@R.function
def main(x: R.Tensor((1,), "float32")):
    gv = R.matmul(x, x)
    gv1 = R.matmul(x, x)
    return (gv, gv1)
)"));
}

TEST(Size, CountsABindingThatNothingUsesForMoreThanTwo) {
  constexpr std::string_view kDead = R"(
@R.function
def main(x: R.Tensor((), "float32")):
    a = R.exp(x)
    return x
)";
  constexpr std::string_view kLive = R"(
@R.function
def main(x: R.Tensor((), "float32")):
    a = R.exp(x)
    b = R.exp(a)
    return b
)";
  EXPECT_LT(size_of(example(kLive, {number()})), size_of(example(kDead, {number()})));
}

TEST(Reduce, EntersAFunctionThatNothingCalls) {
  const TestCase test = example(R"(
@I.ir_module
class Module:
    @R.function
    def other(a: R.Tensor(("n", 2), "float32")):
        n = T.int64()
        b = R.exp(a)
        return b
    @R.function
    def main(x: R.Tensor((), "float32")):
        return x
)",
                                {number()});
  const TestCase reduced = reduced_to(test, {"R.exp("});
  EXPECT_EQ(print(reduced.module), printed(R"(
@R.function
def main(x: R.Tensor((), "float32")) -> R.Tensor((), "float32"):
    gv: R.Tensor((), "float32") = R.exp(x)
    return gv
)"));
  EXPECT_EQ(reduced.arguments.size(), 1u);
}

TEST(Reduce, MakesParametersOfTheFieldsOfATuple) {
  const TestCase test = example(
      R"(
@R.function
def main(x: R.Tuple(R.Tensor((2,), "float32"), R.Tuple(R.Tensor((), "bool"), R.Tensor((3,), "float32")))):
    a = x[1]
    b = a[1]
    c = R.exp(b)
    d = (c, a)
    return d
)",
      {Value(TupleValue{{counting(DType::float32, {2}),
                         Value(TupleValue{{number(DType::boolean), counting(DType::float32, {3})}})}})});
  EXPECT_EQ(print(reduced_to(test, {"R.exp("}).module), printed(R"(
@R.function
def main(x: R.Tensor((), "float32")) -> R.Tensor((), "float32"):
    gv: R.Tensor((), "float32") = R.exp(x)
    return gv
)"));
}

TEST(Reduce, DropsTheFieldsThatNobodyTakes) {
  const TestCase test = example(R"(
@R.function
def main(x: R.Tuple(R.Tensor((2,), "float32"), R.Tensor((3,), "float32"), R.Tensor((), "bool"))):
    a = x[1]
    return a
)",
                                {Value(TupleValue{{counting(DType::float32, {2}),
                                                   counting(DType::float32, {3}), number(DType::boolean)}})});
  const TestCase reduced = reduced_to(test, {" = x["});
  EXPECT_EQ(print(reduced.module), printed(R"(
@R.function
def main(x: R.Tuple(R.Tensor((), "float32"))) -> R.Tensor((), "float32"):
    gv: R.Tensor((), "float32") = x[0]
    return gv
)"));
  EXPECT_EQ(reduced.arguments.at(0).tuple().fields.size(), 1u);
}

TEST(Reduce, DropsTheOperandsOfAConcatenation) {
  const TestCase test = example(R"(
@R.function
def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")):
    a = R.concat((x, y, x), axis=0)
    return a
)",
                                {counting(DType::float32, {2}), counting(DType::float32, {3})});
  EXPECT_EQ(print(reduced_to(test, {"R.concat("}).module), printed(R"(
@R.function
def main(x: R.Tensor((1,), "float32")):
    gv = R.concat((x,), axis=0)
    return gv
)"));
}

constexpr std::string_view kLocal = R"(
@R.function
def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
    @R.function
    def local(a: R.Tensor((3,), "float32"), b: R.Tensor((), "bool")) -> R.Tensor((2,), "float32"):
        c = R.exp(a)
        d = R.multiply(y, y)
        return d
    e = R.add(x, x)
    return e
)";

TEST(Reduce, OpensALocalFunction) {
  const TestCase test = example(kLocal, {counting(DType::float32, {2}), counting(DType::float32, {2})});
  EXPECT_EQ(print(reduced_to(test, {"R.exp("}).module), printed(R"(
@R.function
def main(x: R.Tensor((), "float32")) -> R.Tensor((), "float32"):
    gv: R.Tensor((), "float32") = R.exp(x)
    return gv
)"));
}

TEST(Reduce, CallsALocalFunctionThatNothingCalls) {
  const TestCase test = example(kLocal, {counting(DType::float32, {2}), counting(DType::float32, {2})});
  const StillShows has_local = [](const TestCase& candidate, const Pipeline&) {
    return any_expr(candidate.module.find(candidate.entry)->function->body,
                    [](const ExprPtr& expr) { return as<FunctionPtr>(expr) != nullptr; });
  };
  EXPECT_EQ(print(reduce(test, {{"A", "{}"}}, has_local).test.module), printed(R"(
@R.function
def main() -> R.Tensor((), "float32"):
    @R.function
    def inner() -> R.Tensor((), "float32"):
        return R.const(0.0, "float32")
    gv: R.Tensor((), "float32") = inner()
    return gv
)"));
}

TEST(Reduce, InlinesCallsOfLocalFunctions) {
  const TestCase test = example(R"(
@R.function
def main(x: R.Tensor((2,), "float32")):
    with R.dataflow():
        @R.function
        def local(a: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
            b = R.exp(a)
            return b
        c = local(x)
        d = R.negative(c)
        R.output(d)
    return d
)",
                                {counting(DType::float32, {2})});
  const StillShows shows = [](const TestCase& candidate, const Pipeline&) {
    return prints(candidate, "R.exp(") && prints(candidate, "R.negative(");
  };
  EXPECT_EQ(count_bindings(reduce(test, {{"A", "{}"}}, shows).test.module), 2);
}

TEST(Reduce, SimplifiesWhatBranchesReturn) {
  const TestCase test = example(R"(
@R.function
def main(c: R.Tensor((), "bool"), x: R.Tensor((2,), "float32")):
    if c:
        a = R.exp(x)
        b = (a, a)
        r = b
    else:
        d = R.abs(x)
        e = R.exp(d)
        r = (e, x)
    return r
)",
                                {number(DType::boolean), counting(DType::float32, {2})});
  const StillShows has_branches = [](const TestCase& candidate, const Pipeline&) {
    return any_expr(candidate.module.find(candidate.entry)->function->body,
                    [](const ExprPtr& expr) { return as<If>(expr) != nullptr; });
  };
  EXPECT_EQ(print(reduce(test, {{"A", "{}"}}, has_branches).test.module), printed(R"(
@R.function
def main(x: R.Tensor((), "bool")) -> R.Tensor((), "bool"):
    if x:
        gv: R.Tensor((), "bool") = x
    else:
        gv: R.Tensor((), "bool") = x
    return gv
)"));
}

TEST(Reduce, TakesMatchCastsAway) {
  const TestCase test = example(R"(
@R.function
def main(x: R.Tensor((2, 3), "float32")):
    n = T.int64()
    m = T.int64()
    a = R.match_cast(x, R.Tensor((n, m), "float32"))
    b = R.exp(a)
    return b
)",
                                {counting(DType::float32, {2, 3})});
  EXPECT_EQ(count_bindings(reduced_to(test, {"R.exp("}).module), 1);
}

TEST(Reduce, LetsOneParameterStandForAllOfItsType) {
  const TestCase test =
      example(R"(
@R.function
def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32"), z: R.Tensor((2,), "float32")):
    a = R.add(x, y)
    b = R.add(a, z)
    c = R.add(b, R.const([1.0, 2.0], "float32"))
    return c
)",
              {counting(DType::float32, {2}), counting(DType::float32, {2}), counting(DType::float32, {2})});
  const StillShows three_adds = [](const TestCase& candidate, const Pipeline&) {
    const std::string text = print(candidate.module);
    const std::size_t first = text.find("R.add(");
    const std::size_t second = text.find("R.add(", first + 1);
    return second != std::string::npos && text.find("R.add(", second + 1) != std::string::npos;
  };
  const TestCase reduced = reduce(test, {{"A", "{}"}}, three_adds).test;
  EXPECT_EQ(reduced.arguments.size(), 1u) << print(reduced.module);
  EXPECT_FALSE(prints(reduced, "R.const(")) << print(reduced.module);
}

}  // namespace
}  // namespace passdiff
