#include "core/gen/graph_builder.h"

#include <gtest/gtest.h>

#include "core/form/builder.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

class GraphTest : public ::testing::Test {
 protected:
  static Config plain_config() {
    Config config;
    config.dtypes = {DType::float32};
    config.float_dtypes = {DType::float32};
    config.dims = {2, 3};
    config.reuse_of_16 = 16;
    return config;
  }

  GenerateOptions options_;
  Config config_ = plain_config();
  CaseDraft draft_{.config = config_, .options = options_, .module = {}, .known_functions = {}};
  FunctionDraft function_;
  GraphBuilder graph_{draft_, function_};
  Choices choices_{{}};
};

TEST_F(GraphTest, AValueThatDescendsFromExpIsNoDivisor) {
  const ExprPtr x = graph_.fresh(choices_, Origin::input, DType::float32, {3});
  const ExprPtr exp = graph_.call("relax.exp", {x});
  const ExprPtr doubled = graph_.call("relax.add", {exp, exp});
  ASSERT_NE(doubled, nullptr);
  const ExprPtr divisor = graph_.want(choices_, DType::float32, {3}, {.fill = Fill::nonzero});
  ASSERT_NE(divisor, nullptr);
  EXPECT_NE(divisor, exp);
  EXPECT_NE(divisor, doubled);
  EXPECT_EQ(graph_.want(choices_, DType::float32, {3}), doubled) << "elsewhere it may be used";
}

TEST_F(GraphTest, AnUndefinedCallBindsNothing) {
  const ExprPtr x = graph_.constant(zeros(DType::int32, std::vector<std::int64_t>{2}));
  EXPECT_EQ(graph_.call("relax.floor_divide", {x, x}), nullptr);
  EXPECT_EQ(graph_.binding_count(), 0);
  EXPECT_EQ(graph_.call("relax.add", {x, nullptr}), nullptr);
}

TEST_F(GraphTest, ADataflowVariableUsedOutsideOfItsBlockIsAnOutput) {
  graph_.begin_block(true);
  const ExprPtr x = graph_.fresh(choices_, Origin::input, DType::float32, {2});
  const ExprPtr inside = graph_.call("relax.abs", {x});
  const ExprPtr outside = graph_.call("relax.negative", {inside});
  graph_.begin_block(true);
  const ExprPtr last = graph_.call("relax.abs", {outside});
  graph_.finish(last);
  EXPECT_TRUE((*as<Var>(inside))->dataflow);
  EXPECT_FALSE((*as<Var>(outside))->dataflow);
  EXPECT_FALSE((*as<Var>(last))->dataflow);
}

TEST_F(GraphTest, OnlyWeightsAndConstantsMakeALiftedValue) {
  const ExprPtr x = graph_.fresh(choices_, Origin::input, DType::float32, {2});
  const ExprPtr w = graph_.fresh(choices_, Origin::weight, DType::float32, {2});
  const ExprPtr c = graph_.fresh(choices_, Origin::constant, DType::float32, {2});
  EXPECT_TRUE(graph_.find(graph_.call("relax.add", {w, c}))->provenance.lifted);
  EXPECT_FALSE(graph_.find(graph_.call("relax.add", {w, x}))->provenance.lifted);
}

TEST_F(GraphTest, NoParameterMentionsADimThatAMatchCastDefines) {
  const ExprPtr x = graph_.fresh(choices_, Origin::input, DType::float32, {3});
  function_.symbols.push_back({make_sym_var("k"), 3, Dim(3), false});
  const Shape shape = {Dim(function_.symbols.back().var)};
  ASSERT_NE(graph_.match_cast(x, tensor_type(shape, DType::float32)), nullptr);
  EXPECT_EQ(graph_.fresh(choices_, Origin::input, DType::float32, shape), nullptr);
}

}  // namespace
}  // namespace passdiff
