// vision.multibox_transform_loc: boxes from anchors and offsets, and the scores of their classes. Inference follows
// src/relax/op/vision/multibox_transform_loc.cc, evaluation topi/vision/multibox_transform_loc.py.
#include <algorithm>
#include <cmath>

#include "core/ops/draw.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct MultiboxAttrs {
  bool clip = false;
  double threshold = 0;
  Floats variances{1, 1, 1, 1};  // of x, y, width, height
  bool keep_background = true;
  bool apply_softmax = true;
  static constexpr auto fields() {
    return std::tuple(field("clip", &MultiboxAttrs::clip), field("threshold", &MultiboxAttrs::threshold),
                      field("variances", &MultiboxAttrs::variances),
                      field("keep_background", &MultiboxAttrs::keep_background),
                      field("apply_softmax", &MultiboxAttrs::apply_softmax));
  }
};

Error multibox_error(const std::string& what) {
  return Error{"type.multibox", "vision.multibox_transform_loc: " + what};
}

// TVM compares sizes only where both are known.
std::optional<Error> check_size(const TensorType& type, std::size_t axis, const Dim& wanted) {
  if (!type.shape) return std::nullopt;
  const Dim& size = (*type.shape)[axis];
  if (!size.is_static() || !wanted.is_static() || size.value() == wanted.value()) return std::nullopt;
  return multibox_error("a size of " + to_string(size) + ", not " + to_string(wanted));
}

Result<Type> infer_multibox(const TensorType& scores, const TensorType& offsets, const TensorType& anchors,
                            const MultiboxAttrs& attrs) {
  const auto has_rank = [](const TensorType& type, int rank) {
    return type.rank == kUnknownRank || type.rank == rank;
  };
  if (!has_rank(scores, 3) || !has_rank(offsets, 2) || !has_rank(anchors, 3))
    return multibox_error("an operand's rank");
  for (const TensorType* other : {&offsets, &anchors}) {
    if (scores.dtype && other->dtype && *scores.dtype != *other->dtype)
      return Error{"type.dtype", "vision.multibox_transform_loc: dtypes differ"};
  }
  if (attrs.variances.size() != 4) return multibox_error("variances are not four");
  if (offsets.shape && (*offsets.shape)[1].is_static() && (*offsets.shape)[1].value() % 4 != 0)
    return multibox_error("offsets are not four each");
  if (scores.shape) TRY_VOID(check_size(offsets, 0, (*scores.shape)[0]));
  TRY_VOID(check_size(anchors, 0, 1));
  TRY_VOID(check_size(anchors, 2, 4));
  if (!scores.shape) return tuple_type({of_unknown_shape(scores, 3), of_unknown_shape(scores, 3)});
  const Dim& count = (*scores.shape)[2];
  TRY_VOID(check_size(offsets, 1, count * Dim(4)));
  TRY_VOID(check_size(anchors, 1, count));
  return tuple_type({of_shape(scores, {(*scores.shape)[0], count, 4}), of_shape(scores, *scores.shape)});
}

// The box (top, left, bottom, right) that the offsets (x, y, width, height) make of an anchor (left, top, right, bottom).
template <class Rounded>
std::array<double, 4> decoded(const double* anchor, const double* offset, const MultiboxAttrs& attrs,
                              Rounded rounded) {
  std::array<double, 4> box{};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const double middle = rounded(rounded(anchor[axis] + anchor[axis + 2]) * 0.5);
    const double size = rounded(anchor[axis + 2] - anchor[axis]);
    const double shift = rounded(rounded(offset[axis] * rounded(attrs.variances[axis])) * size);
    const double centre = rounded(shift + middle);
    const double growth = rounded(std::exp(rounded(offset[axis + 2] * rounded(attrs.variances[axis + 2]))));
    const double half = rounded(rounded(0.5 * growth) * size);
    box[1 - axis] = rounded(centre - half);
    box[3 - axis] = rounded(centre + half);
  }
  if (attrs.clip) {
    // Each a compare and a select, which a NaN passes.
    for (double& side : box) {
      const double capped = 1 < side ? 1 : side;
      side = 0 > capped ? 0 : capped;
    }
  }
  return box;
}

// The scores of one anchor's classes, `stride` apart.
template <class Rounded>
void score(const double* in, double* out, std::int64_t classes, std::int64_t stride,
           const MultiboxAttrs& attrs, Rounded rounded) {
  double largest = -INFINITY, sum = 0;
  for (std::int64_t c = 0; c < classes; ++c) largest = std::max(largest, in[c * stride]);
  for (std::int64_t c = 0; c < classes; ++c) sum += std::exp(in[c * stride] - largest);
  for (std::int64_t c = 0; c < classes; ++c) {
    const double value =
        attrs.apply_softmax ? rounded(std::exp(in[c * stride] - largest) / sum) : in[c * stride];
    out[c * stride] = value * (value >= rounded(attrs.threshold) ? 1 : 0);
    if (c == 0 && !attrs.keep_background) out[c] = 0;
  }
}

std::optional<Value> eval_multibox(const Tensor& scores, const Tensor& offsets, const Tensor& anchors,
                                   const MultiboxAttrs& attrs, EvalContext& context) {
  if (!infer_multibox(exact_type(scores), exact_type(offsets), exact_type(anchors), attrs) ||
      !is_float(scores.dtype))
    return std::nullopt;
  const auto rounded = [&](double value) { return round_float(scores.dtype, value, context.rounding); };
  const Ints shape = scores.shape();
  const std::int64_t count = shape[2];
  Tensor::Floats boxes = float_array(Ints{shape[0], count, 4});
  Tensor::Floats kept = float_array(shape);
  for (std::int64_t i = 0; i < shape[0] * count; ++i) {
    const auto box =
        decoded(anchors.floats().data() + i % count * 4, offsets.floats().data() + i * 4, attrs, rounded);
    std::copy(box.begin(), box.end(), boxes.data() + i * 4);
    if (shape[1] == 0) continue;  // there are no classes to score
    const std::int64_t first = i / count * shape[1] * count + i % count;
    score(scores.floats().data() + first, kept.data() + first, shape[1], count, attrs, rounded);
  }
  TupleValue tuple;
  tuple.fields.emplace_back(make_tensor(Tensor{scores.dtype, std::move(boxes)}));
  tuple.fields.emplace_back(make_tensor(Tensor{scores.dtype, std::move(kept)}));
  return tuple;
}

std::optional<CallDraft> generate_multibox(Choices& choices, Scope& scope) {
  const std::optional<Drawn> scores = draw_operand(choices, scope, {DType::float32}, 3, 3);
  if (!scores || element_count(scores->dims) == 0 || !scores->dim(2).is_static()) return std::nullopt;
  const Dim count = scores->dim(2);
  const Want offsets_want{.dtype = DType::float32, .shape = Shape{scores->dim(0), count * Dim(4)}};
  const std::optional<Drawn> offsets = draw_operand(choices, scope, offsets_want);
  const Want anchors_want{.dtype = DType::float32, .shape = Shape{1, count, 4}};
  const std::optional<Drawn> anchors = draw_operand(choices, scope, anchors_want);
  if (!offsets || !anchors) return std::nullopt;
  MultiboxAttrs attrs{.clip = choices.flip()};
  constexpr double kThresholds[] = {0, 0.013, 0.3};
  attrs.threshold = choices.pick(kThresholds);
  if (choices.flip()) attrs.variances = {0.5, 0.25, 0.125, 0.5};
  attrs.keep_background = !choices.one_in(3);
  attrs.apply_softmax = !choices.one_in(3);
  return CallDraft({scores->expr, offsets->expr, anchors->expr}, attrs);
}

}  // namespace

std::vector<OpDef> multibox_rows() {
  // An exponential, products and sums, each rounded to the dtype.
  return {op<infer_multibox, eval_multibox, generate_multibox>(
      "relax.vision.multibox_transform_loc", {"cls_pred", "loc_pred", "anchor"}, {.ulps = 32})};
}

}  // namespace passdiff
