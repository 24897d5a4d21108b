// What is read from the messages of compilers and of our own checkers.
#include "oracle/messages.h"

#include <gtest/gtest.h>

namespace passdiff {
namespace {

constexpr const char* kRefusal = "InferType of a call: argument 0: expected R.Tensor((2, 3), dtype=\"float32\"), given ";

TEST(Messages, ARefusedArgumentDiffersInWhatItsTypeLacks) {
  const auto difference = [](const std::string& given) { return argument_difference(kRefusal + given); };
  EXPECT_EQ(difference("R.Tensor((2, 4), dtype=\"float32\")"), TypeDifference::shape);
  EXPECT_EQ(difference("R.Tensor((2, 3), dtype=\"float16\")"), TypeDifference::dtype);
  EXPECT_EQ(difference("R.Tensor((2, 3), dtype=\"float32\", vdevice=\"cuda\")"), TypeDifference::device);
  EXPECT_EQ(difference("R.Shape([2, 3])"), TypeDifference::kind);
  EXPECT_EQ(argument_difference("Check failed: (n == 2) is false"), TypeDifference::unknown);
}

TEST(Messages, AnArgumentOfUnknownRankIsToldFromOneOfAnother) {
  const auto refuses = [](const std::string& given) { return refuses_unknown_rank(kRefusal + given); };
  EXPECT_TRUE(refuses("R.Tensor(dtype=\"float32\")"));
  EXPECT_TRUE(refuses("R.Tensor(dtype=\"uint8\") in main"));
  EXPECT_TRUE(refuses("R.Tensor()"));
  EXPECT_FALSE(refuses("R.Tensor(dtype=\"float32\", ndim=2)"));
  EXPECT_FALSE(refuses("R.Tensor((2, 4), dtype=\"float32\")"));
  EXPECT_FALSE(refuses("R.Tuple(R.Tensor(dtype=\"float32\"))"));
  EXPECT_FALSE(refuses_unknown_rank("TypeError"));
  const auto in_tuples = [](const std::string& given) {
    return refuses_unknown_rank("expected T.Tuple(R.Tensor((), dtype=\"float32\"), R.Tensor((T.int64(1),), dtype=\"int8\")), given " + given);
  };
  EXPECT_TRUE(in_tuples("T.Tuple(R.Tensor(dtype=\"float32\"), R.Tensor(dtype=\"int8\", ndim=1))"));
  EXPECT_FALSE(in_tuples("T.Tuple(R.Tensor(dtype=\"float32\", ndim=0), R.Tensor(dtype=\"int8\", ndim=1)) for R.Tensor()"));
}

TEST(Messages, TypesOfACheckersDetailDifferInShapeOrDtype) {
  EXPECT_EQ(type_difference("main: lv is declared float32[2] and bound to float32[3]"), TypeDifference::shape);
  EXPECT_EQ(type_difference("target: return: float32[1] is no float16[1]"), TypeDifference::dtype);
  EXPECT_EQ(type_difference("Expression of type float32[2] cannot be assigned to a variable of type float32[3]"), TypeDifference::shape);
  EXPECT_EQ(type_difference("Expression of type R.Tensor((T.max(n, 0), 1)) cannot be assigned to a variable of type R.Tensor((n, 1))"), TypeDifference::sign);
  EXPECT_EQ(type_difference("main: lv is declared float32[n - m] and bound to float32[max(n - (m), 0)]"), TypeDifference::shape);
  EXPECT_EQ(type_difference("main: lv is declared float32[n - m, 2] and bound to float32[max(n - m, 0), 2]"), TypeDifference::sign);
  EXPECT_EQ(type_difference("main: lv is declared float32[n] and bound to float32[max(n, 1)]"), TypeDifference::shape);
  EXPECT_EQ(type_difference("main: x is used outside of its block"), TypeDifference::unknown);
}

TEST(Messages, TheTableOfAFailedLookUpIsNamed) {
  EXPECT_EQ(table_without_entry("Check failed: (memo_.count(expr)) is false: "), "memo_");
  EXPECT_EQ(table_without_entry("Check failed: (memo_ != nullptr) is false"), "");
}

}  // namespace
}  // namespace passdiff
