// vision.get_valid_counts, vision.non_max_suppression: boxes by falling scores, without those that overlap a better one. Inference
// follows src/relax/op/vision/nms.cc, evaluation topi/vision/nms.py.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/ops/boxes.h"
#include "core/ops/draw.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

struct ValidCountsAttrs {
  double score_threshold = 0;
  std::int64_t id_index = 0;
  std::int64_t score_index = 1;
  static constexpr auto fields() {
    return std::tuple(field("score_threshold", &ValidCountsAttrs::score_threshold),
                      field("id_index", &ValidCountsAttrs::id_index),
                      field("score_index", &ValidCountsAttrs::score_index));
  }
};
struct NmsAttrs {
  std::int64_t max_output_size = -1;  // below 1: all
  double iou_threshold = 0.5;
  bool force_suppress = false;  // across classes, too
  std::int64_t top_k = -1;      // below 1: all
  std::int64_t coord_start = 2;
  std::int64_t score_index = 1;
  std::int64_t id_index = 0;  // of the class; -1: there is none
  bool return_indices = true;
  bool invalid_to_bottom = false;
  double soft_nms_sigma = 0;  // above 0: scores fall instead
  double score_threshold = 0;
  static constexpr auto fields() {
    return std::tuple(field("max_output_size", &NmsAttrs::max_output_size),
                      field("iou_threshold", &NmsAttrs::iou_threshold),
                      field("force_suppress", &NmsAttrs::force_suppress), field("top_k", &NmsAttrs::top_k),
                      field("coord_start", &NmsAttrs::coord_start),
                      field("score_index", &NmsAttrs::score_index), field("id_index", &NmsAttrs::id_index),
                      field("return_indices", &NmsAttrs::return_indices),
                      field("invalid_to_bottom", &NmsAttrs::invalid_to_bottom),
                      field("soft_nms_sigma", &NmsAttrs::soft_nms_sigma),
                      field("score_threshold", &NmsAttrs::score_threshold));
  }
  bool is_soft() const { return soft_nms_sigma > 0; }
};

Error nms_error(const std::string& what) {
  return Error{"type.nms", "non-maximum suppression: " + what};
}

// Is `index` the place of a number in rows of this length, if that is known?
bool is_place(std::int64_t index, std::int64_t least, const TensorType& data, std::int64_t beyond = 0) {
  if (!data.shape || !(*data.shape)[2].is_static()) return true;
  return index >= least && index + beyond < (*data.shape)[2].value();
}

TensorType ints_of_shape(const TensorType& data, std::optional<Shape> shape, int rank) {
  return make_tensor_type(std::move(shape), rank, DType::int32, data.vdevice);
}
std::optional<Shape> leading(const TensorType& data, std::size_t count) {
  if (!data.shape) return std::nullopt;
  return Shape(data.shape->begin(), data.shape->begin() + static_cast<std::ptrdiff_t>(count));
}

Result<Type> infer_valid_counts(const TensorType& data, const ValidCountsAttrs& attrs) {
  if (data.rank != kUnknownRank && data.rank != 3)
    return nms_error("data of rank " + std::to_string(data.rank));
  if (!is_place(attrs.score_index, 0, data) || !is_place(attrs.id_index, -1, data))
    return nms_error("an index is out of range");
  return tuple_type({ints_of_shape(data, leading(data, 1), 1),
                     make_tensor_type(data.shape, 3, data.dtype, data.vdevice),
                     ints_of_shape(data, leading(data, 2), 2)});
}

Result<Type> infer_nms(const TensorType& data, const TensorType& valid_count, const TensorType& indices,
                       const NmsAttrs& attrs) {
  const std::pair<const TensorType*, int> ranks[] = {{&data, 3}, {&valid_count, 1}, {&indices, 2}};
  for (const auto& [type, rank] : ranks) {
    if (type->rank != kUnknownRank && type->rank != rank)
      return nms_error("an operand of rank " + std::to_string(type->rank));
    if (rank < 3 && type->dtype && *type->dtype != DType::int32)
      return Error{"type.dtype", "non-maximum suppression: counts and indices are int32"};
    // TVM refuses what it cannot prove.
    for (std::size_t i = 0; rank < 3 && data.shape && type->shape && i < type->shape->size(); ++i) {
      if (!proven_equal((*type->shape)[i], (*data.shape)[i]))
        return nms_error("an operand of size " + to_string((*type->shape)[i]));
    }
  }
  if (!is_place(attrs.score_index, 0, data) || !is_place(attrs.coord_start, 0, data, 3) ||
      !is_place(attrs.id_index, -1, data))
    return nms_error("an index is out of range");
  const TensorType boxes = make_tensor_type(data.shape, 3, data.dtype, data.vdevice);
  if (!attrs.return_indices) return Type(boxes);
  std::optional<Shape> counts = leading(data, 1);
  if (counts) counts->push_back(1);
  std::vector<Type> fields{ints_of_shape(data, leading(data, 2), 2),
                           ints_of_shape(data, std::move(counts), 2)};
  if (attrs.is_soft()) fields.insert(fields.begin(), boxes);
  return tuple_type(std::move(fields));
}

Value int_tensor(const Ints& values, const Ints& shape) {
  Tensor tensor = zeros(DType::int32, shape);
  std::copy(values.begin(), values.end(), std::get<Tensor::Ints>(tensor.values).data());
  return make_tensor(std::move(tensor));
}
Value float_tensor(DType dtype, const std::vector<double>& values, const Ints& shape) {
  Tensor::Floats floats = float_array(shape);
  std::copy(values.begin(), values.end(), floats.data());
  return make_tensor(Tensor{dtype, std::move(floats)});
}

// The boxes above the threshold that have a class come first; -1 fills the rest.
std::optional<Value> eval_valid_counts(const Tensor& data, const ValidCountsAttrs& attrs,
                                       EvalContext& context) {
  if (!infer_valid_counts(exact_type(data), attrs) || !is_float(data.dtype) || data.rank() != 3)
    return std::nullopt;
  const Ints shape = data.shape();
  const double threshold = round_float(data.dtype, attrs.score_threshold, context.rounding);
  std::vector<double> boxes(data.size(), -1);
  Ints indices(static_cast<std::size_t>(shape[0] * shape[1]), -1), counts;
  for (std::int64_t batch = 0; batch < shape[0]; ++batch) {
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < shape[1]; ++i) {
      const double* box = data.floats().data() + (batch * shape[1] + i) * shape[2];
      if (!(box[attrs.score_index] > threshold) || (attrs.id_index >= 0 && !(box[attrs.id_index] >= 0)))
        continue;
      const std::int64_t at = batch * shape[1] + count++;
      std::copy_n(box, shape[2], boxes.begin() + at * shape[2]);
      indices[static_cast<std::size_t>(at)] = i;
    }
    counts.push_back(count);
  }
  return TupleValue{{int_tensor(counts, {shape[0]}), float_tensor(data.dtype, boxes, shape),
                     int_tensor(indices, {shape[0], shape[1]})}};
}

// One batch: its boxes in the order of their scores, and which they were. A box that is dropped has the index -1.
struct Suppression {
  const NmsAttrs& attrs;
  DType dtype;
  Rounding& rounding;
  std::vector<std::vector<double>> boxes;
  Ints indices;
  std::size_t kept = 0;  // as many as are looked at

  double rounded(double value) const { return round_float(dtype, value, rounding); }
  double& score(std::size_t i) { return boxes[i][static_cast<std::size_t>(attrs.score_index)]; }
  double threshold() const { return rounded(attrs.is_soft() ? attrs.score_threshold : 0.0); }
  bool is_full(std::size_t count) const {
    return attrs.max_output_size > 0 && static_cast<std::int64_t>(count) >= attrs.max_output_size;
  }
  bool competes(std::size_t i, std::size_t k) const {
    if (attrs.force_suppress || attrs.id_index < 0) return true;
    const auto id = static_cast<std::size_t>(attrs.id_index);
    return boxes[i][id] == boxes[k][id];
  }
  double overlap(std::size_t i, std::size_t k) const {
    const auto first = static_cast<std::size_t>(attrs.coord_start);
    return passdiff::overlap(boxes[i].data() + first, boxes[k].data() + first, dtype, rounding);
  }
  void drop(std::size_t i) {
    std::fill(boxes[i].begin(), boxes[i].end(), -1.0);
    indices[i] = -1;
  }
  // Boxes of negative scores become -1 and move behind the others.
  void move_valid_up() {
    std::size_t valid = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (score(i) >= 0) std::swap(boxes[valid++], boxes[i]);
    }
    for (; valid < boxes.size(); ++valid) std::fill(boxes[valid].begin(), boxes[valid].end(), -1.0);
  }
  // Box by box, best first: each drops those that overlap it.
  void suppress() {
    std::size_t count = 0;
    for (std::size_t i = 0; i < kept; ++i) {
      if (!(score(i) > 0) || is_full(count)) {
        drop(i);
        continue;
      }
      ++count;
      for (std::size_t k = i + 1; k < kept; ++k) {
        if (!(score(k) > 0) || !competes(i, k) || !(overlap(i, k) >= rounded(attrs.iou_threshold))) continue;
        score(k) = -1;
        indices[k] = -1;
      }
    }
  }
  // The best of what is left is taken each time, and the scores of those that overlap it fall. Returns how many were taken.
  std::size_t soften() {
    const double least = threshold();
    const double scale = rounded(-0.5 / attrs.soft_nms_sigma);
    std::size_t taken = 0;
    while (taken < kept && !is_full(taken)) {
      std::size_t best = kept;
      for (std::size_t i = taken; i < kept; ++i) {
        if (indices[i] >= 0 && score(i) > (best == kept ? least : score(best))) best = i;
      }
      if (best == kept) break;
      std::swap(boxes[taken], boxes[best]);
      std::swap(indices[taken], indices[best]);
      for (std::size_t i = taken + 1; i < kept; ++i) {
        if (indices[i] < 0 || !(score(i) > least) || !competes(taken, i)) continue;
        const double iou = overlap(taken, i);
        if (iou < rounded(attrs.iou_threshold))
          score(i) = rounded(score(i) * rounded(std::exp(rounded(rounded(scale * iou) * iou))));
        if (iou >= rounded(attrs.iou_threshold) || score(i) <= least) indices[i] = -1;
      }
      ++taken;
    }
    for (std::size_t i = taken; i < boxes.size(); ++i) {
      std::fill(boxes[i].begin(), boxes[i].end(), -1.0);
      if (attrs.return_indices) indices[i] = -1;
    }
    return taken;
  }
};

// The boxes of one batch, the first `count` by falling score, equal ones in order.
Suppression sorted_boxes(const Tensor& data, std::int64_t batch, std::int64_t count, const NmsAttrs& attrs,
                         EvalContext& context) {
  const Ints shape = data.shape();
  const double* rows = data.floats().data() + batch * shape[1] * shape[2];
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  const auto score = [&](std::int64_t i) { return rows[i * shape[2] + attrs.score_index]; };
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return score(a) > score(b) || (score(a) == score(b) && a < b);
  });
  if (attrs.top_k > 0 && attrs.top_k < count) order.resize(static_cast<std::size_t>(attrs.top_k));
  Suppression result{attrs, data.dtype, context.rounding, {}, {}, order.size()};
  for (const std::int64_t i : order)
    result.boxes.emplace_back(rows + i * shape[2], rows + (i + 1) * shape[2]);
  result.boxes.resize(static_cast<std::size_t>(shape[1]),
                      std::vector<double>(static_cast<std::size_t>(shape[2]), -1));
  result.indices = std::move(order);
  result.indices.resize(static_cast<std::size_t>(shape[1]), -1);
  return result;
}

std::optional<Value> eval_nms(const Tensor& data, const Tensor& valid_count, const Tensor& given,
                              const NmsAttrs& attrs, EvalContext& context) {
  if (!infer_nms(exact_type(data), exact_type(valid_count), exact_type(given), attrs) ||
      !is_float(data.dtype))
    return std::nullopt;
  const Ints shape = data.shape();
  std::vector<double> boxes;
  Ints indices, counts;
  for (std::int64_t batch = 0; batch < shape[0]; ++batch) {
    const std::int64_t count = as_int(valid_count, static_cast<std::size_t>(batch));
    if (count < 0 || count > shape[1]) return std::nullopt;
    Suppression batch_boxes = sorted_boxes(data, batch, count, attrs, context);
    attrs.is_soft() ? void(batch_boxes.soften()) : batch_boxes.suppress();
    // What is left comes first, as the indices that the operand gives.
    Ints left;
    for (const std::int64_t i : batch_boxes.indices) {
      if (i >= 0) left.push_back(as_int(given, static_cast<std::size_t>(batch * shape[1] + i)));
    }
    counts.push_back(static_cast<std::int64_t>(left.size()));
    left.resize(static_cast<std::size_t>(shape[1]), -1);
    indices.insert(indices.end(), left.begin(), left.end());
    if (attrs.invalid_to_bottom && !attrs.return_indices) {
      batch_boxes.move_valid_up();
    }
    for (const std::vector<double>& box : batch_boxes.boxes)
      boxes.insert(boxes.end(), box.begin(), box.end());
  }
  const Value out = float_tensor(data.dtype, boxes, shape);
  if (!attrs.return_indices) return out;
  TupleValue tuple{{int_tensor(indices, {shape[0], shape[1]}), int_tensor(counts, {shape[0], 1})}};
  if (attrs.is_soft()) tuple.fields.insert(tuple.fields.begin(), out);
  return Value(std::move(tuple));
}

// Rows of a class, a score and two corners. Scores are apart from each other and from thresholds.
Tensor draw_boxes(Choices& choices, std::int64_t batches, std::int64_t count) {
  Tensor boxes = zeros(DType::float32, Ints{batches, count, 6});
  double* to = std::get<Tensor::Floats>(boxes.values).data();
  for (std::int64_t i = 0; i < batches * count; ++i, to += 6) {
    to[0] = static_cast<double>(choices.integer(0, 2)) - (choices.one_in(6) ? 3 : 0);
    to[1] = static_cast<double>(choices.integer(0, 15)) / 16 + static_cast<double>(i) / 1024;
    for (int axis = 2; axis < 4; ++axis) {
      to[axis] = static_cast<double>(choices.integer(0, 3));
      to[axis + 2] = to[axis] + static_cast<double>(choices.integer(1, 4));
    }
  }
  return boxes;
}

std::optional<CallDraft> generate_valid_counts(Choices& choices, Scope& scope) {
  ValidCountsAttrs attrs;
  constexpr double kThresholds[] = {0, 0.26, 0.51, -1};
  attrs.score_threshold = choices.pick(kThresholds);
  attrs.id_index = choices.one_in(3) ? -1 : 0;
  if (choices.flip()) {
    const std::optional<Drawn> data = draw_operand(choices, scope, {DType::float32}, 3, 3);
    if (!data || !data->dim(2).is_static() || data->size(2) < 2) return std::nullopt;
    return CallDraft({data->expr}, attrs);
  }
  return CallDraft({scope.constant(draw_boxes(choices, choices.integer(1, 2), choices.integer(1, 5)))},
                   attrs);
}

std::optional<CallDraft> generate_nms(Choices& choices, Scope& scope) {
  const std::int64_t batches = choices.integer(1, 2), count = choices.integer(1, 6);
  Tensor counts = zeros(DType::int32, Ints{batches});
  Tensor indices = zeros(DType::int32, Ints{batches, count});
  auto& valid = std::get<Tensor::Ints>(counts.values);
  auto& given = std::get<Tensor::Ints>(indices.values);
  for (std::size_t i = 0; i < valid.size(); ++i)
    valid.data()[i] = choices.flip() ? count : choices.integer(0, count);
  for (std::size_t i = 0; i < given.size(); ++i) given.data()[i] = static_cast<std::int64_t>(i) % count;
  NmsAttrs attrs;
  constexpr double kThresholds[] = {0.5, 0.11, 0.76};
  attrs.iou_threshold = choices.pick(kThresholds);
  if (choices.one_in(3)) attrs.max_output_size = choices.integer(1, 3);
  if (choices.one_in(3)) attrs.top_k = choices.integer(1, 4);
  attrs.force_suppress = choices.flip();
  if (choices.one_in(4)) attrs.id_index = -1;
  attrs.return_indices = !choices.one_in(3);
  attrs.invalid_to_bottom = choices.flip();
  if (choices.one_in(3)) attrs.soft_nms_sigma = 0.5;
  if (choices.one_in(3)) attrs.score_threshold = 0.2;
  return CallDraft({scope.constant(draw_boxes(choices, batches, count)), scope.constant(std::move(counts)),
                    scope.constant(std::move(indices))},
                   attrs);
}

}  // namespace

std::vector<OpDef> nms_rows() {
  return {
      op<infer_valid_counts, eval_valid_counts, generate_valid_counts>("relax.vision.get_valid_counts", {"data"}),
      // Scores fall by an exponential.
      op<infer_nms, eval_nms, generate_nms>("relax.vision.non_max_suppression", {"data", "valid_count", "indices"},
                                            {.ulps = 16, .one_in = kCostlyOneIn}),
  };
}

}  // namespace passdiff
