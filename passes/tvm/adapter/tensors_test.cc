#include "passes/tvm/adapter/tensors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace passdiff {
namespace {

TEST(DTypes, OfDocumentsAreThoseOfTheCompiler) {
  for (const DType dtype : all_dtypes()) {
    EXPECT_EQ(dtype_of(dl_dtype(dtype)), dtype) << dtype_name(dtype);
    EXPECT_EQ(std::string(ffi::DLDataTypeToString(dl_dtype(dtype))), dtype_name(dtype));
  }
  EXPECT_EQ(dtype_of({kDLUInt, 1, 1}), DType::boolean);  // as TVM before 0.26 has it
}

TEST(DTypes, WithoutANameAreNone) {
  EXPECT_EQ(dtype_of({kDLFloat, 32, 4}), std::nullopt);
  EXPECT_EQ(dtype_of({kDLUInt, 3, 1}), std::nullopt);
  EXPECT_EQ(dtype_of(kVoid), std::nullopt);
  EXPECT_TRUE(is_void(kVoid));
}

TEST(Tensors, HoldTheBytesOfTheirDocument) {
  const TensorDocument document{DType::float16, {2, 1}, {0x00, 0x3C, 0x00, 0xC0}};
  const Result<ffi::Tensor> tensor = tensor_of(document);
  ASSERT_TRUE(tensor.ok()) << tensor.error().message;
  EXPECT_EQ(tensor->ndim(), 2);
  EXPECT_EQ(tensor->size(0), 2);
  const Result<std::span<const std::uint8_t>> bytes = bytes_of(*tensor);
  ASSERT_TRUE(bytes.ok());
  EXPECT_TRUE(std::ranges::equal(*bytes, document.bytes));
}

TEST(Tensors, MayBeEmptyOrScalars) {
  const Result<ffi::Tensor> empty = tensor_of({DType::float64, {3, 0}, {}});
  ASSERT_TRUE(empty.ok());
  EXPECT_TRUE(bytes_of(*empty)->empty());
  const Result<ffi::Tensor> scalar = tensor_of({DType::boolean, {}, {1}});
  ASSERT_TRUE(scalar.ok());
  EXPECT_EQ((*bytes_of(*scalar))[0], 1);
}

TEST(Tensors, OfImpossibleShapesAreRefused) {
  const auto code = [](std::vector<std::int64_t> shape, std::vector<std::uint8_t> bytes) {
    const Result<ffi::Tensor> tensor = tensor_of({DType::int32, std::move(shape), std::move(bytes)});
    return tensor ? std::string("ok") : tensor.error().code;
  };
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(code({1}, {0, 0, 0, 0}), "ok");
  EXPECT_EQ(code({2}, {0, 0, 0, 0}), "tensor.bytes");
  EXPECT_EQ(code({-1}, {}), "tensor.shape");
  EXPECT_EQ(code({kHuge, kHuge}, {}), "tensor.shape");
  EXPECT_EQ(code({1 << 20, 1 << 20, 1 << 20}, {}), "tensor.shape");
}

TEST(Tensors, ThatAreNotContiguousHaveNoBytes) {
  const Result<ffi::Tensor> tensor = tensor_of({DType::int8, {2, 2}, {1, 2, 3, 4}});
  ASSERT_TRUE(tensor.ok());
  std::int64_t* strides = tensor->GetDLTensorPtr()->strides;
  std::swap(strides[0], strides[1]);
  const Result<std::span<const std::uint8_t>> bytes = bytes_of(*tensor);
  std::swap(strides[0], strides[1]);
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.error().code, "tensor.memory");
}

}  // namespace
}  // namespace passdiff
