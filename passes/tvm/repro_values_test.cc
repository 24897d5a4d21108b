// How the values of a case are written into a repro.
#include "passes/tvm/repro_values.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/ops/test_values.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

Value vector(const std::vector<double>& values) {
  return make_tensor(floats(DType::float32, {static_cast<std::int64_t>(values.size())}, values));
}

TEST(ReproValues, AreShortExpressions) {
  const auto array = [](DType dtype, const std::vector<std::int64_t>& shape,
                        const std::vector<double>& values) {
    return numpy_array(floats(dtype, shape, values));
  };
  EXPECT_EQ(array(DType::float32, {2, 3}, {0, 0, 0, 0, 0, 0}), "np.zeros((2, 3), \"float32\")");
  EXPECT_EQ(array(DType::float32, {0, 3}, {}), "np.zeros((0, 3), \"float32\")");
  EXPECT_EQ(array(DType::float16, {2}, {1.5, 1.5}), "np.full((2,), 1.5, \"float16\")");
  EXPECT_EQ(array(DType::float64, {}, {0.1}), "np.array(0.1, \"float64\")");
  EXPECT_EQ(array(DType::float32, {2, 2}, {0.1F, -0.0, std::nan(""), -HUGE_VAL}),
            "np.array([[0.1, -0.0], [np.nan, -np.inf]], \"float32\")");
  Tensor counting = zeros(DType::int64, std::vector<std::int64_t>{2, 2});
  std::get<Tensor::Ints>(counting.values) = Tensor::Ints{{0, 1}, {2, 3}};
  EXPECT_EQ(numpy_array(counting), "np.arange(4, dtype=\"int64\").reshape(2, 2)");
  EXPECT_EQ(machine_value(TupleValue{
                {ShapeValue{{2, 3}}, ScalarValue{DType::int64, std::int64_t{3}}, std::string("a")}}),
            "(tvm_ffi.Shape((2, 3)), 3, \"a\")");
}

TEST(ReproValues, OfElementsOfLessThanAByteAreViewsOfTheirBytes) {
  const std::int64_t shape[] = {3};
  const Value packed = make_tensor(*from_bytes(DType::int4, shape, std::vector<std::uint8_t>{0xE1, 0x07}));
  EXPECT_EQ(machine_value(packed), "tvm.runtime.tensor(np.array([225, 7], \"uint8\"))._create_view((3,), \"int4\")");
  EXPECT_EQ(bind_arguments({packed}),
            PythonLines{"args = [tvm.runtime.tensor(np.array([225, 7], \"uint8\"))._create_view((3,), \"int4\")]"});
  EXPECT_FALSE(needs_ml_dtypes(packed));
  EXPECT_TRUE(needs_ml_dtypes(make_tensor(floats(DType::float8_e8m0fnu, {1}, {2}))));
}

TEST(ReproValues, AreListedOnSeveralLinesIfTheyAreLong) {
  EXPECT_EQ(bind_arguments({}), PythonLines{"args = []"});
  EXPECT_EQ(bind_arguments({vector({1})}),
            PythonLines{"args = [tvm.runtime.tensor(np.array([1.0], \"float32\"))]"});
  const PythonLines lines = bind_arguments(
      {vector({0, 0}), vector(std::vector<double>{0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.125, 1.25,
                                                  1.375, 1.5, 1.625, 1.75, 1.875, 2.125, 2.25})});
  EXPECT_EQ(lines.at(0), R"py(values = [
    np.zeros((2,), "float32"),
    np.array([
        0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875,
        2.125, 2.25
    ], "float32"),
])py");
  EXPECT_EQ(lines.at(1), "args = [tvm.runtime.tensor(value) for value in values]");
}

}  // namespace
}  // namespace passdiff
