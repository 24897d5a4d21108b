// tile, repeat: each element several times.
#include <algorithm>
#include <array>

#include "core/ops/attr_access.h"
#include "core/ops/infer.h"
#include "core/ops/layout.h"
#include "core/ops/operand.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

// The repeats for each axis of the result, 1 where fewer are given than there are axes.
Ints padded_repeats(const Ints& repeats, std::size_t rank) {
  Ints padded(std::max(rank, repeats.size()), 1);
  std::copy(repeats.begin(), repeats.end(), padded.end() - std::ssize(repeats));
  return padded;
}

Result<Type> infer_tile(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<const TensorType*> operand = tensor_operand(args, 0);
  if (!operand) return operand.error();
  const TensorType& data = **operand;
  const Ints& repeats = attr<Ints>(attrs, 0);
  // TVM infers negative sizes here, and cannot allocate them.
  if (std::any_of(repeats.begin(), repeats.end(), [](std::int64_t n) { return n < 0; })) {
    return Error{"type.repeats", "tile: a negative repeat"};
  }
  if (data.rank == kUnknownRank) {
    return Type(make_tensor_type(std::nullopt, kUnknownRank, data.dtype, data.vdevice));
  }
  const int rank = std::max(data.rank, static_cast<int>(repeats.size()));
  if (!data.shape) return Type(make_tensor_type(std::nullopt, rank, data.dtype, data.vdevice));
  const Ints padded = padded_repeats(repeats, data.shape->size());
  const std::size_t added = padded.size() - data.shape->size();
  Shape shape;
  for (std::size_t i = 0; i < padded.size(); ++i) {
    shape.push_back(i < added ? Dim(padded[i]) : (*data.shape)[i - added] * Dim(padded[i]));
  }
  return Type(make_tensor_type(std::move(shape), rank, data.dtype, data.vdevice));
}

Value eval_tile(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const Tensor& data = args[0].tensor();
  const std::vector<std::int64_t> dims = data.shape();
  const Ints repeats = padded_repeats(attr<Ints>(attrs, 0), dims.size());
  const std::vector<WalkAxis> source = row_major(dims);
  const std::size_t added = repeats.size() - dims.size();
  std::vector<std::int64_t> shape;
  std::vector<WalkAxis> walk;
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    const WalkAxis axis = i < added ? WalkAxis{1, 0} : source[i - added];
    if (!is_affordable(std::array{repeats[i], axis.size})) return misfit(context);
    shape.push_back(repeats[i] * axis.size);
    walk.push_back({repeats[i], 0});
    walk.push_back(axis);
  }
  if (!is_affordable(shape)) return misfit(context);
  return make_tensor(copy_strided(data, shape, 0, walk));
}

std::optional<CallDraft> generate_tile(Choices& choices, Scope& scope) {
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 0, 4);
  if (!data) return std::nullopt;
  const int rank = data->rank();
  const std::int64_t length = choices.integer(std::max(rank - 1, 0), rank + 1);
  std::int64_t elements = element_count(data->dims);
  Ints repeats;
  for (std::int64_t i = 0; i < length; ++i) {
    std::int64_t times = choices.one_in(32) ? 0 : choices.integer(1, 3);
    if (elements * times > kMaxResult) times = 1;
    elements *= times;
    repeats.push_back(times);
  }
  return CallDraft{{data->expr}, {std::move(repeats)}};
}

Result<Type> infer_repeat(std::span<const ExprPtr> args, const Attrs& attrs) {
  const Result<const TensorType*> operand = tensor_operand(args, 0);
  if (!operand) return operand.error();
  const TensorType& data = **operand;
  const std::int64_t repeats = attr<std::int64_t>(attrs, 0);
  const std::int64_t* given = optional_attr<std::int64_t>(attrs, 1);
  if (repeats < 0) return Error{"type.repeats", "repeat: a negative repeat"};
  int axis = 0;
  if (given && data.rank != kUnknownRank) {
    const Result<int> normal = normalise_axis(*given, data.rank);
    if (!normal) return normal.error();
    axis = *normal;
  }
  if (!data.shape) {
    return Type(make_tensor_type(std::nullopt, given ? data.rank : 1, data.dtype, data.vdevice));
  }
  if (given) {
    Shape shape = *data.shape;
    Dim& dim = shape[static_cast<std::size_t>(axis)];
    dim = dim * Dim(repeats);
    return Type(make_tensor_type(std::move(shape), data.rank, data.dtype, data.vdevice));
  }
  Dim total = repeats;
  for (const Dim& dim : *data.shape) total = total * dim;
  return Type(make_tensor_type(Shape{total}, 1, data.dtype, data.vdevice));
}

Value eval_repeat(std::span<const Value> args, const Attrs& attrs, const Type&, EvalContext& context) {
  const Tensor& data = args[0].tensor();
  std::vector<std::int64_t> shape = data.shape();
  const std::int64_t repeats = attr<std::int64_t>(attrs, 0);
  int axis = 0;
  if (const std::int64_t* given = optional_attr<std::int64_t>(attrs, 1)) {
    axis = runtime_axis(*given, shape.size());
  } else {
    shape = {element_count(shape)};
  }
  if (axis < 0) return misfit(context);
  std::vector<WalkAxis> walk = row_major(shape);
  std::int64_t& size = shape[static_cast<std::size_t>(axis)];
  if (!is_affordable(std::array{repeats, size})) return misfit(context);
  size *= repeats;
  if (!is_affordable(shape)) return misfit(context);
  walk.insert(walk.begin() + axis + 1, {repeats, 0});
  return make_tensor(copy_strided(data, shape, 0, walk));
}

std::optional<CallDraft> generate_repeat(Choices& choices, Scope& scope) {
  // Rank 0 does not compile in TVM, nor do 0 repeats.
  const std::optional<Drawn> data = draw_operand(choices, scope, kAllDTypes, 1, 4);
  if (!data) return std::nullopt;
  std::int64_t repeats = choices.integer(1, 3);
  if (element_count(data->dims) * repeats > kMaxResult) repeats = 1;
  AttrValue axis;
  if (!choices.one_in(3)) axis = draw_axis(choices, data->rank());
  return CallDraft{{data->expr}, {repeats, std::move(axis)}};
}

const Param kTileParams[] = {{"data", ParamKind::tensor}, {"repeats", ParamKind::attr_ints}};
const Param kRepeatParams[] = {
    {"data", ParamKind::tensor},
    {"repeats", ParamKind::attr_int},
    {"axis", ParamKind::attr_int, true, AttrValue()},
};

}  // namespace

std::span<const OpDef> repeat_rows() {
  static const OpDef kRows[] = {
      {{"relax.tile"},
       .params = kTileParams,
       .traits = Trait::data_movement,
       .infer = infer_tile,
       .eval = eval_tile,
       .generate = generate_tile},
      {{"relax.repeat"},
       .params = kRepeatParams,
       .traits = Trait::data_movement,
       .infer = infer_repeat,
       .eval = eval_repeat,
       .generate = generate_repeat},
  };
  return kRows;
}

}  // namespace passdiff
