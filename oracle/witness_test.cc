#include "oracle/witness.h"

#include <gtest/gtest.h>

#include "core/text/text.h"
#include "core/tensor/tensor.h"
#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

const Pipeline kPipeline = {{"P", "{}"}};

Value vector_of(std::vector<double> elements) {
  Tensor tensor =
      zeros(DType::float32, std::vector<std::int64_t>{static_cast<std::int64_t>(elements.size())});
  std::copy(elements.begin(), elements.end(), std::get<Tensor::Floats>(tensor.values).begin());
  return make_tensor(std::move(tensor));
}
Value scalar_of(double element) {
  Tensor tensor = zeros(DType::float32, std::vector<std::int64_t>{});
  std::get<Tensor::Floats>(tensor.values).data()[0] = element;
  return make_tensor(std::move(tensor));
}

// A subject whose machine returns the values that the test gives for source and target; it fails where the test gives none.
class Machine final : public Subject {
 public:
  std::optional<Value> of_source;
  std::optional<Value> of_target;
  std::optional<Value> of_source_without_pass;  // if the build runs the pass
  bool needs_pass = false;                      // the build does, and makes no code without it
  std::string_view stage = "run";               // where it fails, and makes code
  std::optional<Value> of_optimised_target;  // if it is another
  bool out_of_bounds = false;        // code of the target that asserts its bounds ends in such an assertion
  bool overwrites = false;           // what of the target was given
  bool gone = false;                 // it gives no answers
  int runs = 0;

  std::string_view name() const override { return "scripted"; }
  std::string version() const override { return "test"; }
  std::span<const Pass> passes() const override { return {}; }
  std::vector<TransformReply> run_pipelines(const Module&, std::span<const Pipeline>, const TransformOptions&) override { return {}; }
  std::optional<VmReply> execute(const TestCase&, const Pipeline& pipeline, const CallPlan&, const MachineCode& code) override {
    if (!code.without.empty() && !of_source_without_pass && !needs_pass) return std::nullopt;
    ++runs;
    VmReply reply;
    reply.stage = needs_pass && !code.without.empty() ? "compile" : stage;
    if (gone) {
      reply.answered = false;
      reply.error.site = "subject.lost";
      return reply;
    }
    reply.error.message = "no code without shapes";
    reply.value = !pipeline.empty() ? of_target : code.without.empty() ? of_source : of_source_without_pass;
    if (!pipeline.empty() && code.asserts_bounds && out_of_bounds) {
      reply.value.reset();
      reply.error.message = "out of bounds: x";
    }
    reply.overwrote_arguments = !pipeline.empty() && overwrites;
    if (!pipeline.empty() && code.optimised && of_optimised_target) reply.value = of_optimised_target;
    return reply;
  }
};

TestCase case_of(std::string_view text, std::vector<double> elements) {
  return {parse_text(text).value(), "main", {vector_of(std::move(elements))}};
}
TestCase sum_of(std::vector<double> elements) {
  return case_of(R"(
@R.function
def main(x: R.Tensor(("n",), "float32")):
    y = R.sum(x)
    return y
)",
                 std::move(elements));
}

Verdict judged(Machine& machine, const TestCase& test) {
  const SourceRun source(test);
  PipelineContract contract;
  contract.each.resize(1);
  return Witness(machine, source).judge(kPipeline, contract, source.plan(), {});
}

// What becomes of the verdict; `interpreted` is what the interpreter made of the target.
Verdict confirmed(Machine& machine, const TestCase& test, Verdict verdict, const Value* interpreted = nullptr, const Pipeline& pipeline = kPipeline) {
  const SourceRun source(test);
  Witness(machine, source).confirm(pipeline, source.plan(), interpreted, verdict);
  return verdict;
}

TEST(Witness, JudgesATargetByWhatTheMachineMakesOfIt) {
  Machine machine;
  machine.of_source = scalar_of(3);
  machine.of_target = scalar_of(3);
  EXPECT_EQ(judged(machine, sum_of({1, 2})).symptom, Symptom::agree);
  EXPECT_EQ(machine.runs, 1) << "the source need not run where the target agrees";
  machine.of_target = scalar_of(4);
  EXPECT_EQ(judged(machine, sum_of({1, 2})).symptom, Symptom::mismatch);
  EXPECT_EQ(machine.runs, 3);
  machine.of_target.reset();
  EXPECT_EQ(judged(machine, sum_of({1, 2})).symptom, Symptom::does_not_compile);
}

// A pass that forgets shapes may refuse to do so where code needs them: what is made of its target cannot be compiled either.
TEST(Witness, AllowsTheCompilerToRefuseWhatAnyOfThePassesMayRefuse) {
  Machine machine;
  machine.of_source = scalar_of(3);
  const TestCase test = sum_of({1, 2});
  const SourceRun source(test);
  PipelineContract contract;
  contract.each.resize(2);
  const auto judged = [&] { return Witness(machine, source).judge(kPipeline, contract, source.plan(), {}).symptom; };
  EXPECT_EQ(judged(), Symptom::does_not_compile);
  contract.each.front().rejections = {"says:no code without shapes"};
  EXPECT_EQ(judged(), Symptom::rejected);
}

// Of 2^40 + 1 - 2^40 in float32 the 1 is left or lost, as the order has it; the operands are integers that are cast.
TEST(Witness, AllowsSumsOfIntegersInFloatsToRoundInAnyOrder) {
  Machine machine;
  machine.of_source = scalar_of(1);
  machine.of_target = scalar_of(0);
  TestCase test = case_of(R"(
@R.function
def main(x: R.Tensor((3,), "int64")):
    y = R.matmul(x, R.const([1, 1, 1], "int64"), out_dtype="float32")
    return y
)",
                          {});
  test.arguments = {make_tensor(Tensor{DType::int64, Tensor::Ints{std::int64_t{1} << 40, 1, -(std::int64_t{1} << 40)}})};
  EXPECT_FALSE(is_finding(judged(machine, test).symptom));
}

TEST(Witness, DoesNotSpeakWhereItRunsTheSourceOtherwise) {
  Machine machine;
  machine.of_source = scalar_of(5);
  machine.of_target = scalar_of(4);
  EXPECT_EQ(judged(machine, sum_of({1, 2})).symptom, Symptom::unconfirmed);
  machine.of_source.reset();
  EXPECT_EQ(judged(machine, sum_of({1, 2})).symptom, Symptom::unconfirmed);
}

// Compiled code does not set the result of a sum over no elements: what it returns may be right by chance.
TEST(Witness, DoesNotSpeakOfWhatIsMadeOfNothing) {
  Machine machine;
  machine.of_source = scalar_of(0);
  machine.of_target = scalar_of(4);
  EXPECT_EQ(judged(machine, sum_of({})).symptom, Symptom::unconfirmed);
}

// The build runs the pass on the source, too, and errs alike: without it, the machine can tell.
TEST(Witness, LeavesThePassOutWhereTheBuildErrsAsItDoes) {
  Machine machine;
  machine.of_source = scalar_of(4);
  machine.of_target = scalar_of(4);
  const Value interpreted = scalar_of(4);
  const auto verdict = [&] { return confirmed(machine, sum_of({1, 2}), {.symptom = Symptom::mismatch}, &interpreted); };
  EXPECT_EQ(verdict().symptom, Symptom::unconfirmed) << "the build runs no such pass";
  machine.of_source_without_pass = scalar_of(5);
  EXPECT_EQ(verdict().symptom, Symptom::unconfirmed) << "nor does it run the source as the interpreter does without the pass";
  machine.of_source_without_pass = scalar_of(3);
  EXPECT_EQ(verdict().symptom, Symptom::mismatch);
  EXPECT_NE(verdict().detail.find(kBuildErrsToo), std::string::npos);
  machine.of_target = scalar_of(3);
  EXPECT_EQ(verdict().symptom, Symptom::unconfirmed) << "the machine sees no difference";
}

// A build that needs the pass errs as that does: what the operations of the source mean is the interpreter's to say.
TEST(Witness, LetsAFindingStandWhereTheBuildNeedsThePassAndDoesAsItDoes) {
  Machine machine;
  machine.of_source = scalar_of(4);
  machine.of_target = scalar_of(4);
  const auto verdict = [&](const Value& interpreted, const TestCase& test) { return confirmed(machine, test, {.symptom = Symptom::mismatch}, &interpreted); };
  EXPECT_EQ(verdict(scalar_of(4), sum_of({1, 2})).symptom, Symptom::unconfirmed) << "the build runs no such pass";
  machine.needs_pass = true;
  const Verdict alike = verdict(scalar_of(4), sum_of({1, 2}));
  EXPECT_EQ(alike.symptom, Symptom::mismatch);
  EXPECT_NE(alike.detail.find(kBuildErrsAlike), std::string::npos);
  EXPECT_EQ(verdict(scalar_of(5), sum_of({1, 2})).symptom, Symptom::unconfirmed) << "the build does something else";
  EXPECT_EQ(verdict(scalar_of(4), sum_of({})).symptom, Symptom::unconfirmed) << "compiled code leaves it unset";
}

// The source of LegalizeOps, whose kernels fail, fails as well.
TEST(Witness, LetsAFailureStandWhereTheBuildNeedsThePassAndTheSourceFailsAlike) {
  Machine machine;
  machine.of_target = scalar_of(3);
  const auto verdict = [&](Symptom symptom) { return confirmed(machine, sum_of({1, 2}), {.symptom = symptom}, nullptr); };
  machine.needs_pass = true;
  EXPECT_EQ(verdict(Symptom::added_trap).symptom, Symptom::unconfirmed) << "the target runs";
  machine.of_target.reset();
  const Verdict alike = verdict(Symptom::added_trap);
  EXPECT_EQ(alike.symptom, Symptom::added_trap);
  EXPECT_NE(alike.detail.find(kBuildErrsAlike), std::string::npos) << alike.detail;
  EXPECT_EQ(verdict(Symptom::added_undefined).symptom, Symptom::unconfirmed) << "of which a failure says nothing";
  machine.stage = "compile";
  EXPECT_EQ(verdict(Symptom::added_trap).symptom, Symptom::unconfirmed) << "the source is not compiled";
  machine.stage = "run";
  machine.needs_pass = false;
  EXPECT_EQ(verdict(Symptom::added_trap).symptom, Symptom::unconfirmed) << "the build can do without the pass";
}

// What is read or written out of bounds need not show in the results.
TEST(Witness, AssertsBoundsBeforeItRetractsWhatIsOutOfThem) {
  Machine machine;
  machine.of_source = scalar_of(3);
  machine.of_target = scalar_of(3);
  const TestCase test = sum_of({1, 2});
  const SourceRun source(test);
  const auto confirmed = [&](UndefinedRule rule) {
    Verdict verdict{.symptom = Symptom::added_undefined, .site = std::string(rule_name(rule))};
    Witness(machine, source).confirm(kPipeline, source.plan(), nullptr, verdict);
    return verdict;
  };
  EXPECT_EQ(confirmed(UndefinedRule::index_out_of_bounds).symptom, Symptom::unconfirmed);
  machine.out_of_bounds = true;
  EXPECT_EQ(confirmed(UndefinedRule::index_out_of_bounds).symptom, Symptom::added_undefined);
  EXPECT_NE(confirmed(UndefinedRule::index_out_of_bounds).detail.find(kBoundsAsserted), std::string::npos);
  EXPECT_EQ(confirmed(UndefinedRule::index_out_of_bounds).detail.find(kCompiledWithoutPass), std::string::npos) << "the build runs no such pass";
  EXPECT_EQ(confirmed(UndefinedRule::uninitialised_read).symptom, Symptom::unconfirmed);
  machine.of_source_without_pass = scalar_of(3);
  machine.of_source = scalar_of(4);
  const std::string both = std::string(kBoundsAsserted) + " and " + std::string(kCompiledWithoutPass);
  EXPECT_NE(confirmed(UndefinedRule::index_out_of_bounds).detail.find(both), std::string::npos)
      << "a build that runs it may leave the bounds with the source";
}

TEST(Witness, ConfirmsWhatItSeesToo) {
  Machine machine;
  machine.of_source = scalar_of(3);
  machine.of_target = scalar_of(4);
  const TestCase test = sum_of({1, 2});
  const SourceRun source(test);
  Witness witness(machine, source);
  Verdict verdict{.symptom = Symptom::mismatch};
  const Value interpreted = scalar_of(4);
  witness.confirm(kPipeline, source.plan(), &interpreted, verdict);
  EXPECT_EQ(verdict.symptom, Symptom::mismatch);
  machine.of_target = scalar_of(3);
  witness.confirm(kPipeline, source.plan(), &interpreted, verdict);
  EXPECT_EQ(verdict.symptom, Symptom::unconfirmed);
  EXPECT_EQ(machine.runs, 3) << "the source is run once";
}

TEST(Witness, AsksOptimisedCodeBeforeItRetractsWhatIsUndefined) {
  Machine machine;
  machine.of_source = scalar_of(3);
  machine.of_target = scalar_of(3);
  machine.of_optimised_target = scalar_of(4);
  const TestCase test = sum_of({1, 2});
  const SourceRun source(test);
  Witness witness(machine, source);
  Verdict verdict{.symptom = Symptom::added_undefined};
  witness.confirm(kPipeline, source.plan(), nullptr, verdict);
  EXPECT_EQ(verdict.symptom, Symptom::added_undefined);
  machine.of_optimised_target.reset();
  witness.confirm(kPipeline, source.plan(), nullptr, verdict);
  EXPECT_EQ(verdict.symptom, Symptom::unconfirmed);
}

// Passes before the last may round otherwise, as they may: that does not confirm what the last is said to have made undefined.
TEST(Witness, DoesNotConfirmByWhatEarlierPassesMade) {
  Machine machine;
  machine.of_source = scalar_of(3);
  machine.of_target = scalar_of(4);
  const auto symptom = [&](const Pipeline& pipeline) {
    return confirmed(machine, sum_of({1, 2}), {.symptom = Symptom::added_undefined}, nullptr, pipeline).symptom;
  };
  EXPECT_EQ(symptom(kPipeline), Symptom::added_undefined);
  EXPECT_EQ(symptom({{"O", "{}"}, {"P", "{}"}}), Symptom::unconfirmed) << "the machine makes 4 of any target";
}

// What the memory holds in place of such a sum differs from run to run.
TEST(Witness, DoesNotConfirmByWhatIsMadeOfNoElements) {
  Machine machine;
  machine.of_source = scalar_of(3);
  machine.of_target = scalar_of(4);
  EXPECT_EQ(confirmed(machine, sum_of({}), {.symptom = Symptom::added_undefined}).symptom, Symptom::unconfirmed);
}

TEST(Witness, DecidesNothingWhereTheMachineGivesNoAnswer) {
  Machine machine;
  machine.of_source = scalar_of(3);
  machine.of_target = scalar_of(4);
  machine.gone = true;
  const TestCase test = sum_of({1, 2});
  const SourceRun source(test);
  Witness witness(machine, source);
  const auto confirmed = [&](auto confirm) {
    Verdict verdict{.symptom = Symptom::mismatch};
    confirm(verdict);
    return verdict;
  };
  const Value interpreted = scalar_of(4);
  const auto of_values = [&](Verdict& verdict) { witness.confirm(kPipeline, source.plan(), &interpreted, verdict); };
  const auto of_form = [&](Verdict& verdict) { witness.confirm_form(kPipeline, source.plan(), verdict); };
  const auto of_result = [&](Verdict& verdict) { witness.confirm_result(kPipeline, source.plan(), &interpreted, verdict); };
  for (const Verdict& verdict : {confirmed(of_values), confirmed(of_form), confirmed(of_result), judged(machine, test)}) {
    EXPECT_EQ(verdict.symptom, Symptom::unsupported);
    EXPECT_EQ(verdict.site, "subject.lost");
  }
  machine.gone = false;
  EXPECT_EQ(confirmed(of_values).symptom, Symptom::mismatch) << "it is asked again";
}

TEST(Witness, ConfirmsAnUndefinedCallByWhatIsWrongWithItsResult) {
  Machine machine;
  machine.of_source = scalar_of(3);
  const TestCase test = sum_of({1, 2});
  const SourceRun source(test);
  const auto confirmed = [&](std::optional<std::string> wrong) {
    Verdict verdict{.symptom = Symptom::wrong_derivative, .detail = "undefined"};
    Witness(machine, source).confirm_undefined(kPipeline, source.plan(), [&](const Value&) { return wrong; }, verdict);
    return verdict;
  };
  EXPECT_EQ(confirmed(std::nullopt).symptom, Symptom::wrong_derivative) << "it ends";
  machine.stage = "compile";
  EXPECT_EQ(confirmed(std::nullopt).symptom, Symptom::does_not_compile);
  machine.stage = "lower";
  EXPECT_EQ(confirmed(std::nullopt).symptom, Symptom::unconfirmed) << "the machine lacks an op";
  machine.of_target = scalar_of(0);
  EXPECT_EQ(confirmed(std::nullopt).symptom, Symptom::unconfirmed) << "it returns what is right";
  const Verdict wrong = confirmed("0 is wrong");
  EXPECT_EQ(wrong.symptom, Symptom::wrong_derivative);
  EXPECT_EQ(wrong.detail, "0 is wrong; undefined");
}

TEST(Witness, BlamesATargetThatDoesNotCompileForThatAlone) {
  Machine machine;
  machine.of_source = scalar_of(3);
  const TestCase test = sum_of({1, 2});
  const SourceRun source(test);
  const Value interpreted = scalar_of(1);
  const auto confirmed = [&] {
    Verdict verdict{.symptom = Symptom::wrong_derivative, .detail = "2 by finite differences, 1"};
    Witness(machine, source).confirm_result(kPipeline, source.plan(), &interpreted, verdict);
    return verdict.symptom;
  };
  EXPECT_EQ(confirmed(), Symptom::wrong_derivative) << "the target fails when it runs";
  machine.stage = "compile";
  EXPECT_EQ(confirmed(), Symptom::does_not_compile);
  machine.of_target = scalar_of(2);
  EXPECT_EQ(confirmed(), Symptom::unconfirmed) << "it returns something else";
  machine.of_target = interpreted;
  EXPECT_EQ(confirmed(), Symptom::wrong_derivative);
}

// UpdateParamType forgets shapes: code for a squeeze needs one, whatever is well-formed.
TEST(Witness, ConfirmsNoObjectionToTheFormByAnOpWithoutCode) {
  Machine machine;
  machine.of_source = scalar_of(3);
  const TestCase test = sum_of({1, 2});
  const SourceRun source(test);
  const auto confirmed = [&](std::string_view stage) {
    machine.stage = stage;
    Verdict verdict{.symptom = Symptom::ill_formed};
    Witness(machine, source).confirm_form(kPipeline, source.plan(), verdict);
    return verdict.symptom;
  };
  EXPECT_EQ(confirmed("compile"), Symptom::ill_formed);
  EXPECT_EQ(confirmed("lower"), Symptom::unconfirmed);
}

// CompactBufferAllocation, which every build runs, leaves the variable of a loop in the size of a buffer, or divides by an extent that is 0.
TEST(Witness, ConfirmsWhereTheBuildErrsOnTheSourceToo) {
  Machine machine;
  const TestCase test = sum_of({1, 2});
  const SourceRun source(test);
  const auto of_form = [&](Verdict& verdict) { Witness(machine, source).confirm_form(kPipeline, source.plan(), verdict); };
  const auto of_values = [&](Verdict& verdict) { Witness(machine, source).confirm(kPipeline, source.plan(), nullptr, verdict); };
  const auto confirmed = [](Symptom symptom, const auto& confirm) {
    Verdict verdict{.symptom = symptom};
    confirm(verdict);
    return verdict;
  };
  EXPECT_EQ(confirmed(Symptom::ill_formed, of_form).symptom, Symptom::unconfirmed) << "the source does not compile without the pass either";
  EXPECT_EQ(confirmed(Symptom::added_undefined, of_values).symptom, Symptom::unconfirmed);
  machine.of_source_without_pass = scalar_of(3);
  for (const Verdict& verdict : {confirmed(Symptom::ill_formed, of_form), confirmed(Symptom::added_undefined, of_values)}) {
    EXPECT_NE(verdict.symptom, Symptom::unconfirmed);
    EXPECT_NE(verdict.detail.find(kCompiledWithoutPass), std::string::npos) << "so that the script does, too";
  }
  machine.of_target = scalar_of(3);
  EXPECT_EQ(confirmed(Symptom::ill_formed, of_form).symptom, Symptom::unconfirmed) << "the machine runs the target";
  EXPECT_EQ(confirmed(Symptom::added_undefined, of_values).symptom, Symptom::unconfirmed) << "the machine sees no difference";
}

TEST(Witness, SeesThatTheCallersTensorsAreOverwritten) {
  Machine machine;
  machine.of_source = scalar_of(3);
  machine.of_target = scalar_of(3);
  machine.overwrites = true;
  const TestCase test = sum_of({1, 2});
  const SourceRun source(test);
  Witness witness(machine, source);
  const auto confirmed = [&](std::string site) {
    Verdict verdict{.symptom = Symptom::added_undefined, .site = std::move(site)};
    witness.confirm(kPipeline, source.plan(), nullptr, verdict);
    return verdict.symptom == Symptom::added_undefined;
  };
  EXPECT_TRUE(confirmed("write-to-input"));
  EXPECT_FALSE(confirmed("index-out-of-bounds"));
  machine.overwrites = false;
  EXPECT_FALSE(confirmed("write-to-input"));
}

// Compiled code adds bfloat16 in bfloat16, so that it may err by more than what the target claims to lose; where it computes the same of both
// sides, there is nothing to show.
// A library function's last digit differs in another result than the one in which the interpreter saw a difference.
TEST(Witness, LooksAtTheTensorOfWhichAFindingSpeaks) {
  const TestCase test = case_of(R"(
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = R.astype(x, "bfloat16")
    z = R.sum(y)
    w = R.astype(z, "float32")
    e = R.sum(x)
    r = (w, e)
    return r
)",
                                {1, 256, -256});
  const auto pair = [](double one, double other) { return Value(TupleValue{{scalar_of(one), scalar_of(other)}}); };
  Machine machine;
  machine.of_source = pair(0, 1);
  machine.of_target = pair(0, 1.0000001);
  const SourceRun source(test);
  Witness witness(machine, source);
  Verdict verdict{.symptom = Symptom::less_precise, .leaf = "result[0]"};
  const Value interpreted = pair(0, 1.5);
  witness.confirm(kPipeline, source.plan(), &interpreted, verdict);
  EXPECT_EQ(verdict.symptom, Symptom::unconfirmed);
}

// A layer_norm of nearly equal numbers, which library functions compute otherwise, beside a result that the pass got wrong.
TEST(Witness, LooksAtNoOtherTensorThanTheOneOfWhichAFindingSpeaks) {
  const TestCase test = case_of(R"(
@R.function
def main(x: R.Tensor((3,), "float32")):
    s = R.sum(x)
    m = R.max(x)
    r = (s, m)
    return r
)",
                                {1, 2, 3});
  const auto pair = [](double one, double other) { return Value(TupleValue{{scalar_of(one), scalar_of(other)}}); };
  Machine machine;
  machine.of_source = pair(6, 7);
  machine.of_target = pair(5, 7);
  const SourceRun source(test);
  const auto confirmed = [&](const std::string& leaf, const Value& interpreted) {
    Verdict verdict{.symptom = Symptom::mismatch, .leaf = leaf};
    Witness(machine, source).confirm(kPipeline, source.plan(), &interpreted, verdict);
    return verdict.symptom == Symptom::mismatch;
  };
  EXPECT_TRUE(confirmed("result[0]", pair(5, 3)));
  EXPECT_TRUE(confirmed("result[0]", pair(5, 1000))) << "it contradicts another tensor";
  EXPECT_FALSE(confirmed("result[1]", pair(5, 1000))) << "of which it runs the source otherwise";
  EXPECT_FALSE(confirmed("", pair(5, 3)));
}

TEST(Witness, RetractsWhatItDoesNotSeeHoweverInaccurateItIs) {
  const TestCase test = case_of(R"(
@R.function
def main(x: R.Tensor((3,), "float32")):
    y = R.astype(x, "bfloat16")
    z = R.sum(y)
    w = R.astype(z, "float32")
    return w
)",
                                {1, 256, -256});
  Machine machine;
  machine.of_source = scalar_of(0);
  machine.of_target = scalar_of(0);
  const SourceRun source(test);
  Witness witness(machine, source);
  Verdict verdict{.symptom = Symptom::less_precise};
  const Value interpreted = scalar_of(0);
  witness.confirm(kPipeline, source.plan(), &interpreted, verdict);
  EXPECT_EQ(verdict.symptom, Symptom::unconfirmed);
}

}  // namespace
}  // namespace passdiff
