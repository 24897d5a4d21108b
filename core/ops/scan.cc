// cumsum.
#include "core/ops/attr_access.h"
#include "core/ops/elementwise.h"
#include "core/ops/infer.h"
#include "core/ops/numeric.h"
#include "core/ops/reduce.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

Result<Type> infer_scan(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<const TensorType*> operand = tensor_operand(args, 0);
  if (!operand) return operand.error();
  const TensorType& data = **operand;
  const DType* given = optional_attr<DType>(attrs, 1);
  const std::optional<DType> dtype = given ? *given : data.dtype;
  if (const std::int64_t* axis = optional_attr<std::int64_t>(attrs, 0)) {
    // TVM's inference lets any axis pass; its compilation does not.
    if (data.rank != kUnknownRank) {
      if (const Result<int> normal = normalise_axis(*axis, data.rank); !normal) return normal.error();
    }
    return Type(make_tensor_type(data.shape, data.rank, dtype, data.vdevice));
  }
  // Of an unknown shape TVM infers the operand's rank, though the result is flat: its mistake.
  if (!data.shape) return Type(make_tensor_type(std::nullopt, 1, dtype, data.vdevice));
  Dim size = 1;
  for (const Dim& dim : *data.shape) size = size * dim;
  return Type(make_tensor_type(Shape{size}, 1, dtype, data.vdevice));
}

// Calls body(first element, stride) for each line along the axis.
template <class Body>
void for_each_line(const AxisSplit& split, Body body) {
  for (std::int64_t outer = 0; outer < split.outer; ++outer) {
    for (std::int64_t inner = 0; inner < split.inner; ++inner) {
      body(outer * split.size * split.inner + inner);
    }
  }
}

// Each prefix is rounded before the next element is added: TVM's loop is sequential (topi/scan.py, measured).
Value scan_floats(const Tensor& data, std::span<const std::int64_t> shape, const AxisSplit& split,
                  bool exclusive, EvalContext& context) {
  const double* in = data.floats().data();
  Tensor::Floats result = float_array(shape);
  double* out = result.data();
  for_each_line(split, [&](std::int64_t at) {
    double sum = 0;
    for (std::int64_t k = 0; k < split.size; ++k, at += split.inner) {
      if (exclusive) out[at] = sum;
      // The first prefix is the element itself, so that -0 stays -0.
      sum = k == 0 ? in[at] : round_float(data.dtype, sum + in[at], context.rounding);
      if (!exclusive) out[at] = sum;
    }
  });
  return make_tensor(Tensor{data.dtype, std::move(result)});
}

Value scan_ints(const Tensor& data, std::span<const std::int64_t> shape, const AxisSplit& split,
                bool exclusive, EvalContext& context) {
  std::vector<std::int64_t> storage;
  const std::span<const std::int64_t> in = ints_of(data, storage);
  IntResult result(data.dtype, shape);
  for_each_line(split, [&](std::int64_t first) {
    ExactInt sum;
    auto at = static_cast<std::size_t>(first);
    for (std::int64_t k = 0; k < split.size; ++k, at += static_cast<std::size_t>(split.inner)) {
      if (exclusive) result.set(at, sum);
      sum.add(in[at]);
      if (!exclusive) result.set(at, sum);
    }
  });
  return make_tensor(std::move(result).finish("cumsum", context.log));
}

Value eval_scan(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const Tensor* data = &args[0].tensor();
  std::vector<std::int64_t> shape = data->shape();
  int axis = 0;
  if (const std::int64_t* given = optional_attr<std::int64_t>(attrs, 0)) {
    axis = runtime_axis(*given, shape.size());
    if (axis < 0) return misfit(context);
  } else {
    shape = {element_count(shape)};
  }
  // Elements are cast before they are added (topi/scan.py).
  Tensor cast;
  const DType* dtype = optional_attr<DType>(attrs, 1);
  if (dtype && *dtype != data->dtype) data = &(cast = convert(*data, *dtype, context));
  const AxisSplit split = split_at(shape, axis);
  const bool exclusive = attr<bool>(attrs, 2);
  if (is_float(data->dtype)) return scan_floats(*data, shape, split, exclusive, context);
  return scan_ints(*data, shape, split, exclusive, context);
}

DType draw_scan_dtype(Choices& choices, DType dtype) {
  if (is_float(dtype)) return choices.pick({DType::float32, DType::float64, DType::float16, DType::int32});
  return choices.pick({DType::int32, DType::int64, DType::float32, DType::int8});
}

std::optional<CallDraft> undefined_scan(Choices& choices, Scope& scope) {
  if (choices.flip()) {
    return CallDraft{{full_constant(scope, DType::float32, {2}, 0x1p40)},
                     {std::int64_t{0}, DType::int32, false}};
  }
  const ExprPtr large = full_constant(scope, DType::int32, {3}, std::int64_t{1} << 30);
  return CallDraft{{large}, {std::int64_t{-1}, AttrValue(), false}};
}

std::optional<CallDraft> generate_scan(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) return undefined_scan(choices, scope);
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 4);
  // TVM does not compile it over a tensor without elements.
  if (!data || element_count(data->dims) == 0) return std::nullopt;
  AttrValue axis;
  if (!choices.one_in(4)) axis = draw_axis(choices, data->rank());
  AttrValue dtype;
  // A cumulative sum in bool does not compile either.
  if (data->dtype() == DType::boolean || choices.one_in(4)) dtype = draw_scan_dtype(choices, data->dtype());
  return CallDraft{{data->expr}, {std::move(axis), std::move(dtype), choices.one_in(3)}};
}

const Param kScanParams[] = {
    {"data", ParamKind::tensor},
    {"axis", ParamKind::attr_int, true, AttrValue()},
    {"dtype", ParamKind::attr_dtype, true, AttrValue()},
    {"exclusive", ParamKind::attr_bool, false, AttrValue(false)},
};
constexpr UndefinedRule kScanUndefined[] = {UndefinedRule::signed_overflow, UndefinedRule::float_to_int};

}  // namespace

std::span<const OpDef> scan_rows() {
  static const OpDef kRows[] = {
      {{"relax.cumsum"},
       .params = kScanParams,
       .undefined = kScanUndefined,
       .infer = infer_scan,
       .eval = eval_scan,
       .generate = generate_scan},
  };
  return kRows;
}

}  // namespace passdiff
