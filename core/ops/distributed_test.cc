#include <gtest/gtest.h>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {

Type spread(Shape shape, Sharding sharding) {
  const int rank = static_cast<int>(shape.size());
  return TensorType{std::move(shape), rank, DType::float32, std::nullopt, std::move(sharding)};
}
const Type kSplit = spread({4, 6}, {.mesh = 0, .placement = {0}});

TEST(AnnotateSharding, LeavesTypeAndValueAlone) {
  const Attrs attrs{MeshRef{1}, std::string("S[0]")};
  EXPECT_TRUE(equal(*inferred("relax.dist.annotate_sharding", {tensor_type({4}, DType::float32)}, attrs), tensor_type({4}, DType::float32)));
  EXPECT_TRUE(equal(*inferred("relax.dist.annotate_sharding", {kSplit}, attrs), kSplit));
  EXPECT_EQ(error_code(inferred("relax.dist.annotate_sharding", {tensor_type({}, DType::float32)}, attrs)), "type.attribute");
  const Value x = tensor_value(floats(DType::float32, {2}, {1, 2}));
  EXPECT_EQ(elements(evaluated("relax.dist.annotate_sharding", {x}, DType::float32, attrs).value), (std::vector<double>{1, 2}));
}

TEST(Redistribute, IsTheWholeTensorSpreadOtherwise) {
  const auto to = [](const char* placement) {
    constexpr std::string_view kOp = "relax.dist.redistribute";
    return inferred(kOp, {kSplit}, attrs_with(kOp, {{"device_mesh", MeshRef{1}}, {"placement", std::string(placement)}}));
  };
  EXPECT_TRUE(equal(*to("R,S[1]"), spread({4, 6}, {.mesh = 1, .placement = {kReplica, 1}})));
  EXPECT_EQ(error_code(to("S[1")), "type.attribute");
}

TEST(RedistributeReplicaToShard, SplitsWhatEachWorkerHasAndKeepsTheWhole) {
  const Attrs attrs{std::int64_t{2}, std::int64_t{1}};
  constexpr std::string_view kOp = "relax.dist.redistribute_replica_to_shard";
  EXPECT_TRUE(equal(*inferred(kOp, {spread({4, 6}, {.mesh = 0, .placement = {kReplica}})}, attrs), spread({4, 6}, {.mesh = 0, .placement = {1}})));
  EXPECT_TRUE(equal(*inferred(kOp, {tensor_type({4, 6}, DType::float32)}, attrs), tensor_type({4, 3}, DType::float32)));
  EXPECT_EQ(error_code(inferred(kOp, {tensor_type({4}, DType::float32)}, attrs)), "type.operand");
}

TEST(OtherOps, LeaveToDeclaredTypesHowTheirResultsAreSpread) {
  EXPECT_TRUE(equal(*inferred("relax.add", {kSplit, kSplit}), tensor_type({4, 6}, DType::float32)));
  EXPECT_TRUE(equal(*inferred("relax.exp", {kSplit}), tensor_type({4, 6}, DType::float32)));
  EXPECT_TRUE(compatible(*inferred("relax.exp", {kSplit}), kSplit));
}

TEST(Placement, IsReadAsTvmReadsIt) {
  EXPECT_EQ(placement_from_text("S[0], R"), (Placement{0, kReplica}));
  EXPECT_EQ(placement_from_text("RS[12]R"), (Placement{kReplica, 12, kReplica}));
  EXPECT_EQ(placement_from_text(""), Placement{});
  for (const char* wrong : {"Q", "S", "S[", "S[]", "S[-1]", "S[1x]"}) EXPECT_EQ(placement_from_text(wrong), std::nullopt) << wrong;
  EXPECT_EQ(to_string(Placement{kReplica, 3}), "R, S[3]");
}

}  // namespace
}  // namespace passdiff
