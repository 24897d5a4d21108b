#include <gtest/gtest.h>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;
using Ints = std::vector<std::int64_t>;
constexpr std::int64_t kFirst = 0;
constexpr std::int64_t kLast = -1;

Value joined(std::string_view op, std::vector<Value> tensors, std::int64_t axis) {
  return evaluated(op, {TupleValue{std::move(tensors)}}, DType::float32, {axis}).value;
}
std::vector<Dims> shapes_of(const Value& tuple) {
  std::vector<Dims> shapes;
  for (const Value& field : tuple.tuple().fields) shapes.push_back(field.tensor().shape());
  return shapes;
}
Value split(const Value& x, const AttrValue& how, std::int64_t axis = 0) {
  return evaluated("relax.split", {x}, DType::float32, {how, axis}).value;
}

TEST(Concat, JoinsAlongAnAxisFromTheEnd) {
  const Value x = joined("relax.concat", {counted({2, 2}), counted({2, 1})}, kLast);
  EXPECT_EQ(elements(x), (V{0, 1, 0, 2, 3, 1}));
  EXPECT_EQ(elements(joined("relax.concat", {counted({2}), counted({0}), counted({1})}, kFirst)),
            (V{0, 1, 0}));
}

TEST(Concat, AddsSymbolicSizesAndGivesUpOnTheOthers) {
  const SymVar n = make_sym_var("n");
  const SymVar m = make_sym_var("m");
  const auto type = [](std::vector<Type> types, std::int64_t axis) {
    return inferred("relax.concat", {tuple_type(std::move(types))}, {axis});
  };
  EXPECT_TRUE(equal(*type({f32({n, 3}), f32({m, 3})}, 0), f32({Dim(n) + Dim(m), 3})));
  EXPECT_TRUE(equal(*type({f32({n, 3}), f32({m, 3})}, 1), tensor_type_of_rank(2, DType::float32)));
  EXPECT_EQ(error_code(type({f32({2, 3}), f32({1, 3})}, 1)), "type.shape");
  EXPECT_EQ(error_code(type({f32({2}), tensor_type({2}, DType::int32)}, 0)), "type.dtype");
  EXPECT_EQ(error_code(type({f32({2}), f32({2, 2})}, 0)), "type.rank");
  EXPECT_EQ(error_code(type({}, 0)), "type.arity");
}

TEST(Concat, ThatDoesNotFitAtRunTimeIsReported) {
  const Evaluated x =
      evaluated("relax.concat", {TupleValue{{counted({2, 2}), counted({1, 3})}}}, DType::float32, {kLast});
  EXPECT_EQ(x.undefined, std::vector{UndefinedRule::index_out_of_bounds});
}

TEST(Stack, InsertsAnAxis) {
  EXPECT_EQ(elements(joined("relax.stack", {counted({2}), counted({2})}, kLast)), (V{0, 0, 1, 1}));
  EXPECT_EQ(joined("relax.stack", {counted({2, 3})}, 1).tensor().shape(), (Dims{2, 1, 3}));
  const Type unknown = tensor_type_of_rank(kUnknownRank, DType::float32);
  EXPECT_EQ(error_code(inferred("relax.stack", {tuple_type({unknown})}, {kFirst})), "type.axis");
  EXPECT_TRUE(equal(*inferred("relax.stack", {tuple_type({f32({2}), f32({2})})}, {kLast}), f32({2, 2})));
}

TEST(Split, RoundsSectionsUpAndLeavesTheRestToTheLast) {
  EXPECT_EQ(shapes_of(split(counted({7}), std::int64_t{3})), (std::vector<Dims>{{3}, {3}, {1}}));
  EXPECT_EQ(elements(split(counted({2, 4}), std::int64_t{2}, -1).tuple().fields[1]), (V{2, 3, 6, 7}));
  EXPECT_EQ(error_code(inferred("relax.split", {f32({7})}, {std::int64_t{5}, kFirst})), "type.split");
}

TEST(Split, AtIndicesTakesWhatLiesBetween) {
  const Value x = split(counted({7}), Ints{2, 5});
  EXPECT_EQ(elements(x.tuple().fields[1]), (V{2, 3, 4}));
  EXPECT_EQ(shapes_of(split(counted({7}), Ints{5, 2, 9})), (std::vector<Dims>{{5}, {0}, {5}, {0}}));
}

TEST(Split, IntoOnePieceIsNoTuple) {
  EXPECT_TRUE(equal(*inferred("relax.split", {f32({7})}, {std::int64_t{1}, kFirst}), f32({7})));
  EXPECT_TRUE(equal(*inferred("relax.split", {f32({7})}, {Ints{}, kFirst}), f32({7})));
  EXPECT_EQ(elements(split(counted({2}), Ints{})), (V{0, 1}));
}

TEST(Tile, PadsWhicheverIsShorter) {
  const auto tile = [](const Value& x, const Ints& repeats) {
    return evaluated("relax.tile", {x}, DType::float32, {repeats}).value;
  };
  EXPECT_EQ(elements(tile(counted({2, 2}), {2})), (V{0, 1, 0, 1, 2, 3, 2, 3}));
  EXPECT_EQ(tile(counted({1, 2}), {1, 2, 2}).tensor().shape(), (Dims{1, 2, 4}));
  EXPECT_EQ(tile(counted({}), {2, 2}).tensor().shape(), (Dims{2, 2}));
  const SymVar n = make_sym_var("n");
  EXPECT_TRUE(equal(*inferred("relax.tile", {f32({n, 3})}, {Ints{2, 1, 1}}), f32({2, n, 3})));
}

TEST(Repeat, FlattensWithoutAnAxis) {
  const auto repeat = [](const AttrValue& axis) {
    return evaluated("relax.repeat", {counted({2, 2})}, DType::float32, {std::int64_t{2}, axis}).value;
  };
  EXPECT_EQ(elements(repeat(AttrValue())), (V{0, 0, 1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(elements(repeat(kFirst)), (V{0, 1, 0, 1, 2, 3, 2, 3}));
  EXPECT_EQ(elements(repeat(kLast)), (V{0, 0, 1, 1, 2, 2, 3, 3}));
  const SymVar n = make_sym_var("n");
  EXPECT_TRUE(equal(*inferred("relax.repeat", {f32({n, 3})}, {std::int64_t{2}, AttrValue()}),
                    f32({Dim(n) * Dim(6)})));
}

}  // namespace
}  // namespace passdiff
