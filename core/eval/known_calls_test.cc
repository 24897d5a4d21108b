// Calls of ops whose results are taken over from other runs.
#include "core/eval/known_calls.h"

#include <gtest/gtest.h>

#include "core/eval/interpret.h"
#include "core/eval/known_runs.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

Module module_of(const std::string& bindings) {
  const std::string text = R"(# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 2), dtype="float32")) -> R.Tensor((2, 2), dtype="float32"):
)" + bindings + R"(
        return y
)";
  Result<Module> module = parse_text(text);
  EXPECT_TRUE(module.ok()) << (module ? "" : module.error().message);
  return module ? *module : Module{};
}

Value matrix() {
  Tensor tensor = zeros(DType::float32, std::array<std::int64_t, 2>{2, 2});
  for (std::size_t i = 0; i < 4; ++i) std::get<Tensor::Floats>(tensor.values).data()[i] = static_cast<double>(i) + 0.5;
  return make_tensor(std::move(tensor));
}

Value value_of_run(const Module& module, const Value& x, const std::shared_ptr<KnownRuns>& known, Rounding rounding = {}) {
  const Outcome outcome = interpret(module, "main", {&x, 1}, {.rounding = rounding, .known_runs = known});
  EXPECT_TRUE(std::holds_alternative<Returned>(outcome)) << to_string(outcome);
  const auto* returned = std::get_if<Returned>(&outcome);
  return returned == nullptr ? Value() : returned->value;
}

// How many results of `later` are taken over after a run of `earlier` on the same argument.
std::int64_t shared(const std::string& earlier, const std::string& later, Rounding rounding = {}) {
  const auto known = std::make_shared<KnownRuns>();
  const Value x = matrix();
  value_of_run(module_of(earlier), x, known);
  const std::int64_t before = known->calls().found();
  EXPECT_TRUE(bit_equal(value_of_run(module_of(later), x, known, rounding), value_of_run(module_of(later), x, nullptr, rounding)));
  return known->calls().found() - before;
}

constexpr const char* kOnAxis0 = "        y = R.nn.softmax(x, axis=0)\n";
constexpr const char* kOnAxis1 = "        y = R.nn.softmax(x, axis=1)\n";

TEST(KnownCalls, AreOfTheSameOpAttributesAndOperands) {
  EXPECT_EQ(shared(kOnAxis0, kOnAxis0), 1);
  EXPECT_EQ(shared(kOnAxis0, kOnAxis1), 0);
  EXPECT_EQ(shared("        y = R.add(x, x)\n", "        y = R.multiply(x, x)\n"), 0);
  EXPECT_EQ(shared("        a = R.exp(x)\n        y = R.add(x, a)\n", "        a = R.exp(x)\n        y = R.add(a, x)\n"), 1);
}

TEST(KnownCalls, BeginWhereAModuleStillComputesTheSame) {
  EXPECT_EQ(shared("        a = R.exp(x)\n        b = R.add(x, x)\n        y = R.add(a, b)\n",
                   "        b = R.add(x, x)\n        a = R.exp(x)\n        y = R.add(a, b)\n"),
            3);
}

TEST(KnownCalls, AreNotThoseUnderAnotherRounding) {
  EXPECT_EQ(shared(kOnAxis0, kOnAxis0, {.mode = RoundingMode::wide}), 0);
  EXPECT_EQ(shared(kOnAxis0, kOnAxis0, {.most = DType::float16}), 0);
}

TEST(KnownCalls, OfTensorsWithEqualElementsAreOthers) {
  const auto known = std::make_shared<KnownRuns>();
  value_of_run(module_of(kOnAxis0), matrix(), known);
  value_of_run(module_of(kOnAxis0), matrix(), known);
  EXPECT_EQ(known->calls().found(), 0);
}

TEST(KnownCalls, TellTheSignsOfZerosApart) {
  const Type type = tensor_type({}, DType::float32);
  KnownCalls calls;
  const auto is_known = [&](double operand, double attribute, bool keep = false) {
    const Value arg = ScalarValue{DType::float32, operand};
    const std::vector<AttrValue> attrs = {attribute};
    const OpCall call{all_ops()[0], {&arg, 1}, attrs, type};
    if (keep) calls.keep(call, KnownCalls::hash(call), Value());
    return calls.find(call, KnownCalls::hash(call)) != nullptr;
  };
  EXPECT_TRUE(is_known(0.0, 0.0, true));
  EXPECT_FALSE(is_known(-0.0, 0.0));
  EXPECT_FALSE(is_known(0.0, -0.0));
}

TEST(KnownCalls, KeepNoFunctions) {
  const Type type = tensor_type({}, DType::float32);
  const Value function = host_function([](std::span<const Value>) -> Outcome { return Returned{}; });
  const Value arg = TupleValue{{function}};
  const std::vector<AttrValue> attrs;
  const OpCall call{all_ops()[0], {&arg, 1}, attrs, type};
  KnownCalls calls;
  calls.keep(call, KnownCalls::hash(call), Value());
  EXPECT_EQ(calls.find(call, KnownCalls::hash(call)), nullptr);
}

}  // namespace
}  // namespace passdiff
