#include "fuzz/campaign/judged_case.h"

#include <gtest/gtest.h>

#include "core/form/rebuild.h"
#include "core/text/text.h"
#include "oracle/scripted_subject.h"

namespace passdiff {
namespace {

constexpr std::string_view kSource = R"(
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.add(x, x)
    return y
)";
constexpr std::string_view kWrong = R"(
@R.function
def main(x: R.Tensor((2,), "float32")):
    y = R.multiply(x, x)
    return y
)";

Tensor ones() {
  Tensor tensor = zeros(DType::float32, std::vector<std::int64_t>{2});
  for (double& element : std::get<Tensor::Floats>(tensor.values)) element = 1;
  return tensor;
}

// Lowering errs, the passes after it do nothing, and no pipeline of the case runs it alone with these options.
TEST(JudgeCase, BlamesThePrefixThatErrsWhichNoPipelineOfTheCaseIs) {
  const auto reply_after_a_second = [](Module target) {
    TransformReply reply = ScriptedSubject::reply_of(std::move(target));
    reply.seconds_in_pass = 1;
    return reply;
  };
  ScriptedSubject subject;
  Pass lower;
  lower.name = "Lower";
  subject.add(std::move(lower), [&](const Module&, const TransformOptions&) { return reply_after_a_second(parse_text(kWrong).value()); });
  for (const char* name : {"First", "Second"}) {
    Pass after;
    after.name = name;
    after.contract.needs = {"Lower"};
    subject.add(std::move(after), [&](const Module& module, const TransformOptions&) { return reply_after_a_second(module); });
  }

  DrawnCase drawn;
  drawn.test = {parse_text(kSource).value(), "main", {make_tensor(ones())}};
  for (const char* name : {"First", "Second"}) drawn.pipelines.push_back({{"Lower", "{}"}, {name, "{}"}});
  const Steering steering;
  const CheckOptions check{.confirm = false};
  Judged judged;
  judge_case(subject, drawn, 0, {.steering = steering, .check = check}, judged);

  ASSERT_EQ(judged.candidates.size(), 1u);
  EXPECT_EQ(judged.candidates.front().pipeline, (Pipeline{{"Lower", "{}"}}));
  EXPECT_EQ(judged.discarded["shown-earlier"], 2);
  EXPECT_EQ(judged.checks, 2) << "prefixes are judged beside the case's own pipelines, not counted among them";
  EXPECT_EQ(judged.seconds_by_pass["First"], 1);
  EXPECT_EQ(judged.seconds_in_passes, 3) << "prefixes are run by passes, too";
}

// To infer types anew takes a compiler long: it is spared that on fifteen cases in sixteen, whatever the caller's options say.
TEST(JudgeCase, TrustsTypesOnFifteenCasesInSixteen) {
  ScriptedSubject subject;
  std::vector<bool> trusted;
  Pass pass;
  pass.name = "Pass";
  subject.add(std::move(pass), [&](const Module& module, const TransformOptions& options) {
    trusted.push_back(options.trusts_types);
    return ScriptedSubject::reply_of(module);
  });
  DrawnCase drawn;
  drawn.test = {parse_text(kSource).value(), "main", {make_tensor(ones())}};
  drawn.pipelines = {{{"Pass", "{}"}}};
  const Steering steering;
  const CheckOptions check{.confirm = false};
  Judged judged;
  for (std::int64_t index = 0; index < 32; ++index) judge_case(subject, drawn, index, {.steering = steering, .check = check}, judged);
  std::vector<bool> expected(32, true);
  expected[0] = expected[16] = false;
  EXPECT_EQ(trusted, expected);
}

TEST(JudgeCase, SaysNothingOfPipelinesWhosePrefixGaveNoAnswer) {
  ScriptedSubject subject;
  Pass lower;
  lower.name = "Lower";
  int runs = 0;
  subject.add(std::move(lower), [&runs](const Module&, const TransformOptions&) {
    TransformReply reply = ScriptedSubject::reply_of(parse_text(kWrong).value());
    if (++runs > 2) reply.result = CannotBuild{"subject.lost", "subject.lost", "it died"};  // the prefix alone comes last
    return reply;
  });
  Contract after;
  after.needs = {"Lower"};
  DrawnCase drawn;
  drawn.test = {parse_text(kSource).value(), "main", {make_tensor(ones())}};
  for (const char* name : {"First", "Second"}) {
    subject.add(name, [](const Module& module) { return module; }, after);
    drawn.pipelines.push_back({{"Lower", "{}"}, {name, "{}"}});
  }
  const Steering steering;
  const CheckOptions check{.confirm = false};
  Judged judged;
  judge_case(subject, drawn, 0, {.steering = steering, .check = check}, judged);
  EXPECT_TRUE(judged.candidates.empty());
  EXPECT_EQ(judged.lost, 2);
  EXPECT_EQ(judged.checks, 0);
}

// The module with a function that nothing calls, whose result is declared of another shape than our rules infer.
Module with_an_undecided_type(Module module) {
  constexpr std::string_view kUnused = R"(
@R.function(private=True)
def unused(x: R.Tensor((2,), "float32")):
    y = R.add(x, x)
    return y
)";
  GlobalFunction unused = parse_text(kUnused).value().functions[0];
  Function function = *unused.function;
  Binding& last = function.body.blocks.back().bindings.back();
  last.var = make_var(last.var->name, tensor_type({Dim(3)}, DType::float32));
  function.body.result = var_expr(last.var);
  unused.function = std::make_shared<const Function>(std::move(function));
  module.functions.push_back(std::move(unused));
  return module;
}

// The subject's own inference is content, and no run shows which of both is wrong.
TEST(JudgeCase, BlamesNoPassForValuesBehindAPrefixOfWhichNothingIsKnown) {
  ScriptedSubject subject;
  subject.set_contradicts_types(false);
  subject.add("Lower", with_an_undecided_type);
  Contract after;
  after.needs = {"Lower"};
  subject.add("Second", [](const Module&) { return parse_text(kWrong).value(); }, after);
  DrawnCase drawn;
  drawn.test = {parse_text(kSource).value(), "main", {make_tensor(ones())}};
  drawn.pipelines = {{{"Lower", "{}"}, {"Second", "{}"}}};
  const Steering steering;
  const CheckOptions check{.confirm = false};
  Judged judged;
  judge_case(subject, drawn, 0, {.steering = steering, .check = check}, judged);
  EXPECT_TRUE(judged.candidates.empty()) << explain(judged.candidates.front().verdict);
  EXPECT_EQ(judged.discarded["shown-earlier"], 1);
}

}  // namespace
}  // namespace passdiff
