// memory.view: the bytes of a tensor as those of another.
#include <algorithm>
#include <cmath>

#include "core/ops/draw.h"
#include "core/ops/literal.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

// An operand that asks for no change: the empty tuple.
bool is_void(const ExprPtr& operand) {
  return operand->type.as_tuple() != nullptr && operand->type.as_tuple()->fields.empty();
}

// What the operands say, as far as they are literals. `changes` says which are given at all.
struct View {
  std::optional<ShapeType> shape;
  bool retyped = false;
  std::optional<DType> dtype;
  std::optional<Dim> offset = Dim(0);
};

Result<View> read_view(const ExprPtr& shape, const ExprPtr& dtype, const ExprPtr& offset) {
  View view;
  if (!is_void(shape)) {
    if (shape->type.as_shape() == nullptr)
      return Error{"type.operand", "view: a shape of type " + to_string(shape->type)};
    view.shape = *shape->type.as_shape();
  }
  if (!is_void(dtype)) {
    view.retyped = true;
    if (const DataTypeImm* literal = as<DataTypeImm>(dtype))
      view.dtype = literal->value;
    else if (!dtype->type.is_object())
      return Error{"type.operand", "view: a dtype of type " + to_string(dtype->type)};
  }
  if (!is_void(offset)) {
    const PrimType* type = offset->type.as_prim();
    if (type == nullptr || type->dtype != DType::int64)
      return Error{"type.operand", "view: an offset of type " + to_string(offset->type)};
    const PrimValue* literal = as<PrimValue>(offset);
    view.offset = literal ? std::optional(std::get<Dim>(literal->value)) : std::nullopt;
  }
  return view;
}

std::optional<Dim> count_of(const std::optional<Shape>& shape) {
  if (!shape) return std::nullopt;
  Dim count = 1;
  for (const Dim& dim : *shape) count = count * dim;
  return count;
}

bool is_larger(const Dim& a, const Dim& b) {
  return a.is_static() && b.is_static() && a.value() > b.value();
}

// Whether the view is known to end beyond the tensor: by bytes, if they are known; else by elements; else by
// their size.
bool exceeds(const TensorType& x, const TensorType& result, const View& view) {
  const std::optional<Dim> from = count_of(x.shape), to = count_of(result.shape);
  const bool sized = x.dtype && result.dtype;
  if (from && to && sized) {
    const Dim bytes = *to * Dim(dtype_bytes(*result.dtype)) + view.offset.value_or(Dim(0));
    return is_larger(bytes, *from * Dim(dtype_bytes(*x.dtype)));
  }
  if (sized && !view.shape) return dtype_bytes(*result.dtype) > dtype_bytes(*x.dtype);
  if (from && to && !view.retyped) return is_larger(*to, *from);
  return view.offset && !view.shape && !view.dtype && is_larger(*view.offset, Dim(0));
}

Result<TensorType> infer_view(const TensorType& x, const ExprPtr& shape, const ExprPtr& dtype,
                              const ExprPtr& offset) {
  const View view = TRY(read_view(shape, dtype, offset));
  TensorType result =
      view.shape ? make_tensor_type(view.shape->values, view.shape->rank, x.dtype, x.vdevice) : x;
  if (view.retyped) result.dtype = view.dtype;
  if (exceeds(x, result, view)) return Error{"type.shape", "view: it ends beyond the tensor"};
  return result;
}

// The bytes beyond the tensor's end, or before its begin, are no part of it.
std::optional<Tensor> eval_view(const Tensor& x, const Value& shape, const Value& dtype,
                                const Value& offset) {
  const auto* dims = std::get_if<ShapeValue>(&shape.node);
  const auto* element = std::get_if<DType>(&dtype.node);
  const auto* begin = std::get_if<ScalarValue>(&offset.node);
  const std::vector<std::int64_t> sizes = dims ? dims->dims : x.shape();
  const DType type = element ? *element : x.dtype;
  const std::int64_t first = begin ? std::get<std::int64_t>(begin->value) : 0;
  const std::vector<std::uint8_t> bytes = to_bytes(x);
  if (!is_affordable(sizes)) return std::nullopt;
  const std::int64_t count = data_bytes(type, element_count(sizes));
  if (first < 0 || first + count > std::ssize(bytes)) return std::nullopt;
  const std::span<const std::uint8_t> viewed(bytes);
  Result<Tensor> made = from_bytes(
      type, sizes, viewed.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
  return made ? std::optional(*std::move(made)) : std::nullopt;
}

bool has_nan(const Tensor& x) {
  for (std::size_t i = 0; is_float(x.dtype) && i < x.size(); ++i) {
    if (std::isnan(x.floats().data()[i])) return true;
  }
  return false;
}

// A dtype that the bytes may be read as: any byte is an integer, not each a bool, and of a NaN the bits are
// not ours.
DType draw_view_dtype(Choices& choices, const Drawn& x) {
  constexpr DType kViewed[] = {DType::int32, DType::int8, DType::uint8, DType::int64};
  if (has_nan(x.value.tensor()) || choices.one_in(3)) return x.dtype();
  return choices.pick(kViewed);
}

// At offset 0, as kernels demand of their operands.
std::optional<CallDraft> generate_view(Choices& choices, Scope& scope) {
  const std::optional<Drawn> x = draw_operand(choices, scope, kAllDTypes, 0, kMaxDrawnRank);
  if (!x) return std::nullopt;
  const ExprPtr none = make_tuple({});
  const DType dtype = draw_view_dtype(choices, *x);
  const std::int64_t bytes = element_count(x->dims) * dtype_bytes(x->dtype());
  const bool keeps_shape = dtype_bytes(dtype) <= dtype_bytes(x->dtype()) && choices.flip();
  const std::int64_t most = is_static(*x->type.shape) ? bytes / dtype_bytes(dtype) : 0;
  Shape shape{choices.integer(0, most)};
  if (most % 2 == 0 && choices.flip()) shape = {Dim(2), Dim(most / 2)};
  const bool keeps_dtype = dtype == x->dtype() && choices.flip();
  return CallDraft({x->expr, keeps_shape ? none : make_shape(std::move(shape)),
                    keeps_dtype ? none : make_expr(DataTypeImm{dtype}, object_type()),
                    choices.flip() ? none : make_prim(std::int64_t{0})});
}

}  // namespace

std::vector<OpDef> view_rows() {
  return {op<infer_view, eval_view, generate_view>("relax.memory.view",
                                                   {"data", "shape", "dtype", "relative_byte_offset"})};
}

}  // namespace passdiff
