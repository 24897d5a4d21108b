// Runs of functions of TensorIR that are taken over from other runs.
#include "core/eval/known_runs.h"

#include <gtest/gtest.h>

#include "core/eval/interpret.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

// main calls f twice with the same arguments, and returns what both wrote.
Module calling(const std::string& body) {
  const std::string text = R"(# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(2),), "float32"), y: T.Buffer((T.int64(2),), "float32")):
        for i in range(T.int64(2)):
)" + body + R"(
    @R.function
    def main(x: R.Tensor((2,), dtype="float32")) -> R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")):
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.f, (x,), out_ty=R.Tensor((2,), dtype="float32"))
            b = R.call_tir(cls.f, (x,), out_ty=R.Tensor((2,), dtype="float32"))
            R.output(a, b)
        return (a, b)
)";
  Result<Module> module = parse_text(text);
  EXPECT_TRUE(module.ok()) << (module ? "" : module.error().message);
  return module ? *module : Module{};
}

// The elements but for the last one are the same.
Value floats(double others, double last, std::int64_t size = 2) {
  Tensor tensor = zeros(DType::float32, std::span(&size, 1));
  auto& elements = std::get<Tensor::Floats>(tensor.values);
  elements.fill(others);
  elements.data()[size - 1] = last;
  return make_tensor(std::move(tensor));
}

Outcome run(const Module& module, const Value& x, std::shared_ptr<KnownRuns> known, Rounding rounding = {}, Limits limits = {}) {
  return interpret(module, "main", {&x, 1}, {.rounding = rounding, .limits = limits, .known_runs = std::move(known)});
}

constexpr const char* kThirds = "            y[i] = x[i] / T.float32(3.0)\n";

TEST(KnownRuns, ChangeNothingInWhatIsReturned) {
  const Module module = calling(kThirds);
  const auto known = std::make_shared<KnownRuns>();
  const Rounding wide{.mode = RoundingMode::wide};
  const Rounding narrow{.float32_as = DType::float16};
  for (const Value& x : {floats(1, 2), floats(2, 1), floats(1, 2)}) {
    for (const Rounding& rounding : {Rounding{}, wide, narrow}) {
      EXPECT_EQ(to_string(run(module, x, known, rounding)), to_string(run(module, x, nullptr, rounding)));
    }
  }
}

TEST(KnownRuns, AreFoundByTheBytesOfTheirArguments) {
  const auto function = std::make_shared<const tir::PrimFunc>();
  KnownRuns known;
  known.keep(function, "a", {.steps = 3});
  ASSERT_NE(known.find(function, "a"), nullptr);
  EXPECT_EQ(known.find(function, "a")->steps, 3);
  EXPECT_EQ(known.find(function, "b"), nullptr);
  tir::PrimFunc other;
  other.result = tir::number_type(DType::int32);
  EXPECT_EQ(known.find(std::make_shared<const tir::PrimFunc>(other), "a"), nullptr);
}

TEST(KnownRuns, AreSharedByFunctionsOfOtherAttributes) {
  tir::PrimFunc noted;
  noted.attrs.insert_or_assign("op_pattern", AttrValue(std::int64_t{2}));
  const auto plain = std::make_shared<const tir::PrimFunc>();
  const auto other = std::make_shared<const tir::PrimFunc>(noted);
  KnownRuns known;
  known.keep(plain, "a", {.steps = 3});
  ASSERT_NE(known.find(other, "a"), nullptr);
  known.keep(plain, std::make_shared<const tir::Program>());
  EXPECT_EQ(known.program_of(other), nullptr) << "programs tell names of what is undefined";
}

TEST(KnownRuns, AreFoundByAHashOfLargeArguments) {
  const Result<Module> module = parse_text(R"(@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def f(x: T.Buffer((T.int64(200),), "float32"), y: T.Buffer((T.int64(200),), "float32")):
        for i in range(T.int64(200)):
            y[i] = x[i] * T.float32(2)

    @R.function
    def main(x: R.Tensor((200,), dtype="float32")):
        cls = Module
        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((200,), dtype="float32"))
        return y
)");
  ASSERT_TRUE(module.ok()) << module.error().message;
  const auto known = std::make_shared<KnownRuns>();
  for (const double last : {1.0, 2.0, 1.0}) {
    const Value x = floats(0, last, 200);
    EXPECT_EQ(to_string(run(*module, x, known)), to_string(run(*module, x, nullptr)));
  }
  EXPECT_EQ(known->found(), 1);
}

TEST(KnownRuns, AreTakenOverWhereFunctionAndArgumentsAreEqual) {
  const Module module = calling(kThirds);
  const auto known = std::make_shared<KnownRuns>();
  run(module, floats(1, 2), known);
  EXPECT_EQ(known->found(), 1) << "main calls it twice";
  run(module, floats(1, 2), known);
  EXPECT_EQ(known->found(), 3);
  run(module, floats(2, 1), known);
  EXPECT_EQ(known->found(), 4) << "other arguments";
  run(module, floats(1, 2), known, {.mode = RoundingMode::wide});
  EXPECT_EQ(known->found(), 5) << "another rounding";
  run(module, floats(1, 2), known, {.mode = RoundingMode::stochastic_wide});
  EXPECT_EQ(known->found(), 5) << "runs at random are not alike";
}

// What is said of `rule` with known runs, on each of two runs, is what is said without.
void expect_undefined_alike(const std::string& body, const std::string& rule) {
  const Module module = calling(body);
  const auto known = std::make_shared<KnownRuns>();
  const std::string alone = to_string(run(module, floats(1, 2), nullptr));
  EXPECT_NE(alone.find(rule), std::string::npos) << alone;
  for (int i = 0; i < 2; ++i) EXPECT_EQ(to_string(run(module, floats(1, 2), known)), alone);
}

TEST(KnownRuns, LeaveElementsUnwrittenThatTheFirstRunLeft) {
  expect_undefined_alike("            if i == T.int64(0):\n                y[i] = x[i]\n", "uninitialised-read");
}

TEST(KnownRuns, AreNotMadeOfWhatIsUndefined) {
  expect_undefined_alike("            y[i] = x[i + T.int64(1)]\n", "index-out-of-bounds");
}

// Else a run would end at a limit, or not, as the runs before it say.
TEST(KnownRuns, TakeTheirSteps) {
  const Module module = calling(kThirds);
  const auto known = std::make_shared<KnownRuns>();
  const auto ends_at_a_limit = [&](std::int64_t steps, const std::shared_ptr<KnownRuns>& runs) {
    return std::holds_alternative<LimitExceeded>(run(module, floats(1, 2), runs, {}, {.steps = steps}));
  };
  ASSERT_FALSE(ends_at_a_limit(100, known));
  for (std::int64_t steps = 0; steps < 8; ++steps) EXPECT_EQ(ends_at_a_limit(steps, known), ends_at_a_limit(steps, nullptr)) << steps;
}

}  // namespace
}  // namespace passdiff
