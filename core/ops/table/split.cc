// split: one tensor into a tuple.
#include <algorithm>

#include "core/ops/draw.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct SplitAttrs {
  IntOrInts indices_or_sections;
  std::int64_t axis = 0;
  static constexpr auto fields() {
    return std::tuple(required("indices_or_sections", &SplitAttrs::indices_or_sections),
                      field("axis", &SplitAttrs::axis));
  }

  const std::int64_t* sections() const { return std::get_if<std::int64_t>(&indices_or_sections); }
  const Ints& indices() const { return std::get<Ints>(indices_or_sections); }
  std::size_t piece_count() const {
    return sections() ? static_cast<std::size_t>(*sections()) : indices().size() + 1;
  }
};

// A piece of the axis that is split.
struct Piece {
  Dim start, size;
};

// Equal sections: their size is rounded up, and the last takes what is left (which may be less than nothing: then the
// sections do not fit, and TVM's compilation fails).
std::vector<Piece> equal_pieces(const Dim& size, std::int64_t sections) {
  const Dim each = Dim::binary(DimOp::floor_divide, size + Dim(sections - 1), sections);
  std::vector<Piece> pieces;
  for (std::int64_t i = 0; i < sections; ++i) pieces.push_back({each * Dim(i), each});
  pieces.back().size = size - pieces.back().start;
  return pieces;
}

Dim at_least_zero(const Dim& dim) {
  return Dim::binary(DimOp::maximum, dim, 0);
}

// The pieces between the indices; symbolic sizes as TVM simplifies them where all indices are positive.
std::vector<Piece> pieces_between(const Ints& indices, const Dim& size) {
  const auto clamped = [&](std::int64_t index) {
    return Dim::binary(DimOp::minimum, at_least_zero(index), size);
  };
  std::vector<Piece> pieces{{0, clamped(indices[0])}};
  for (std::size_t i = 1; i < indices.size(); ++i) {
    const Dim start = clamped(indices[i - 1]);
    pieces.push_back({start, at_least_zero(clamped(indices[i]) - start)});
  }
  pieces.push_back({clamped(indices.back()), at_least_zero(size - at_least_zero(indices.back()))});
  return pieces;
}

std::vector<Piece> pieces_of(const Dim& size, const SplitAttrs& attrs) {
  return attrs.sections() ? equal_pieces(size, *attrs.sections()) : pieces_between(attrs.indices(), size);
}

// A tuple of so many pieces takes memory before any element does.
constexpr std::int64_t kMaxPieces = 1 << 12;

Result<Type> infer_split(const AnyTensor& x, const SplitAttrs& attrs) {
  const TensorType& tensor = x.tensor;
  const int axis = tensor.rank == kUnknownRank ? 0 : TRY(normalise_axis(attrs.axis, tensor.rank));
  const std::int64_t* sections = attrs.sections();
  if (sections && (*sections < 1 || *sections > kMaxPieces)) {
    return Error{"type.split", "split: " + std::to_string(*sections) + " sections"};
  }
  // TVM's result is then the tensor itself and no tuple (manipulate.cc).
  if (attrs.piece_count() == 1) return x.type;
  if (!tensor.shape)
    return tuple_type(std::vector<Type>(attrs.piece_count(), of_unknown_shape(tensor, tensor.rank)));
  Shape shape = *tensor.shape;
  const Dim size = shape[static_cast<std::size_t>(axis)];
  std::vector<Type> types;
  for (const Piece& piece : pieces_of(size, attrs)) {
    if (piece.size.is_static() && piece.size.value() < 0) {
      return Error{"type.split", "split: " + to_string(size) + " does not fill the sections"};
    }
    shape[static_cast<std::size_t>(axis)] = piece.size;
    types.push_back(of_shape(tensor, shape));
  }
  return tuple_type(std::move(types));
}

std::optional<Value> eval_split(const Value& x, const SplitAttrs& attrs) {
  const int axis = runtime_axis(attrs.axis, x.tensor().rank());
  if (axis < 0) return std::nullopt;
  if (attrs.piece_count() == 1) return make_tensor(Tensor(x.tensor()));
  std::vector<WalkAxis> walk = row_major(x.tensor().shape());
  WalkAxis& along = walk[static_cast<std::size_t>(axis)];
  TupleValue tuple;
  for (const Piece& piece : pieces_of(along.size, attrs)) {
    if (piece.size.value() < 0) return std::nullopt;
    along.size = piece.size.value();
    tuple.fields.emplace_back(
        make_tensor(copy_strided(x.tensor(), piece.start.value() * along.stride, walk)));
  }
  return tuple;
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
  SplitAttrs attrs{.indices_or_sections = {}, .axis = draw_axis(choices, data->rank())};
  // Along a symbolic axis TVM's types hold minima that it simplifies in its own way; without elements it fails.
  const Dim& dim = data->dim(runtime_axis(attrs.axis, data->dims.size()));
  if (!dim.is_static() || dim.value() == 0) return std::nullopt;
  if (choices.flip()) {
    attrs.indices_or_sections = draw_indices(choices, dim.value());
  } else {
    attrs.indices_or_sections = draw_sections(choices, dim.value());
  }
  return CallDraft({data->expr}, attrs);
}

}  // namespace

std::vector<OpDef> split_rows() {
  return {
      op<infer_split, eval_split, generate_split>("relax.split", {"x"}, {.weight = 3})};
}

}  // namespace passdiff
