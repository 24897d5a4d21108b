// Idioms of values whose precision changes on the way, which a pass must neither drop nor add: ToMixedPrecision, FoldConstant,
// CombineParallelMatmul and ExpandMatmulOfSum meet them.
#include <algorithm>
#include <limits>

#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"

namespace passdiff {
namespace {

// A cast of a float32 to a narrower float, or to a wider one, and back at once.
void cast_round_trip(Choices& choices, GraphBuilder& graph) {
  const Shape shape = static_shape(graph, graph.shape(choices, 0, 3));
  const ExprPtr value = graph.fresh(choices, Origin::input, DType::float32, shape);
  const DType through = choices.pick({DType::float16, DType::bfloat16, DType::float64});
  const ExprPtr cast = graph.call("relax.astype", {value}, {{"dtype", through}});
  const ExprPtr back = graph.call("relax.astype", {cast}, {{"dtype", DType::float32}});
  if (choices.flip()) graph.call("relax.add", {back, value});
}

// A matmul of narrow operands that accumulates in float32, and is often cast back; often with another of the same left operand beside it.
void wide_accumulation(Choices& choices, GraphBuilder& graph) {
  const DType narrow = choices.one_in(3) ? DType::bfloat16 : DType::float16;
  const Dim reduced(graph.dim(choices));
  const ExprPtr a = graph.fresh(choices, Origin::input, narrow, {Dim(graph.dim(choices)), reduced});
  for (std::size_t count = 1 + choices.index(2); count > 0; --count) {
    const ExprPtr b = graph.fresh(choices, Origin::weight, narrow, {reduced, Dim(graph.dim(choices))});
    const ExprPtr product = graph.call("relax.matmul", {a, b}, {{"out_dtype", DType::float32}});
    if (choices.flip())
      graph.call("relax.negative", {product});
    else
      graph.call("relax.astype", {product}, {{"dtype", narrow}});
  }
}

// Integers of the whole range of the dtype, or of the part of it that int64 holds.
FillSpec any_integer(DType dtype) {
  const auto most = static_cast<std::int64_t>(std::min<std::uint64_t>(int_max(dtype), std::numeric_limits<std::int64_t>::max() / 2));
  return {.fill = Fill::indices, .limit = most, .allow_negative = !is_unsigned_int(dtype)};
}

// Comparisons, quotients, shifts and casts of integers beyond the range of the signed dtype as wide, or close to the ends of their own.
void large_integers(Choices& choices, GraphBuilder& graph) {
  const DType dtype = choices.pick({DType::uint8, DType::uint16, DType::uint32, DType::uint8, DType::int8, DType::int16, DType::uint64});
  const Shape shape = {Dim(choices.integer(2, 4))};
  const ExprPtr x = graph.fresh(choices, Origin::input, dtype, shape, any_integer(dtype));
  const ExprPtr y = choices.one_in(3) ? graph.fresh(choices, Origin::constant, dtype, shape) : graph.fresh(choices, Origin::input, dtype, shape, any_integer(dtype));
  constexpr std::string_view kCompares[] = {"relax.less", "relax.greater", "relax.less_equal", "relax.greater_equal"};
  constexpr std::string_view kExtremes[] = {"relax.maximum", "relax.minimum"};
  switch (choices.index(5)) {
    case 0:
    case 1: {
      const ExprPtr which = graph.call(choices.pick(kCompares), {x, y});
      graph.call("relax.where", {which, x, y});
      break;
    }
    case 2:
      graph.call("relax.astype", {graph.call(choices.pick(kExtremes), {x, y})}, {{"dtype", DType::float32}});
      break;
    case 3: {
      const ExprPtr divisor = graph.fresh(choices, Origin::input, dtype, shape, {.fill = Fill::positive});
      graph.call("relax.multiply", {graph.call("relax.floor_divide", {x, divisor}), divisor});
      break;
    }
    default:
      graph.call("relax.astype", {graph.call("relax.astype", {x}, {{"dtype", DType::int64}})}, {{"dtype", DType::float32}});
      break;
  }
}

// A reduction of narrow numbers that are widened for it, so that nothing wraps around or overflows; or after it, where it may.
void widened_reduction(Choices& choices, GraphBuilder& graph) {
  const DType narrow = choices.pick({DType::int8, DType::uint8, DType::int16, DType::uint16, DType::int8, DType::float16, DType::bfloat16});
  const DType wide = is_float(narrow) ? DType::float32 : choices.flip() ? DType::int32 : DType::int64;
  const bool before = !choices.one_in(4);
  const Shape shape = {Dim(choices.integer(2, 4)), Dim(choices.integer(2, 4))};
  const auto operand = [&](Origin origin) {
    const ExprPtr x = graph.fresh(choices, origin, narrow, shape, is_float(narrow) ? FillSpec{} : any_integer(narrow));
    return before ? graph.call("relax.astype", {x}, {{"dtype", wide}}) : x;
  };
  const ExprPtr x = operand(Origin::input);
  if (x == nullptr) return;
  const AttrValue axes = choices.flip() ? AttrValue() : AttrValue(std::vector<std::int64_t>{either_sign(choices, choices.index(2), 2)});
  ExprPtr result;
  switch (choices.index(5)) {
    case 0:
    case 1:
      result = graph.call("relax.sum", {x}, {{"axis", axes}, {"keepdims", choices.flip()}});
      break;
    case 2:
      result = graph.call(is_float(narrow) ? "relax.mean" : "relax.prod", {x}, {{"axis", axes}});
      break;
    case 3:
      result = graph.call("relax.cumsum", {x}, {{"axis", either_sign(choices, choices.index(2), 2)}});
      break;
    default: {
      const ExprPtr y = operand(Origin::weight);
      result = graph.call("relax.matmul", {x, graph.call("relax.permute_dims", {y})});
      break;
    }
  }
  if (!before) {
    graph.call("relax.astype", {result}, {{"dtype", wide}});
  } else if (choices.flip()) {
    graph.call("relax.astype", {result}, {{"dtype", choices.flip() ? DType::float32 : narrow}});
  }
}

}  // namespace

std::vector<Idiom> precision_idioms() {
  return {
      {"cast-round-trip", "a float32 cast to another float and back", 3, cast_round_trip,
       {"ToMixedPrecision", "FoldConstant", "EliminateCommonSubexpr"}},
      {"wide-accumulation", "a matmul of 16-bit floats that accumulates in float32", 1, wide_accumulation,
       {"ToMixedPrecision", "CombineParallelMatmul", "ExpandMatmulOfSum", "AdjustMatmulOrder"}},
      {"large-integers", "comparisons, quotients and casts of integers near the ends of their range", 2, large_integers, {"FoldConstant"}},
      {"widened-reduction", "a reduction of narrow numbers that are widened before it, or after", 3, widened_reduction,
       {"ToMixedPrecision", "FuseOps", "LegalizeOps"}},
  };
}

}  // namespace passdiff
