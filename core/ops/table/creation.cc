// zeros ones full eye, the same after the shape of a tensor, arange.
// Meaning measured on TVM 0.27; inference follows src/relax/op/tensor/create.cc.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/literal.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct DTypeAttrs {
  DType dtype = DType::float32;
  static constexpr auto fields() { return std::tuple(required("dtype", &DTypeAttrs::dtype)); }
};
struct OptionalDTypeAttrs {
  std::optional<DType> dtype;
  static constexpr auto fields() { return std::tuple(field("dtype", &OptionalDTypeAttrs::dtype)); }
};

OptionalDTypeAttrs draw_optional_dtype(Choices& choices, Scope& scope) {
  OptionalDTypeAttrs attrs;
  if (choices.one_in(2)) attrs.dtype = scope.dtype(choices);
  return attrs;
}

constexpr int kMaxRank = 4;

// zeros, ones

TensorType infer_filled(const ShapeArg& shape, const DTypeAttrs& attrs) {
  return make_tensor_type(shape.type.values, shape.type.rank, attrs.dtype, std::nullopt);
}

template <int value>
Tensor filled(DType dtype, std::span<const std::int64_t> shape) {
  Tensor tensor = zeros(dtype, shape);
  if (value != 0) std::visit([](auto& values) { values.fill(value); }, tensor.values);
  return tensor;
}

template <int value>
Tensor eval_filled(const ShapeValue& shape, const DTypeAttrs& attrs) {
  return filled<value>(attrs.dtype, shape.dims);
}

std::optional<CallDraft> generate_filled(Choices& choices, Scope& scope) {
  const DTypeAttrs attrs{scope.dtype(choices)};
  return CallDraft({make_shape(scope.shape(choices, 0, kMaxRank))}, attrs);
}

// zeros_like, ones_like

TensorType infer_like(const TensorType& x, const OptionalDTypeAttrs& attrs) {
  return make_tensor_type(x.shape, x.rank, attrs.dtype ? attrs.dtype : x.dtype, x.vdevice);
}

template <int value>
Tensor eval_like(const Tensor& x, const OptionalDTypeAttrs& attrs) {
  return filled<value>(attrs.dtype.value_or(x.dtype), x.shape());
}

std::optional<CallDraft> generate_like(Choices& choices, Scope& scope) {
  const auto x = draw_any_tensor(choices, scope, kAllDTypes);
  if (!x) return std::nullopt;
  return CallDraft({x->expr}, draw_optional_dtype(choices, scope));
}

// full

Result<TensorType> infer_full(const ShapeArg& shape, const FillType& fill, const OptionalDTypeAttrs& attrs) {
  if (fill.rank != 0)
    return Error{"type.rank", "full: fill value has type " + to_string(Type(TensorType(fill)))};
  const std::optional<DType> dtype = attrs.dtype ? attrs.dtype : fill.dtype;
  return make_tensor_type(shape.type.values, shape.type.rank, dtype, fill.vdevice);
}

Tensor eval_full(const ShapeValue& shape, const Tensor& fill, const OptionalDTypeAttrs& attrs,
                 EvalContext& context) {
  const Tensor element = convert(fill, attrs.dtype.value_or(fill.dtype), context);
  const Extents extents(shape.dims.begin(), shape.dims.end());
  return map_elements(element.dtype, extents, [](auto value) { return value; }, element);
}

// full, full_like: `first` says the shape.
std::optional<CallDraft> draw_full(Choices& choices, Scope& scope, const ExprPtr& first, DType otherwise) {
  if (scope.allow_undefined(choices)) {
    return CallDraft({first, full_constant(scope, DType::float32, {}, 0x1p40)},
                     OptionalDTypeAttrs{DType::int32});
  }
  const auto value = scope.tensor(choices, Want{.max_rank = 0});
  if (!value || !tensor_type_of(*value).dtype) return std::nullopt;
  OptionalDTypeAttrs attrs = draw_optional_dtype(choices, scope);
  // Small values convert to all dtypes but for negative ones to unsigned.
  const DType from = *tensor_type_of(*value).dtype;
  if (is_integer(attrs.dtype.value_or(otherwise)) && is_float(from)) {
    const double number = as_double(value->value.tensor(), 0);
    if (!(number > -0.5 && number < 100)) attrs.dtype = from;
  }
  return CallDraft({first, value->expr}, attrs);
}

std::optional<CallDraft> generate_full(Choices& choices, Scope& scope) {
  return draw_full(choices, scope, make_shape(scope.shape(choices, 0, kMaxRank)), DType::boolean);
}

Result<TensorType> infer_full_like(const TensorType& x, const FillType& fill,
                                   const OptionalDTypeAttrs& attrs) {
  if (fill.rank != 0)
    return Error{"type.rank", "full_like: a fill value of rank " + std::to_string(fill.rank)};
  return infer_like(x, attrs);
}

Tensor eval_full_like(const Tensor& x, const Tensor& fill, const OptionalDTypeAttrs& attrs,
                      EvalContext& context) {
  return eval_full(ShapeValue{x.shape()}, fill, {attrs.dtype.value_or(x.dtype)}, context);
}

std::optional<CallDraft> generate_full_like(Choices& choices, Scope& scope) {
  const std::optional<Drawn> x = draw_operand(choices, scope, kAllDTypes, 0, kMaxDrawnRank);
  return x ? draw_full(choices, scope, x->expr, x->dtype()) : std::nullopt;
}

// eye, eye_like

Result<Dim> eye_size(const PrimValue& size) {
  const Dim* dim = std::get_if<Dim>(&size.value);
  if (dim == nullptr || (dim->is_static() && dim->value() < 0)) return Error{"type.value", "eye: no size"};
  return *dim;
}

Result<TensorType> infer_eye(const PrimValue& n, const PrimValue& m, const PrimType&,
                             const DTypeAttrs& attrs) {
  return make_tensor_type(Shape{TRY(eye_size(n)), TRY(eye_size(m))}, 2, attrs.dtype, std::nullopt);
}

Tensor eye(std::span<const std::int64_t> shape, const ScalarValue& k, DType dtype) {
  const Tensor one = filled<1>(dtype, {});
  const std::int64_t diagonal = std::get<std::int64_t>(k.value);
  return from_places(one, shape, 0, [=](std::int64_t, std::span<const std::int64_t> at) {
    return std::int64_t{at[1] - at[0] == diagonal ? 0 : -1};
  });
}

std::optional<Tensor> eval_eye(const ScalarValue& n, const ScalarValue& m, const ScalarValue& k,
                               const DTypeAttrs& attrs) {
  const Ints shape{std::get<std::int64_t>(n.value), std::get<std::int64_t>(m.value)};
  return is_affordable(shape) ? std::optional(eye(shape, k, attrs.dtype)) : std::nullopt;
}

ExprPtr draw_diagonal(Choices& choices) {
  return make_prim(choices.integer(0, 6) - 3);
}

std::optional<CallDraft> generate_eye(Choices& choices, Scope& scope) {
  const Shape shape = scope.shape(choices, 1, 2);
  const ExprPtr k = draw_diagonal(choices);
  const DType dtype = scope.dtype(choices);
  return CallDraft({make_prim(shape.front()), make_prim(shape.back()), k},
                   DTypeAttrs{kAllDTypes.has(dtype) ? dtype : DType::float32});
}

// TVM infers nothing without a shape.
Result<TensorType> infer_eye_like(const TensorType& x, const PrimType&, const OptionalDTypeAttrs& attrs) {
  if (!x.shape || x.rank != 2)
    return Error{"type.rank", "eye_like: " + to_string(Type(TensorType(x))) + " is no matrix"};
  return infer_like(x, attrs);
}

std::optional<Tensor> eval_eye_like(const Tensor& x, const ScalarValue& k, const OptionalDTypeAttrs& attrs) {
  if (x.rank() != 2) return std::nullopt;
  return eye(x.shape(), k, attrs.dtype.value_or(x.dtype));
}

// TVM's kernel has the dtype of x, whatever dtype is asked for (legalize_ops/create.py, measured): no other
// is.
std::optional<CallDraft> generate_eye_like(Choices& choices, Scope& scope) {
  const std::optional<Drawn> x = draw_operand(choices, scope, kAllDTypes, 2, 2);
  if (!x) return std::nullopt;
  const OptionalDTypeAttrs attrs{choices.flip() ? std::optional(x->dtype()) : std::nullopt};
  return CallDraft({x->expr, draw_diagonal(choices)}, attrs);
}

// arange. Python defaults end, step and dtype; the call itself always has all of them.

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

Result<TensorType> infer_arange(const PrimValue& start, const PrimValue& end, const PrimValue& step,
                                const DTypeAttrs& attrs) {
  const auto* first = std::get_if<Dim>(&start.value);
  const auto* last = std::get_if<Dim>(&end.value);
  const auto* stride = std::get_if<Dim>(&step.value);
  const bool all_ints = first && last && stride;
  const Dim count = TRY(all_ints ? count_of_ints(*first, *last, *stride) : count_of_floats(start, end, step));
  // TVM goes on with a negative size; no value has such a type.
  if (count.is_static() && count.value() < 0) {
    return Error{"type.value", "arange: " + std::to_string(count.value()) + " elements"};
  }
  return make_tensor_type(Shape{count}, 1, attrs.dtype, std::nullopt);
}

double number(const ScalarValue& scalar) {
  return std::visit([](auto value) { return static_cast<double>(value); }, scalar.value);
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

Tensor eval_arange(const ScalarValue& start, const ScalarValue& end, const ScalarValue& step,
                   const DTypeAttrs& attrs, EvalContext& context) {
  const std::int64_t count = range_size(number(start), number(end), number(step));
  const auto* first = std::get_if<std::int64_t>(&start.value);
  const auto* stride = std::get_if<std::int64_t>(&step.value);
  Tensor range = first && stride ? range_of_ints(*first, *stride, count)
                                 : range_of_floats(number(start), number(step), count);
  return convert(std::move(range), attrs.dtype, context);
}

// A range of floats, in halves: all dtypes hold them exactly.
CallDraft draw_float_range(Choices& choices, Scope& scope) {
  const double start = static_cast<double>(choices.integer(0, 8) - 4) / 2;
  const std::int64_t count = scope.dim(choices);
  const double step = static_cast<double>(choices.integer(1, 4)) / 2;
  const double end = start + static_cast<double>(count) * step;
  return {{make_prim(start), make_prim(end), make_prim(step)},
          DTypeAttrs{scope.float_dtype(choices)}};
}

// numpy refuses more than two bools; unsigned ranges stay above zero.
DType draw_range_dtype(Choices& choices, Scope& scope) {
  const DType dtype = scope.dtype(choices);
  return dtype == DType::boolean ? DType::int64 : dtype;
}

CallDraft draw_int_range(Choices& choices, Scope& scope) {
  const DType dtype = draw_range_dtype(choices, scope);
  const std::int64_t count = scope.dim(choices);
  const std::int64_t start = is_unsigned_int(dtype) ? choices.integer(0, 4) : choices.integer(0, 8) - 4;
  const bool down = !is_unsigned_int(dtype) && choices.one_in(4) && count > 0;
  if (!down) {
    const std::int64_t step = choices.integer(1, 3);
    const std::int64_t end = start + count * step - (count > 0 ? choices.integer(0, step - 1) : 0);
    return {{make_prim(start), make_prim(end), make_prim(step)}, DTypeAttrs{dtype}};
  }
  // For step -3 TVM's count is right if the length is 1 more than a multiple of 3, and only then.
  const std::int64_t end = start - 3 * (count - 1) - 1;
  return {{make_prim(start), make_prim(end), make_prim(std::int64_t{-3})}, DTypeAttrs{dtype}};
}

std::optional<CallDraft> generate_arange(Choices& choices, Scope& scope) {
  if (choices.one_in(3)) {
    const Shape shape = scope.shape(choices, 1, 1);
    const DType dtype = draw_range_dtype(choices, scope);
    return CallDraft({make_prim(std::int64_t{0}), make_prim(shape[0]), make_prim(std::int64_t{1})},
                     DTypeAttrs{dtype});
  }
  return choices.one_in(3) ? draw_float_range(choices, scope) : draw_int_range(choices, scope);
}

constexpr Claims kLike{.elementwise = true};

}  // namespace

std::vector<OpDef> creation_rows() {
  return {
      op<infer_filled, eval_filled<0>, generate_filled>("relax.zeros", {"shape"}),
      op<infer_filled, eval_filled<1>, generate_filled>("relax.ones", {"shape"}),
      op<infer_like, eval_like<0>, generate_like>("relax.zeros_like", {"x"}, kLike),
      op<infer_like, eval_like<1>, generate_like>("relax.ones_like", {"x"}, kLike),
      op<infer_full, eval_full, generate_full>("relax.full", {"shape", "fill_value"},
                                               {.undefined = kFloatToInt}),
      op<infer_full_like, eval_full_like, generate_full_like>("relax.full_like", {"x", "fill_value"},
                                                              {.undefined = kFloatToInt}),
      op<infer_eye, eval_eye, generate_eye>("relax.eye", {"n", "m", "k"}),
      op<infer_eye_like, eval_eye_like, generate_eye_like>("relax.eye_like", {"x", "k"}),
      op<infer_arange, eval_arange, generate_arange>("relax.arange", {"start", "end", "step"}),
  };
}

}  // namespace passdiff
