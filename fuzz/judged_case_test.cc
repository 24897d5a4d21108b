#include "fuzz/judged_case.h"

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
  ScriptedSubject subject;
  subject.add("Lower", [](const Module&) { return parse_text(kWrong).value(); });
  Contract after;
  after.needs = {"Lower"};
  for (const char* name : {"First", "Second"}) subject.add(name, [](const Module& module) { return module; }, after);

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

}  // namespace
}  // namespace passdiff
