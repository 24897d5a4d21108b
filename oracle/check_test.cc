#include "oracle/check.h"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/ops/op.h"
#include "core/form/builder.h"
#include "core/form/rebuild.h"
#include "core/text/text.h"
#include "core/tensor/tensor.h"
#include "oracle/check_row.h"
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

Value row_of(std::vector<double> values) {
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
  return {parse_text(kAddThenDouble).value(), "main", {row_of({1, 2, 3}), row_of({0.5, 0.25, 4})}};
}
TestCase take_case(std::vector<std::int64_t> at) {
  return {parse_text(kTake).value(), "main", {row_of({1, 2, 3}), indices(std::move(at))}};
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

constexpr std::string_view kFlatten = R"(
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm", 0, "global"), I.vdevice("llvm", 1, "global")]})
    @R.function
    def main(x: R.Tensor(dtype="float32", ndim=2, vdevice="llvm:0:global")) -> R.Tensor(dtype="float32"):
        a = R.cumsum(x)
        return a
)";

// The last binding of main, which returns it, is declared so.
Module redeclared(const Module& module, const Type& type) {
  Module result = module;
  Function function = *result.functions[0].function;
  Binding& last = function.body.blocks.back().bindings.back();
  last.var = make_var(last.var->name, type);
  function.body.result = var_expr(last.var);
  result.functions[0].function = std::make_shared<const Function>(std::move(function));
  return result;
}

// Where the subject infers what the target declares, and we infer something else, one of both is wrong.
TEST(Check, ValuesTellWhichOfTwoInferencesIsWrong) {
  const auto symptom = [](const Type& declared, bool contradicts) {
    ScriptedSubject subject;
    subject.add("redeclare", [&](const Module& module) { return redeclared(module, declared); });
    subject.set_contradicts_types(contradicts);
    const Tensor x = zeros(DType::float32, std::vector<std::int64_t>{2, 3});
    return symptom_of(subject, {parse_text(kFlatten).value(), "main", {make_tensor(x)}}, "redeclare");
  };
  const Type matrix = TensorType{.shape = {}, .rank = 2, .dtype = DType::float32, .vdevice = 0};
  const Type placed = TensorType{.shape = {}, .rank = 1, .dtype = DType::float32, .vdevice = 1};
  EXPECT_EQ(symptom(matrix, false), Symptom::wrong_type) << "the values have one dim";
  EXPECT_EQ(symptom(placed, false), Symptom::unconfirmed) << "values are on no device";
  EXPECT_EQ(symptom(placed, true), Symptom::wrong_type) << "not even the subject infers it";
}

// Inference may not look where we do: at the arguments of calls, for one. The machine does.
TEST(Check, AMachineThatFailsTellsWhichOfTwoInferencesIsWrong) {
  const Type placed = TensorType{.shape = {}, .rank = 1, .dtype = DType::float32, .vdevice = 1};
  const TestCase test{parse_text(kFlatten).value(), "main", {make_tensor(zeros(DType::float32, std::vector<std::int64_t>{2, 3}))}};
  for (const bool runs : {true, false}) {
    ScriptedSubject subject;
    subject.add("redeclare", [&](const Module& module) { return redeclared(module, placed); });
    subject.set_contradicts_types(false);
    subject.set_machine([&](const TestCase&, const Pipeline& pipeline, const CallPlan&, const MachineCode&) {
      VmReply reply{.value = make_tensor(zeros(DType::float32, std::vector<std::int64_t>{6})), .stage = "run", .error = {}};
      if (!pipeline.empty() && !runs) reply.value.reset();
      return reply;
    });
    EXPECT_EQ(symptom_of(subject, test, "redeclare"), runs ? Symptom::unconfirmed : Symptom::does_not_compile);
  }
}

// To compile is costly, and lowering passes hand on what the first of them made.
TEST(Check, TheMachineIsAskedOnceAboutADoubtThatTargetsOfACaseShare) {
  const Type placed = TensorType{.shape = {}, .rank = 1, .dtype = DType::float32, .vdevice = 1};
  const TestCase test{parse_text(kFlatten).value(), "main", {make_tensor(zeros(DType::float32, std::vector<std::int64_t>{2, 3}))}};
  const std::vector<Pipeline> pipelines = {{{"redeclare"}}, {{"redeclare and name"}}};
  for (const bool confirm : {false, true}) {
    ScriptedSubject subject;
    subject.add("redeclare", [&](const Module& module) { return redeclared(module, placed); });
    subject.add("redeclare and name", [&](const Module& module) {
      Module target = redeclared(module, placed);
      target.attrs.emplace("name", AttrValue(std::int64_t{1}));
      return target;
    });
    subject.set_contradicts_types(false);
    int asked = 0;
    subject.set_machine([&](const TestCase&, const Pipeline& pipeline, const CallPlan&, const MachineCode&) {
      asked += pipeline.empty() ? 0 : 1;
      return VmReply{.value = make_tensor(zeros(DType::float32, std::vector<std::int64_t>{6})), .stage = "run", .error = {}};
    });
    const std::vector<Checked> checked = check(subject, test, pipelines, {.confirm = confirm, .sampling = Sampling::every_case()});
    for (const Checked& one : checked) EXPECT_EQ(one.verdict.symptom, Symptom::unconfirmed);
    EXPECT_EQ(asked, confirm ? 2 : 1);
  }
}

// The module with a shape as the parameter of its last function, whose callers are left as they are.
Module with_another_parameter(const Module& module) {
  Module result = module;
  Function function = *result.functions.back().function;
  function.params = {make_var("s", shape_type({Dim(2)}))};
  result.functions.back().function = std::make_shared<const Function>(std::move(function));
  return result;
}

TEST(Check, TheMachineIsAskedWhereOurRunEndsAtAnArgumentThoughCompilingIsNotSampled) {
  const TestCase test{parse_text(R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Module
        y = cls.f(x)
        return y

    @R.function(private=True)
    def f(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return R.const([0.0, 0.0], "float32")
)").value(), "main", {row_of({0, 0})}};
  ScriptedSubject subject;
  subject.add("retype", with_another_parameter);
  subject.set_contradicts_types(false);
  subject.set_machine([&](const TestCase&, const Pipeline& pipeline, const CallPlan&, const MachineCode&) {
    VmReply reply{.value = row_of({0, 0}), .stage = "run", .error = {}};
    if (!pipeline.empty()) reply.value.reset();
    return reply;
  });
  EXPECT_EQ(symptom_of(subject, test, "retype", {.confirm = false}), Symptom::does_not_compile);
}

TEST(Check, ATypeThatTheSourcesRunForbidsIsNoFinding) {
  ScriptedSubject subject;
  subject.add("forward", sliced_directly);
  const Tensor w = zeros(DType::float32, std::vector<std::int64_t>{2, 2});
  const TestCase test{parse_text(kOutOfBounds).value(), "main", {make_tensor(w)}};
  ASSERT_TRUE(well_formed(sliced_directly(test.module)).has_value());
  EXPECT_EQ(symptom_of(subject, test, "forward"), Symptom::undefined);
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

// In one branch an index is out of range; which of them is taken hangs on a product.
Module takes_unless(const std::string& product, const std::string& test) {
  return parse_text(R"(
@R.function
def main(x: R.Tensor((), "float32"), y: R.Tensor((), "float32"), w: R.Tensor((2,), "float32"), i: R.Tensor((1,), "int64")):
)" + product + "    c = R." + test + R"((p, y)
    if c:
        z = R.take(w, i, axis=0, mode="clip")
    else:
        z = R.take(w, i, axis=0, mode="fast")
    return z
)")
      .value();
}

TEST(Check, ABranchThatHangsOnAnInfinityMayBeTakenInAnotherOrderOfComputation) {
  const std::string factored = "    s = R.add(x, y)\n    p = R.multiply(x, s)\n";
  const std::string expanded = "    a = R.multiply(x, x)\n    b = R.multiply(x, y)\n    p = R.add(a, b)\n";
  ScriptedSubject subject;
  subject.add("expand", [&](const Module&) { return takes_unless(expanded, "greater_equal"); }, {.numerics = Numerics::reassociated});
  subject.add("negate", [&](const Module&) { return takes_unless(factored, "less"); }, {.numerics = Numerics::reassociated});
  const auto scalar = [](double value) {
    Tensor tensor = zeros(DType::float32, std::vector<std::int64_t>{});
    std::get<Tensor::Floats>(tensor.values).data()[0] = value;
    return make_tensor(std::move(tensor));
  };
  const auto symptom = [&](const std::string& pass, double x) {
    const TestCase test{takes_unless(factored, "greater_equal"), "main",
                        {scalar(x), scalar(0), row_of({1, 2}), indices({7})}};
    return symptom_of(subject, test, pass);
  };
  EXPECT_EQ(symptom("expand", -1), Symptom::agree);
  EXPECT_EQ(symptom("expand", -std::numeric_limits<double>::infinity()), Symptom::inconclusive);
  EXPECT_EQ(symptom("negate", -1), Symptom::added_undefined);
}

TEST(Check, UndefinedBehaviourOfTheSourceAllowsAnyTarget) {
  ScriptedSubject subject;
  subject.add("clip", [](const Module& m) { return with_take_mode(m, "clip"); });
  TestCase test = take_case({0, 7});
  test.module = with_take_mode(test.module, "fast");
  EXPECT_EQ(symptom_of(subject, test, "clip"), Symptom::undefined);
}

Module branches_with(const std::string& other) {
  return parse_text(R"(
@I.ir_module
class Module:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor((3,), "float32")):
        if c:
            y = R.add(x, x)
        else:
            y = R.)" + other + R"((x, x)
        return y
)")
      .value();
}

TEST(Check, ComparesBranchesThatTheCaseDoesNotTakeOnFurtherArguments) {
  ScriptedSubject subject;
  subject.add("break-else", [](const Module&) { return branches_with("subtract"); });
  Tensor condition = zeros(DType::boolean, std::vector<std::int64_t>{});
  std::get<Tensor::Ints>(condition.values).data()[0] = 1;
  const TestCase test{branches_with("multiply"), "main", {make_tensor(condition), row_of({1, 2, 3})}};
  EXPECT_EQ(symptom_of(subject, test, "break-else"), Symptom::agree);
  const Verdict verdict = check(subject, test, Pipeline{{"break-else", "{}"}}, {.more_arguments = true}).verdict;
  EXPECT_EQ(verdict.symptom, Symptom::mismatch) << to_string(verdict);
  ASSERT_TRUE(verdict.arguments.has_value());
  EXPECT_EQ(as_int(verdict.arguments->at(0).tensor(), 0), 0);
}

TEST(Check, ComparesEffectsOfBranchesThatTheCaseDoesNotTakeOnFurtherArguments) {
  const auto printing = [](const std::string& printed) {
    return parse_text(R"(
@R.function(pure=False)
def main(c: R.Tensor((), "bool"), x: R.Tensor((3,), "float32")):
    y = R.add(x, x)
    if c:
        z = x
    else:
        p = R.print()" + printed + R"(, format=R.str("{}"))
        z = x
    return z
)")
        .value();
  };
  ScriptedSubject subject;
  subject.add("print-another", [&](const Module&) { return printing("x"); });
  Tensor condition = zeros(DType::boolean, std::vector<std::int64_t>{});
  std::get<Tensor::Ints>(condition.values).data()[0] = 1;
  const TestCase test{printing("y"), "main", {make_tensor(condition), row_of({1, 2, 3})}};
  EXPECT_EQ(symptom_of(subject, test, "print-another"), Symptom::agree);
  const Verdict verdict =
      check(subject, test, Pipeline{{"print-another", "{}"}}, {.more_arguments = true}).verdict;
  EXPECT_EQ(verdict.symptom, Symptom::other_effects) << to_string(verdict);
  EXPECT_TRUE(verdict.arguments.has_value());
}

// kAddThenDouble with the sum in float16, as a pass may make it that is careless about precision.
Module with_sum_in_float16(const Module&) {
  return parse_text(R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((3,), dtype="float32"), y: R.Tensor((3,), dtype="float32")):
        a = R.subtract(x, y)
        h = R.astype(a, dtype="float16")
        s = R.add(h, h)
        b = R.astype(s, dtype="float32")
        return b
)")
      .value();
}

TEST(Check, LostDigitsAreAFindingUnlessTheContractLowersPrecision) {
  ScriptedSubject subject;
  subject.add("narrow", with_sum_in_float16, {.numerics = Numerics::reassociated});
  subject.add("lower", with_sum_in_float16, {.numerics = Numerics::lowered});
  const TestCase coarse = add_case();
  EXPECT_EQ(symptom_of(subject, coarse, "narrow"), Symptom::agree) << "few digits are none to lose";
  const TestCase fine{coarse.module, "main", {row_of({1.0f / 3, 0.1f, 0.7f}), row_of({0.2f, 0.3f, 0.4f})}};
  EXPECT_EQ(symptom_of(subject, fine, "narrow"), Symptom::less_precise);
  EXPECT_EQ(symptom_of(subject, fine, "lower"), Symptom::agree);
}

TEST(Check, APassThatLowersPrecisionLeavesFloat64AsItIs) {
  const auto sum_in = [](const char* dtype) {
    return parse_text(fmt::format(R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1,), dtype="float64"), w: R.Tensor((1,), dtype="float64")):
        p = R.matmul(x, w, out_dtype="{}")
        b = R.astype(p, dtype="float64")
        return b
)", dtype)).value();
  };
  ScriptedSubject subject;
  subject.add("lower", [&](const Module&) { return sum_in("float32"); }, {.numerics = Numerics::lowered});
  const auto exactly = [](double value) {
    Tensor tensor = zeros(DType::float64, std::vector<std::int64_t>{1});
    std::get<Tensor::Floats>(tensor.values).data()[0] = value;
    return make_tensor(std::move(tensor));
  };
  EXPECT_EQ(symptom_of(subject, {sum_in("float64"), "main", {exactly(-2.7115292303319385), exactly(1)}}, "lower"), Symptom::less_precise);
  EXPECT_EQ(symptom_of(subject, {sum_in("float64"), "main", {exactly(-2.5), exactly(1)}}, "lower"), Symptom::agree) << "no digit is lost";
}

// Adds a binding that nothing uses, to its own target as well.
Module padded(const Module& module) {
  Module target = module;
  Function function = *target.functions[0].function;
  const Var pad = make_var("pad", function.params[0]->type);
  function.body.blocks[0].bindings.push_back({pad, var_expr(function.params[0]), std::nullopt});
  target.functions[0].function = std::make_shared<const Function>(std::move(function));
  return target;
}

TEST(Check, ThatIsSampledIsMadeOnlyWhereAskedFor) {
  ScriptedSubject subject;
  subject.add("pad", padded);
  EXPECT_EQ(symptom_of(subject, add_case(), "pad"), Symptom::agree);
  CheckOptions twice;
  twice.sampling.set("idempotent", 1);
  EXPECT_EQ(symptom_of(subject, add_case(), "pad", twice), Symptom::not_idempotent);
  EXPECT_EQ(symptom_of(subject, add_case(), "pad", {.sampling = Sampling::every_case()}),
            Symptom::not_idempotent);
}

// A recorded module may be ill-formed before any pass touches it.
TEST(Check, DoesNotBlameAPassForWhatIsWrongWithTheSource) {
  TestCase test = add_case();
  Function function = *test.module.functions[0].function;
  function.attrs["num_input"] = std::int64_t{3};
  test.module.functions[0].function = std::make_shared<const Function>(std::move(function));
  ScriptedSubject subject;
  subject.add("renames", [](const Module& module) {
    Module result = module;
    result.attrs["seen"] = true;
    return result;
  });
  const Verdict verdict = check(subject, test, Pipeline{{"renames", "{}"}}, {}).verdict;
  EXPECT_EQ(verdict.symptom, Symptom::unsupported) << to_string(verdict);
  EXPECT_EQ(verdict.detail.rfind("source: ", 0), 0U) << verdict.detail;
}

TEST(Check, NamesWhatDecidedAndNothingWhereAllAgree) {
  ScriptedSubject subject;
  subject.add("pad", padded);
  const Pipeline pipeline{{"pad", "{}"}};
  const Verdict agreed = check(subject, add_case(), pipeline, {}).verdict;
  EXPECT_EQ(agreed.check, "");
  EXPECT_EQ(to_string(agreed), "agree (stage compare, pass pad)");
  const Verdict found = check(subject, add_case(), pipeline, {.sampling = Sampling::every_case()}).verdict;
  EXPECT_EQ(found.check, "idempotent");
}

TEST(Checks, AreNamedOnceAndMadeAfterTheOneTheyName) {
  std::set<std::string_view> made;
  for (const Check& row : all_checks()) {
    EXPECT_TRUE(row.after.empty() || made.contains(row.after)) << row.name;
    EXPECT_TRUE(made.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.promise.empty()) << row.name;
    EXPECT_NE(row.judge, nullptr) << row.name;
    EXPECT_GE(row.one_in, 1u) << row.name;
  }
  EXPECT_GE(made.size(), 9u);
}

TEST(Checks, ThatFaultsShouldBeSeenByExist) {
  for (const Fault& fault : all_faults()) EXPECT_NE(find_check(fault.check), nullptr) << fault.name;
}

TEST(Sampling, SaysTheRatesOfSampledChecks) {
  const Check& machine = *find_check("vm-agrees");
  EXPECT_EQ(Sampling().one_in(machine), 0u);
  EXPECT_EQ(Sampling::every_case().one_in(machine), 1u);
  EXPECT_EQ(Sampling::of_campaigns().one_in(machine), machine.one_in);
  EXPECT_EQ(Sampling().one_in(*find_check("well-formed")), 1u) << "not sampled";
  Sampling sampling = Sampling::every_case();
  sampling.set("vm-agrees", 256);
  EXPECT_EQ(sampling.compiling_one_in(), 256u);
  EXPECT_EQ(Sampling().compiling_one_in(), 0u);
  EXPECT_THROW(sampling.set("well-formed", 2), InternalError);
  EXPECT_THROW(sampling.set("nope", 2), InternalError);
  EXPECT_NE(to_string(sampling).find("vm-agrees=1/256"), std::string::npos);
  EXPECT_NE(to_string(sampling).find("sequential=1,"), std::string::npos);
}

}  // namespace
}  // namespace passdiff
