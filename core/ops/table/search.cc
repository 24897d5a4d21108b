// bucketize, nonzero, unique.
#include <algorithm>
#include <numeric>
#include <string>

#include "core/ops/draw.h"
#include "core/ops/literal.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct BucketizeAttrs {
  bool out_int32 = false;
  bool right = false;
  static constexpr auto fields() {
    return std::tuple(field("out_int32", &BucketizeAttrs::out_int32), field("right", &BucketizeAttrs::right));
  }
};

Result<TensorType> infer_bucketize(const TensorType& x, const TensorType& boundaries,
                                   const BucketizeAttrs& attrs) {
  if (boundaries.rank != kUnknownRank && boundaries.rank != 1) {
    return Error{"type.rank", "bucketize: boundaries of rank " + std::to_string(boundaries.rank)};
  }
  return make_tensor_type(x.shape, x.rank, attrs.out_int32 ? DType::int32 : DType::int64, x.vdevice);
}

// An element of any dtype as a number that holds every double and every 64-bit integer.
long double exact_element(const Tensor& x, std::size_t i) {
  return std::visit([&](const auto& values) { return static_cast<long double>(values.data()[i]); }, x.values);
}

// A binary search as topi.searchsorted's, also over boundaries that are not sorted.
std::int64_t bucket_of(long double x, const Tensor& boundaries, bool right) {
  std::size_t low = 0;
  for (std::size_t high = boundaries.size(); low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    const long double boundary = exact_element(boundaries, middle);
    (right ? boundary <= x : boundary < x) ? void(low = middle + 1) : void(high = middle);
  }
  return static_cast<std::int64_t>(low);
}

std::optional<Tensor> eval_bucketize(const Tensor& x, const Tensor& boundaries, const BucketizeAttrs& attrs) {
  if (boundaries.rank() != 1) return std::nullopt;
  Tensor buckets = zeros(attrs.out_int32 ? DType::int32 : DType::int64, x.shape());
  std::int64_t* out = std::get<Tensor::Ints>(buckets.values).data();
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = bucket_of(exact_element(x, i), boundaries, attrs.right);
  return buckets;
}

// Boundaries that rise, as the op asks for. TVM compares no bools.
std::optional<CallDraft> generate_bucketize(Choices& choices, Scope& scope) {
  const auto x = draw_any_tensor(choices, scope, kNumericDTypes);
  // Over no elements TVM divides by their number while it compiles.
  if (!x || x->value.tensor().size() == 0) return std::nullopt;
  const DType dtype = *tensor_type_of(*x).dtype;
  Tensor boundaries = zeros(dtype, Ints{choices.integer(0, 5)});
  std::int64_t next = is_unsigned_int(dtype) ? 0 : choices.integer(-4, 2);
  const auto fill = [&](auto& values) {
    for (auto& value : values)
      value = static_cast<std::decay_t<decltype(value)>>(next += choices.integer(0, 2));
  };
  std::visit(fill, boundaries.values);
  const ExprPtr sorted = scope.constant(std::move(boundaries));
  return CallDraft({x->expr, sorted}, BucketizeAttrs{choices.flip(), choices.flip()});
}

TensorType infer_nonzero(const TensorType& x) {
  return make_tensor_type(std::nullopt, 2, DType::int64, x.vdevice);
}

// The indices of each element that is not 0 as a column; a tensor of rank 0 counts as one of rank 1. NaN is
// not 0.
Tensor eval_nonzero(const Tensor& x) {
  Ints shape = x.shape();
  if (shape.empty()) shape = {1};
  Ints found;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (exact_element(x, i) != 0) found.push_back(static_cast<std::int64_t>(i));
  }
  const auto count = static_cast<std::int64_t>(found.size());
  Tensor indices = zeros(DType::int64, Ints{std::ssize(shape), count});
  std::int64_t* out = std::get<Tensor::Ints>(indices.values).data();
  const std::vector<WalkAxis> steps = row_major(shape);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    for (const std::int64_t place : found) *out++ = place / steps[axis].stride % shape[axis];
  }
  return indices;
}

std::optional<CallDraft> generate_nonzero(Choices& choices, Scope& scope) {
  const auto x = draw_any_tensor(choices, scope, kAllDTypes);
  if (!x) return std::nullopt;
  return CallDraft({x->expr});
}

Result<bool> flag_of(const PrimValue& value) {
  const Dim* number = std::get_if<Dim>(&value.value);
  if (!number || !number->is_static())
    return Error{"type.operand", "unique: a flag that is no literal integer"};
  return number->value() != 0;
}

// Values, then what is asked for of: where each comes from first, which one each element is, how often each
// occurs.
Result<Type> infer_unique(const TensorType& x, const PrimType&, const PrimValue& index,
                          const PrimValue& inverse, const PrimValue& counts, const PrimValue* axis) {
  const Dim* along = axis ? std::get_if<Dim>(&axis->value) : nullptr;
  if (along && along->is_static() && x.rank != kUnknownRank) TRY(normalise_axis(along->value(), x.rank));
  const auto one_axis = [&](std::optional<DType> dtype, int rank) {
    if (x.rank == 0) return Type(make_tensor_type(Shape{1}, 1, dtype, x.vdevice));
    return Type(make_tensor_type(std::nullopt, rank, dtype, x.vdevice));
  };
  std::vector<Type> types{one_axis(x.dtype, axis ? x.rank : 1)};
  for (const PrimValue* flag : {&index, &inverse, &counts}) {
    if (TRY(flag_of(*flag))) types.push_back(one_axis(DType::int64, 1));
  }
  return types.size() == 1 ? types.front() : tuple_type(std::move(types));
}

// The slices of a tensor that unique compares: single elements, or all that have one index along an axis.
struct Slices {
  AxisSplit split;  // outer * inner elements make a slice

  std::int64_t place(std::int64_t slice, std::int64_t i) const {
    return (i / split.inner * split.size + slice) * split.inner + i % split.inner;
  }
  // Element by element; NaN equals NaN and comes last, as in numpy.
  int compare(const Tensor& x, std::int64_t a, std::int64_t b) const {
    for (std::int64_t i = 0; i < split.outer * split.inner; ++i) {
      const long double left = exact_element(x, static_cast<std::size_t>(place(a, i)));
      const long double right = exact_element(x, static_cast<std::size_t>(place(b, i)));
      if (left < right || (left == left && right != right)) return -1;
      if (left > right || (left != left && right == right)) return 1;
    }
    return 0;
  }
};

// The distinct slices: where each occurs first, how often, and which one each slice is. Sorted, or by first
// occurrence.
struct Distinct {
  Ints first, counts, inverse;
};
Distinct distinct_of(const Tensor& x, const Slices& slices, bool sorted) {
  Ints order(static_cast<std::size_t>(slices.split.size));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    const int compared = slices.compare(x, a, b);
    return compared != 0 ? compared < 0 : a < b;
  });
  Ints first;  // by group of equals, in order
  Ints group(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || slices.compare(x, order[i - 1], order[i]) != 0) first.push_back(order[i]);
    group[static_cast<std::size_t>(order[i])] = std::ssize(first) - 1;
  }
  Ints ranks = first;
  if (!sorted) std::sort(ranks.begin(), ranks.end());
  Distinct distinct{ranks, Ints(first.size()), Ints(order.size())};
  for (std::size_t i = 0; i < group.size(); ++i) {
    const std::int64_t which = first[static_cast<std::size_t>(group[i])];
    const auto rank = sorted ? group[i] : std::lower_bound(ranks.begin(), ranks.end(), which) - ranks.begin();
    distinct.inverse[i] = rank;
    ++distinct.counts[static_cast<std::size_t>(rank)];
  }
  return distinct;
}

Value int64_vector(const Ints& elements) {
  Tensor tensor = zeros(DType::int64, Ints{std::ssize(elements)});
  std::copy(elements.begin(), elements.end(), std::get<Tensor::Ints>(tensor.values).data());
  return make_tensor(std::move(tensor));
}

bool is_set(const ScalarValue& flag) {
  const std::int64_t* value = std::get_if<std::int64_t>(&flag.value);
  return value && *value != 0;
}

// TVM asks numpy, whose inverse has the operand's shape without an axis, where TVM infers one axis (and so
// does ONNX).
std::optional<Value> eval_unique(const Tensor& x, const ScalarValue& sorted, const ScalarValue& index,
                                 const ScalarValue& inverse, const ScalarValue& counts,
                                 const ScalarValue* along) {
  Ints shape = along ? x.shape() : Ints{static_cast<std::int64_t>(x.size())};
  const int axis = along ? runtime_axis(std::get<std::int64_t>(along->value), shape.size()) : 0;
  if (axis < 0) return std::nullopt;
  const Slices slices{split_at(shape, axis)};
  const Distinct distinct = distinct_of(x, slices, is_set(sorted));
  shape[static_cast<std::size_t>(axis)] = std::ssize(distinct.first);
  const AxisSplit to = split_at(shape, axis);
  const auto place = [&](std::int64_t i, std::span<const std::int64_t>) {
    const std::int64_t slice = distinct.first[static_cast<std::size_t>(i / to.inner % to.size)];
    return (i / (to.inner * to.size) * slices.split.size + slice) * to.inner + i % to.inner;
  };
  TupleValue results{{make_tensor(from_places(x, shape, 0, place))}};
  if (is_set(index)) results.fields.push_back(int64_vector(distinct.first));
  if (is_set(inverse)) results.fields.push_back(int64_vector(distinct.inverse));
  if (is_set(counts)) results.fields.push_back(int64_vector(distinct.counts));
  return results.fields.size() == 1 ? results.fields.front() : Value(std::move(results));
}

std::optional<CallDraft> generate_unique(Choices& choices, Scope& scope) {
  const std::optional<Drawn> x = draw_operand(choices, scope, kAllDTypes, 0, 4, Known::rank);
  if (!x || element_count(x->dims) == 0) return std::nullopt;
  std::optional<std::int64_t> axis;
  if (x->rank() > 0 && choices.flip()) axis = draw_axis(choices, x->rank());
  const auto flag = [&](bool allowed) { return make_prim(std::int64_t{allowed && choices.flip()}); };
  std::vector<ExprPtr> args{x->expr, flag(true), flag(true), flag(axis || x->rank() == 1), flag(true)};
  if (axis) args.push_back(make_prim(*axis));
  return CallDraft(std::move(args));
}

}  // namespace

std::vector<OpDef> search_rows() {
  return {
      op<infer_bucketize, eval_bucketize, generate_bucketize>(
          "relax.bucketize", {"input_tensor", "boundaries"}, {.attrs_class = "relax.attrs.BucketizeAttrs"}),
      op<infer_nonzero, eval_nonzero, generate_nonzero>("relax.nonzero", {"x"}),
      op<infer_unique, eval_unique, generate_unique>(
          "relax.unique", {"x", "sorted", "return_index", "return_inverse", "return_counts", "axis"}),
  };
}

}  // namespace passdiff
