// Passes that refuse the module they are given: which errors a contract declares, and which the source brings about.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/tensor/tensor.h"
#include "oracle/check.h"
#include "oracle/scripted_subject.h"
#include "oracle/test_modules.h"

namespace passdiff {
namespace {

Value zeros_of(DType dtype, std::vector<std::int64_t> shape) {
  return make_tensor(zeros(dtype, shape));
}

auto refuse_with(std::string site) {
  return [site = std::move(site)](const Module&, const TransformOptions&) {
    TransformReply reply;
    reply.result = Refused{site.substr(0, site.find('@')), site, "this module is not for me"};
    return reply;
  };
}

TEST(Refusal, IsNoFindingWhereItIsDeclaredAndAnyOtherErrorIs) {
  ScriptedSubject subject;
  Pass strict, broken;
  strict.name = "strict";
  strict.contract.rejections = {"ValueError"};
  subject.add(strict, refuse_with("ValueError@pass.cc:Run"));
  broken.name = "broken";
  subject.add(broken, refuse_with("ValueError@pass.cc:Run"));
  const TestCase test{adds(), "main", {zeros_of(DType::float32, {2, 2}), zeros_of(DType::float32, {2, 2})}};
  EXPECT_EQ(symptom_of(subject, test, "strict"), Symptom::rejected);
  EXPECT_EQ(symptom_of(subject, test, "broken"), Symptom::internal_error);
}

TEST(Refusal, MayBeOfADivisionByZeroThatTheSourceMakes) {
  ScriptedSubject subject;
  Pass simplifies, rewrites;
  simplifies.name = "simplifies";
  simplifies.contract.level = Level::legalised;
  subject.add(simplifies, refuse_with("InternalError@bound.cc:Assume"));
  rewrites.name = "rewrites";
  subject.add(rewrites, refuse_with("InternalError@bound.cc:Assume"));
  const auto divided_by = [](int divisor) {
    const std::string body = fmt::format("        a = R.floor_mod(x, R.const({}, \"int64\"))\n        return a\n", divisor);
    return TestCase{module_of("x: R.Tensor((2,), \"int64\")", body), "main", {zeros_of(DType::int64, {2})}};
  };
  EXPECT_EQ(symptom_of(subject, divided_by(0), "simplifies"), Symptom::undefined_folded);
  EXPECT_EQ(symptom_of(subject, divided_by(2), "simplifies"), Symptom::internal_error);
  EXPECT_EQ(symptom_of(subject, divided_by(0), "rewrites"), Symptom::internal_error) << "it does no arithmetic";
}

// Binds n of main to 3.
Pass binding(std::string name) {
  Pass pass;
  pass.name = std::move(name);
  pass.bound = [](std::string_view function, std::string_view) {
    BoundArguments bound;
    if (function == "main") bound.sizes["n"] = 3;
    return bound;
  };
  return pass;
}

TEST(Refusal, MayBeOfSizesForWhichTheSourceIsIllTyped) {
  ScriptedSubject subject;
  subject.add(binding("binds"), refuse_with("ValueError@op.cc:Infer"));
  const auto beside = [](int other) {
    const std::string params = fmt::format("c: R.Tensor((), \"bool\"), x: R.Tensor(({},), \"float32\"), y: R.Tensor((\"n\",), \"float32\")", other);
    const Module module = module_of(params, R"(
        n = T.int64()
        if c:
            s = R.add(x, y)
            t = s
        else:
            t = x
        return t
)");
    return TestCase{module, "main", {zeros_of(DType::boolean, {}), zeros_of(DType::float32, {other}), zeros_of(DType::float32, {3})}};
  };
  EXPECT_EQ(symptom_of(subject, beside(2), "binds"), Symptom::rejected) << "(2,) and (3,) do not broadcast, though nothing adds them";
  EXPECT_EQ(symptom_of(subject, beside(3), "binds"), Symptom::internal_error);
}

TEST(Refusal, MayBeOfSizesOfACallForWhichTheCalleeIsIllTyped) {
  ScriptedSubject subject;
  Pass inlines;
  inlines.name = "inlines";
  inlines.contract.inlines = true;
  subject.add(inlines, refuse_with("ValueError@op.cc:Infer"));
  subject.add(binding("binds"), refuse_with("ValueError@op.cc:Infer"));
  // f adds 2 elements to n in a branch; main calls it by way of g.
  const auto called_with = [](int n) {
    return TestCase{parse_text(fmt::format(R"(
@I.ir_module
class Module:
    @R.function(private=True)
    def f(c: R.Tensor((), "bool"), x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        if c:
            s = R.add(x, R.const([1.0, 2.0], "float32"))
            t: R.Tensor((n,), "float32") = x
        else:
            t: R.Tensor((n,), "float32") = x
        return t

    @R.function(private=True)
    def g(c: R.Tensor((), "bool"), x: R.Tensor(("m",), "float32")) -> R.Tensor(("m",), "float32"):
        m = T.int64()
        cls = Module
        t: R.Tensor((m,), "float32") = cls.f(c, x)
        return t

    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor(({0},), "float32")) -> R.Tensor(({0},), "float32"):
        cls = Module
        t: R.Tensor(({0},), "float32") = cls.g(c, x)
        return t
)",
                                           n))
                        .value(),
                    "main",
                    {zeros_of(DType::boolean, {}), zeros_of(DType::float32, {n})}};
  };
  EXPECT_EQ(symptom_of(subject, called_with(3), "inlines"), Symptom::rejected) << "(2,) and (3,) do not broadcast, though nothing adds them";
  EXPECT_EQ(symptom_of(subject, called_with(2), "inlines"), Symptom::internal_error);
  EXPECT_EQ(symptom_of(subject, called_with(3), "binds"), Symptom::internal_error) << "it leaves calls alone";
}

TEST(Refusal, IsAFindingWhereAnotherFunctionsSizesOfTheSameNameAreIllTyped) {
  ScriptedSubject subject;
  subject.add(binding("binds"), refuse_with("ValueError@op.cc:Infer"));
  const Module module = parse_text(R"(
@I.ir_module
class Module:
    @R.function
    def main(y: R.Tensor(("n",), "float32")):
        a = R.negative(y)
        return a

    @R.function
    def other(x: R.Tensor((2,), "float32"), y: R.Tensor(("n",), "float32")):
        a = R.add(x, y)
        return a
)").value();
  EXPECT_EQ(symptom_of(subject, {module, "main", {zeros_of(DType::float32, {3})}}, "binds"), Symptom::internal_error);
}

}  // namespace
}  // namespace passdiff
