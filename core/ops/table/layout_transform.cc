// layout_transform: elements rearranged by an index map.
#include <algorithm>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct LayoutTransformAttrs {
  IndexMap index_map;
  std::optional<Number> pad_value;
  static constexpr auto fields() {
    return std::tuple(required("index_map", &LayoutTransformAttrs::index_map),
                      field("pad_value", &LayoutTransformAttrs::pad_value));
  }
};

// The number that an index is a multiple of, if it says one; else 1.
std::int64_t factor_of(const Dim& index) {
  const DimNode* node = index.node();
  const auto* product = node == nullptr ? nullptr : std::get_if<DimBinary>(&node->node);
  if (product == nullptr || product->op != DimOp::multiply) return 1;
  return product->rhs.is_static()   ? product->rhs.value()
         : product->lhs.is_static() ? product->lhs.value()
                                    : 1;
}

// One more than the largest value of an index over axes of these sizes, where padding completes each part of
// an axis that is split (IndexMapNode::MapRanges in tirx/ir/index_map.cc). Fails with type.index-map for what
// no layout needs.
Result<Dim> extent_of(const Dim& index, const IndexMap& map, const Shape& sizes) {
  if (index.is_static()) return Dim(1) + index;
  if (const SymVar* axis = index.as_var())
    return sizes[static_cast<std::size_t>(std::find(map.axes.begin(), map.axes.end(), *axis) -
                                          map.axes.begin())];
  const auto& [op, lhs, rhs] = std::get<DimBinary>(index.node()->node);
  const Dim left = TRY(extent_of(lhs, map, sizes));
  const Dim right = TRY(extent_of(rhs, map, sizes));
  const bool by_number = rhs.is_static() && rhs.value() > 0;
  if (op == DimOp::add && rhs.is_static()) return left + rhs;
  // The largest value of a multiple is a factor below its extent.
  const Dim less(1 - factor_of(lhs) - factor_of(rhs));
  if (op == DimOp::add) return left.is_static() ? right + (left + less) : left + (right + less);
  if (op == DimOp::multiply && by_number) return left * rhs;
  if (op == DimOp::multiply && lhs.is_static() && lhs.value() > 0) return right * lhs;
  if (op == DimOp::floor_mod && by_number) return rhs;
  if (op == DimOp::floor_divide && by_number)
    return Dim::binary(DimOp::floor_divide, left + Dim(rhs.value() - 1), rhs);
  return Error{"type.index-map", "layout_transform: index " + to_string(index)};
}

bool holds(DType dtype, const Number& integer) {
  const std::int64_t value =
      std::visit([](auto number) { return static_cast<std::int64_t>(number); }, integer);
  if (value < 0) return is_signed_int(dtype) && value >= int_min(dtype);
  return static_cast<std::uint64_t>(value) <= static_cast<std::uint64_t>(int_max(dtype));
}

Result<TensorType> infer_layout_transform(const TensorType& x, const LayoutTransformAttrs& attrs) {
  const IndexMap& map = attrs.index_map;
  if (attrs.pad_value && !x.dtype)
    return Error{"type.dtype", "layout_transform: a pad value for an unknown dtype"};
  if (attrs.pad_value && std::holds_alternative<double>(*attrs.pad_value) && !is_float(*x.dtype))
    return Error{"type.dtype", "layout_transform: a float pads integers"};
  if (attrs.pad_value && !is_float(*x.dtype) && !holds(*x.dtype, *attrs.pad_value))
    return Error{"type.value", "layout_transform: a pad value beyond the dtype"};
  if (x.rank != kUnknownRank && x.rank != std::ssize(map.axes))
    return Error{"type.rank", "layout_transform: " + to_string(map) + " of rank " + std::to_string(x.rank)};
  if (!x.shape) return of_unknown_shape(x, static_cast<int>(map.indices.size()));
  Shape shape;
  for (const Dim& index : map.indices) shape.push_back(TRY(extent_of(index, map, *x.shape)));
  return of_shape(x, std::move(shape));
}

Tensor pad_of(DType dtype, const std::optional<Number>& value) {
  Tensor pad = zeros(dtype, {});
  const auto set = [&]<class T>(xt::xarray<T>& elements) {
    if (value) elements.data()[0] = std::visit([](auto number) { return static_cast<T>(number); }, *value);
  };
  std::visit(set, pad.values);
  return pad;
}

// Without a pad value TVM pads with zeros, though any value would do.
std::optional<Tensor> eval_layout_transform(const Tensor& x, const LayoutTransformAttrs& attrs) {
  const IndexMap& map = attrs.index_map;
  const std::optional<Ints> shape = exact_shape(infer_layout_transform(exact_type(x), attrs));
  if (!shape || !is_affordable(*shape)) return std::nullopt;
  const std::vector<WalkAxis> from = row_major(x.shape()), to = row_major(*shape);
  Ints places(static_cast<std::size_t>(element_count(*shape)), -1);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(x.size()); ++i) {
    std::int64_t place = 0;
    for (std::size_t k = 0; k < to.size(); ++k) {
      const auto index = evaluate(map.indices[k], [&](const SymVar& axis) -> std::optional<std::int64_t> {
        const auto& [size, stride] = from[static_cast<std::size_t>(
            std::find(map.axes.begin(), map.axes.end(), axis) - map.axes.begin())];
        return i / stride % size;
      });
      if (!index || *index < 0 || *index >= to[k].size) return std::nullopt;
      place += *index * to[k].stride;
    }
    places[static_cast<std::size_t>(place)] = i;
  }
  const Extents extents(shape->begin(), shape->end());
  Tensor result =
      map_elements(x.dtype, extents, [](auto value) { return value; }, pad_of(x.dtype, attrs.pad_value));
  const auto copy = [&]<class Elements>(Elements& elements) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i] >= 0) elements.data()[i] = std::get<Elements>(x.values).data()[places[i]];
    }
  };
  std::visit(copy, result.values);
  return result;
}

// Splits an index in two, by a number that need not divide its size. True if it does not.
bool split_index(Choices& choices, Shape& indices, const Drawn& x) {
  const std::size_t at = choices.index(indices.size());
  if (!x.dim(static_cast<int>(at)).is_static()) return false;
  const std::int64_t factor = choices.integer(2, 4);
  const Dim whole = indices[at];
  indices[at] = Dim::binary(DimOp::floor_divide, whole, factor);
  const auto place = indices.begin() + static_cast<std::ptrdiff_t>(choices.flip() ? at + 1 : indices.size());
  indices.insert(place, Dim::binary(DimOp::floor_mod, whole, factor));
  return x.dims[at] % factor != 0;
}

// Makes one index of two neighbours.
void fuse_indices(Choices& choices, Shape& indices, const Drawn& x) {
  const std::size_t at = choices.index(indices.size() - 1);
  const Dim& inner = x.dim(static_cast<int>(at) + 1);
  if (!inner.is_static() || inner.value() == 0) return;
  indices[at] = indices[at] * inner + indices[at + 1];
  indices.erase(indices.begin() + static_cast<std::ptrdiff_t>(at) + 1);
}

// TVM compiles none of bools (legalize_ops/manipulate.py pads with a float).
std::optional<CallDraft> generate_layout_transform(Choices& choices, Scope& scope) {
  const std::optional<Drawn> x = draw_operand(choices, scope, kNumericDTypes, 1, 4);
  if (!x || element_count(x->dims) == 0) return std::nullopt;
  LayoutTransformAttrs attrs;
  for (int i = 0; i < x->rank(); ++i)
    attrs.index_map.axes.push_back(make_sym_var(std::string(1, static_cast<char>('i' + i))));
  Shape indices(attrs.index_map.axes.begin(), attrs.index_map.axes.end());
  bool pads = false;
  if (choices.flip())
    pads = split_index(choices, indices, *x);
  else if (x->rank() > 1 && choices.flip())
    fuse_indices(choices, indices, *x);
  const bool permutes = choices.flip();
  const int count = static_cast<int>(indices.size());
  for (const int at : draw_distinct(choices, permutes ? count : 0, count))
    attrs.index_map.indices.push_back(indices[static_cast<std::size_t>(at)]);
  if (!permutes) attrs.index_map.indices = indices;
  // Without a pad value what pads is left open.
  if (pads || choices.one_in(3)) {
    const std::int64_t pad = choices.integer(0, 3);
    attrs.pad_value = is_float(x->dtype()) ? Number(static_cast<double>(pad) / 2) : Number(pad);
  }
  return CallDraft({x->expr}, attrs);
}

}  // namespace

std::vector<OpDef> layout_transform_rows() {
  return {op<infer_layout_transform, eval_layout_transform, generate_layout_transform>(
      "relax.layout_transform", {"x"})};
}

}  // namespace passdiff
