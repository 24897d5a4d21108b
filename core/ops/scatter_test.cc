#include <gtest/gtest.h>

#include "core/ops/literal.h"
#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;
using Rules = std::vector<UndefinedRule>;

Value indices(const Dims& shape, const std::vector<std::int64_t>& values) {
  return tensor_value(ints(DType::int64, shape, values));
}
Evaluated scattered_elements(const Value& at, const Value& updates, const std::string& reduction) {
  return evaluated("relax.scatter_elements", {counted({2, 3}), at, updates}, DType::float32,
                   {std::int64_t{1}, reduction});
}

TEST(ScatterElements, CombinesInOrderAndCountsFromTheEnd) {
  const Value at = indices({2, 2}, {0, 0, 2, -1});
  const auto result = [&](const std::string& reduction) {
    return elements(scattered_elements(at, counted({2, 2}, 10), reduction).value);
  };
  EXPECT_EQ(result("add"), (V{21, 1, 2, 3, 4, 30}));
  EXPECT_EQ(result("mul"), (V{0, 1, 2, 3, 4, 780}));
  EXPECT_EQ(result("max"), (V{11, 1, 2, 3, 4, 13}));
  EXPECT_EQ(result("mean"), (V{8, 1, 2, 3, 4, 10.75}));
}

TEST(ScatterElements, LeavesOpenWhichOfTwoUpdatesIsLast) {
  const Value updates = counted({1, 2}, 10);
  EXPECT_EQ(scattered_elements(indices({1, 2}, {1, 1}), updates, "update").undefined,
            Rules{UndefinedRule::repeated_index});
  EXPECT_EQ(scattered_elements(indices({1, 2}, {1, 1}), updates, "add").undefined, Rules{});
  EXPECT_EQ(scattered_elements(indices({1, 2}, {1, 0}), updates, "update").undefined, Rules{});
  EXPECT_EQ(scattered_elements(indices({1, 2}, {1, -4}), updates, "update").undefined,
            Rules{UndefinedRule::index_out_of_bounds});
}

TEST(ScatterNd, UpdatesBlocksAndCountsNothingFromTheEnd) {
  const auto scattered_nd = [](const Value& at, const Value& updates) {
    return evaluated("relax.scatter_nd", {counted({2, 3}), at, updates}, DType::float32,
                     {std::string("update")});
  };
  EXPECT_EQ(elements(scattered_nd(indices({2, 1}, {1, 0}), counted({2, 3}, 10)).value),
            (V{13, 14, 15, 10, 11, 12}));
  EXPECT_EQ(elements(scattered_nd(indices({1, 2, 2}, {1, 0, 0, 2}), counted({1, 2}, 10)).value),
            (V{0, 1, 11, 10, 4, 5}));
  EXPECT_EQ(scattered_nd(indices({1, 1}, {-1}), counted({1, 3})).undefined,
            Rules{UndefinedRule::index_out_of_bounds});
}

TEST(IndexPut, NumbersItsValuesWhateverTheirShape) {
  TupleValue at;
  at.fields = {indices({2, 1}, {1, 0}), indices({2}, {2, -2})};
  const auto put = [&](const Value& values) {
    return elements(
        evaluated("relax.index_put", {counted({2, 3}), at, values}, DType::float32, {false}).value);
  };
  EXPECT_EQ(put(counted({2, 2}, 10)), (V{0, 13, 12, 3, 11, 10}));
  EXPECT_EQ(put(counted({4}, 10)), (V{0, 13, 12, 3, 11, 10}));
}

TEST(SliceScatter, LosesWhatIsBeyondTheEnd) {
  const auto result = [](const Value& src, std::int64_t start, std::int64_t end, std::int64_t step) {
    const auto scalar = [](std::int64_t value) { return ScalarValue{DType::int64, value}; };
    return elements(evaluated("relax.slice_scatter",
                              {row({0, 1, 2, 3}), src, scalar(start), scalar(end), scalar(step)},
                              DType::float32, {std::int64_t{0}})
                        .value);
  };
  EXPECT_EQ(result(row({10, 11}), 0, 4, 2), (V{10, 1, 11, 3}));
  EXPECT_EQ(result(row({10, 11, 12}), 1, 7, 2), (V{0, 10, 2, 11}));
  EXPECT_EQ(result(row({10, 11, 12, 13}), -2, 2, 1), (V{12, 13, 2, 3}));
}

TEST(GatherNd, PicksBlocksWithinBatches) {
  const auto picked = [](const Value& at, std::int64_t batch_dims) {
    return evaluated("relax.gather_nd", {counted({2, 2, 3}), at}, DType::float32, {batch_dims});
  };
  EXPECT_EQ(elements(picked(indices({2, 2, 1}, {1, 0, 0, 1}), 1).value),
            (V{3, 4, 5, 0, 1, 2, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(elements(picked(indices({2}, {1, 0}), 0).value), (V{6, 7, 8}));
  EXPECT_EQ(picked(indices({1, 1}, {-1}), 0).undefined, Rules{UndefinedRule::index_out_of_bounds});
}

TEST(IndexTensor, BroadcastsItsIndices) {
  TupleValue at;
  at.fields = {indices({2}, {1, 0}), indices({2, 1}, {2, 1})};
  const Value x = evaluated("relax.index_tensor", {counted({2, 3, 2}), at}, DType::float32).value;
  EXPECT_EQ(elements(x), (V{10, 11, 4, 5, 8, 9, 2, 3}));
  EXPECT_EQ(x.tensor().shape(), (Dims{2, 2, 2}));
}

TEST(TakeBackward, AddsWhereElementsWereTakenFrom) {
  const auto gradient = [](const Value& grad, const Value& x, std::int64_t axis, const Value& at = indices({2}, {1, 1})) {
    return elements(evaluated("relax.grad.take_backward", {grad, x, at}, DType::float32, {axis, "fast"}).value);
  };
  EXPECT_EQ(gradient(counted({2, 2}, 1), counted({2, 3}), 1), (V{0, 3, 0, 0, 7, 0}));
  EXPECT_EQ(gradient(counted({2, 3}, 1), counted({2, 3}), 0), (V{0, 0, 0, 5, 7, 9}));
  EXPECT_EQ(gradient(counted({2}, 1), counted({2, 2}), 1, indices({}, {1})), (V{0, 1, 0, 2})) << "indices without an axis";
  EXPECT_EQ(gradient(counted({2, 1, 2}, 1), counted({2, 2}), 0, indices({2, 1}, {1, 1})), (V{0, 0, 4, 6})) << "of two axes";
}

}  // namespace
}  // namespace passdiff
