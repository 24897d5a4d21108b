#include "core/eval/test_ops.h"

#include "core/tensor/tensor.h"
#include "core/tensor/value.h"

namespace passdiff {
namespace {

Result<const TensorType*> operand(std::span<const ExprPtr> args, std::size_t i) {
  const TensorType* type = args[i]->type.as_tensor();
  if (type == nullptr || type->dtype != DType::int32)
    return Error{"type.operand", "test op: not an int32 tensor"};
  return type;
}

Result<Type> infer_sum(std::span<const ExprPtr> args, const Attrs&) {
  const auto a = operand(args, 0);
  const auto b = operand(args, 1);
  if (!a || !b) return Error{"type.operand", "test.sum: operands must be int32 tensors"};
  if (!(*a)->shape || !(*b)->shape) return tensor_type_of_rank((*a)->rank, DType::int32);
  if (!proven_equal(*(*a)->shape, *(*b)->shape)) return Error{"type.shape", "test.sum: shapes differ"};
  return args[0]->type;
}

Value eval_sum(std::span<const Value> args, const Attrs&, const Type&, EvalContext& context) {
  Tensor::Ints sum = args[0].tensor().ints();
  const Tensor::Ints& other = args[1].tensor().ints();
  CHECK(sum.shape() == other.shape()) << "test.sum evaluated on operands that inference would refuse";
  for (std::size_t i = 0; i < sum.size(); ++i) {
    sum.data()[i] += other.data()[i];
    if (sum.data()[i] != wrap_int(DType::int32, static_cast<std::uint64_t>(sum.data()[i]))) {
      context.log.report(UndefinedRule::signed_overflow, "sum");
    }
  }
  return make_tensor(wrap_ints(DType::int32, std::move(sum)));
}

Result<Type> infer_pick(std::span<const ExprPtr> args, const Attrs&) {
  const auto vector = operand(args, 0);
  const auto index = operand(args, 1);
  if (!vector || !index || (*vector)->rank != 1 || (*index)->rank != 0) {
    return Error{"type.operand", "test.pick: needs a vector and an index"};
  }
  return tensor_type({}, DType::int32);
}

Value eval_pick(std::span<const Value> args, const Attrs&, const Type&, EvalContext& context) {
  Tensor result = zeros(DType::int32, {});
  const std::int64_t index = as_int(args[1].tensor(), 0);
  if (index < 0 || index >= static_cast<std::int64_t>(args[0].tensor().size())) {
    context.log.report(UndefinedRule::index_out_of_bounds, "index " + std::to_string(index));
  } else {
    std::get<Tensor::Ints>(result.values).data()[0] =
        as_int(args[0].tensor(), static_cast<std::size_t>(index));
  }
  return make_tensor(std::move(result));
}

Result<Type> infer_fill(std::span<const ExprPtr> args, const Attrs&) {
  const ShapeType* shape = args[0]->type.as_shape();
  if (shape == nullptr) return Error{"type.operand", "test.fill: needs a shape"};
  if (!shape->values) return tensor_type_of_rank(shape->rank, DType::int32);
  return tensor_type(*shape->values, DType::int32);
}

Value eval_fill(std::span<const Value> args, const Attrs&, const Type&, EvalContext&) {
  Tensor result = zeros(DType::int32, args[0].shape().dims);
  for (std::int64_t& element : std::get<Tensor::Ints>(result.values).storage()) element = 1;
  return make_tensor(std::move(result));
}

Result<Type> infer_less(std::span<const ExprPtr> args, const Attrs&) {
  if (!operand(args, 0) || !operand(args, 1)) return Error{"type.operand", "test.less: needs int32 tensors"};
  return tensor_type({}, DType::boolean);
}

Value eval_less(std::span<const Value> args, const Attrs&, const Type&, EvalContext&) {
  Tensor result = zeros(DType::boolean, {});
  std::get<Tensor::Ints>(result.values).data()[0] = as_int(args[0].tensor(), 0) < as_int(args[1].tensor(), 0);
  return make_tensor(std::move(result));
}

constexpr Param kTwo[] = {{"x1", ParamKind::tensor}, {"x2", ParamKind::tensor}};
constexpr Param kShape[] = {{"shape", ParamKind::shape}};

}  // namespace

const OpDef& sum_op() {
  static const OpDef op{{"test.sum"}, .params = kTwo, .infer = infer_sum, .eval = eval_sum, .generate = nullptr};
  return op;
}
const OpDef& pick_op() {
  static const OpDef op{{"test.pick"}, .params = kTwo, .infer = infer_pick, .eval = eval_pick, .generate = nullptr};
  return op;
}
const OpDef& fill_op() {
  static const OpDef op{{"test.fill"}, .params = kShape, .infer = infer_fill, .eval = eval_fill, .generate = nullptr};
  return op;
}
const OpDef& less_op() {
  static const OpDef op{{"test.less"}, .params = kTwo, .infer = infer_less, .eval = eval_less, .generate = nullptr};
  return op;
}

}  // namespace passdiff
