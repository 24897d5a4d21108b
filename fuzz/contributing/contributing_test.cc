// Runs the examples of CONTRIBUTING.md, which the build takes out of it (CMakeLists.txt).
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/form/builder.h"
#include "core/form/well_formed.h"
#include "core/gen/graph_builder.h"
#include "core/gen/idioms.h"
#include "core/ir/structural.h"
#include "core/ops/test_scope.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"
#include "oracle/check.h"
#include "oracle/check_row.h"
#include "oracle/judged_targets.h"
#include "oracle/pipeline_contract.h"
#include "oracle/scripted_subject.h"
#include "oracle/source_run.h"
#include "oracle/witness.h"
#include "passes/native/native_pass.h"
#include "passes/tvm/tvm_passes.h"

namespace passdiff {

// What the examples define. In their own places the build finds the rows, and headers declare the rest.
std::vector<OpDef> leakyrelu_rows();
NativePass to_non_dataflow();
std::vector<Check> public_functions_rows();
std::vector<Idiom> scaled_sums_idioms();
std::unique_ptr<Subject> make_identity_subject();

namespace {

using Bytes = std::vector<std::uint8_t>;

Value floats(DType dtype, const std::vector<double>& values) {
  Tensor tensor = zeros(dtype, std::vector<std::int64_t>{static_cast<std::int64_t>(values.size())});
  std::copy(values.begin(), values.end(), std::get<Tensor::Floats>(tensor.values).data());
  return make_tensor(std::move(tensor));
}

// The module of a class in an example of a pass test.
Module module_of(const std::string& file, const std::string& name) {
  std::ifstream in(EXAMPLES "/passes/native/testdata/" + file);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const std::string decorator = "@I.ir_module\n";
  const std::size_t begin = text.find(decorator + "class " + name + ":");
  CHECK(begin != std::string::npos) << file << " has no class " << name;
  return parse_text(text.substr(begin, text.find(decorator, begin + 1) - begin)).value();
}

TEST(Contributing, AnOpEvaluatesAndGenerates) {
  const OpDef op = leakyrelu_rows().at(0);
  EXPECT_EQ(op.params.back().name, "alpha");
  const Value x = floats(DType::float32, {-4, 0, 3});
  EvalContext context;
  const Value result = op.eval({&x, 1}, {AttrValue(0.25)}, tensor_type({3}, DType::float32), context);
  EXPECT_TRUE(bit_equal(result, floats(DType::float32, {-1, 0, 3}))) << to_string(result);
  int drawn = 0;
  for (std::uint64_t i = 0; i < 50; ++i) {
    const Bytes bytes = campaign_bytes(1, i, 64);
    Choices choices(bytes);
    TestScope scope(false);
    const auto draft = op.generate(choices, scope);
    if (!draft) continue;
    ++drawn;
    EXPECT_TRUE(infer_call(op, draft->args, draft->attrs).ok());
  }
  EXPECT_GT(drawn, 40);
}

// The example as the pass "example" of a subject.
ScriptedSubject subject_of(const NativePass& pass, std::string_view fault = {}) {
  ScriptedSubject subject;
  const auto apply = [pass, fault](const Module& module) {
    NativeRun run{.options = "{}", .fault = fault};
    return pass.run(module, run).value();
  };
  subject.add("example", apply, pass.pass.contract);
  return subject;
}

TEST(Contributing, ANativePassDoesWhatItsTestSays) {
  const std::string file = "ToNonDataflow/makes-blocks-plain.py";
  const TestCase test{.module = module_of(file, "Source"), .arguments = {[] {
    Tensor tensor = zeros(DType::float32, std::vector<std::int64_t>{2, 3});
    return Value(make_tensor(std::move(tensor)));
  }()}};
  const NativePass pass = to_non_dataflow();
  ScriptedSubject sound = subject_of(pass);
  const Checked checked = check(sound, test, {{"example"}}, {});
  EXPECT_EQ(checked.verdict.symptom, Symptom::agree) << to_string(checked.verdict);
  ASSERT_TRUE(checked.target);
  EXPECT_TRUE(structural_equal(*checked.target, module_of(file, "Target"))) << print(*checked.target);

  ASSERT_EQ(pass.faults.size(), 1U);
  ScriptedSubject broken = subject_of(pass, pass.faults[0].name);
  const Verdict verdict = check(broken, test, {{"example"}}, {}).verdict;
  EXPECT_EQ(verdict.check, pass.faults[0].check);
  EXPECT_EQ(verdict.site, "form.dataflow-escape");
}

using Run = ScriptedSubject::Run;

Module source() {
  return parse_text(
             "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((3,), \"float32\")):\n"
             "        return x\n")
      .value();
}
Run always(const Module& target) {
  return [target](const Module&, const TransformOptions&) { return ScriptedSubject::reply_of(target); };
}

struct Canary {
  std::string_view check;
  Symptom symptom;
  Run broken;
  Run sound;
};

// What the check says of a pass.
std::optional<Verdict> judged(const Check& check, const Run& run) {
  ScriptedSubject subject;
  subject.add({.name = "example"}, run);
  const TestCase test{.module = source(), .arguments = {floats(DType::float32, {1, 2, 3})}};
  const Pipeline pipeline = {{"example"}};
  const CheckOptions options;
  const SourceRun source_run(test);
  FurtherRuns further(test, false);
  Witness witness(subject, source_run);
  const PipelineContract contract = contract_of_pipeline(subject, pipeline);
  const TransformReply reply = subject.transform(test.module, {&pipeline, 1}, {}).at(0);
  const auto& transformed = std::get<Transformed>(reply.result);
  const std::optional<Error> callable;
  std::vector<std::string> reasons;
  double seconds_in_pass = 0;
  std::optional<Outcome> target_outcome;
  JudgedTargets judged, machine_judged;
  WellFormedPrimFuncs well_formed_prim_funcs;
  std::set<std::string> settled_doubts;
  return check.judge({.subject = subject,
                      .test = test,
                      .options = options,
                      .source = source_run,
                      .further = further,
                      .witness = witness,
                      .judged = judged,
                      .machine_judged = machine_judged,
                      .well_formed_prim_funcs = well_formed_prim_funcs,
                      .settled_doubts = settled_doubts,
                      .pipeline = pipeline,
                      .contract = contract,
                      .reply = reply,
                      .target = &*transformed.target,
                      .unchanged = false,
                      .unreadable = transformed.unreadable,
                      .plan = source_run.plan(),
                      .uncallable = callable,
                      .target_outcome = target_outcome,
                      .reasons = reasons,
                      .seconds_in_pass = seconds_in_pass});
}

TEST(Contributing, ACheckSeesItsCanaryAndNoOther) {
  const Canary rows[] = {
#include "examples/oracle/canaries_test.cc.part"
  };
  const Canary& canary = rows[0];
  const Check check = public_functions_rows().at(0);
  EXPECT_EQ(canary.check, check.name);
  const std::optional<Verdict> broken = judged(check, canary.broken);
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->symptom, canary.symptom);
  EXPECT_FALSE(judged(check, canary.sound));
}

TEST(Contributing, ARowOfATvmPassIsThatOfTheTable) {
  const Pass rows[] = {
#include "examples/passes/tvm/tvm_passes.cc.part"
  };
  for (const Pass& row : tvm_pass_table()) {
    if (row.name == rows[0].name) EXPECT_EQ(row.contract.numerics, rows[0].contract.numerics);
  }
}

TEST(Contributing, AnIdiomMakesWellFormedModules) {
  const Idiom idiom = scaled_sums_idioms().at(0);
  const GenerateOptions options{.vdevices = false};  // the module below has none
  int sums = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Bytes bytes = campaign_bytes(1, i, 256);
    Choices choices(bytes);
    const Config config = draw_config(choices, options);
    CaseDraft draft{.config = config, .options = options, .module = {}, .known_functions = {}};
    FunctionDraft function;
    GraphBuilder graph(draft, function);
    idiom.make(choices, graph);
    if (graph.calls().empty()) continue;
    sums += called_op(graph.calls().back())->name != "relax.multiply" ? 1 : 0;
    std::vector<Var> params;
    for (const Parameter& input : function.inputs) params.push_back(input.var);
    for (const Parameter& weight : function.weights) params.push_back(weight.var);
    const ExprPtr result = make_tuple({});
    const Module module{{{"main", make_function(params, graph.finish(result))}}, {}, {}};
    EXPECT_FALSE(well_formed(module)) << print(module);
  }
  EXPECT_GT(sums, 5);
}

constexpr DTypeRow kDTypeRows[] = {
#include "examples/core/tensor/dtype.h.part"
};
constexpr bool is_in_table(const DTypeRow& shown) {
  const DTypeRow& row = row_of(shown.dtype);
  return row.name == shown.name && row.kind == shown.kind && row.bits == shown.bits &&
         row.mantissa == shown.mantissa && row.min_exponent == shown.min_exponent && row.moderate == shown.moderate;
}
static_assert(is_in_table(kDTypeRows[0]), "CONTRIBUTING.md shows the row of float16");

TEST(Contributing, ACompilerIsASubject) {
  const std::unique_ptr<Subject> subject = make_identity_subject();
  const TestCase test{.module = source(), .arguments = {floats(DType::float32, {1, 2, 3})}};
  const Verdict verdict = check(*subject, test, {{"Identity"}}, {}).verdict;
  EXPECT_EQ(verdict.symptom, Symptom::agree) << to_string(verdict);
}

}  // namespace
}  // namespace passdiff
