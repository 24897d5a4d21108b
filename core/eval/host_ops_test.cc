#include <gtest/gtest.h>

#include "core/eval/interpret.h"
#include "core/eval/unknown_function.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

Value floats(const std::vector<double>& values) {
  Tensor tensor = zeros(DType::float32, std::vector<std::int64_t>{static_cast<std::int64_t>(values.size())});
  std::copy(values.begin(), values.end(), std::get<Tensor::Floats>(tensor.values).data());
  return make_tensor(std::move(tensor));
}

Outcome run(const std::string& body, const InterpretOptions& options = {}) {
  const std::string text =
      "@I.ir_module\nclass Module:\n    @R.function(pure=False)\n"
      "    def main(x: R.Tensor((2,), \"float32\")):\n        cls = Module\n" +
      body +
      "    @R.function\n    def subtract(a: R.Tensor((2,), \"float32\"), b: R.Tensor((2,), \"float32\")) -> "
      "R.Tensor((2,), \"float32\"):\n        c = R.subtract(a, b)\n        return c\n";
  const Result<Module> module = parse_text(text);
  CHECK(module.ok()) << module.error().message << "\n" << text;
  const Value argument[] = {floats({1, 2})};
  return interpret(*module, "main", argument, options);
}

const Returned& returned(const Outcome& outcome) {
  const auto* held = std::get_if<Returned>(&outcome);
  CHECK(held != nullptr) << to_string(outcome);
  return *held;
}

TEST(HostOps, PrintsAndCallsAreRecordedInOrderWithTheirArguments) {
  const Outcome outcome = run(R"(
        a = R.add(x, x)
        p = R.print(a, format=R.str("{}"))
        c = R.call_packed("f", x, R.prim_value(3), ty_args=(R.Tensor((2,), "float32"),))
        q = R.print(format=R.str("end"))
        return x
)");
  const std::vector<Effect>& effects = returned(outcome).effects;
  ASSERT_EQ(effects.size(), 3U);
  EXPECT_EQ(effects[0].function, "relax.run.print");
  ASSERT_EQ(effects[0].arguments.size(), 2U);
  EXPECT_TRUE(bit_equal(effects[0].arguments[1], floats({2, 4})));
  EXPECT_EQ(effects[1].function, "f");
  EXPECT_FALSE(effects[1].pure);
  EXPECT_EQ(effects[2].arguments.size(), 1U);
}

TEST(HostOps, CallsThatArePromisedToBePureAreMarked) {
  const Outcome outcome = run(R"(
        a = R.call_pure_packed("f", x, ty_args=(R.Tensor((2,), "float32"),))
        b = R.call_dps_packed("f", (x,), out_ty=R.Tensor((2,), "float32"))
        c = R.subtract(a, b)
        return c
)");
  EXPECT_TRUE(bit_equal(returned(outcome).value, floats({0, 0}))) << "one function, called in two ways";
  ASSERT_EQ(returned(outcome).effects.size(), 2U);
  EXPECT_TRUE(returned(outcome).effects[0].pure && returned(outcome).effects[1].pure);
}

TEST(HostOps, AssertionsTrapOnlyIfTheyDoNotHold) {
  const auto assertion = [](const std::string& condition) {
    return run("        a = R.assert_op(" + condition + ", format=R.str(\"oh\"))\n        return x\n");
  };
  EXPECT_EQ(returned(assertion("R.const(True, \"bool\")")).effects.size(), 1U) << "no pass may drop it, though it holds";
  const Outcome failed = assertion("R.prim_value(False)");
  ASSERT_TRUE(std::holds_alternative<Trapped>(failed)) << to_string(failed);
  EXPECT_EQ(std::get<Trapped>(failed).code, "trap.assert");
  EXPECT_TRUE(std::holds_alternative<WrongType>(assertion("x")));
}

TEST(HostOps, LegalisedAssertionsAndPrintsMeanTheSame) {
  const Outcome failed = run(R"(
        a = R.call_packed("relax.run.assert_op", R.const(False, "bool"), R.str(""), ty_args=(R.Tuple,))
        return x
)");
  EXPECT_TRUE(std::holds_alternative<Trapped>(failed)) << to_string(failed);
  const Outcome printed = run(R"(
        a = R.call_packed("relax.run.print", R.str("{}"), x, ty_args=(R.Tuple,))
        return x
)");
  ASSERT_EQ(returned(printed).effects.size(), 1U);
  EXPECT_EQ(returned(printed).effects[0].function, "relax.run.print");
}

TEST(HostOps, ClosuresBindTheLastParameters) {
  const Outcome outcome = run(R"(
        b = R.add(x, x)
        f = R.make_closure(cls.subtract, (b,))
        a = R.invoke_pure_closure(f, (x,), ty_args=(R.Tensor((2,), "float32"),))
        return a
)");
  EXPECT_TRUE(bit_equal(returned(outcome).value, floats({-1, -2}))) << to_string(outcome);
}

TEST(HostOps, LoweredClosuresBindTheLastParameters) {
  const Outcome outcome = run(R"(
        b = R.add(x, x)
        f: R.Any = R.call_packed("vm.builtin.make_closure", cls.subtract, b, ty_args=(R.Any,))
        a = R.call_builtin_with_ctx("vm.builtin.invoke_closure", (f, x), ty_args=(R.Tensor((2,), "float32"),))
        return a
)");
  EXPECT_TRUE(bit_equal(returned(outcome).value, floats({-1, -2}))) << to_string(outcome);
}

TEST(HostOps, ObjectsOfTheMachineAreOpaqueAndTheirCallsEffects) {
  const Outcome outcome = run(R"(
        cache: R.Any = R.call_packed("vm.builtin.attention_kv_cache_create", x, R.shape([4]), 0, ty_args=(R.Any,))
        more: R.Any = R.call_packed("vm.builtin.attention_kv_cache_append", cache, x, ty_args=(R.Any,))
        y = R.call_packed("vm.builtin.attention_kv_cache_view", more, R.shape([2]), ty_args=(R.Tensor((2,), "float32"),))
        return y
)");
  ASSERT_EQ(returned(outcome).effects.size(), 3U) << to_string(outcome);
  EXPECT_EQ(returned(outcome).effects[2].function, "vm.builtin.attention_kv_cache_view");
  EXPECT_TRUE(std::holds_alternative<Unsupported>(run(R"(
        a = R.call_packed("vm.builtin.nothing_of_the_kind", x, ty_args=(R.Tensor((2,), "float32"),))
        return a
)"))) << "lowering may have made this call, of which nothing is known";
}

TEST(HostOps, AllocationsAreNotInitialised) {
  const Outcome outcome = run(R"(
        a = R.builtin.alloc_tensor(R.shape([2]), R.dtype("float32"), 0, R.str("global"))
        return a
)");
  const auto* undefined = std::get_if<Undefined>(&outcome);
  ASSERT_NE(undefined, nullptr) << to_string(outcome);
  EXPECT_EQ(undefined->records.back().rule, UndefinedRule::uninitialised_read);
}

TEST(HostOps, ANullValueIsAnOperandThatIsLeftOut) {
  const Outcome outcome = run(R"(
        none: R.Any = R.null_value()
        y: R.Tensor((1, 2), "float32") = R.memory.view(x, R.shape([1, 2]), none, R.tuple())
        return y
)");
  EXPECT_EQ(to_string(returned(outcome).value), "float32[1, 2] [1, 2]");
}

TEST(HostOps, TheMachineSamplesWhereProbabilitiesSumToMoreThanTheSample) {
  const Outcome outcome = run(R"(
        probabilities = R.const([[0.25, 0.25, 0.5], [0.5, 0.25, 0.25], [0.25, 0.25, 0.25]], "float32")
        samples = R.const([[0.5], [0.0], [1.0]], "float32")
        y = R.call_packed("vm.builtin.multinomial_from_uniform", probabilities, samples, ty_args=(R.Tensor((3, 1), "int64"),))
        return y
)");
  EXPECT_EQ(to_string(returned(outcome).value), "int64[3, 1] [2, 0, 2]");
}

TEST(HostOps, FunctionsOfTheHostStandForOps) {
  const Outcome outcome = run(R"(
        a = R.call_pure_packed("relax.run.shape_to_tensor", R.shape([2, 3]), ty_args=(R.Tensor((2,), "int64"),))
        return a
)");
  const auto* returned = std::get_if<Returned>(&outcome);
  ASSERT_NE(returned, nullptr) << to_string(outcome);
  EXPECT_EQ(as_int(returned->value.tensor(), 1), 3);
}

TEST(UnknownFunction, DependsOnNameArgumentsAndTypeAlone) {
  const Symbols none;
  const Type type = tensor_type({3}, DType::float32);
  const Value x[] = {floats({1, 2})};
  const Value y[] = {floats({1, 2.5})};
  const Value once = *unknown_function("f", x, type, none);
  EXPECT_TRUE(bit_equal(once, *unknown_function("f", x, type, none)));
  EXPECT_FALSE(bit_equal(once, *unknown_function("g", x, type, none)));
  EXPECT_FALSE(bit_equal(once, *unknown_function("f", y, type, none)));
  EXPECT_TRUE(has_type(once, type, none));
}

TEST(UnknownFunction, FollowsFloatArgumentsLinearly) {
  const Symbols none;
  const Type type = tensor_type({2}, DType::float32);
  const auto at = [&](double first) {
    const Value x[] = {floats({first, 2})};
    return unknown_function("f", x, type, none)->tensor().floats()[0];
  };
  EXPECT_EQ(at(2) - at(1), at(1) - at(0));
  EXPECT_NE(at(1), at(0));
}

TEST(UnknownFunction, HasNoValueForADimThatIsNotBound) {
  const Symbols none;
  EXPECT_FALSE(unknown_function("f", {}, tensor_type({make_sym_var("n")}, DType::float32), none).has_value());
  EXPECT_TRUE(unknown_function("f", {}, object_type(), none).has_value());
  EXPECT_TRUE(has_type(*unknown_function("f", {}, tensor_type_of_rank(2, DType::int8), none),
                       tensor_type_of_rank(2, DType::int8), none));
}

}  // namespace
}  // namespace passdiff
