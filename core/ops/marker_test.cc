// Ops that TVM does not compile, or that only tell passes something.
#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;

TEST(Checkpoint, IsItsOperandWhateverThatIs) {
  const Type tuple = tuple_type({tensor_type({2}, DType::float32), tensor_type({}, DType::boolean, 1)});
  for (const char* op : {"relax.grad.no_grad", "relax.grad.start_checkpoint", "relax.grad.end_checkpoint"}) {
    EXPECT_TRUE(equal(*inferred(op, {tuple}), tuple)) << op;
  }
}

TEST(WrapParam, IsAParameterInAnotherDtype) {
  const Attrs attrs{DType::float16};
  EXPECT_TRUE(equal(*inferred("relax.wrap_param", {tensor_type({2}, DType::float32, 1)}, attrs),
                    tensor_type({2}, DType::float16, 1)));
  const Value x = tensor_value(floats(DType::float32, {2}, {0.1f, 70000}));
  EXPECT_EQ(elements(evaluated("relax.wrap_param", {x}, DType::float16, attrs).value),
            (V{0.0999755859375, INFINITY}));
}

TEST(EwiseFma, RoundsOnceAndBroadcastsNothing) {
  const auto of = [](double v) { return tensor_value(floats(DType::float16, {1}, {v})); };
  // 1.0009765625 squared is 1 + 2 * 2^-10 + 2^-20; the last term is lost if the product is rounded.
  const double a = 1 + 0x1p-10;
  EXPECT_EQ(elements(evaluated("relax.ewise_fma", {of(a), of(a), of(-1 - 0x1p-9)}, DType::float16).value),
            (V{0x1p-20}));
  const Type f = tensor_type({2}, DType::float32);
  EXPECT_EQ(error_code(inferred("relax.ewise_fma", {f, f, tensor_type({1}, DType::float32)})), "type.shape");
  EXPECT_EQ(error_code(inferred("relax.ewise_fma", {f, f, tensor_type({2}, DType::float64)})), "type.dtype");
  EXPECT_EQ(error_code(inferred("relax.ewise_fma", {f, f, tensor_type({}, DType::float32)})), "type.rank");
}

TEST(Outer, HasTheFirstDtypeAndNoVdevice) {
  const Type type =
      *inferred("relax.outer", {tensor_type({2}, DType::float32, 1), tensor_type({3}, DType::int32)});
  EXPECT_TRUE(equal(type, tensor_type({2, 3}, DType::float32)));
  EXPECT_EQ(error_code(inferred("relax.outer", {tensor_type_of_rank(kUnknownRank, DType::int8),
                                                tensor_type({3}, DType::int8)})),
            "type.rank");
  EXPECT_EQ(of_ints("relax.outer", DType::int32, {1 << 20}, {1 << 20}).undefined,
            std::vector<UndefinedRule>{UndefinedRule::signed_overflow});
}

}  // namespace
}  // namespace passdiff
