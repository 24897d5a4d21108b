// sort, argsort, topk, median: what hangs on the order of the elements along an axis.
#include <algorithm>
#include <numeric>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/reduce.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

// The numbers below `size` in the order of the elements that `at` tells; equals keep their order. NaN counts
// as the largest, as in numpy; where it comes in TVM is an accident of std::stable_sort, whose comparison it
// breaks (contrib/sort/sort.cc).
template <class At>
Ints sorted_order(std::int64_t size, bool descending, At at) {
  Ints order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  const auto below = [](auto x, auto y) { return x < y || (x == x && y != y); };
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    if (below(at(a), at(b))) return !descending;
    if (below(at(b), at(a))) return descending;
    return a < b;
  });
  return order;
}

// Where along their line the elements come from that stand there once each line along the axis is sorted:
// int64.
Tensor line_orders(const Tensor& x, const AxisSplit& split, bool descending) {
  Tensor orders = zeros(DType::int64, x.shape());
  std::int64_t* out = std::get<Tensor::Ints>(orders.values).data();
  std::visit(
      [&](const auto& values) {
        for_each_line(split, [&](std::int64_t first) {
          const auto at = [&](std::int64_t k) { return values.data()[first + k * split.inner]; };
          const Ints order = sorted_order(split.size, descending, at);
          for (std::int64_t k = 0; k < split.size; ++k)
            out[first + k * split.inner] = order[static_cast<std::size_t>(k)];
        });
      },
      x.values);
  return orders;
}

// The first `count` elements of each line of `x`, or of those that `orders` names there.
Tensor first_of_lines(const Tensor& x, int axis, std::int64_t count, const Tensor* orders = nullptr) {
  const AxisSplit split = split_at(x.shape(), axis);
  Ints shape = x.shape();
  shape[static_cast<std::size_t>(axis)] = count;
  return from_places(x, shape, 0, [&](std::int64_t i, std::span<const std::int64_t>) {
    const std::int64_t line = i / (count * split.inner) * split.size * split.inner + i % split.inner;
    const std::int64_t at = line + i / split.inner % count * split.inner;
    return orders ? line + orders->ints().data()[at] * split.inner : at;
  });
}

struct SortAttrs {
  std::int64_t axis = -1;
  bool descending = false;
  static constexpr auto fields() {
    return std::tuple(field("axis", &SortAttrs::axis), field("descending", &SortAttrs::descending));
  }
};
struct ArgsortAttrs {
  std::int64_t axis = -1;
  bool descending = false;
  std::optional<DType> dtype = DType::int32;
  static constexpr auto fields() {
    return std::tuple(field("axis", &ArgsortAttrs::axis), field("descending", &ArgsortAttrs::descending),
                      field("dtype", &ArgsortAttrs::dtype));
  }
};

// TVM looks at the axis only when it runs.
Type infer_sort(const AnyTensor& x) {
  return x.type;
}

TensorType infer_argsort(const TensorType& data, const ArgsortAttrs& attrs) {
  return make_tensor_type(data.shape, data.rank, attrs.dtype ? attrs.dtype : data.dtype, data.vdevice);
}

std::optional<Tensor> eval_sort(const Tensor& x, const SortAttrs& attrs) {
  const int axis = runtime_axis(attrs.axis, x.rank());
  if (axis < 0) return std::nullopt;
  const AxisSplit split = split_at(x.shape(), axis);
  const Tensor orders = line_orders(x, split, attrs.descending);
  return first_of_lines(x, axis, split.size, &orders);
}

std::optional<Tensor> eval_argsort(const Tensor& data, const ArgsortAttrs& attrs, EvalContext& context) {
  const int axis = runtime_axis(attrs.axis, data.rank());
  if (axis < 0) return std::nullopt;
  const Tensor orders = line_orders(data, split_at(data.shape(), axis), attrs.descending);
  return convert(orders, attrs.dtype.value_or(data.dtype), context);
}

enum class TopkResult : std::uint8_t { both, values, indices };
constexpr std::array<std::string_view, 3> words_of(TopkResult) {
  return {"both", "values", "indices"};
}
struct TopkAttrs {
  std::int64_t k = 1;
  std::int64_t axis = -1;
  TopkResult ret_type = TopkResult::both;
  bool largest = true;
  std::optional<DType> dtype = DType::int32;
  static constexpr auto fields() {
    return std::tuple(field("k", &TopkAttrs::k), field("axis", &TopkAttrs::axis),
                      field("ret_type", &TopkAttrs::ret_type), field("largest", &TopkAttrs::largest),
                      field("dtype", &TopkAttrs::dtype));
  }
};

// Of a k below 1, or not below the size, all are taken. TVM looks at the axis only if the shape is known.
Result<Type> infer_topk(const TensorType& data, const TopkAttrs& attrs) {
  TensorType values = data;
  if (values.shape) {
    Dim& size = (*values.shape)[static_cast<std::size_t>(TRY(normalise_axis(attrs.axis, data.rank)))];
    if (attrs.k > 0 && !(size.is_static() && size.value() <= attrs.k)) size = attrs.k;
  }
  TensorType indices =
      make_tensor_type(values.shape, values.rank, attrs.dtype ? attrs.dtype : data.dtype, data.vdevice);
  if (attrs.ret_type == TopkResult::values) return Type(std::move(values));
  if (attrs.ret_type == TopkResult::indices) return Type(std::move(indices));
  return tuple_type({Type(std::move(values)), Type(std::move(indices))});
}

std::optional<Value> eval_topk(const Tensor& data, const TopkAttrs& attrs, EvalContext& context) {
  const int axis = runtime_axis(attrs.axis, data.rank());
  if (axis < 0) return std::nullopt;
  const AxisSplit split = split_at(data.shape(), axis);
  const std::int64_t count = attrs.k < 1 ? split.size : std::min(attrs.k, split.size);
  const Tensor orders = line_orders(data, split, attrs.largest);
  const Value values = make_tensor(first_of_lines(data, axis, count, &orders));
  const Value indices =
      make_tensor(convert(first_of_lines(orders, axis, count), attrs.dtype.value_or(data.dtype), context));
  if (attrs.ret_type == TopkResult::values) return values;
  if (attrs.ret_type == TopkResult::indices) return indices;
  return TupleValue{{values, indices}};
}

// Whether a median says where its values are along the axis, too: not over all elements, nor (in TVM's inference) over several axes.
bool gives_positions(const FoldAttrs& attrs) {
  return attrs.axis && attrs.axis->size() <= 1;
}

// Where it does not know the operand's shape, TVM infers both or one by the rank of the result, which is not what it lowers to.
Result<Type> infer_median(const TensorType& data, const FoldAttrs& attrs) {
  const TensorType values = TRY(infer_fold(data, attrs));
  if (!gives_positions(attrs)) return Type(values);
  return tuple_type(
      {Type(values), Type(make_tensor_type(values.shape, values.rank, DType::int64, values.vdevice))});
}

// The lower one of two in the middle. Over several axes TVM mistakes the first of them for all and returns
// what was in memory; our values are those over all of them.
std::optional<Value> eval_median(const Tensor& data, const FoldAttrs& attrs) {
  const std::optional<Reduction> r = reduction_of(data.shape(), attrs.axis, attrs.keepdims);
  if (!r || r->is_empty()) return std::nullopt;
  Tensor positions = zeros(DType::int64, r->shape);
  Ints places(r->results, -1);
  std::vector<Ints> members(r->results);
  const std::vector<std::size_t> slots = r->slots();
  for (std::size_t i = 0; i < slots.size(); ++i) members[slots[i]].push_back(static_cast<std::int64_t>(i));
  const auto find_middles = [&](const auto& elements) {
    for (std::size_t slot = 0; slot < members.size(); ++slot) {
      const Ints& here = members[slot];
      const auto element = [&](std::int64_t k) { return elements.data()[here[static_cast<std::size_t>(k)]]; };
      const Ints order = sorted_order(r->count, false, element);
      const std::int64_t middle = order[(order.size() - 1) / 2];
      std::get<Tensor::Ints>(positions.values).data()[slot] = middle;
      places[slot] = here[static_cast<std::size_t>(middle)];
    }
  };
  std::visit(find_middles, data.values);
  const auto place = [&](std::int64_t i, std::span<const std::int64_t>) {
    return places[static_cast<std::size_t>(i)];
  };
  const Value values = make_tensor(from_places(data, r->shape, 0, place));
  if (!gives_positions(attrs)) return values;
  return TupleValue{{values, make_tensor(std::move(positions))}};
}

// What TVM's runtime sorts. It takes bfloat16 for float32 and returns what is in memory.
constexpr DTypes kSortedDTypes{DType::int32, DType::int64, DType::float16, DType::float32, DType::float64};
constexpr DTypes kTopkDTypes{DType::int8,    DType::uint8,   DType::int32,  DType::int64,
                             DType::float16, DType::float32, DType::float64};

DType draw_position_dtype(Choices& choices) {
  return choices.pick({DType::int32, DType::int64, DType::float32, DType::float64});
}

template <class Attrs>
std::optional<CallDraft> generate_sort(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kSortedDTypes, 1, kMaxDrawnRank);
  if (!data) return std::nullopt;
  Attrs attrs;
  if (!choices.one_in(3)) attrs.axis = draw_axis(choices, data->rank());
  attrs.descending = choices.flip();
  if constexpr (requires { attrs.dtype; }) {
    if (choices.flip()) attrs.dtype = draw_position_dtype(choices);
  }
  return CallDraft({data->expr}, attrs);
}

std::optional<CallDraft> generate_topk(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kTopkDTypes, 1, kMaxDrawnRank);
  if (!data) return std::nullopt;
  TopkAttrs attrs;
  if (!choices.one_in(3)) attrs.axis = draw_axis(choices, data->rank());
  const std::int64_t size = data->size(runtime_axis(attrs.axis, data->dims.size()));
  attrs.k = choices.integer(0, size);
  attrs.ret_type = static_cast<TopkResult>(choices.index(3));
  attrs.largest = choices.flip();
  if (choices.flip()) attrs.dtype = draw_position_dtype(choices);
  return CallDraft({data->expr}, attrs);
}

std::optional<CallDraft> generate_median(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kSortedDTypes, 0, 4);
  if (!data || element_count(data->dims) == 0) return std::nullopt;
  FoldAttrs attrs;
  if (data->rank() > 0 && !choices.one_in(4)) attrs.axis = Ints{draw_axis(choices, data->rank())};
  // Over all elements TVM's kept dims are one, whatever it infers.
  if (attrs.axis || data->rank() == 1) attrs.keepdims = choices.one_in(3);
  return CallDraft({data->expr}, attrs);
}

}  // namespace

std::vector<OpDef> sort_rows() {
  return {
      op<infer_sort, eval_sort, generate_sort<SortAttrs>>("relax.sort", {"x"}),
      op<infer_argsort, eval_argsort, generate_sort<ArgsortAttrs>>("relax.argsort", {"data"}),
      op<infer_topk, eval_topk, generate_topk>("relax.topk", {"data"}),
      op<infer_median, eval_median, generate_median>("relax.median", {"x"},
                                                     {.attrs_class = "relax.attrs.StatisticalAttrs"}),
  };
}

}  // namespace passdiff
