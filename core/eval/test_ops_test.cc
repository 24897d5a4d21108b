#include "core/eval/test_ops.h"

#include "core/ops/row.h"

namespace passdiff {
namespace {

std::optional<Error> refused(std::string_view op, const TensorType& a, const TensorType& b) {
  if (a.dtype == DType::int32 && b.dtype == DType::int32) return std::nullopt;
  return Error{"type.operand", std::string(op) + ": operands must be int32 tensors"};
}

Result<TensorType> infer_sum(const TensorType& x1, const TensorType& x2) {
  TRY_VOID(refused("test.sum", x1, x2));
  if (!x1.shape || !x2.shape) return make_tensor_type(std::nullopt, x1.rank, DType::int32, {});
  if (!proven_equal(*x1.shape, *x2.shape)) return Error{"type.shape", "test.sum: shapes differ"};
  return x1;
}

Tensor eval_sum(const Tensor& x1, const Tensor& x2, EvalContext& context) {
  Tensor::Ints sum = x1.ints();
  CHECK(sum.shape() == x2.ints().shape()) << "test.sum evaluated on operands that inference would refuse";
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum.data()[i] += x2.ints().data()[i];
    if (sum.data()[i] != wrap_int(DType::int32, static_cast<std::uint64_t>(sum.data()[i]))) {
      context.log.report(UndefinedRule::signed_overflow, "sum");
    }
  }
  return wrap_ints(DType::int32, std::move(sum));
}

Result<Type> infer_pick(const TensorType& vector, const TensorType& index) {
  TRY_VOID(refused("test.pick", vector, index));
  if (vector.rank != 1 || index.rank != 0) {
    return Error{"type.operand", "test.pick: needs a vector and an index"};
  }
  return tensor_type({}, DType::int32);
}

Tensor eval_pick(const Tensor& vector, const Tensor& at, EvalContext& context) {
  Tensor result = zeros(DType::int32, {});
  const std::int64_t index = as_int(at, 0);
  if (index < 0 || index >= static_cast<std::int64_t>(vector.size())) {
    context.log.report(UndefinedRule::index_out_of_bounds, "index " + std::to_string(index));
  } else {
    std::get<Tensor::Ints>(result.values).data()[0] = as_int(vector, static_cast<std::size_t>(index));
  }
  return result;
}

TensorType infer_fill(const ShapeArg& shape) {
  return make_tensor_type(shape.type.values, shape.type.rank, DType::int32, {});
}

Tensor eval_fill(const ShapeValue& shape) {
  Tensor result = zeros(DType::int32, shape.dims);
  for (std::int64_t& element : std::get<Tensor::Ints>(result.values).storage()) element = 1;
  return result;
}

Result<Type> infer_less(const TensorType& x1, const TensorType& x2) {
  TRY_VOID(refused("test.less", x1, x2));
  return tensor_type({}, DType::boolean);
}

Tensor eval_less(const Tensor& x1, const Tensor& x2) {
  Tensor result = zeros(DType::boolean, {});
  std::get<Tensor::Ints>(result.values).data()[0] = as_int(x1, 0) < as_int(x2, 0);
  return result;
}

}  // namespace

const OpDef& sum_op() {
  static const OpDef row = op<infer_sum, eval_sum>("test.sum", {"x1", "x2"});
  return row;
}
const OpDef& pick_op() {
  static const OpDef row = op<infer_pick, eval_pick>("test.pick", {"x1", "x2"});
  return row;
}
const OpDef& fill_op() {
  static const OpDef row = op<infer_fill, eval_fill>("test.fill", {"shape"});
  return row;
}
const OpDef& less_op() {
  static const OpDef row = op<infer_less, eval_less>("test.less", {"x1", "x2"});
  return row;
}

}  // namespace passdiff
