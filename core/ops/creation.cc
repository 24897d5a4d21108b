// zeros ones full zeros_like ones_like arange.
// Meaning measured on TVM 0.27; inference follows src/relax/op/tensor/create.cc.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/ops/choices.h"
#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/family.h"
#include "core/ops/infer.h"
#include "core/ops/literal.h"

namespace passdiff {
namespace {

constexpr Param kShapeParams[] = {{"shape", ParamKind::shape}, {"dtype", ParamKind::attr_dtype}};
constexpr Param kLikeParams[] = {{"x", ParamKind::tensor},
                                 {"dtype", ParamKind::attr_dtype, true, AttrValue(std::monostate())}};
constexpr Param kFullParams[] = {{"shape", ParamKind::shape},
                                 {"fill_value", ParamKind::tensor},
                                 {"dtype", ParamKind::attr_dtype, true, AttrValue(std::monostate())}};
// Python defaults end, step and dtype; the call itself always has all of them.
constexpr Param kArangeParams[] = {{"start", ParamKind::prim},
                                   {"end", ParamKind::prim},
                                   {"step", ParamKind::prim},
                                   {"dtype", ParamKind::attr_dtype}};

std::optional<DType> given_dtype(const Attrs& attrs) {
  const DType* dtype = std::get_if<DType>(&attrs[0]);
  return dtype ? std::optional(*dtype) : std::nullopt;
}

Result<Type> infer_filled(std::span<const ExprPtr> args, const Attrs& attrs) {
  Result<const ShapeType*> shape = shape_operand(args, 0);
  if (!shape) return shape.error();
  return Type(make_tensor_type((*shape)->values, (*shape)->rank, given_dtype(attrs), std::nullopt));
}

Result<Type> infer_like(std::span<const ExprPtr> args, const Attrs& attrs) {
  Result<const TensorType*> x = tensor_operand(args, 0);
  if (!x) return x.error();
  TensorType type = **x;
  if (const auto dtype = given_dtype(attrs)) type.dtype = dtype;
  return Type(std::move(type));
}

Result<Type> infer_full(std::span<const ExprPtr> args, const Attrs& attrs) {
  Result<const ShapeType*> shape = shape_operand(args, 0);
  if (!shape) return shape.error();
  Result<const TensorType*> fill = tensor_operand(args, 1);
  if (!fill) return fill.error();
  if ((*fill)->rank != 0) return Error{"type.rank", "full: fill value has type " + to_string(args[1]->type)};
  const std::optional<DType> given = given_dtype(attrs);
  const std::optional<DType> dtype = given ? given : (*fill)->dtype;
  return Type(make_tensor_type((*shape)->values, (*shape)->rank, dtype, (*fill)->vdevice));
}

bool is_zero(const Dim& dim) {
  return dim.is_static() && dim.value() == 0;
}

// floordiv(end - start + step - 1, step), TVM's formula: one too many for most negative steps, which a
// generator must therefore avoid. Terms that vanish are left out, as TVM's simplifier does.
Result<Dim> count_of_ints(const Dim& start, const Dim& end, const Dim& step) {
  if (is_zero(step)) return Error{"type.value", "arange: step is 0"};
  const Dim length = is_zero(start) ? end : end - start;
  if (step.is_static() && step.value() == 1) return length;
  const Dim slack = step - Dim(1);
  // Constants first: (n - 1) + 1 is n.
  const Dim offset = start.is_static() && !is_zero(start) ? slack - start : slack;
  const Dim base = start.is_static() ? end : length;
  return Dim::binary(DimOp::floor_divide, is_zero(offset) ? base : base + offset, step);
}

std::optional<double> static_number(const PrimValue& prim) {
  if (const double* real = std::get_if<double>(&prim.value)) return *real;
  const Dim& dim = std::get<Dim>(prim.value);
  return dim.is_static() ? std::optional(static_cast<double>(dim.value())) : std::nullopt;
}

Result<Dim> count_of_floats(const PrimValue& start, const PrimValue& end, const PrimValue& step) {
  const std::optional<double> first = static_number(start);
  const std::optional<double> last = static_number(end);
  const std::optional<double> stride = static_number(step);
  if (!first || !last || !stride) return Error{"type.value", "arange: symbolic sizes beside floats"};
  // The length goes through float32.
  const double count = std::ceil(static_cast<double>(static_cast<float>(*last - *first)) / *stride);
  if (!(std::fabs(count) < 0x1p31))
    return Error{"type.value", "arange: " + std::to_string(count) + " elements"};
  return Dim(static_cast<std::int64_t>(count));
}

Result<Type> infer_arange(std::span<const ExprPtr> args, const Attrs& attrs) {
  const PrimValue* prims[3] = {};
  bool all_ints = true;
  for (std::size_t i = 0; i < 3; ++i) {
    Result<const PrimValue*> prim = prim_operand(args, i);
    if (!prim) return prim.error();
    prims[i] = *prim;
    all_ints = all_ints && std::holds_alternative<Dim>(prims[i]->value);
  }
  const auto& [start, end, step] = prims;
  Result<Dim> count = all_ints ? count_of_ints(std::get<Dim>(start->value), std::get<Dim>(end->value),
                                               std::get<Dim>(step->value))
                               : count_of_floats(*start, *end, *step);
  if (!count) return count.error();
  // TVM goes on with a negative size; no value has such a type.
  if (count->is_static() && count->value() < 0) {
    return Error{"type.value", "arange: " + std::to_string(count->value()) + " elements"};
  }
  return Type(make_tensor_type(Shape{*count}, 1, given_dtype(attrs), std::nullopt));
}

template <class T>
void fill(xt::xarray<T>& values, T value) {
  std::fill(values.data(), values.data() + values.size(), value);
}

Value filled(DType dtype, std::span<const std::int64_t> shape, int value) {
  Tensor tensor = zeros(dtype, shape);
  if (value != 0) {
    std::visit(
        [&](auto& values) { fill(values, static_cast<std::decay_t<decltype(*values.data())>>(value)); },
        tensor.values);
  }
  return make_tensor(std::move(tensor));
}

template <int value>
Value eval_filled(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext&) {
  return filled(std::get<DType>(attrs[0]), args[0].shape().dims, value);
}

template <int value>
Value eval_like(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext&) {
  const Tensor& x = args[0].tensor();
  return filled(given_dtype(attrs).value_or(x.dtype), x.shape(), value);
}

Value eval_full(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const Tensor& value = args[1].tensor();
  const DType dtype = given_dtype(attrs).value_or(value.dtype);
  CHECK(value.size() == 1) << to_string(value);
  const Tensor element = convert(value, dtype, context);
  Tensor tensor = zeros(dtype, args[0].shape().dims);
  std::visit(
      [&](auto& values) {
        using Array = std::decay_t<decltype(values)>;
        fill(values, std::get<Array>(element.values).data()[0]);
      },
      tensor.values);
  return make_tensor(std::move(tensor));
}

double number(const ScalarValue& scalar) {
  if (const double* real = std::get_if<double>(&scalar.value)) return *real;
  return static_cast<double>(*std::get_if<std::int64_t>(&scalar.value));
}

// A cap for modules from outside: sizes in practice are tiny.
constexpr double kMostElements = 1 << 24;

// numpy's count, which is what TVM's constant has.
std::int64_t range_size(double start, double end, double step) {
  const double length = std::ceil((end - start) / step);
  return static_cast<std::int64_t>(length > 0 ? std::min(length, kMostElements) : 0);
}

Tensor range_of_ints(std::int64_t start, std::int64_t step, std::int64_t count) {
  Tensor tensor = zeros(DType::int64, {&count, 1});
  std::int64_t* data = std::get<Tensor::Ints>(tensor.values).data();
  std::uint64_t next = static_cast<std::uint64_t>(start);
  for (std::int64_t i = 0; i < count; ++i, next += static_cast<std::uint64_t>(step)) {
    data[i] = static_cast<std::int64_t>(next);
  }
  return tensor;
}

Tensor range_of_floats(double start, double step, std::int64_t count) {
  Tensor tensor = zeros(DType::float64, {&count, 1});
  double* data = std::get<Tensor::Floats>(tensor.values).data();
  for (std::int64_t i = 0; i < count; ++i) data[i] = start + static_cast<double>(i) * step;
  return tensor;
}

Value eval_arange(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const ScalarValue& start = args[0].scalar();
  const ScalarValue& step = args[2].scalar();
  const std::int64_t count = range_size(number(start), number(args[1].scalar()), number(step));
  const auto* first = std::get_if<std::int64_t>(&start.value);
  const auto* stride = std::get_if<std::int64_t>(&step.value);
  const Tensor range = first && stride ? range_of_ints(*first, *stride, count)
                                       : range_of_floats(number(start), number(step), count);
  return make_tensor(convert(range, std::get<DType>(attrs[0]), context));
}

AttrValue draw_optional_dtype(Choices& choices, Scope& scope) {
  if (!choices.one_in(2)) return std::monostate();
  return scope.dtype(choices);
}

constexpr int kMaxRank = 4;

std::optional<CallDraft> generate_filled(Choices& choices, Scope& scope) {
  const DType dtype = scope.dtype(choices);
  return CallDraft{{shape_literal(scope.shape(choices, 0, kMaxRank))}, {dtype}};
}

std::optional<CallDraft> generate_like(Choices& choices, Scope& scope) {
  const auto x = draw_any_tensor(choices, scope, kAllDTypes);
  if (!x) return std::nullopt;
  return CallDraft{{x->expr}, {draw_optional_dtype(choices, scope)}};
}

std::optional<CallDraft> generate_full(Choices& choices, Scope& scope) {
  const ExprPtr shape = shape_literal(scope.shape(choices, 0, kMaxRank));
  if (scope.allow_undefined(choices)) {
    return CallDraft{{shape, full_constant(scope, DType::float32, {}, 0x1p40)}, {DType::int32}};
  }
  const auto value = scope.tensor(choices, Want{.max_rank = 0});
  if (!value || !tensor_type_of(*value).dtype) return std::nullopt;
  AttrValue dtype = draw_optional_dtype(choices, scope);
  const DType* given = std::get_if<DType>(&dtype);
  // Small values convert to all dtypes but for negative ones to unsigned.
  if (given && is_integer(*given) && is_float(*tensor_type_of(*value).dtype)) {
    const double number = as_double(value->value.tensor(), 0);
    if (!(number > -0.5 && number < 100)) dtype = std::monostate();
  }
  return CallDraft{{shape, value->expr}, {std::move(dtype)}};
}

// A range of floats, in halves: all dtypes hold them exactly.
CallDraft draw_float_range(Choices& choices, Scope& scope) {
  const double start = static_cast<double>(choices.integer(0, 8) - 4) / 2;
  const std::int64_t count = scope.dim(choices);
  const double step = static_cast<double>(choices.integer(1, 4)) / 2;
  const double end = start + static_cast<double>(count) * step;
  return {{prim_literal(start), prim_literal(end), prim_literal(step)}, {scope.float_dtype(choices)}};
}

// numpy refuses more than two bools; unsigned ranges stay above zero.
DType draw_range_dtype(Choices& choices, Scope& scope) {
  const DType dtype = scope.dtype(choices);
  return dtype == DType::boolean ? DType::int64 : dtype;
}

CallDraft draw_int_range(Choices& choices, Scope& scope) {
  const DType dtype = draw_range_dtype(choices, scope);
  const std::int64_t count = scope.dim(choices);
  const std::int64_t start = dtype == DType::uint8 ? choices.integer(0, 4) : choices.integer(0, 8) - 4;
  const bool down = dtype != DType::uint8 && choices.one_in(4) && count > 0;
  if (!down) {
    const std::int64_t step = choices.integer(1, 3);
    const std::int64_t end = start + count * step - (count > 0 ? choices.integer(0, step - 1) : 0);
    return {{prim_literal(start), prim_literal(end), prim_literal(step)}, {dtype}};
  }
  // For step -3 TVM's count is right if the length is 1 more than a multiple of 3, and only then.
  const std::int64_t end = start - 3 * (count - 1) - 1;
  return {{prim_literal(start), prim_literal(end), prim_literal(std::int64_t{-3})}, {dtype}};
}

std::optional<CallDraft> generate_arange(Choices& choices, Scope& scope) {
  if (choices.one_in(3)) {
    const Shape shape = scope.shape(choices, 1, 1);
    const DType dtype = draw_range_dtype(choices, scope);
    return CallDraft{{prim_literal(std::int64_t{0}), prim_literal(shape[0]), prim_literal(std::int64_t{1})},
                     {dtype}};
  }
  return choices.one_in(3) ? draw_float_range(choices, scope) : draw_int_range(choices, scope);
}

constexpr UndefinedRule kFloatToInt[] = {UndefinedRule::float_to_int};

constexpr OpDef kOps[] = {
    {{"relax.arange"},
     .params = kArangeParams,
     .traits = Trait::creation,
     .infer = infer_arange,
     .eval = eval_arange,
     .generate = generate_arange},
    {{"relax.full"},
     .params = kFullParams,
     .undefined = kFloatToInt,
     .infer = infer_full,
     .eval = eval_full,
     .generate = generate_full},
    {{"relax.ones"},
     .params = kShapeParams,
     .traits = Trait::creation,
     .infer = infer_filled,
     .eval = eval_filled<1>,
     .generate = generate_filled},
    {{"relax.ones_like"},
     .params = kLikeParams,
     .traits = Trait::elementwise | Trait::idempotent,
     .infer = infer_like,
     .eval = eval_like<1>,
     .generate = generate_like},
    {{"relax.zeros"},
     .params = kShapeParams,
     .traits = Trait::creation,
     .infer = infer_filled,
     .eval = eval_filled<0>,
     .generate = generate_filled},
    {{"relax.zeros_like"},
     .params = kLikeParams,
     .traits = Trait::elementwise | Trait::idempotent,
     .infer = infer_like,
     .eval = eval_like<0>,
     .generate = generate_like},
};

}  // namespace

std::span<const OpDef> creation_ops() {
  return kOps;
}

}  // namespace passdiff
