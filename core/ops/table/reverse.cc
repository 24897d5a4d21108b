// reverse_sequence: each line's first elements in reverse, as many as another tensor says.
#include <algorithm>

#include "core/ops/draw.h"
#include "core/ops/points.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct ReverseAttrs {
  std::int64_t seq_axis = 1;
  std::int64_t batch_axis = 0;
  static constexpr auto fields() {
    return std::tuple(field("seq_axis", &ReverseAttrs::seq_axis),
                      field("batch_axis", &ReverseAttrs::batch_axis));
  }
};

Result<TensorType> infer_reverse(const TensorType& data, const TensorType& lengths,
                                 const ReverseAttrs& attrs) {
  if (lengths.rank != kUnknownRank && lengths.rank != 1)
    return Error{"type.rank", "reverse_sequence: lengths of rank " + std::to_string(lengths.rank)};
  if (lengths.dtype && lengths.dtype != DType::int32 && lengths.dtype != DType::int64)
    return Error{"type.dtype", "reverse_sequence: " + std::string(dtype_name(*lengths.dtype)) + " lengths"};
  if (data.rank == kUnknownRank) return data;
  TRY(normalise_axis(attrs.seq_axis, data.rank));
  const auto batch = static_cast<std::size_t>(TRY(normalise_axis(attrs.batch_axis, data.rank)));
  if (data.shape && lengths.shape && proven_different((*data.shape)[batch], lengths.shape->front()))
    return Error{"type.shape", "reverse_sequence: " + to_string(lengths.shape->front()) + " lengths"};
  return data;
}

std::optional<Tensor> eval_reverse(const Tensor& data, const Tensor& lengths, const ReverseAttrs& attrs) {
  if (!infer_reverse(exact_type(data), exact_type(lengths), attrs)) return std::nullopt;
  const Ints shape = data.shape(), given = index_values(lengths);
  const auto along = static_cast<std::size_t>(runtime_axis(attrs.seq_axis, shape.size()));
  const auto batch = static_cast<std::size_t>(runtime_axis(attrs.batch_axis, shape.size()));
  const std::int64_t stride = row_major(shape)[along].stride;
  return from_places(data, shape, 0, [&](std::int64_t i, std::span<const std::int64_t> at) {
    const std::int64_t length = std::min(given[static_cast<std::size_t>(at[batch])], shape[along]);
    return at[along] < length ? i + (length - 1 - 2 * at[along]) * stride : i;
  });
}

// Lengths below 2 leave a line as it is, those beyond the axis reverse all of it.
std::optional<CallDraft> generate_reverse(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, kMaxDrawnRank);
  if (!data) return std::nullopt;
  const ReverseAttrs attrs{draw_axis(choices, data->rank()), draw_axis(choices, data->rank())};
  const Dim& batch = data->dim(runtime_axis(attrs.batch_axis, data->dims.size()));
  // TVM compiles no symbolic batch.
  if (!batch.is_static()) return std::nullopt;
  const std::int64_t limit = data->size(runtime_axis(attrs.seq_axis, data->dims.size())) + 2;
  const FillSpec fill{.fill = Fill::indices, .limit = limit, .allow_negative = choices.one_in(4)};
  const DType dtype = choices.flip() ? DType::int64 : DType::int32;
  const auto lengths = draw_operand(choices, scope, {.dtype = dtype, .shape = Shape{batch}, .fill = fill});
  return lengths ? std::optional(CallDraft({data->expr, lengths->expr}, attrs)) : std::nullopt;
}

}  // namespace

std::vector<OpDef> reverse_rows() {
  return {
      op<infer_reverse, eval_reverse, generate_reverse>("relax.reverse_sequence", {"data", "seq_lengths"})};
}

}  // namespace passdiff
