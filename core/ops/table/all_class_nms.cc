// vision.all_class_non_max_suppression: for each class, boxes by falling scores, without those that overlap a
// better one. Inference follows src/relax/op/vision/nms.cc, evaluation topi/vision/nms.py.
#include <algorithm>
#include <numeric>

#include "core/ops/boxes.h"
#include "core/ops/draw.h"
#include "core/ops/numeric.h"
#include "core/ops/row.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

enum class NmsFormat : std::uint8_t { onnx, tensorflow };
constexpr std::array<std::string_view, 2> words_of(NmsFormat) {
  return {"onnx", "tensorflow"};
}
struct AllClassNmsAttrs {
  NmsFormat output_format = NmsFormat::onnx;
  static constexpr auto fields() {
    return std::tuple(field("output_format", &AllClassNmsAttrs::output_format));
  }
};

// onnx: rows (batch, class, box), and how many of them hold something. tensorflow: for each batch rows
// (class, box), their scores, and how many hold something. TVM looks at no other operand.
Result<Type> infer_all_class_nms(const TensorType& boxes, const TensorType& scores, const TensorType&,
                                 const TensorType&, const TensorType&, const AllClassNmsAttrs& attrs) {
  for (const TensorType* type : {&boxes, &scores}) {
    if (type->rank != 3 || !type->shape)
      return Error{"type.nms",
                   "all-class non-maximum suppression: an operand is of no known shape of rank 3"};
  }
  const Dim batches = (*boxes.shape)[0];
  const Dim rows = (*scores.shape)[1] * (*boxes.shape)[1];
  const auto made = [&](Shape shape, DType dtype) {
    return Type(tensor_type(std::move(shape), dtype, boxes.vdevice));
  };
  if (attrs.output_format == NmsFormat::onnx)
    return tuple_type({made({batches * rows, 3}, DType::int64), made({1}, DType::int64)});
  return tuple_type({made({batches, rows, 2}, DType::int64), made({batches, rows}, DType::float32),
                     made({batches}, DType::int64)});
}

// What decides which boxes of a class are left.
struct Selection {
  std::int64_t most;  // of each class
  double iou_threshold, score_threshold;
  Rounding& rounding;

  // Those that are left, best first; among equals the first is better, and NaN is the worst. Only boxes of
  // positive scores are dropped by others.
  Ints of(const double* boxes, std::vector<double> scores) const {
    Ints order(scores.size());
    std::iota(order.begin(), order.end(), 0);
    const auto score = [&](std::int64_t i) -> double& { return scores[static_cast<std::size_t>(i)]; };
    const auto better = [](double a, double b) { return a > b || (a == a && b != b); };
    std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      if (better(score(a), score(b))) return true;
      return !better(score(b), score(a)) && a < b;
    });
    std::erase_if(order, [&](std::int64_t i) { return !(score(i) > score_threshold); });
    Ints left;
    for (std::size_t k = 0; k < order.size() && iou_threshold > 0; ++k) {
      if (!(score(order[k]) > -1) || static_cast<std::int64_t>(left.size()) >= most) continue;
      left.push_back(order[k]);
      for (std::size_t other = k + 1; other < order.size(); ++other) {
        const double iou = overlap(boxes + order[k] * 4, boxes + order[other] * 4, DType::float32, rounding);
        if (score(order[other]) > 0 && iou >= iou_threshold) score(order[other]) = -1;
      }
    }
    return left;
  }
};

std::optional<double> number_in(const Tensor& tensor) {
  if (tensor.size() != 1 || !is_float(tensor.dtype)) return std::nullopt;
  return tensor.floats().data()[0];
}

// Rows of integers, of which some are filled in order and the rest is 0.
struct Rows {
  Tensor tensor;
  std::size_t filled = 0;

  void add(std::initializer_list<std::int64_t> row) {
    for (const std::int64_t number : row) std::get<Tensor::Ints>(tensor.values).data()[filled++] = number;
  }
};

Value counted(const Ints& counts) {
  Tensor tensor = zeros(DType::int64, Ints{static_cast<std::int64_t>(counts.size())});
  std::copy(counts.begin(), counts.end(), std::get<Tensor::Ints>(tensor.values).data());
  return make_tensor(std::move(tensor));
}

std::optional<Value> eval_all_class_nms(const Tensor& boxes, const Tensor& scores, const Tensor& most,
                                        const Tensor& iou_threshold, const Tensor& score_threshold,
                                        const AllClassNmsAttrs& attrs, EvalContext& context) {
  const Ints box_shape = boxes.shape(), shape = scores.shape();
  const std::optional<double> iou = number_in(iou_threshold), least = number_in(score_threshold);
  if (boxes.rank() != 3 || scores.rank() != 3 || boxes.dtype != DType::float32 ||
      scores.dtype != DType::float32 || box_shape != Ints{shape[0], shape[2], 4} || !iou || !least ||
      most.size() != 1 || is_float(most.dtype))
    return std::nullopt;
  const Selection selection{as_int(most, 0), *iou, *least, context.rounding};
  const bool onnx = attrs.output_format == NmsFormat::onnx;
  const std::int64_t rows = shape[1] * shape[2];
  Rows all{zeros(DType::int64, onnx ? Ints{shape[0] * rows, 3} : Ints{shape[0], rows, 2})};
  Tensor kept = zeros(DType::float32, Ints{shape[0], rows});
  Ints counts;
  for (std::int64_t batch = 0; batch < shape[0]; ++batch) {
    std::int64_t count = 0;
    if (!onnx) all.filled = static_cast<std::size_t>(batch * rows * 2);
    for (std::int64_t c = 0; c < shape[1]; ++c) {
      const double* of_class = scores.floats().data() + (batch * shape[1] + c) * shape[2];
      const double* of_batch = boxes.floats().data() + batch * shape[2] * 4;
      for (const std::int64_t i : selection.of(of_batch, {of_class, of_class + shape[2]})) {
        onnx ? all.add({batch, c, i}) : all.add({c, i});
        std::get<Tensor::Floats>(kept.values).data()[batch * rows + count++] = of_class[i];
      }
    }
    counts.push_back(count);
  }
  const Value selected = make_tensor(std::move(all.tensor));
  if (!onnx) return TupleValue{{selected, make_tensor(std::move(kept)), counted(counts)}};
  return TupleValue{{selected, counted({std::accumulate(counts.begin(), counts.end(), std::int64_t{0})})}};
}

Tensor drawn_floats(Choices& choices, const Ints& shape, double (*draw)(Choices&)) {
  Tensor tensor = zeros(DType::float32, shape);
  for (double& value : std::get<Tensor::Floats>(tensor.values)) value = draw(choices);
  return tensor;
}

// TVM's value in the format of onnx has as many rows as there are boxes left, which its inference contradicts,
// so that no such call is drawn. Nor is a number of boxes that is not constant, which TVM takes for that of
// all boxes.
std::optional<CallDraft> generate_all_class_nms(Choices& choices, Scope& scope) {
  const std::int64_t batches = choices.integer(1, 2), classes = choices.integer(1, 3);
  const std::int64_t count = choices.integer(1, 5);
  const Tensor boxes = drawn_floats(choices, {batches, count, 4},
                                    [](Choices& c) { return static_cast<double>(c.integer(0, 4)); });
  const Tensor scores = drawn_floats(choices, {batches, classes, count}, [](Choices& c) {
    return static_cast<double>(c.integer(0, 15)) / 16 - (c.one_in(8) ? 1.5 : 0);
  });
  return CallDraft({scope.constant(boxes), scope.constant(scores),
                    full_constant(scope, DType::int64, {}, choices.integer(0, 4)),
                    full_constant(scope, DType::float32, {}, choices.pick({0.5, 0.125, 0.75, 0.0})),
                    full_constant(scope, DType::float32, {}, choices.pick({0.0, 0.25, -2.0}))},
                   AllClassNmsAttrs{NmsFormat::tensorflow});
}

}  // namespace

std::vector<OpDef> all_class_nms_rows() {
  return {op<infer_all_class_nms, eval_all_class_nms, generate_all_class_nms>(
      "relax.vision.all_class_non_max_suppression", {"boxes", "scores", "max_output_boxes_per_class", "iou_threshold", "score_threshold"},
      {.one_in = kCostlyOneIn})};
}

}  // namespace passdiff
