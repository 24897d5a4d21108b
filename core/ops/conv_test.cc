#include <gtest/gtest.h>

#include <cmath>

#include "core/ops/test_values.h"

namespace passdiff {
namespace {

using V = std::vector<double>;
using Ints = std::vector<std::int64_t>;
using Given = std::vector<std::pair<std::string_view, AttrValue>>;

V convolved(std::string_view op, const Tensor& x, const Tensor& w, const Given& given = {}) {
  return elements(evaluated(op, {tensor_value(x), tensor_value(w)}, x.dtype, attrs_with(op, given)).value);
}

Tensor line(const V& values) {
  return floats(DType::float32, {1, 1, static_cast<std::int64_t>(values.size())}, values);
}

TEST(Conv, LeavesOutAWindowThatDoesNotFit) {
  EXPECT_EQ(convolved("relax.nn.conv1d", line({1, 2, 3, 4}), line({1, 10}), {{"strides", Ints{3}}}), (V{21}));
  EXPECT_EQ(convolved("relax.nn.conv1d", line({1, 2, 3, 4}), line({1, 10}), {{"dilation", Ints{2}}}),
            (V{31, 42}));
}

TEST(Conv, MultipliesPaddingLikeAnyElement) {
  const V y = convolved("relax.nn.conv1d", line({1, 2}), line({INFINITY, 1}), {{"padding", Ints{1, 0}}});
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], INFINITY);
}

TEST(Conv, KeepsGroupsApart) {
  const Tensor x = floats(DType::float32, {1, 2, 1}, {3, 5});
  const Tensor w = floats(DType::float32, {2, 1, 1}, {10, 100});
  EXPECT_EQ(convolved("relax.nn.conv1d", x, w, {{"groups", std::int64_t{2}}}), (V{30, 500}));
}

TEST(Conv, ReadsAndWritesOtherLayouts) {
  const Tensor x = floats(DType::float32, {1, 2, 1, 2}, {1, 2, 3, 4});  // NHWC: two pixels of two channels
  const Tensor w = floats(DType::float32, {1, 2, 1, 1}, {1, 10});
  const Given layouts{{"data_layout", std::string("NHWC")}, {"out_layout", std::string("NCHW")}};
  EXPECT_EQ(convolved("relax.nn.conv2d", x, w, layouts), (V{21, 43}));
}

TEST(Conv, SumsIntegersExactlyAndWrapsOnce) {
  const Tensor x = ints(DType::int8, {1, 1, 2}, {100, 100});
  const Tensor w = ints(DType::int8, {1, 1, 2}, {2, -1});
  EXPECT_EQ(convolved("relax.nn.conv1d", x, w), V{100});
}

TEST(ConvTranspose, SpreadsTheKernelAtEachPlace) {
  const Tensor w = line({1, 10, 100});
  EXPECT_EQ(convolved("relax.nn.conv1d_transpose", line({1, 2}), w, {{"strides", Ints{2}}}),
            (V{1, 10, 102, 20, 200}));
  EXPECT_EQ(convolved("relax.nn.conv1d_transpose", line({1, 2}), w, {{"padding", Ints{1, 1}}}), (V{12, 120}));
}

TEST(ConvTranspose, MayBeCroppedToNothing) {
  EXPECT_EQ(convolved("relax.nn.conv1d_transpose", line({1}), line({1}), {{"padding", Ints{1, 0}}}), V());
}

TEST(Conv, HasTheTypeThatItsLayoutsSay) {
  const Type x = tensor_type({1, 2, 5, 5, 4}, DType::float32);
  const Type w = tensor_type({16, 8, 3, 3}, DType::float32);
  const Attrs attrs = attrs_with("relax.nn.conv2d", {{"data_layout", std::string("NCHW4c")}});
  EXPECT_EQ(to_string(*inferred("relax.nn.conv2d", {x, w}, attrs)),
            "R.Tensor((1, 4, 3, 3, 4), dtype=\"float32\")");
}

TEST(Conv, RefusesWhatDoesNotFit) {
  const Type x = tensor_type({1, 3, 5, 5}, DType::float32);
  const auto error = [&](const Type& w, const Given& given) {
    return error_code(inferred("relax.nn.conv2d", {x, w}, attrs_with("relax.nn.conv2d", given)));
  };
  EXPECT_EQ(error(tensor_type({4, 2, 3, 3}, DType::float32), {}), "type.channels");
  EXPECT_EQ(error(tensor_type({4, 1, 3, 3}, DType::float32), {{"groups", std::int64_t{3}}}), "type.channels");
  EXPECT_EQ(error(tensor_type({4, 3, 3, 3}, DType::float32), {{"strides", Ints{0}}}), "type.window");
  EXPECT_EQ(error(tensor_type({4, 3, 3, 3}, DType::float32), {{"out_layout", std::string("NCW")}}),
            "type.layout");
}

TEST(Conv, CompletesShortFormsAsTvmDoes) {
  const std::vector<ExprPtr> args{var_expr(make_var("x", tensor_type({1, 1, 5, 5}, DType::float32))),
                                  var_expr(make_var("w", tensor_type({1, 1, 3, 3}, DType::float32)))};
  const OpDef& op = *find_op("relax.nn.conv2d");
  const auto call = [&](const Ints& strides, const Ints& padding, const AttrValue& out_layout) {
    Attrs attrs = default_attrs(op);
    for (std::size_t i = 0; i < attrs.size(); ++i) {
      const std::string_view name = op.attributes()[i].name;
      if (name == "strides") attrs[i] = strides;
      if (name == "padding") attrs[i] = padding;
      if (name == "out_layout") attrs[i] = out_layout;
    }
    return *make_call(op, args, attrs);
  };
  EXPECT_EQ(as<Call>(call({2}, {1}, AttrValue()))->attrs,
            as<Call>(call({2, 2}, {1, 1, 1, 1}, std::string("NCHW")))->attrs);
  EXPECT_NE(as<Call>(call({2}, {1}, AttrValue()))->attrs, as<Call>(call({1}, {1}, AttrValue()))->attrs);
}

}  // namespace
}  // namespace passdiff
