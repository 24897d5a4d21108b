// cumsum, cumprod.
#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct ScanAttrs {
  std::optional<std::int64_t> axis;
  std::optional<DType> dtype;
  bool exclusive = false;
  static constexpr auto fields() {
    return std::tuple(field("axis", &ScanAttrs::axis), field("dtype", &ScanAttrs::dtype),
                      field("exclusive", &ScanAttrs::exclusive));
  }
};

Result<TensorType> infer_scan(const TensorType& x, const ScanAttrs& attrs) {
  const std::optional<DType> dtype = attrs.dtype ? attrs.dtype : x.dtype;
  if (attrs.axis) {
    // TVM's inference lets any axis pass; its compilation does not.
    if (x.rank != kUnknownRank) TRY(normalise_axis(*attrs.axis, x.rank));
    return make_tensor_type(x.shape, x.rank, dtype, x.vdevice);
  }
  // Of an unknown shape TVM infers the operand's rank, though the result is flat: its mistake.
  if (!x.shape) return make_tensor_type(std::nullopt, 1, dtype, x.vdevice);
  Dim size = 1;
  for (const Dim& dim : *x.shape) size = size * dim;
  return make_tensor_type(Shape{size}, 1, dtype, x.vdevice);
}

enum class Scan : std::uint8_t { sum, prod };

// Each prefix is rounded before it meets the next element: TVM's loop is sequential (topi/scan.py, measured).
template <Scan kScan>
Tensor scan_floats(const Tensor& x, const Ints& shape, const AxisSplit& split, bool exclusive,
                   Rounding& rounding) {
  const double* in = x.floats().data();
  Tensor::Floats result = float_array(shape);
  double* out = result.data();
  for_each_line(split, [&](std::int64_t at) {
    double prefix = kScan == Scan::sum ? 0 : 1;
    for (std::int64_t k = 0; k < split.size; ++k, at += split.inner) {
      if (exclusive) out[at] = prefix;
      const double next = kScan == Scan::sum ? prefix + in[at] : prefix * in[at];
      // The first prefix is the element itself, so that -0 stays -0; an exclusive scan adds it to the 0 before it.
      prefix = k == 0 && !exclusive ? in[at] : round_float(x.dtype, next, rounding);
      if (!exclusive) out[at] = prefix;
    }
  });
  return Tensor{x.dtype, std::move(result)};
}

template <Scan kScan>
Tensor scan_ints(const Tensor& x, const Ints& shape, const AxisSplit& split, bool exclusive,
                 UndefinedLog& log) {
  Ints storage;
  const std::span<const std::int64_t> in = ints_of(x, storage);
  IntResult result(x.dtype, shape);
  for_each_line(split, [&](std::int64_t first) {
    ExactInt prefix{kScan == Scan::sum ? 0 : 1};
    auto at = static_cast<std::size_t>(first);
    for (std::int64_t k = 0; k < split.size; ++k, at += static_cast<std::size_t>(split.inner)) {
      if (exclusive) result.set(at, prefix);
      kScan == Scan::sum ? prefix.add(in[at]) : prefix.multiply(in[at]);
      if (!exclusive) result.set(at, prefix);
    }
  });
  return std::move(result).finish(kScan == Scan::sum ? "cumsum" : "cumprod", log);
}

// Elements are cast before they meet (topi/scan.py).
template <Scan kScan>
std::optional<Tensor> eval_scan(const Tensor& data, const ScanAttrs& attrs, EvalContext& context) {
  const Ints shape = attrs.axis ? data.shape() : Ints{static_cast<std::int64_t>(data.size())};
  const int axis = runtime_axis(attrs.axis.value_or(0), shape.size());
  if (axis < 0) return std::nullopt;
  const Tensor x = convert(data, attrs.dtype.value_or(data.dtype), context);
  const AxisSplit split = split_at(shape, axis);
  return is_float(x.dtype) ? scan_floats<kScan>(x, shape, split, attrs.exclusive, context.rounding)
                           : scan_ints<kScan>(x, shape, split, attrs.exclusive, context.log);
}

DType draw_scan_dtype(Choices& choices, DType dtype) {
  if (is_float(dtype)) return choices.pick({DType::float32, DType::float64, DType::float16, DType::int32});
  return choices.pick({DType::int32, DType::int64, DType::float32, DType::int8});
}

CallDraft undefined_scan(Choices& choices, Scope& scope) {
  if (choices.flip()) {
    return {{full_constant(scope, DType::float32, {2}, 0x1p40)}, ScanAttrs{0, DType::int32}};
  }
  return {{full_constant(scope, DType::int32, {3}, std::int64_t{1} << 30)}, ScanAttrs{-1}};
}

// A product of many integers leaves its dtype, however small they are.
template <Scan kScan>
bool stays_in_range(const Drawn& data, const ScanAttrs& attrs) {
  EvalContext context;
  eval_scan<kScan>(data.value.tensor(), attrs, context);
  return context.log.empty();
}

template <Scan kScan>
std::optional<CallDraft> generate_scan(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) return undefined_scan(choices, scope);
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 4);
  // TVM does not compile it over a tensor without elements.
  if (!data || element_count(data->dims) == 0) return std::nullopt;
  ScanAttrs attrs;
  if (!choices.one_in(4)) attrs.axis = draw_axis(choices, data->rank());
  // A cumulative sum in bool does not compile either.
  if (data->dtype() == DType::boolean || choices.one_in(4))
    attrs.dtype = draw_scan_dtype(choices, data->dtype());
  attrs.exclusive = choices.one_in(3);
  if (kScan == Scan::prod && !stays_in_range<kScan>(*data, attrs)) attrs.dtype = DType::int8;
  return CallDraft({data->expr}, attrs);
}


template <Scan kScan>
OpDef scan_row(std::string_view name) {
  return op<infer_scan, eval_scan<kScan>, generate_scan<kScan>>(name, {"data"},
                                                                {.undefined = kOverflowAndCast});
}

}  // namespace

std::vector<OpDef> scan_rows() {
  return {scan_row<Scan::sum>("relax.cumsum"), scan_row<Scan::prod>("relax.cumprod")};
}

}  // namespace passdiff
