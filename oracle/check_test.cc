#include "oracle/check.h"

#include <gtest/gtest.h>

#include "core/ops/op.h"
#include "core/form/builder.h"
#include "core/form/rebuild.h"
#include "core/text/text.h"
#include "core/tensor/tensor.h"
#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

constexpr std::string_view kAddThenDouble = R"(
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), dtype="float32"), y: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32"):
        a = R.subtract(x, y)
        b = R.add(a, a)
        return b
)";

constexpr std::string_view kTake = R"(
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), dtype="float32"), i: R.Tensor((2,), dtype="int64")) -> R.Tensor((2,), dtype="float32"):
        a = R.take(x, i, axis=0, mode="clip")
        return a
)";

Value floats(std::vector<double> values) {
  Tensor tensor = zeros(DType::float32, std::vector<std::int64_t>{static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i)
    std::get<Tensor::Floats>(tensor.values).data()[i] = values[i];
  return make_tensor(std::move(tensor));
}
Value indices(std::vector<std::int64_t> values) {
  Tensor tensor = zeros(DType::int64, std::vector<std::int64_t>{static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i) std::get<Tensor::Ints>(tensor.values).data()[i] = values[i];
  return make_tensor(std::move(tensor));
}

TestCase add_case() {
  return {parse_text(kAddThenDouble).value(), "main", {floats({1, 2, 3}), floats({0.5, 0.25, 4})}};
}
TestCase take_case(std::vector<std::int64_t> at) {
  return {parse_text(kTake).value(), "main", {floats({1, 2, 3}), indices(std::move(at))}};
}

// The module with the value of every call of `op` rewritten.
Module rewritten(const Module& module, std::string_view op, const std::function<ExprPtr(const Call&)>& to) {
  const Edits edits{.rewrite = [&](const Binding& binding) -> std::optional<ExprPtr> {
    const Call* call = as<Call>(binding.value);
    const OpDef* callee = call == nullptr ? nullptr : called_op(*call);
    if (callee == nullptr || callee->name != op) return std::nullopt;
    return to(*call);
  }};
  return rebuild(module, edits).value();
}

Symptom symptom_of(ScriptedSubject& subject, const TestCase& test, const std::string& pass,
                   CheckOptions options = {}) {
  return check(subject, test, Pipeline{{pass, "{}"}}, options).verdict.symptom;
}

constexpr std::string_view kOutOfBounds = R"(
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @R.function
    def main(w: R.Tensor((2, 2), dtype="float32")) -> R.Tensor((1, 2), dtype="float32"):
        k = T.int64()
        a = R.match_cast(w, R.Tensor((k, 2), dtype="float32"))
        b = R.strided_slice(a, (0,), (2,), (3,), assume_inbound=True)
        return b
)";

// The slice is taken of `w` itself, whose dims say that it cannot be.
Module sliced_directly(const Module& module) {
  Module result = module;
  Function function = *result.functions[0].function;
  Binding& slice = function.body.blocks.back().bindings.back();
  Call call = *as<Call>(slice.value);
  call.args[0] = var_expr(function.params[0]);
  slice.value = make_expr(std::move(call), slice.value->type);
  result.functions[0].function = std::make_shared<const Function>(std::move(function));
  return result;
}

TEST(Check, ATypeThatTheSourcesTrapForbidsIsNoFinding) {
  ScriptedSubject subject;
  subject.add("forward", sliced_directly);
  const Tensor w = zeros(DType::float32, std::vector<std::int64_t>{2, 2});
  const TestCase test{parse_text(kOutOfBounds).value(), "main", {make_tensor(w)}};
  ASSERT_TRUE(well_formed(sliced_directly(test.module)).has_value());
  EXPECT_EQ(symptom_of(subject, test, "forward"), Symptom::trapped);
}

TEST(Check, ASoundRewriteAgrees) {
  ScriptedSubject subject;
  subject.add("double", [](const Module& m) {
    return rewritten(m, "relax.add", [](const Call& call) {
      Tensor two = zeros(DType::float32, std::vector<std::int64_t>{});
      std::get<Tensor::Floats>(two.values).data()[0] = 2;
      return make_call(*find_op("relax.multiply"), {call.args[0], make_constant(std::move(two))}, {}).value();
    });
  });
  EXPECT_EQ(symptom_of(subject, add_case(), "double"), Symptom::agree);
}

TEST(Check, AnUnsoundRewriteIsAMismatch) {
  ScriptedSubject subject;
  subject.add("swap", [](const Module& m) {
    return rewritten(m, "relax.subtract", [](const Call& call) {
      return make_call(*find_op("relax.subtract"), {call.args[1], call.args[0]}, {}).value();
    });
  });
  EXPECT_EQ(symptom_of(subject, add_case(), "swap"), Symptom::mismatch);
}

Module with_take_mode(const Module& module, const std::string& mode) {
  return rewritten(module, "relax.take", [&](const Call& call) {
    Attrs attrs = call.attrs;
    attrs.back() = mode;
    return make_call(*find_op("relax.take"), call.args, attrs).value();
  });
}

TEST(Check, UndefinedBehaviourOfTheTargetAloneIsAFinding) {
  ScriptedSubject subject;
  subject.add("forget-mode", [](const Module& m) { return with_take_mode(m, "fast"); });
  EXPECT_EQ(symptom_of(subject, take_case({0, 7}), "forget-mode"), Symptom::added_undefined);
  EXPECT_EQ(symptom_of(subject, take_case({0, 2}), "forget-mode"), Symptom::agree);
}

TEST(Check, UndefinedBehaviourOfTheSourceAllowsAnyTarget) {
  ScriptedSubject subject;
  subject.add("clip", [](const Module& m) { return with_take_mode(m, "clip"); });
  TestCase test = take_case({0, 7});
  test.module = with_take_mode(test.module, "fast");
  EXPECT_EQ(symptom_of(subject, test, "clip"), Symptom::undefined);
}

TEST(Check, AVariableThatNothingBindsIsIllFormed) {
  ScriptedSubject subject;
  subject.add("forget-binding", [](const Module& m) {
    Module target = m;
    Function function = *target.functions[0].function;
    function.body.blocks[0].bindings.erase(function.body.blocks[0].bindings.begin());
    target.functions[0].function = std::make_shared<const Function>(std::move(function));
    return target;
  });
  EXPECT_EQ(symptom_of(subject, add_case(), "forget-binding"), Symptom::ill_formed);
}

TEST(Check, AMissingEntryBreaksTheConvention) {
  ScriptedSubject subject;
  subject.add("rename", [](const Module& m) {
    Module target = m;
    target.functions[0].name = "other";
    return target;
  });
  EXPECT_EQ(symptom_of(subject, add_case(), "rename"), Symptom::signature);
}

TEST(Check, TheInputMustStayAsItWas) {
  ScriptedSubject subject;
  Pass pass;
  pass.name = "mutate";
  subject.add(pass, [](const Module& m) {
    TransformReply reply;
    reply.result = Transformed{m, true, {}};
    reply.input_mutated = true;
    return reply;
  });
  EXPECT_EQ(symptom_of(subject, add_case(), "mutate"), Symptom::input_mutated);
}

TEST(Check, ADeclaredRejectionIsNoFindingAndAnyOtherErrorIs) {
  ScriptedSubject subject;
  const auto refuse = [](const Module&) {
    TransformReply reply;
    reply.result = Refused{"ValueError", "ValueError@pass.cc:Run", "this module is not for me"};
    return reply;
  };
  Pass strict;
  strict.name = "strict";
  strict.contract.rejections = {"ValueError"};
  subject.add(strict, refuse);
  Pass broken;
  broken.name = "broken";
  subject.add(broken, refuse);
  EXPECT_EQ(symptom_of(subject, add_case(), "strict"), Symptom::rejected);
  EXPECT_EQ(symptom_of(subject, add_case(), "broken"), Symptom::internal_error);
}

TEST(Check, ASecondRunThatChangesTheTargetIsNotIdempotent) {
  ScriptedSubject subject;
  subject.add("negate-twice", [](const Module& m) {
    const Edits edits{.rewrite = [&](const Binding& binding) -> std::optional<ExprPtr> {
      const Call* call = as<Call>(binding.value);
      if (call == nullptr || call->args.size() != 2) return std::nullopt;
      return make_call(*called_op(*call), {call->args[0], call->args[1]}, {}).value();
    }};
    Module target = rebuild(m, edits).value();
    Function function = *target.functions[0].function;
    const Var zero = make_var("pad", function.params[0]->type);
    function.body.blocks[0].bindings.push_back({zero, var_expr(function.params[0]), std::nullopt});
    target.functions[0].function = std::make_shared<const Function>(std::move(function));
    return target;
  });
  CheckOptions all;
  all.repeat_one_in = 1;
  EXPECT_EQ(symptom_of(subject, add_case(), "negate-twice", all), Symptom::not_idempotent);
}

TEST(Check, EveryCheckOfTheTableIsNamedOnce) {
  std::vector<std::string_view> names;
  for (const CheckInfo& info : all_checks()) names.push_back(info.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  EXPECT_GE(names.size(), 9u);
}

}  // namespace
}  // namespace passdiff
