// Tests of pipelines of native passes whose conventions change the calls.
#include <gtest/gtest.h>

#include "core/text/text.h"
#include "core/tensor/tensor.h"
#include "oracle/check.h"

namespace passdiff {
namespace {

Value floats(std::vector<std::int64_t> shape) {
  Tensor tensor = zeros(DType::float32, shape);
  auto& values = std::get<Tensor::Floats>(tensor.values);
  for (std::size_t i = 0; i < tensor.size(); ++i) values.data()[i] = static_cast<double>(i % 7) - 3;
  return make_tensor(std::move(tensor));
}

// A case that takes columns of a table, computed from a weight, at constant indices, of which one is beyond the four columns.
TestCase out_of_range(const std::string& mode) {
  const std::string text = R"(
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), z: R.Tensor((3, 4), "float32"), w: R.Tensor((3, 4), "float32")) -> R.Tensor((2, 2), "float32"):
        R.func_attr({"num_input": 2})
        with R.dataflow():
            v = R.add(w, w)
            table = R.add(z, v)
            i = R.add(R.const([1, 2], "int64"), R.const([0, 5], "int64"))
            t = R.take(table, i, axis=1, mode=")" +
                           mode + R"(")
            y = R.matmul(x, t)
            R.output(y)
        return y
)";
  return {parse_text(text).value(), "main", {floats({2, 3}), floats({3, 4}), floats({3, 4})}};
}

Verdict verdict(const std::string& mode, const Pipeline& pipeline, std::string_view fault = {}) {
  const auto subject = make_native_subject(fault);
  return check(*subject, out_of_range(mode), pipeline, {}).verdict;
}

const Pipeline kPipeline = {{"LiftTransformParams"}, {"FoldConstant"}, {"ReorderTakeAfterMatmul"}};

TEST(NativePipeline, AnIndexOutOfRangeIsTheSourcesOwn) {
  const Verdict found = verdict("fast", kPipeline);
  EXPECT_EQ(found.symptom, Symptom::undefined) << to_string(found);
  EXPECT_NE(found.detail.find("relax.take"), std::string::npos) << found.detail;
  EXPECT_NE(found.detail.find("index 7 is outside axis 1 of size 4"), std::string::npos) << found.detail;
}

TEST(NativePipeline, AClippedIndexStaysClipped) {
  const auto subject = make_native_subject();
  const Checked checked = check(*subject, out_of_range("clip"), kPipeline, {});
  EXPECT_EQ(checked.verdict.symptom, Symptom::agree) << to_string(checked.verdict);
  ASSERT_TRUE(checked.target.has_value());
  const std::string target = print(*checked.target);
  EXPECT_NE(target.find("R.const([1, 7], \"int64\"), axis=1, mode=\"clip\""), std::string::npos) << target;
  EXPECT_NE(target.find("main_transform_params"), std::string::npos) << target;
}

TEST(NativePipeline, AModeThatIsDroppedAddsUndefinedBehaviour) {
  const Verdict found = verdict("clip", kPipeline, "reorder-take-after-matmul/mode-dropped");
  EXPECT_EQ(found.symptom, Symptom::added_undefined) << to_string(found);
  EXPECT_NE(found.detail.find("index 7 is outside axis 1 of size 4"), std::string::npos) << found.detail;
}

}  // namespace
}  // namespace passdiff
