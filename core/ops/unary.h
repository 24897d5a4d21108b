// What the ops on one tensor share that compute each element of the result from one element of the operand.
#pragma once

#include <string>

#include "core/ops/draw.h"
#include "core/ops/elementwise.h"
#include "core/ops/row.h"
#include "core/ops/steps.h"

namespace passdiff {

// The operand's own type.
inline Type infer_same(const AnyTensor& x) {
  return x.type;
}

// The same; fails with type.dtype for any but floats of 16 bits and more (InferTypeUnary).
inline Result<Type> infer_float(const AnyTensor& x) {
  if (x.tensor.dtype && !kFloatDTypes.has(*x.tensor.dtype)) {
    return Error{"type.dtype", std::string(dtype_name(*x.tensor.dtype)) + " is no float dtype"};
  }
  return x.type;
}

// Op::floats(element), or Op::floats(element, rounded) for an op of several steps.
template <class Op>
Tensor eval_float(const Tensor& x, EvalContext& context) {
  return map_floats(x, context, [](double v, const Steps& rounded) {
    if constexpr (requires { Op::floats(v, rounded); })
      return Op::floats(v, rounded);
    else
      return Op::floats(v);
  });
}

// Op::floats or Op::ints of each element: an op that rounds nothing, on any dtype.
template <class Op>
Tensor eval_any(const Tensor& x) {
  if (is_float(x.dtype)) return {x.dtype, map<double>(x.floats(), Op::floats)};
  return map_ints(x, [](auto v) { return Op::ints(v); });
}

// A call on a tensor of one of the dtypes, seldom one with NaN, infinities and large numbers in it.
template <DTypes dtypes>
std::optional<CallDraft> generate_any(Choices& choices, Scope& scope) {
  const auto x = draw_any_tensor(choices, scope, dtypes);
  if (!x) return std::nullopt;
  return CallDraft({x->expr});
}

// A call on a tensor of one of the dtypes that is filled so.
template <const FillSpec& fill, DTypes dtypes = kFloatDTypes>
std::optional<CallDraft> generate_filled(Choices& choices, Scope& scope) {
  const auto x = draw_tensor(choices, scope, dtypes, fill);
  if (!x) return std::nullopt;
  return CallDraft({x->expr});
}

// Within this magnitude exp keeps every float dtype in range, and sigmoid keeps its digits in float16.
inline constexpr FillSpec kModestFill{.magnitude = 8};
inline constexpr FillSpec kPositiveFill{.fill = Fill::positive};

}  // namespace passdiff
