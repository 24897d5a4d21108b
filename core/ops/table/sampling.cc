// multinomial_from_uniform.
#include <string>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"

namespace passdiff {
namespace {

struct MultinomialAttrs {
  DType dtype = DType::int64;
  static constexpr auto fields() { return std::tuple(field("dtype", &MultinomialAttrs::dtype)); }
};

// Fails with type.dtype unless the dtype is unknown or has the property, with type.rank unless the rank is
// unknown or 2.
Result<bool> check_matrix(std::string_view name, const TensorType& type, bool (*fits)(DType),
                          bool ranks_known) {
  if (type.dtype && !fits(*type.dtype)) {
    return Error{"type.dtype", "multinomial_from_uniform: " + std::string(name) + " of " +
                                   std::string(dtype_name(*type.dtype))};
  }
  if (ranks_known && type.rank != 2) {
    return Error{"type.rank",
                 "multinomial_from_uniform: " + std::string(name) + " of rank " + std::to_string(type.rank)};
  }
  return true;
}

// (batch, classes), (n, 1) and (n, 1) to (n, 1). TVM looks at ranks only if all are known, and at sizes
// likewise.
Result<TensorType> infer_multinomial(const TensorType& prob, const TensorType& sample,
                                     const TensorType& indices, const MultinomialAttrs& attrs) {
  const bool ranks = prob.rank != kUnknownRank && sample.rank != kUnknownRank && indices.rank != kUnknownRank;
  TRY(check_matrix("prob", prob, is_float, ranks));
  TRY(check_matrix("uniform_sample", sample, is_float, ranks));
  TRY(check_matrix("sample_indices", indices, is_signed_int, ranks));
  if (!prob.shape || !sample.shape || !indices.shape) {
    return make_tensor_type(std::nullopt, ranks ? 2 : kUnknownRank, attrs.dtype, prob.vdevice);
  }
  const Shape& drawn = *sample.shape;
  if (!proven_equal(drawn, *indices.shape) || !drawn[1].is_static() || drawn[1].value() != 1) {
    return Error{"type.shape",
                 "multinomial_from_uniform: samples and their indices must be columns of one size"};
  }
  return make_tensor_type(drawn, 2, attrs.dtype, prob.vdevice);
}

// The class into which the sample falls, by sums of probabilities that are rounded to their dtype: the last
// for samples beyond all of them. TVM leaves the result unwritten where a NaN is neither below a sum nor
// above the one before (-1 here).
std::int64_t class_of(const double* prob, std::int64_t classes, double sample, DType dtype,
                      Rounding& rounding) {
  std::int64_t found = -1;
  double before = 0;
  for (std::int64_t i = 0; i < classes; ++i) {
    const double sum = i == 0 ? prob[0] : round_float(dtype, before + prob[i], rounding);
    if ((sample < sum || i + 1 == classes) && (i == 0 || sample >= before)) found = i;
    before = sum;
  }
  return found;
}

std::optional<Tensor> eval_multinomial(const Tensor& prob, const Tensor& sample, const Tensor& indices,
                                       const MultinomialAttrs& attrs, EvalContext& context) {
  const Ints shape = sample.shape();
  if (prob.rank() != 2 || shape != indices.shape() || shape.size() != 2 || shape[1] != 1) return std::nullopt;
  const Ints dims = prob.shape();
  Ints storage;
  const std::span<const std::int64_t> rows = ints_of(indices, storage);
  Tensor result = zeros(DType::int64, shape);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0 || rows[i] >= dims[0]) {
      context.log.report(UndefinedRule::index_out_of_bounds,
                         "row " + std::to_string(rows[i]) + " of " + std::to_string(dims[0]));
      break;
    }
    const double* row = prob.floats().data() + rows[i] * dims[1];
    const std::int64_t found =
        class_of(row, dims[1], sample.floats().data()[i], prob.dtype, context.rounding);
    if (found < 0) context.log.report(UndefinedRule::uninitialised_read, "a sample that falls into no class");
    std::get<Tensor::Ints>(result.values).data()[i] = found;
  }
  return convert(result, attrs.dtype, context);
}

std::optional<CallDraft> generate_multinomial(Choices& choices, Scope& scope) {
  const bool undefined = scope.allow_undefined(choices);
  const FillSpec positive{.fill = Fill::positive};
  const std::optional<Drawn> prob =
      draw_operand(choices, scope, Want{.min_rank = 2, .max_rank = 2, .float_only = true, .fill = positive});
  if (!prob || !kFloatDTypes.has(prob->dtype()) || element_count(prob->dims) == 0) return std::nullopt;
  const std::int64_t count = choices.integer(1, 4);
  // TVM's kernel compares samples of one dtype only.
  const std::optional<Drawn> sample =
      draw_operand(choices, scope, Want{.dtype = prob->dtype(), .shape = Shape{count, 1}, .fill = positive});
  if (!sample) return std::nullopt;
  const FillSpec fill{
      .fill = Fill::indices, .limit = prob->size(0) + (undefined ? 3 : 0), .allow_negative = undefined};
  const DType dtype = choices.pick({DType::int64, DType::int32, DType::int16, DType::int8});
  const std::optional<Drawn> indices =
      draw_operand(choices, scope, Want{.dtype = dtype, .shape = Shape{count, 1}, .fill = fill});
  if (!indices) return std::nullopt;
  const DType result = choices.pick({DType::int64, DType::int32});
  return CallDraft({prob->expr, sample->expr, indices->expr}, MultinomialAttrs{result});
}

}  // namespace

std::vector<OpDef> sampling_rows() {
  return {op<infer_multinomial, eval_multinomial, generate_multinomial>(
      "relax.multinomial_from_uniform", {"prob", "uniform_sample", "sample_indices"},
      {.undefined = kOutOfBounds})};
}

}  // namespace passdiff
