// vision.get_valid_counts, vision.non_max_suppression and the latter for all classes: which boxes are left,
// and in which order; vision.multibox_transform_loc.
#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;
using Given = std::vector<std::pair<std::string_view, AttrValue>>;

constexpr std::string_view kCounts = "relax.vision.get_valid_counts";
constexpr std::string_view kNms = "relax.vision.non_max_suppression";
constexpr std::string_view kAllClasses = "relax.vision.all_class_non_max_suppression";

// Rows of a class, a score and two corners. The overlaps (intersection over union) of the first two and of
// the second and the third are a half, that of the first and the third is one, those with the last are 0.
const Tensor& boxes() {
  static const Tensor tensor = floats(DType::float32, {1, 4, 6}, {0, 0.5,   0, 0, 2, 2,  //
                                                                  0, 1,     0, 0, 2, 1,  //
                                                                  1, 0.75,  0, 0, 2, 2,  //
                                                                  0, 0.625, 3, 3, 4, 4});
  return tensor;
}

V box(std::size_t i) {
  const double* first = boxes().floats().data() + i * 6;
  return {first, first + 6};
}
V rows(std::initializer_list<V> parts) {
  V all;
  for (const V& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}
const V kNone(6, -1);

Value suppressed(const Given& given, std::int64_t valid = 4) {
  const Value indices = tensor_value(ints(DType::int32, {1, 4}, {10, 11, 12, 13}));
  const Value count = tensor_value(ints(DType::int32, {1}, {valid}));
  const Attrs attrs = attrs_with(kNms, given);
  return evaluated(kNms, {tensor_value(boxes()), count, indices}, DType::float32, attrs).value;
}
V left(const Given& given, std::int64_t valid = 4) {
  const Value result = suppressed(given, valid);
  const std::vector<Value>& fields = result.tuple().fields;
  V all = elements(fields.at(0));
  all.push_back(elements(fields.at(1)).at(0));
  return all;
}

TEST(ValidCounts, KeepsBoxesAboveTheThresholdThatHaveAClass) {
  const Tensor data = floats(DType::float32, {1, 3, 3}, {0, 0.1, 7, -1, 0.9, 8, 2, 0.8, 9});
  const auto of = [&](std::int64_t id_index) {
    const Attrs attrs = attrs_with(kCounts, {{"score_threshold", 0.1}, {"id_index", id_index}});
    return evaluated(kCounts, {tensor_value(data)}, DType::float32, attrs).value.tuple().fields;
  };
  const std::vector<Value> classed = of(0);
  EXPECT_EQ(elements(classed[0]), V{1});
  EXPECT_EQ(classed[1].tensor().floats().data()[2], 9);
  EXPECT_EQ(elements(classed[2]), (V{2, -1, -1}));
  const std::vector<Value> all = of(-1);
  EXPECT_EQ(elements(all[0]), V{2});
  EXPECT_EQ(elements(all[2]), (V{1, 2, -1}));
  EXPECT_EQ(all[1].tensor().floats().data()[8], -1);
}

TEST(ValidCounts, NeedsAScoreInEachBox) {
  const Type type = tensor_type({2, 3, 6}, DType::float16, 1);
  const Result<Type> result = inferred(kCounts, {type}, default_attrs(*find_op(kCounts)));
  EXPECT_TRUE(equal(
      *result, tuple_type({tensor_type({2}, DType::int32, 1), type, tensor_type({2, 3}, DType::int32, 1)})));
  const Attrs beyond = attrs_with(kCounts, {{"score_index", std::int64_t{6}}});
  EXPECT_EQ(error_code(inferred(kCounts, {type}, beyond)), "type.nms");
  EXPECT_EQ(error_code(inferred(kCounts, {tensor_type({2, 6}, DType::float32)}, beyond)), "type.nms");
}

TEST(Nms, DropsWhatOverlapsABetterBoxOfItsClass) {
  EXPECT_EQ(left({}), (V{11, 12, 13, -1, 3}));
  EXPECT_EQ(left({{"iou_threshold", 0.51}}), (V{11, 12, 13, 10, 4}));
}

TEST(Nms, AcrossClassesIfForcedOrIfThereAreNone) {
  EXPECT_EQ(left({{"force_suppress", true}}), (V{11, 13, -1, -1, 2}));
  EXPECT_EQ(left({{"id_index", std::int64_t{-1}}}), (V{11, 13, -1, -1, 2}));
  EXPECT_EQ(left({{"iou_threshold", 0.51}, {"force_suppress", true}}), (V{11, 12, 13, -1, 3}));
}

TEST(Nms, LooksAtTheBestAndReturnsTheFirst) {
  EXPECT_EQ(left({{"top_k", std::int64_t{2}}}), (V{11, 12, -1, -1, 2}));
  EXPECT_EQ(left({{"max_output_size", std::int64_t{1}}}), (V{11, -1, -1, -1, 1}));
  EXPECT_EQ(left({}, 2), (V{11, -1, -1, -1, 1}));
  EXPECT_EQ(left({}, 0), (V{-1, -1, -1, -1, 0}));
}

TEST(Nms, ReturnsBoxesWithWhatIsDroppedInItsPlaceOrBehind) {
  Given given{{"force_suppress", true}, {"return_indices", false}};
  EXPECT_EQ(elements(suppressed(given)), rows({box(1), kNone, box(3), kNone}));
  given.emplace_back("invalid_to_bottom", true);
  EXPECT_EQ(elements(suppressed(given)), rows({box(1), box(3), kNone, kNone}));
}

TEST(Nms, SoftlyLowersScoresAndTakesTheBestThatIsLeft) {
  const Value result = suppressed(
      {{"iou_threshold", 0.75}, {"force_suppress", true}, {"soft_nms_sigma", 0.5}, {"score_threshold", 0.2}});
  const std::vector<Value>& fields = result.tuple().fields;
  // The third box falls below the last; the first overlaps it wholly and is dropped.
  const V out = elements(fields.at(0));
  EXPECT_EQ(V(out.begin(), out.begin() + 12), rows({box(1), box(3)}));
  EXPECT_NEAR(out[13], 0.75 * std::exp(-0.25), 1e-6);
  EXPECT_EQ(V(out.begin() + 18, out.end()), kNone);
  EXPECT_EQ(elements(fields.at(1)), (V{11, 13, 12, -1}));
  EXPECT_EQ(elements(fields.at(2)), V{3});
}

TEST(Nms, InfersWhatItReturns) {
  const Type data = tensor_type({2, 4, 6}, DType::float32);
  const Type counts = tensor_type({2}, DType::int32);
  const Type indices = tensor_type({2, 4}, DType::int32);
  const auto of = [&](const Given& given, const Type& with = tensor_type({2, 4}, DType::int32)) {
    return inferred(kNms, {data, counts, with}, attrs_with(kNms, given));
  };
  const Type number = tensor_type({2, 1}, DType::int32);
  EXPECT_TRUE(equal(*of({}), tuple_type({indices, number})));
  EXPECT_TRUE(equal(*of({{"soft_nms_sigma", 0.5}}), tuple_type({data, indices, number})));
  EXPECT_TRUE(equal(*of({{"return_indices", false}}), data));
  EXPECT_EQ(error_code(of({{"coord_start", std::int64_t{3}}})), "type.nms");
  EXPECT_EQ(error_code(of({}, tensor_type({2, 5}, DType::int32))), "type.nms");
  EXPECT_EQ(error_code(of({}, tensor_type({2, 4}, DType::int64))), "type.dtype");
}

// The boxes of the tests above, and scores of two classes, of which the second likes the last box most.
std::vector<Value> of_all_classes(std::int64_t most, double iou, double least, const char* format) {
  const Tensor corners = floats(DType::float32, {1, 4, 4}, {0, 0, 2, 2, 2, 1, 0, 0, 0, 0, 2, 2, 3, 3, 4, 4});
  const Tensor scores = floats(DType::float32, {1, 2, 4}, {0.5, 1, 0.75, 0.625, 0.25, 0.125, -0.5, 0.875});
  const std::vector<Value> args{
      tensor_value(corners), tensor_value(scores), tensor_value(ints(DType::int64, {}, {most})),
      tensor_value(floats(DType::float32, {}, {iou})), tensor_value(floats(DType::float32, {1}, {least}))};
  const Attrs attrs = attrs_with(kAllClasses, {{"output_format", std::string(format)}});
  return evaluated(kAllClasses, args, DType::int64, attrs).value.tuple().fields;
}

TEST(AllClassNms, SelectsInEachClassBestFirst) {
  const std::vector<Value> fields = of_all_classes(4, 0.5, 0, "tensorflow");
  EXPECT_EQ(elements(fields[0]), (V{0, 1, 0, 3, 1, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(elements(fields[1]), (V{1, 0.625, 0.875, 0.25, 0, 0, 0, 0}));
  EXPECT_EQ(elements(fields[2]), V{4});
  EXPECT_EQ(fields[0].tensor().shape(), (Dims{1, 8, 2}));
}

TEST(AllClassNms, TakesAsManyAsAskedForAboveTheThreshold) {
  EXPECT_EQ(elements(of_all_classes(1, 0.5, 0, "tensorflow")[1]), (V{1, 0.875, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(elements(of_all_classes(4, 0.5, 0.625, "tensorflow")[2]), V{2});
  // A box of a score below 0 is dropped by none.
  EXPECT_EQ(elements(of_all_classes(4, 0.5, -1, "tensorflow")[2]), V{5});
  EXPECT_EQ(elements(of_all_classes(4, 0, 0, "tensorflow")[2]), V{0});
}

TEST(AllClassNms, CountsOverAllBatchesForOnnx) {
  const std::vector<Value> fields = of_all_classes(1, 0.5, 0, "onnx");
  V rows(24, 0);
  rows[2] = 1;
  rows[4] = 1;
  rows[5] = 3;
  EXPECT_EQ(elements(fields[0]), rows);
  EXPECT_EQ(elements(fields[1]), V{2});
}

TEST(AllClassNms, HasRoomForAllBoxes) {
  const Type scalar = tensor_type(Shape(), DType::float32);
  const auto of = [&](const Type& boxes, const char* format) {
    return inferred(kAllClasses, {boxes, tensor_type({2, 3, 5}, DType::float32), scalar, scalar, scalar},
                    attrs_with(kAllClasses, {{"output_format", std::string(format)}}));
  };
  const Type boxes = tensor_type({2, 5, 4}, DType::float32);
  EXPECT_TRUE(equal(*of(boxes, "onnx"),
                    tuple_type({tensor_type({30, 3}, DType::int64), tensor_type({1}, DType::int64)})));
  EXPECT_TRUE(equal(*of(boxes, "tensorflow"),
                    tuple_type({tensor_type({2, 15, 2}, DType::int64), tensor_type({2, 15}, DType::float32),
                                tensor_type({2}, DType::int64)})));
  EXPECT_EQ(error_code(of(tensor_type_of_rank(3, DType::float32), "onnx")), "type.nms");
}

// Scores of no class at all leave nothing to score, but the boxes.
TEST(Multibox, DecodesBoxesThatHaveNoClasses) {
  constexpr std::string_view kMultibox = "relax.vision.multibox_transform_loc";
  const Value scores = tensor_value(floats(DType::float32, {1, 0, 2}, {}));
  const Value offsets = tensor_value(floats(DType::float32, {1, 8}, V(8, 0)));
  const Value anchors = tensor_value(floats(DType::float32, {1, 2, 4}, {0, 0, 0.5, 0.5, 0.25, 0.25, 0.5, 0.5}));
  const Value result = evaluated(kMultibox, {scores, offsets, anchors}, DType::float32, attrs_with(kMultibox, {})).value;
  EXPECT_EQ(elements(result.tuple().fields.at(0)), (V{0, 0, 0.5, 0.5, 0.25, 0.25, 0.5, 0.5}));
  EXPECT_EQ(result.tuple().fields.at(1).tensor().shape(), (Dims{1, 0, 2}));
}

}  // namespace
}  // namespace passdiff
