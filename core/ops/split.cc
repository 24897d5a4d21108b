// split: one tensor into a tuple.
#include <algorithm>

#include "core/ops/attr_access.h"
#include "core/ops/infer.h"
#include "core/ops/layout.h"
#include "core/ops/operand.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

// One section, or no indices: TVM's result is the tensor itself and no tuple (manipulate.cc).
bool is_whole(const AttrValue& indices_or_sections) {
  if (const Ints* indices = std::get_if<Ints>(&indices_or_sections)) return indices->empty();
  return std::get<std::int64_t>(indices_or_sections) == 1;
}

std::size_t piece_count(const AttrValue& indices_or_sections) {
  if (const Ints* indices = std::get_if<Ints>(&indices_or_sections)) return indices->size() + 1;
  return static_cast<std::size_t>(std::get<std::int64_t>(indices_or_sections));
}

// Sizes of equal sections: rounded up, the last takes what is left (which may be less than nothing: then the
// sections do not fit, and TVM's compilation fails).
std::vector<Dim> section_sizes(const Dim& size, std::int64_t sections) {
  const Dim each = Dim::binary(DimOp::floor_divide, size + Dim(sections - 1), sections);
  std::vector<Dim> sizes(static_cast<std::size_t>(sections), each);
  sizes.back() = size - each * Dim(sections - 1);
  return sizes;
}

Dim clamp(const Dim& index, const Dim& size) {
  const Dim low = Dim::binary(DimOp::maximum, index, 0);
  return Dim::binary(DimOp::minimum, low, size);
}

// Sizes of the pieces between the indices, as TVM simplifies them where an index is positive and a size
// symbolic.
std::vector<Dim> piece_sizes(const Dim& size, const Ints& indices) {
  std::vector<Dim> sizes;
  for (std::size_t i = 0; i <= indices.size(); ++i) {
    const bool last = i == indices.size();
    const std::int64_t from = i == 0 ? 0 : std::max<std::int64_t>(indices[i - 1], 0);
    if (!size.is_static() && i == 0) {
      sizes.push_back(clamp(indices[0], size));
    } else if (!size.is_static() && last) {
      sizes.push_back(Dim::binary(DimOp::maximum, size - Dim(from), 0));
    } else {
      const Dim to = last ? size : clamp(indices[i], size);
      sizes.push_back(Dim::binary(DimOp::maximum, to - clamp(from, size), 0));
    }
  }
  return sizes;
}

// A tuple of so many pieces takes memory before any element does.
constexpr std::int64_t kMaxPieces = 1 << 12;

Result<Type> infer_split(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<const TensorType*> operand = tensor_operand(args, 0);
  if (!operand) return operand.error();
  const TensorType& data = **operand;
  int axis = 0;
  if (data.rank != kUnknownRank) {
    const Result<int> normal = normalise_axis(attr<std::int64_t>(attrs, 1), data.rank);
    if (!normal) return normal.error();
    axis = *normal;
  }
  const std::int64_t* sections = optional_attr<std::int64_t>(attrs, 0);
  if (sections && (*sections < 1 || *sections > kMaxPieces)) {
    return Error{"type.split", "split: " + std::to_string(*sections) + " sections"};
  }
  if (is_whole(attrs[0])) return args[0]->type;
  if (!data.shape) {
    const Type piece = make_tensor_type(std::nullopt, data.rank, data.dtype, data.vdevice);
    return tuple_type(std::vector<Type>(piece_count(attrs[0]), piece));
  }
  const Dim& size = (*data.shape)[static_cast<std::size_t>(axis)];
  std::vector<Type> pieces;
  for (const Dim& dim : sections ? section_sizes(size, *sections) : piece_sizes(size, attr<Ints>(attrs, 0))) {
    if (dim.is_static() && dim.value() < 0) {
      return Error{"type.split", "split: " + to_string(size) + " does not fill the sections"};
    }
    Shape shape = *data.shape;
    shape[static_cast<std::size_t>(axis)] = dim;
    pieces.push_back(make_tensor_type(std::move(shape), data.rank, data.dtype, data.vdevice));
  }
  return tuple_type(std::move(pieces));
}

Value eval_split(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const Tensor& data = args[0].tensor();
  const std::vector<std::int64_t> dims = data.shape();
  const int axis = runtime_axis(attr<std::int64_t>(attrs, 1), dims.size());
  if (axis < 0) return misfit(context);
  if (is_whole(attrs[0])) return args[0];
  const std::int64_t* sections = optional_attr<std::int64_t>(attrs, 0);
  const AxisSplit around = split_at(dims, axis);
  const std::vector<Dim> sizes = sections ? section_sizes(Dim(around.size), *sections)
                                          : piece_sizes(Dim(around.size), attr<Ints>(attrs, 0));
  TupleValue pieces;
  std::int64_t each_start = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t size = sizes[i].value();
    if (size < 0) return misfit(context);
    std::int64_t start = each_start;
    if (!sections && i > 0) start = std::clamp<std::int64_t>(attr<Ints>(attrs, 0)[i - 1], 0, around.size);
    each_start += size;
    std::vector<std::int64_t> shape = dims;
    shape[static_cast<std::size_t>(axis)] = size;
    std::vector<WalkAxis> walk = row_major(dims);
    walk[static_cast<std::size_t>(axis)].size = size;
    pieces.fields.emplace_back(make_tensor(copy_strided(data, shape, start * around.inner, walk)));
  }
  return pieces;
}

// Indices that TVM compiles rise, begin above 0 and end at the size at most (measured).
Ints draw_indices(Choices& choices, std::int64_t size) {
  const int limit = static_cast<int>(std::min<std::int64_t>(size, 8));
  const int count = 1 + static_cast<int>(choices.index(static_cast<std::size_t>(std::min(limit, 3))));
  Ints indices;
  for (const int index : draw_distinct(choices, count, limit)) indices.push_back(index + 1);
  std::sort(indices.begin(), indices.end());
  return indices;
}

std::int64_t draw_sections(Choices& choices, std::int64_t size) {
  std::int64_t sections = choices.integer(2, 4);
  // Down to a number that fills: 5 sections of 2 have 7 elements too few.
  while ((size + sections - 1) / sections * (sections - 1) > size) --sections;
  return choices.one_in(16) ? 1 : sections;
}

std::optional<CallDraft> generate_split(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 4);
  if (!data) return std::nullopt;
  const std::int64_t axis = draw_axis(choices, data->rank());
  // Along a symbolic axis TVM's types hold minima that it simplifies in its own way; without elements it
  // fails.
  const Dim& dim = data->dim(runtime_axis(axis, data->dims.size()));
  if (!dim.is_static() || dim.value() == 0) return std::nullopt;
  AttrValue how;
  if (choices.flip()) {
    how = draw_indices(choices, dim.value());
  } else {
    how = draw_sections(choices, dim.value());
  }
  return CallDraft{{data->expr}, {std::move(how), axis}};
}

const Param kSplitParams[] = {
    {"x", ParamKind::tensor},
    {"indices_or_sections", ParamKind::attr_int_or_ints},
    {"axis", ParamKind::attr_int, false, AttrValue(std::int64_t{0})},
};

}  // namespace

std::span<const OpDef> split_rows() {
  static const OpDef kRows[] = {
      {{"relax.split"},
       .params = kSplitParams,
       .traits = Trait::data_movement,
       .infer = infer_split,
       .eval = eval_split,
       .generate = generate_split},
  };
  return kRows;
}

}  // namespace passdiff
