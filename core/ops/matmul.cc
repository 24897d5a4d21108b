// matmul, with broadcasting of the leading axes and operands of rank 1.
#include <algorithm>

#include "core/ops/attr_access.h"
#include "core/ops/elementwise.h"
#include "core/ops/family.h"
#include "core/ops/infer.h"
#include "core/ops/numeric.h"
#include "core/ops/operand.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

// TVM keeps a vdevice that both operands share or that one of them alone has, and rejects no mixture.
std::optional<int> common_vdevice(const TensorType& a, const TensorType& b) {
  if (a.vdevice && b.vdevice) return *a.vdevice == *b.vdevice ? a.vdevice : std::nullopt;
  return a.vdevice ? a.vdevice : b.vdevice;
}

Shape batch_of(const Shape& shape) {
  return Shape(shape.begin(), shape.end() - std::min<std::ptrdiff_t>(2, std::ssize(shape)));
}

Result<Type> infer_matmul(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<const TensorType*> lhs = tensor_operand(args, 0);
  if (!lhs) return lhs.error();
  const Result<const TensorType*> rhs = tensor_operand(args, 1);
  if (!rhs) return rhs.error();
  const TensorType& a = **lhs;
  const TensorType& b = **rhs;
  std::optional<DType> dtype;
  if (const DType* out_dtype = optional_attr<DType>(attrs, 0)) {
    dtype = *out_dtype;
  } else {
    const Result<std::optional<DType>> common = unify_dtypes(a.dtype, b.dtype);
    if (!common) return common.error();
    dtype = *common;
  }
  const std::optional<int> vdevice = common_vdevice(a, b);
  if (a.rank == kUnknownRank || b.rank == kUnknownRank) {
    return Type(make_tensor_type(std::nullopt, kUnknownRank, dtype, vdevice));
  }
  if (a.rank == 0 || b.rank == 0) return Error{"type.rank", "matmul: an operand is of rank 0"};
  const int rank = std::max({a.rank, b.rank, 2}) - (a.rank == 1) - (b.rank == 1);
  if (!a.shape || !b.shape) return Type(make_tensor_type(std::nullopt, rank, dtype, vdevice));

  Result<std::optional<Shape>> batch = broadcast_shapes(batch_of(*a.shape), batch_of(*b.shape));
  if (!batch) return batch.error();
  // Like TVM, which looks at the reduced sizes only once the batch is known.
  if (!*batch) return Type(make_tensor_type(std::nullopt, rank, dtype, vdevice));
  const Dim& a_reduced = a.shape->back();
  const Dim& b_reduced = b.rank == 1 ? b.shape->front() : (*b.shape)[b.shape->size() - 2];
  if (proven_different(a_reduced, b_reduced)) {
    return Error{"type.matmul", "matmul: reduced sizes " + to_string(a_reduced) + " and " +
                                    to_string(b_reduced) + " differ"};
  }
  Shape shape = **std::move(batch);
  if (a.rank > 1) shape.push_back((*a.shape)[a.shape->size() - 2]);
  if (b.rank > 1) shape.push_back(b.shape->back());
  return Type(make_tensor_type(std::move(shape), rank, dtype, vdevice));
}

// Sizes at run time. Strides of a batch axis are 0 where the operand is repeated along it.
struct Geometry {
  std::int64_t rows, reduced, columns;
  std::vector<std::int64_t> batch, a_strides, b_strides, shape;
};

std::vector<std::int64_t> batch_strides(std::span<const std::int64_t> dims, std::size_t rank,
                                        std::int64_t matrix) {
  std::vector<std::int64_t> strides(rank, 0);
  std::int64_t stride = matrix;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::size_t axis = dims.size() - 1 - i;
    if (dims[axis] != 1) strides[rank - 1 - i] = stride;
    stride *= dims[axis];
  }
  return strides;
}

std::optional<Geometry> geometry_of(std::vector<std::int64_t> a, std::vector<std::int64_t> b) {
  if (a.empty() || b.empty()) return std::nullopt;
  const bool a_vector = a.size() == 1;
  const bool b_vector = b.size() == 1;
  if (a_vector) a.insert(a.begin(), 1);
  if (b_vector) b.push_back(1);
  Geometry g;
  g.rows = a[a.size() - 2];
  g.reduced = a.back();
  g.columns = b.back();
  if (b[b.size() - 2] != g.reduced) return std::nullopt;
  const std::span<const std::int64_t> a_batch(a.data(), a.size() - 2);
  const std::span<const std::int64_t> b_batch(b.data(), b.size() - 2);
  const std::size_t shared = std::min(a_batch.size(), b_batch.size());
  for (std::size_t i = 1; i <= shared; ++i) {
    const std::int64_t x = a_batch[a_batch.size() - i];
    const std::int64_t y = b_batch[b_batch.size() - i];
    if (x != y && x != 1 && y != 1) return std::nullopt;
  }
  g.batch = broadcast_dims(a_batch, b_batch);
  g.a_strides = batch_strides(a_batch, g.batch.size(), g.rows * g.reduced);
  g.b_strides = batch_strides(b_batch, g.batch.size(), g.reduced * g.columns);
  g.shape = g.batch;
  if (!a_vector) g.shape.push_back(g.rows);
  if (!b_vector) g.shape.push_back(g.columns);
  if (!is_affordable(g.shape)) return std::nullopt;
  return g;
}

// Calls body(result index, first of the row, first of the column) for every element of the result.
template <class Body>
void for_each_element(const Geometry& g, Body body) {
  const std::int64_t batches = element_count(g.batch);
  std::vector<std::int64_t> counter(g.batch.size(), 0);
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t out = 0;
  for (std::int64_t n = 0; n < batches; ++n) {
    for (std::int64_t i = 0; i < g.rows; ++i) {
      for (std::int64_t j = 0; j < g.columns; ++j) body(out++, a + i * g.reduced, b + j);
    }
    for (std::size_t axis = g.batch.size(); axis-- > 0;) {
      a += g.a_strides[axis];
      b += g.b_strides[axis];
      if (++counter[axis] < g.batch[axis]) break;
      a -= g.a_strides[axis] * g.batch[axis];
      b -= g.b_strides[axis] * g.batch[axis];
      counter[axis] = 0;
    }
  }
}

Value multiply_floats(const Tensor& lhs, const Tensor& rhs, const Geometry& g, DType dtype,
                      EvalContext& context) {
  std::vector<double> a_storage, b_storage;
  const std::span<const double> a = doubles_of(lhs, a_storage);
  const std::span<const double> b = doubles_of(rhs, b_storage);
  Tensor::Floats result = float_array(g.shape);
  double* out = result.data();
  for_each_element(g, [&](std::int64_t to, std::int64_t row, std::int64_t column) {
    double sum = 0;
    for (std::int64_t k = 0; k < g.reduced; ++k) {
      sum += a[static_cast<std::size_t>(row + k)] * b[static_cast<std::size_t>(column + k * g.columns)];
    }
    out[to] = sum;
  });
  return make_tensor(round_floats(dtype, std::move(result), context.rounding));
}

Value multiply_ints(const Tensor& lhs, const Tensor& rhs, const Geometry& g, DType dtype,
                    EvalContext& context) {
  std::vector<std::int64_t> a_storage, b_storage;
  const std::span<const std::int64_t> a = ints_of(lhs, a_storage);
  const std::span<const std::int64_t> b = ints_of(rhs, b_storage);
  IntResult result(dtype, g.shape);
  for_each_element(g, [&](std::int64_t to, std::int64_t row, std::int64_t column) {
    ExactInt sum;
    for (std::int64_t k = 0; k < g.reduced; ++k) {
      sum.add(Int128{a[static_cast<std::size_t>(row + k)]} *
              b[static_cast<std::size_t>(column + k * g.columns)]);
    }
    result.set(static_cast<std::size_t>(to), sum);
  });
  return make_tensor(std::move(result).finish("matmul", context.log));
}

Value eval_matmul(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const Tensor* a = &args[0].tensor();
  const Tensor* b = &args[1].tensor();
  const std::optional<Geometry> geometry = geometry_of(a->shape(), b->shape());
  if (!geometry) return misfit(context);
  const DType* out_dtype = optional_attr<DType>(attrs, 0);
  const DType dtype = out_dtype ? *out_dtype : a->dtype;
  Tensor a_cast, b_cast;
  // TVM casts the operands, then multiplies and sums in out_dtype (legalize_ops/linear_algebra.py).
  if (out_dtype && a->dtype != dtype) a = &(a_cast = convert(*a, dtype, context));
  if (out_dtype && b->dtype != dtype) b = &(b_cast = convert(*b, dtype, context));
  if (is_float(dtype)) return multiply_floats(*a, *b, *geometry, dtype, context);
  if (is_float(a->dtype) || is_float(b->dtype)) return misfit(context);
  return multiply_ints(*a, *b, *geometry, dtype, context);
}

// Dtypes that a matmul of `dtype` is often asked for.
DType draw_out_dtype(Choices& choices, DType dtype) {
  switch (dtype) {
    case DType::int8:
    case DType::uint8:
      return choices.pick({DType::int32, DType::float32, DType::float16, DType::int64});
    case DType::int32:
      return choices.pick({DType::int64, DType::int32, DType::float32});
    case DType::int64:
      return choices.pick({DType::int64, DType::float64});
    case DType::float16:
      return choices.pick({DType::float32, DType::float16, DType::float64});
    case DType::bfloat16:
      return choices.pick({DType::float32, DType::bfloat16});
    case DType::float32:
      return choices.pick({DType::float16, DType::float32, DType::float64, DType::bfloat16});
    default:
      return choices.pick({DType::float64, DType::float32});
  }
}

// The other operand's shape: of rank 1, or with batch axes that are the same, 1, absent, or (beside 1)
// larger.
Shape draw_partner_shape(Choices& choices, Scope& scope, const Drawn& one, bool one_is_lhs) {
  const int rank = one.rank();
  const Dim reduced = one.dim(rank == 1 ? 0 : one_is_lhs ? rank - 1 : rank - 2);
  constexpr unsigned kRankWeights[] = {6, 2, 3, 1};  // as one's (at least 2), 1, 3, 4
  const std::size_t way = choices.weighted(kRankWeights);
  if (way == 1) return {reduced};
  const int wanted = way == 0 ? std::max(rank, 2) : static_cast<int>(way) + 1;
  Shape shape;
  for (int i = 0; i < wanted - 2; ++i) {
    const int across = rank - wanted + i;  // right-aligned, from the left
    const Dim theirs = across >= 0 && across < rank - 2 ? one.dim(across) : Dim(1);
    const bool free = theirs.is_static() && theirs.value() == 1;
    if (free) {
      shape.push_back(choices.integer(1, 2));
    } else {
      shape.push_back(choices.one_in(4) ? Dim(1) : theirs);
    }
  }
  // Square matrices hide a transposition from shape checks, but not from values.
  const Dim other = choices.flip() && reduced.is_static() ? reduced : Dim(scope.dim(choices));
  shape.push_back(one_is_lhs ? reduced : other);
  shape.push_back(one_is_lhs ? other : reduced);
  return shape;
}

std::optional<CallDraft> overflowing_matmul(Choices& choices, Scope& scope) {
  if (choices.flip()) {
    const ExprPtr huge = full_constant(scope, DType::float32, {2, 2}, 0x1p40);
    return CallDraft{{huge, huge}, {DType::int32}};
  }
  const ExprPtr large = full_constant(scope, DType::int32, {2, 2}, std::int64_t{1} << 20);
  return CallDraft{{large, large}, {AttrValue()}};
}

std::optional<CallDraft> generate_matmul(Choices& choices, Scope& scope) {
  if (scope.allow_undefined(choices)) return overflowing_matmul(choices, scope);
  // bool is left out: TVM compiles no matmul of it (measured).
  const std::optional<Drawn> one = draw_operand(choices, scope, kNumericDTypes, 1, 4);
  if (!one) return std::nullopt;
  const bool one_is_lhs = !choices.flip();
  Want want{.dtype = one->dtype(), .shape = draw_partner_shape(choices, scope, *one, one_is_lhs)};
  const std::optional<Drawn> other = draw_operand(choices, scope, want);
  if (!other) return std::nullopt;
  const Drawn& lhs = one_is_lhs ? *one : *other;
  const Drawn& rhs = one_is_lhs ? *other : *one;
  const std::optional<Geometry> geometry = geometry_of(lhs.dims, rhs.dims);
  if (!geometry || element_count(geometry->shape) > kMaxResult) return std::nullopt;
  Attrs attrs{AttrValue()};
  if (choices.one_in(4)) attrs[0] = draw_out_dtype(choices, one->dtype());
  return CallDraft{{lhs.expr, rhs.expr}, std::move(attrs)};
}

const Param kMatmulParams[] = {
    {"x1", ParamKind::tensor},
    {"x2", ParamKind::tensor},
    {"out_dtype", ParamKind::attr_dtype, true, AttrValue()},
};
constexpr UndefinedRule kMatmulUndefined[] = {UndefinedRule::signed_overflow, UndefinedRule::float_to_int};

}  // namespace

std::span<const OpDef> matmul_ops() {
  static const OpDef kRows[] = {
      // TVM accumulates in the result's dtype, element by element: half an ulp of the running sum each.
      {{"relax.matmul"},
       .params = kMatmulParams,
       .undefined = kMatmulUndefined,
       .ulps = 8,
       .infer = infer_matmul,
       .eval = eval_matmul,
       .generate = generate_matmul},
  };
  return kRows;
}

}  // namespace passdiff
