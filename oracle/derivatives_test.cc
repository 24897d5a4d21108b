// What the check of derivatives says of adjoints that are right, wrong, or at places where there is no derivative.
#include <gtest/gtest.h>

#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "oracle/check.h"
#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

constexpr Derivatives::Operand kConstant[] = {{"relax.power", 1}};

const std::string kX = "x: R.Tensor((2,), \"float32\")";

// main(x), the sum of what the binding computes of x, and the same with main_adjoint, which gives `derivative` for that by x.
Module loss_of(const std::string& binding, const std::string& derivative = {}) {
  const std::string body = "        y = " + binding + "\n        loss = R.sum(y)\n";
  std::string text = "@I.ir_module\nclass Module:\n    @R.function\n    def main(" + kX + "):\n" + body + "        return loss\n";
  if (!derivative.empty())
    text += "\n    @R.function\n    def main_adjoint(" + kX + "):\n" + body + "        by_x = " + derivative + "\n        return (loss, (by_x,))\n";
  return parse_text(text).value();
}

Verdict verdict_on(const std::string& binding, const Module& target, const Tensor::Floats& x, Contract contract = {}) {
  if (!contract.derivatives) contract.derivatives = Derivatives{.of = "main", .constant = kConstant};
  ScriptedSubject subject;
  subject.add({.name = "P", .contract = contract},
              [&](const Module&, const TransformOptions&) { return ScriptedSubject::reply_of(target); });
  const TestCase test{loss_of(binding), "main", {make_tensor(Tensor{DType::float32, x})}};
  return check(subject, test, Pipeline{{"P", "{}"}}, {}).verdict;
}
Symptom symptom_of(const std::string& binding, const std::string& derivative, const Tensor::Floats& x) {
  return verdict_on(binding, loss_of(binding, derivative), x).symptom;
}

TEST(Derivatives, AreHeldAgainstFiniteDifferences) {
  EXPECT_EQ(symptom_of("R.multiply(x, x)", "R.add(x, x)", {1.5, -2}), Symptom::agree);
  const Verdict wrong = verdict_on("R.multiply(x, x)", loss_of("R.multiply(x, x)", "R.multiply(x, x)"), {2, -2});
  EXPECT_EQ(wrong.symptom, Symptom::wrong_derivative) << to_string(wrong);
  EXPECT_EQ(wrong.detail, "the derivative by x (number 0), element 1: -4 by finite differences, 4 by main_adjoint");
}

TEST(Derivatives, AreNotJudgedAtKinks) {
  EXPECT_EQ(symptom_of("R.nn.relu(x)", "R.multiply(x, x)", {0, 1}), Symptom::agree);
  EXPECT_EQ(symptom_of("R.nn.relu(x)", "R.multiply(x, x)", {0, 2}), Symptom::wrong_derivative);
}

TEST(Derivatives, GoThroughCastsToFewerDigits) {
  const std::string cast = "R.astype(R.astype(x, dtype=\"float16\"), dtype=\"float32\")";
  EXPECT_EQ(symptom_of(cast, "R.ones_like(x)", {5.25, 1000}), Symptom::agree);
  EXPECT_EQ(symptom_of(cast, "x", {5.25, 1000}), Symptom::wrong_derivative);
}

TEST(Derivatives, AreNotJudgedWhereTheSourceMeetsInfinities) {
  EXPECT_EQ(symptom_of("R.nn.relu(R.negative(R.exp(x)))", "x", {1000, 1}), Symptom::agree);
}

// From 0, every step of the differences lands where tanh is flat.
TEST(Derivatives, AreNotJudgedWhereNoStepIsSmall) {
  const auto scaled = [](const std::string& factor) { return "R.add(x, R.tanh(R.multiply(x, R.const(" + factor + ", \"float32\"))))"; };
  EXPECT_EQ(symptom_of(scaled("1e30"), "R.full_like(x, R.const(1e30, \"float32\"))", {0, 0}), Symptom::agree);
  EXPECT_EQ(symptom_of(scaled("100.0"), "R.ones_like(x)", {0, 0}), Symptom::wrong_derivative);
}

TEST(Derivatives, AreNotJudgedAtSingularPointsOfTheirFormula) {
  const std::string power = "R.power(x, R.const([0.0, 0.0], \"float32\"))";
  const std::string formula = "R.multiply(R.const([0.0, 0.0], \"float32\"), R.power(x, R.const([-1.0, -1.0], \"float32\")))";
  EXPECT_EQ(symptom_of(power, formula, {0, 2}), Symptom::agree);
  // One that is no number to one side of the point either is wrong.
  EXPECT_EQ(symptom_of(power, "R.multiply(R.const([0.0, 0.0], \"float32\"), R.log(x))", {0, 2}), Symptom::wrong_derivative);
}

TEST(Derivatives, AreNotJudgedThroughOperandsThatAreConstantByDesign) {
  EXPECT_EQ(symptom_of("R.power(R.const([2.0, 3.0], \"float32\"), x)", "x", {1, 2}), Symptom::agree);
  EXPECT_EQ(symptom_of("R.power(x, R.const([2.0, 3.0], \"float32\"))", "x", {1, 2}), Symptom::wrong_derivative);
}

// To take an element beyond the end by wrapping round is defined, to add to it is not.
TEST(Derivatives, AreDefinedWhereTheSourceIs) {
  const auto taken = [](const std::string& index) { return "R.take(x, R.const([" + index + "], \"int64\"), axis=0, mode=\"wrap\")"; };
  const auto added = [](const std::string& index) {
    return "R.grad.take_backward(R.const([1.0], \"float32\"), x, R.const([" + index + "], \"int64\"), axis=0)";
  };
  EXPECT_EQ(symptom_of(taken("1"), added("1"), {1, 2}), Symptom::agree);
  EXPECT_EQ(symptom_of(taken("3"), added("1"), {1, 2}), Symptom::agree);
  const Verdict verdict = verdict_on(taken("3"), loss_of(taken("3"), added("3")), {1, 2});
  EXPECT_EQ(verdict.symptom, Symptom::wrong_derivative) << to_string(verdict);
  EXPECT_EQ(verdict.site, "derivatives.undefined");
}

TEST(Derivatives, HaveTheTypesOfTheParameters) {
  const Verdict verdict = verdict_on("R.negative(x)", loss_of("R.negative(x)", "loss"), {1, 2});
  EXPECT_EQ(verdict.symptom, Symptom::wrong_derivative) << to_string(verdict);
  EXPECT_EQ(verdict.site, "derivatives.type");
}

TEST(Derivatives, ComeWithTheResultOfTheSource) {
  Module target = loss_of("R.negative(x)", "x");
  target.functions[0] = loss_of("R.abs(x)").functions[0];
  EXPECT_EQ(verdict_on("R.abs(x)", target, {1, 2}).site, "derivatives.value");
}

TEST(Derivatives, AreThoseThatWereAskedFor) {
  EXPECT_EQ(verdict_on("R.negative(x)", loss_of("R.negative(x)"), {1, 2}).site, "convention.missing-function");
  const Contract none{.derivatives = Derivatives{.of = "main", .by = std::vector<std::string>{}}};
  EXPECT_EQ(verdict_on("R.negative(x)", loss_of("R.negative(x)", "x"), {1, 2}, none).site, "derivatives.type");
  const Contract other{.derivatives = Derivatives{.of = "other"}};
  EXPECT_EQ(verdict_on("R.negative(x)", loss_of("R.negative(x)"), {1, 2}, other).symptom, Symptom::agree);
}

}  // namespace
}  // namespace passdiff
