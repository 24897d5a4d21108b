#include "fuzz/cli/pipeline_text.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

TEST(PipelineText, ReadsPassesWithAndWithoutOptions) {
  const auto subject = make_native_subject();
  const auto pipeline = parse_pipeline(
      R"(LiftTransformParams:{"shared_transform": ["a", "b}"]},DeadCodeElimination)", *subject);
  ASSERT_TRUE(pipeline.ok());
  ASSERT_EQ(pipeline->size(), 2u);
  EXPECT_EQ((*pipeline)[0], (PassCall{"LiftTransformParams", R"({"shared_transform": ["a", "b}"]})"}));
  EXPECT_EQ((*pipeline)[1], (PassCall{"DeadCodeElimination", "{}"}));
}

TEST(PipelineText, NamesWhatItCannotRead) {
  const auto subject = make_native_subject();
  EXPECT_EQ(parse_pipeline("NoSuchPass", *subject).error().code, "usage.pass");
  EXPECT_EQ(parse_pipeline("DeadCodeElimination:[1]", *subject).error().code, "usage.pass");
  EXPECT_EQ(parse_pipeline("DeadCodeElimination:{", *subject).error().code, "usage.pass");
  EXPECT_EQ(parse_pipeline("DeadCodeElimination,,", *subject).error().code, "usage.pass");
  EXPECT_EQ(parse_pipeline("LegalizeOps", *subject).error().message, "LegalizeOps: the subject native has no such pass; --subject tvm has it");
}

}  // namespace
}  // namespace passdiff
