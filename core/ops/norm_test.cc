#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;
using Ints = std::vector<std::int64_t>;


TEST(LayerNorm, ScalesAndShiftsWhatItNormalised) {
  const Attrs attrs = attrs_with("relax.nn.layer_norm", {{"axes", Ints{-1}}, {"epsilon", 0.0}});
  const Value x = row({1, 3}, {1, 2});
  EXPECT_EQ(
      elements(evaluated("relax.nn.layer_norm", {x, row({10, 2}), row({0, 1})}, DType::float32, attrs).value),
      (V{-10, 3}));
}

TEST(RmsNorm, SubtractsNoMean) {
  const Attrs attrs = attrs_with("relax.nn.rms_norm", {{"epsilon", 0.0}});
  EXPECT_EQ(
      elements(
          evaluated("relax.nn.rms_norm", {row({2, 2}, {1, 2}), row({3, 5})}, DType::float32, attrs).value),
      (V{3, 5}));
}

TEST(GroupNorm, NormalisesGroupsOfChannels) {
  const Attrs attrs = attrs_with("relax.nn.group_norm", {{"num_groups", std::int64_t{2}},
                                                         {"channel_axis", std::int64_t{1}},
                                                         {"axes", Ints{2}},
                                                         {"epsilon", 0.0}});
  const Value x = row({1, 3, 10, 30}, {1, 4, 1});
  const Value ones = row({1, 1, 1, 1});
  EXPECT_EQ(elements(evaluated("relax.nn.group_norm", {x, ones, ones}, DType::float32, attrs).value),
            (V{0, 2, 0, 2}));
}

TEST(BatchNorm, MovesTheAveragesInTrainingOnly) {
  const auto averages = [](bool training) {
    const Attrs attrs = attrs_with("relax.nn.batch_norm",
                                   {{"axis", std::int64_t{1}}, {"momentum", 0.5}, {"training", training}});
    const std::vector<Value> args{row({1, 3}, {2, 1}), row({1}), row({0}), row({4}), row({3})};
    const TupleValue tuple = evaluated("relax.nn.batch_norm", args, DType::float32, attrs).value.tuple();
    return V{elements(tuple.fields[1])[0], elements(tuple.fields[2])[0]};
  };
  EXPECT_EQ(averages(true), (V{3, 2}));
  EXPECT_EQ(averages(false), (V{4, 3}));
}

TEST(Pad, ShowsTheOperandAgainBeyondItsEnds) {
  const auto padded = [](const char* mode) {
    const Attrs attrs =
        attrs_with("relax.nn.pad", {{"pad_width", Ints{2, 1}}, {"pad_mode", std::string(mode)}});
    return elements(evaluated("relax.nn.pad", {row({1, 2, 3})}, DType::float32, attrs).value);
  };
  EXPECT_EQ(padded("constant"), (V{0, 0, 1, 2, 3, 0}));
  EXPECT_EQ(padded("reflect"), (V{3, 2, 1, 2, 3, 2}));
  EXPECT_EQ(padded("replicate"), (V{1, 1, 1, 2, 3, 3}));
  EXPECT_EQ(padded("circular"), (V{2, 3, 1, 2, 3, 1}));
}

TEST(PixelShuffle, TurnsChannelsIntoPixels) {
  const Attrs attrs = attrs_with("relax.nn.pixel_shuffle", {{"upscale_factor", std::int64_t{2}}});
  const Value x = row({1, 2, 3, 4, 5, 6, 7, 8}, {4, 1, 2});
  EXPECT_EQ(elements(evaluated("relax.nn.pixel_shuffle", {x}, DType::float32, attrs).value),
            (V{1, 3, 2, 4, 5, 7, 6, 8}));
}

TEST(Attention, WeighsTheKeysThatAQuerySees) {
  const Value zeros = row({0, 0}, {1, 2, 1, 1});
  const Value values = row({2, 4}, {1, 2, 1, 1});
  const auto attended = [&](const std::vector<std::pair<std::string_view, AttrValue>>& given) {
    const Attrs attrs = attrs_with("relax.nn.attention", given);
    return elements(evaluated("relax.nn.attention", {zeros, zeros, values}, DType::float32, attrs).value);
  };
  EXPECT_EQ(attended({}), (V{3, 3}));
  EXPECT_EQ(attended({{"causal_mask", std::string("TopLeft")}}), (V{2, 3}));
  EXPECT_EQ(attended({{"window_size", std::int64_t{1}}, {"causal_mask", std::string("TopLeft")}}), (V{2, 4}));
}

}  // namespace
}  // namespace passdiff
