#include "oracle/reduction/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "core/eval/interpret.h"
#include "core/form/well_formed.h"
#include "core/ir/structural.h"
#include "core/ir/walk.h"
#include "core/ops/op.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

// A module with one of everything that reduction can remove.
constexpr std::string_view kLarge = R"(
@I.ir_module
class Module:
    I.module_attrs({"origin": "somewhere"})
    @R.function(private=True)
    def helper(a: R.Tensor((2, 3), "float16")) -> R.Tensor((2, 3), "float16"):
        b = R.exp(a)
        return b

    @R.function(private=True)
    def unused(a: R.Tensor((2, 3), "float16")) -> R.Tensor((2, 3), "float16"):
        return a

    @R.function
    def main(x: R.Tensor((2, 3), "float16"), w: R.Tensor((3, 4), "float16"), c: R.Tensor((), "bool")):
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            a = R.add(x, x)
            b = cls.helper(a)
            m = R.matmul(b, w)
            s = R.sum(m, axis=[1])
            dead = R.sqrt(w)
            t = R.multiply(s, s)
            R.output(t, m, b)
        if c:
            u = R.negative(t)
        else:
            v = R.exp(t)
            u = R.abs(v)
        return (u, m, b)
)";

Value ones(DType dtype, std::vector<std::int64_t> shape) {
  Tensor tensor = zeros(dtype, shape);
  std::visit([](auto& values) { std::fill_n(values.data(), values.size(), 1); }, tensor.values);
  return make_tensor(std::move(tensor));
}

TestCase large_case() {
  return {parse_text(kLarge).value(),
          "main",
          {ones(DType::float16, {2, 3}), ones(DType::float16, {3, 4}), ones(DType::boolean, {})}};
}

int count_calls(const SeqExpr& seq, std::string_view op) {
  int count = 0;
  for_each_binding(seq, [&](const Binding& binding) {
    const OpDef* callee = called_op(binding.value);
    if (callee != nullptr && callee->name == op) ++count;
  });
  return count;
}
int count_calls(const TestCase& test, std::string_view op) {
  int count = 0;
  for (const GlobalFunction& f : test.module.functions) count += count_calls(f.function->body, op);
  return count;
}

const Pipeline kOne = {{"A", "{}"}};

StillShows calls(std::string op) {
  return [op](const TestCase& test, const Pipeline&) { return count_calls(test, op) > 0; };
}

TEST(Reduce, LeavesNothingButWhatIsNeeded) {
  const Reduced reduced = reduce(large_case(), kOne, calls("relax.matmul"));
  const Module& module = reduced.test.module;
  ASSERT_EQ(module.functions.size(), 1u) << print(module);
  EXPECT_EQ(count_bindings(module), 1) << print(module);
  EXPECT_TRUE(module.attrs.empty());
  EXPECT_TRUE(module.functions[0].function->attrs.empty()) << print(module);
  EXPECT_EQ(module.functions[0].function->params.size(), reduced.test.arguments.size());
  EXPECT_EQ(count_calls(reduced.test, "relax.matmul"), 1);
}

TEST(Reduce, ShrinksDimsDtypesAndElements) {
  const Reduced reduced = reduce(large_case(), kOne, calls("relax.matmul"));
  for (const Value& argument : reduced.test.arguments) {
    const Tensor& tensor = argument.tensor();
    EXPECT_EQ(tensor.dtype, DType::float32);
    EXPECT_LE(tensor.size(), 1u);
    for (std::size_t i = 0; i < tensor.size(); ++i) EXPECT_EQ(as_double(tensor, i), 0);
  }
}

TEST(Reduce, FindsItsWayIntoBranchesAndCallees) {
  for (const char* op : {"relax.negative", "relax.abs", "relax.exp"}) {
    const Reduced reduced = reduce(large_case(), kOne, calls(op));
    EXPECT_EQ(reduced.test.module.functions.size(), 1u) << print(reduced.test.module);
    EXPECT_EQ(count_bindings(reduced.test.module), 1) << print(reduced.test.module);
  }
}

TEST(Reduce, NeverReturnsAFunction) {
  TestCase test = large_case();
  test.module = parse_text(R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float16")) -> R.Tensor((2, 3), "float16"):
        @R.function
        def local(a: R.Tensor((2, 3), "float16")) -> R.Tensor((2, 3), "float16"):
            b = R.exp(a)
            return b
        y = local(x)
        z = local(y)
        return z
)")
                    .value();
  test.arguments.resize(1);
  const StillShows shows = [](const TestCase& candidate, const Pipeline&) {
    const Function& main = *candidate.module.find(candidate.entry)->function;
    EXPECT_EQ(main.body.result->type.as_func(), nullptr) << print(candidate.module);
    return true;
  };
  EXPECT_EQ(count_bindings(reduce(test, kOne, shows).test.module), 0);
}

TEST(Reduce, KeepsWhatThePropertyNeeds) {
  // Reduction must keep both ops, the attribute and a value other than zero.
  const StillShows shows = [](const TestCase& test, const Pipeline&) {
    const Function& main = *test.module.find(test.entry)->function;
    const bool valued = std::any_of(test.arguments.begin(), test.arguments.end(), [](const Value& value) {
      return value.as_tensor() && value.tensor().size() > 0 && as_double(value.tensor(), 0) != 0;
    });
    return main.attrs.contains("num_input") && count_calls(test, "relax.matmul") > 0 &&
           count_calls(test, "relax.sum") > 0 && valued;
  };
  const Reduced reduced = reduce(large_case(), kOne, shows);
  EXPECT_TRUE(shows(reduced.test, reduced.pipeline));
  EXPECT_EQ(count_bindings(reduced.test.module), 2) << print(reduced.test.module);
}

// All that matters is a call of a function that calls exp. The function between, its parameters and its
// results may go.
TEST(Reduce, ShrinksWhatFunctionsTakeAndReturn) {
  TestCase test;
  test.module = parse_text(R"(
@I.ir_module
class Module:
    @R.function(private=True)
    def inner(a: R.Tensor((2,), "float32"), b: R.Tensor((3,), "float32")):
        s = R.exp(a)
        t = R.add(b, b)
        return (t, s, b)

    @R.function(private=True)
    def middle(a: R.Tensor((2,), "float32"), b: R.Tensor((3,), "float32"), c: R.Tensor((), "float32")):
        cls = Module
        u = R.negative(c)
        v = cls.inner(a, b)
        w = v[0]
        x = v[1]
        return (u, x, w)

    @R.function
    def main(a: R.Tensor((2,), "float32"), b: R.Tensor((3,), "float32"), c: R.Tensor((), "float32")):
        cls = Module
        with R.dataflow():
            r = cls.middle(a, b, c)
            x = r[1]
            y = R.multiply(x, a)
            R.output(y)
        return y
)")
                    .value();
  test.entry = "main";
  test.arguments = {ones(DType::float32, {2}), ones(DType::float32, {3}), ones(DType::float32, {})};
  const StillShows shows = [](const TestCase& candidate, const Pipeline&) {
    const std::string text = print(candidate.module);
    return text.find("= R.exp(") != text.npos && text.find("= cls.inner(") != text.npos;
  };
  const Reduced reduced = reduce(test, kOne, shows);
  EXPECT_EQ(reduced.test.module.functions.size(), 2u) << print(reduced.test.module);
  EXPECT_EQ(count_bindings(reduced.test.module), 2) << print(reduced.test.module);
  EXPECT_LE(reduced.test.module.find("inner")->function->params.size(), 2u) << print(reduced.test.module);
}

TEST(Reduce, ReturnsWhatTheLastOpIsComputedFrom) {
  TestCase test;
  test.module = parse_text(R"(
@I.ir_module
class Module:
    @R.function
    def main(a: R.Tensor((2,), "float32")):
        with R.dataflow():
            s = R.exp(a)
            t = R.negative(a)
            y = R.multiply(s, t)
            R.output(y)
        return y
)")
                    .value();
  test.entry = "main";
  test.arguments = {ones(DType::float32, {2})};
  const StillShows shows = [](const TestCase& candidate, const Pipeline&) {
    return count_calls(candidate, "relax.exp") > 0 && count_calls(candidate, "relax.negative") > 0;
  };
  EXPECT_EQ(count_bindings(reduce(test, kOne, shows).test.module), 2);
}

TEST(Reduce, DropsThePassesThatDoNotMatter) {
  const Pipeline pipeline = {{"A", "{}"}, {"B", R"({"n": 1})"}, {"C", "{}"}, {"B", "{}"}};
  const StillShows shows = [](const TestCase&, const Pipeline& passes) {
    return std::count(passes.begin(), passes.end(), PassCall{"B", R"({"n": 1})"}) == 1;
  };
  const Reduced reduced = reduce(large_case(), pipeline, shows);
  EXPECT_EQ(reduced.pipeline, (Pipeline{{"B", R"({"n": 1})"}}));
}

TEST(Reduce, AsksOfWellFormedSmallerCasesThatRun) {
  const std::int64_t size = size_of(large_case());
  std::int64_t asked = 0;
  const StillShows shows = [&](const TestCase& test, const Pipeline&) {
    ++asked;
    EXPECT_FALSE(well_formed(test.module).has_value()) << print(test.module);
    EXPECT_LE(size_of(test), size);
    const Outcome outcome = interpret(test.module, test.entry, test.arguments);
    EXPECT_TRUE(std::holds_alternative<Returned>(outcome)) << to_string(outcome) << print(test.module);
    return count_calls(test, "relax.sum") > 0;
  };
  const Reduced reduced = reduce(large_case(), kOne, shows);
  EXPECT_EQ(reduced.checks, asked);
  EXPECT_LT(size_of(reduced.test), size);
}

TEST(Reduce, GivesTheSameForTheSameAnswers) {
  const Reduced first = reduce(large_case(), kOne, calls("relax.sum"));
  const Reduced second = reduce(large_case(), kOne, calls("relax.sum"));
  EXPECT_EQ(print(first.test.module), print(second.test.module));
  EXPECT_EQ(first.checks, second.checks);
  EXPECT_EQ(first.test.entry, second.test.entry);
}

TEST(Reduce, StopsWhenItsChecksAreSpent) {
  for (const int budget : {0, 1, 5, 20}) {
    int asked = 0;
    const StillShows shows = [&](const TestCase& test, const Pipeline&) {
      ++asked;
      return count_calls(test, "relax.sum") > 0;
    };
    const Reduced reduced = reduce(large_case(), kOne, shows, {.max_checks = budget});
    EXPECT_LE(asked, budget);
    EXPECT_EQ(reduced.checks, asked);
    EXPECT_GT(count_calls(reduced.test, "relax.sum"), 0);
  }
}

TEST(Reduce, StopsWhenItsTimeIsOver) {
  int asked = 0;
  const StillShows shows = [&](const TestCase& test, const Pipeline&) {
    ++asked;
    return count_calls(test, "relax.sum") > 0;
  };
  const Reduced reduced = reduce(large_case(), kOne, shows, {.out_of_time = [&] { return asked >= 3; }});
  EXPECT_EQ(asked, 3);
  EXPECT_GT(count_calls(reduced.test, "relax.sum"), 0);
}

TEST(Reduce, ReturnsTheInputWhereNothingSmallerShowsIt) {
  const TestCase test = large_case();
  const StillShows never = [](const TestCase&, const Pipeline&) { return false; };
  const Reduced reduced = reduce(test, kOne, never);
  EXPECT_TRUE(structural_equal(reduced.test.module, test.module));
  EXPECT_EQ(reduced.pipeline, kOne);
}

TEST(Size, CountsBindingsBeforeAllElse) {
  TestCase small = large_case();
  small.module = parse_text(R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((500,), "float32")) -> R.Tensor((500,), "float32"):
        return x
)")
                     .value();
  small.arguments = {ones(DType::float32, {500})};
  EXPECT_LT(size_of(small), size_of(large_case()));
}

TEST(Reduce, ChangesTheDtypeOfMatchCastsToo) {
  const TestCase test{parse_text(R"(
@R.function
def main(x: R.Tensor((2,), "float16")):
    k = T.int64()
    y = R.match_cast(x, R.Tensor((k,), "float16"))
    z = R.exp(y)
    return z
)")
                          .value(),
                      "main",
                      {ones(DType::float16, {2})}};
  const StillShows has_cast = [](const TestCase& candidate, const Pipeline&) {
    EXPECT_FALSE(well_formed(candidate.module).has_value()) << print(candidate.module);
    return print(candidate.module).find("match_cast") != std::string::npos;
  };
  const Reduced reduced = reduce(test, {{"P"}}, has_cast, {});
  EXPECT_EQ(print(reduced.test.module).find("float16"), std::string::npos) << print(reduced.test.module);
}

}  // namespace
}  // namespace passdiff
