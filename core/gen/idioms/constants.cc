// Idioms of operands with a constant of which algebra knows the result. A pass that drops, merges or hoists them by rules that do not hold for
// a dtype, for zeros of either sign, NaN and infinities, or for the shape of the constant, is then seen.
#include <cmath>
#include <limits>
#include <span>

#include "core/gen/idioms.h"
#include "core/gen/idioms/parts.h"
#include "core/tensor/filled.h"
#include "core/tensor/rounding.h"

namespace passdiff {
namespace {

// The number as a scalar, as a whole tensor, or as one that is broadcast along some axes.
ExprPtr draw_constant(Choices& choices, GraphBuilder& graph, DType dtype, const Shape& shape, double number) {
  std::vector<std::int64_t> sizes = graph.sizes(shape);
  switch (choices.index(4)) {
    case 0:
    case 1:
      sizes.clear();
      break;
    case 2:
      break;
    default:
      for (std::int64_t& size : sizes) size = choices.flip() ? 1 : size;
      break;
  }
  return graph.constant(filled_tensor(dtype, sizes, [&](std::size_t) { return number; }));
}

// An op with a constant that leaves the other operand as it is, or seems to: the sum with a zero of the other sign does not.
struct Neutral {
  std::string_view op;
  double constant;
  bool commutes;
};

std::span<const Neutral> neutrals_of(DType dtype) {
  static const Neutral kFloats[] = {{"relax.add", 0.0, true},
                                    {"relax.multiply", 1, true},
                                    {"relax.subtract", 0.0, false},
                                    {"relax.add", 0.0, true},  // which simplifiers drop most
                                    {"relax.multiply", 1, true},
                                    {"relax.add", -0.0, true},
                                    {"relax.subtract", -0.0, false},
                                    {"relax.divide", 1, false},
                                    {"relax.power", 1, false},
                                    {"relax.maximum", -std::numeric_limits<double>::infinity(), true},
                                    {"relax.minimum", std::numeric_limits<double>::infinity(), true}};
  static const Neutral kInts[] = {{"relax.add", 0, true},          {"relax.multiply", 1, true},    {"relax.subtract", 0, false},
                                  {"relax.floor_divide", 1, false}, {"relax.bitwise_or", 0, true},  {"relax.bitwise_xor", 0, true},
                                  {"relax.left_shift", 0, false},   {"relax.right_shift", 0, false}, {"relax.bitwise_and", -1, true}};
  static const Neutral kUnsigned[] = {{"relax.add", 0, true},           {"relax.multiply", 1, true},     {"relax.subtract", 0, false},
                                      {"relax.floor_divide", 1, false}, {"relax.bitwise_or", 0, true},   {"relax.bitwise_xor", 0, true},
                                      {"relax.left_shift", 0, false},   {"relax.right_shift", 0, false}, {"relax.maximum", 0, true}};
  static const Neutral kBools[] = {{"relax.logical_and", 1, true}, {"relax.logical_or", 0, true}, {"relax.logical_xor", 0, true}};
  if (is_float(dtype)) return kFloats;
  if (dtype == DType::boolean) return kBools;
  return is_unsigned_int(dtype) ? std::span<const Neutral>(kUnsigned) : kInts;
}

// Neutral constants in a row, in a computation that goes on with what they leave.
void neutral_constants(Choices& choices, GraphBuilder& graph) {
  const Shape shape = static_shape(graph, graph.shape(choices, 0, 3));
  const DType dtype = choices.flip() ? DType::float32 : choices.flip() ? graph.float_dtype(choices) : graph.dtype(choices);
  const ExprPtr x = graph.want(choices, dtype, shape);
  if (x == nullptr) return;
  ExprPtr result = x;
  const std::int64_t count = choices.integer(2, 4);
  for (std::int64_t i = 0; i < count && result != nullptr; ++i) {
    const std::span<const Neutral> neutrals = neutrals_of(dtype);
    const Neutral& neutral = neutrals[choices.index(neutrals.size())];
    double number = neutral.constant;
    if (std::isinf(number) && choices.flip()) number = std::copysign(largest_finite(dtype), number);
    const ExprPtr constant = draw_constant(choices, graph, dtype, shape, number);
    result = neutral.commutes && choices.one_in(3) ? graph.call(neutral.op, {constant, result}) : graph.call(neutral.op, {result, constant});
  }
  if (result == nullptr) return;
  if (dtype == DType::boolean) {
    graph.call("relax.logical_not", {result});
  } else if (choices.one_in(3)) {
    graph.call("relax.multiply", {result, x});
  } else {
    graph.call(is_unsigned_int(dtype) ? "relax.minimum" : "relax.negative", is_unsigned_int(dtype) ? std::vector{result, x} : std::vector{result});
  }
}

// Constants of which algebra knows something else: x * 0, 0 - x, maximum(x, 0), x / 3, x * -1, where and clip of bounds in either order.
void known_constants(Choices& choices, GraphBuilder& graph) {
  const Shape shape = static_shape(graph, graph.shape(choices, 0, 3));
  const DType dtype = choices.one_in(3) ? DType::int32 : choices.one_in(6) ? DType::int8 : graph.float_dtype(choices);
  const ExprPtr x = graph.want(choices, dtype, shape);
  if (x == nullptr) return;
  const auto constant = [&](double number) { return draw_constant(choices, graph, dtype, shape, number); };
  const auto call = [&](std::string_view op, double number) {
    return choices.one_in(3) ? graph.call(op, {constant(number), x}) : graph.call(op, {x, constant(number)});
  };
  ExprPtr result;
  switch (choices.index(7)) {
    case 0:
      result = call("relax.multiply", 0);
      break;
    case 1:
      result = graph.call("relax.subtract", {constant(0), x});
      break;
    case 2:
      result = call(choices.flip() ? "relax.maximum" : "relax.minimum", 0);
      break;
    case 3:
      result = graph.call(choices.flip() ? "relax.divide" : "relax.floor_divide", {x, constant(static_cast<double>(choices.pick({3, 2, 10, 4})))});
      break;
    case 4:
      result = call("relax.multiply", choices.flip() ? -1 : 2);
      break;
    case 5: {
      const std::int64_t low = choices.integer(0, 3), high = choices.integer(0, 3);
      result = graph.call("relax.clip", {x, make_prim(low), make_prim(high)});
      break;
    }
    default:
      result = graph.call("relax.power", {x, constant(choices.flip() ? 2 : 0)});
      break;
  }
  if (result != nullptr) graph.call(choices.flip() ? "relax.negative" : "relax.abs", {result});
}

}  // namespace

std::vector<Idiom> constants_idioms() {
  return {
      {"neutral-constants",
       "x + 0, x * 1, x - 0, x / 1, x | 0, maximum(x, -inf): with a constant that leaves the other operand as it is, or nearly",
       6,
       neutral_constants,
       {"FoldConstant"}},
      {"known-constants", "x * 0, 0 - x, maximum(x, 0), x / 3: with a constant of which algebra knows the result", 2, known_constants,
       {"FoldConstant"}},
  };
}

}  // namespace passdiff
