#include "core/ops/op.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace passdiff {
namespace {

ExprPtr tensor_var(Shape shape) {
  return var_expr(make_var("x", tensor_type(std::move(shape), DType::float32)));
}

const OpDef& op(std::string_view name) {
  const OpDef* found = find_op(name);
  CHECK(found != nullptr) << name;
  return *found;
}

TEST(OpTable, IsSortedWithoutRepetitionAndEveryRowIsComplete) {
  const auto by_name = [](const OpDef& a, const OpDef& b) { return a.name < b.name; };
  EXPECT_TRUE(std::is_sorted(all_ops().begin(), all_ops().end(), by_name));
  for (const OpDef& row : all_ops()) {
    EXPECT_EQ(find_op(row.name), &row) << row.name;
    EXPECT_TRUE((row.infer != nullptr) != (row.infer_declared != nullptr)) << row.name;
    EXPECT_TRUE(row.generate != nullptr && (row.eval != nullptr || row.pass_made)) << row.name;
    for (std::size_t i = 0; i < row.params.size(); ++i) {
      const bool operand = i < row.operand_count();
      EXPECT_EQ(is_operand(row.params[i].kind), operand) << row.name << ": operands come first";
      EXPECT_FALSE(operand && row.params[i].default_value) << row.name << ": only attributes have defaults";
    }
  }
  EXPECT_EQ(find_op("relax.nothing"), nullptr);
  EXPECT_EQ(find_op(""), nullptr);
}

TEST(MakeCall, ChecksArityBeforeItInfers) {
  const OpDef& add = op("relax.add");
  EXPECT_EQ(make_call(add, {tensor_var({2})}, {}).error().code, "type.arity");
  EXPECT_EQ(make_call(add, {tensor_var({2}), tensor_var({2}), tensor_var({2})}, {}).error().code,
            "type.arity");
  EXPECT_EQ(make_call(add, {tensor_var({2}), nullptr}, {}).error().code, "type.arity");
  EXPECT_EQ(make_call(add, {tensor_var({2}), tensor_var({2})}, {std::int64_t{1}}).error().code, "type.arity");
}

TEST(MakeCall, RejectsAttributesOfTheWrongKind) {
  const OpDef& softmax = op("relax.nn.softmax");
  EXPECT_EQ(make_call(softmax, {tensor_var({2})}, {std::string("last")}).error().code, "type.attribute");
}

TEST(MakeCall, MarksTheTypeAsInferred) {
  const Result<ExprPtr> call = make_call(op("relax.add"), {tensor_var({2, 1}), tensor_var({3})}, {});
  ASSERT_TRUE(call.ok()) << call.error().message;
  EXPECT_TRUE((*call)->inferred);
  EXPECT_TRUE(equal((*call)->type, tensor_type({2, 3}, DType::float32)));
}

}  // namespace
}  // namespace passdiff
