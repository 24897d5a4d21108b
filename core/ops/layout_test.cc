#include <gtest/gtest.h>

#include "core/ops/literal.h"
#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;
using Ints = std::vector<std::int64_t>;

Value moved(std::string_view op, std::vector<Value> args, const Attrs& attrs = {}) {
  return evaluated(op, std::move(args), DType::float32, attrs).value;
}
Result<Type> with_target(std::string_view op, Type data, Shape target) {
  const std::vector<ExprPtr> args{var_expr(make_var("x", std::move(data))), make_shape(std::move(target))};
  return infer_call(*find_op(op), args, {});
}

TEST(PermuteDims, ReversesWithoutAxes) {
  const Value x = moved("relax.permute_dims", {counted({1, 2, 3})}, {AttrValue()});
  EXPECT_EQ(x.tensor().shape(), (Dims{3, 2, 1}));
  EXPECT_EQ(elements(x), (V{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(elements(moved("relax.permute_dims", {counted({1, 2, 3})}, {Ints{-1, 0, 1}})),
            (V{0, 3, 1, 4, 2, 5}));
}

TEST(PermuteDims, NeedsAsManyAxesAsTheRank) {
  EXPECT_EQ(error_code(inferred("relax.permute_dims", {f32({2, 3})}, {Ints{0}})), "type.rank");
  EXPECT_EQ(error_code(inferred("relax.permute_dims", {f32({2, 3})}, {Ints{0, -2}})), "type.repeated-axis");
  const Type unknown = tensor_type_of_rank(kUnknownRank, DType::float32);
  EXPECT_EQ(error_code(inferred("relax.permute_dims", {unknown}, {Ints{1, 0}})), "type.rank");
  EXPECT_TRUE(equal(*inferred("relax.permute_dims", {unknown}, {AttrValue()}), unknown));
}

TEST(ExpandDims, CountsAxesInTheResult) {
  EXPECT_TRUE(equal(*inferred("relax.expand_dims", {f32({2, 3})}, {Ints{-1, 0}}), f32({1, 2, 3, 1})));
  EXPECT_EQ(moved("relax.expand_dims", {counted({2, 3})}, {Ints{-1, 0}}).tensor().shape(),
            (Dims{1, 2, 3, 1}));
  EXPECT_EQ(error_code(inferred("relax.expand_dims", {f32({2, 3})}, {Ints{0, -4}})), "type.repeated-axis");
}

TEST(Squeeze, KeepsAnAxisThatIsNotOneAndDropsASymbolicOne) {
  const SymVar n = make_sym_var("n");
  EXPECT_TRUE(equal(*inferred("relax.squeeze", {f32({1, 2, 1})}, {Ints{0, 1}}), f32({2, 1})));
  EXPECT_TRUE(equal(*inferred("relax.squeeze", {f32({n, 3})}, {Ints{0}}), f32({3})));
  EXPECT_TRUE(equal(*inferred("relax.squeeze", {f32({n, 3})}, {AttrValue()}),
                    tensor_type_of_rank(kUnknownRank, DType::float32)));
  EXPECT_EQ(moved("relax.squeeze", {counted({1, 2, 1})}, {AttrValue()}).tensor().shape(), Dims{2});
}

TEST(Flip, ReversesOneAxis) {
  EXPECT_EQ(elements(moved("relax.flip", {counted({2, 3})}, {std::int64_t{-1}})), (V{2, 1, 0, 5, 4, 3}));
  EXPECT_EQ(elements(moved("relax.flip", {counted({2, 3})}, {std::int64_t{0}})), (V{3, 4, 5, 0, 1, 2}));
  EXPECT_EQ(error_code(inferred("relax.flip", {f32({})}, {std::int64_t{0}})), "type.axis");
}

TEST(Reshape, ComparesProductsOfSymbolicSizes) {
  const SymVar n = make_sym_var("n");
  EXPECT_TRUE(equal(*with_target("relax.reshape", f32({n, 3}), {3, n}), f32({3, n})));
  EXPECT_TRUE(equal(*with_target("relax.reshape", f32({n, 3}), {Dim(n) * Dim(3)}), f32({Dim(n) * Dim(3)})));
  EXPECT_EQ(error_code(with_target("relax.reshape", f32({n, 3}), {Dim(n) * Dim(3) + Dim(1)})),
            "type.reshape");
  EXPECT_EQ(error_code(with_target("relax.reshape", f32({2, 3}), {4, 2})), "type.reshape");
  EXPECT_EQ(error_code(with_target("relax.reshape", f32({2, 3}), {-1, 2})), "type.shape");
}

TEST(Reshape, ThatDoesNotFitAtRunTimeIsReported) {
  const Evaluated x = evaluated("relax.reshape", {counted({2, 3}), ShapeValue{{4}}}, DType::float32);
  EXPECT_EQ(x.undefined, std::vector{UndefinedRule::index_out_of_bounds});
  const Evaluated huge =
      evaluated("relax.reshape", {counted({2}), ShapeValue{{1LL << 40, 1LL << 40}}}, DType::float32);
  EXPECT_EQ(huge.undefined, std::vector{UndefinedRule::index_out_of_bounds});
}

TEST(BroadcastTo, RepeatsAxesOfSizeOne) {
  const Value x = moved("relax.broadcast_to", {counted({2, 1}), ShapeValue{{2, 2, 2}}});
  EXPECT_EQ(elements(x), (V{0, 0, 1, 1, 0, 0, 1, 1}));
  EXPECT_EQ(moved("relax.broadcast_to", {counted({1, 3}), ShapeValue{{0, 3}}}).tensor().size(), 0u);
}

TEST(BroadcastTo, TrustsWhatIsNotRefuted) {
  const SymVar n = make_sym_var("n");
  const SymVar m = make_sym_var("m");
  EXPECT_TRUE(equal(*with_target("relax.broadcast_to", f32({n, 3}), {m, 3}), f32({m, 3})));
  EXPECT_EQ(error_code(with_target("relax.broadcast_to", f32({n}), {Dim(n) + Dim(1)})), "type.broadcast");
  EXPECT_EQ(error_code(with_target("relax.broadcast_to", f32({1, 3}), {3})), "type.rank");
  // The sizes of a variable are not looked through.
  EXPECT_TRUE(equal(*inferred("relax.broadcast_to", {f32({3}), shape_type({2, 3})}),
                    tensor_type_of_rank(2, DType::float32)));
}

}  // namespace
}  // namespace passdiff
