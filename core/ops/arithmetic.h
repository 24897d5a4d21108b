// Arithmetic on elements of several tensors, of floats and of integers alike.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/ops/elementwise.h"
#include "core/ops/numeric.h"

namespace passdiff {

// F()(x...) of each tuple of elements of tensors of one dtype that broadcast to `extents`: of floats as doubles, of unsigned integers as uint64, of
// others as Int128, which must hold the result. It is rounded, or wrapped, to the dtype. Reports signed_overflow.
template <class F, class... T>
Tensor arithmetic(const Extents& extents, EvalContext& context, const Tensor& first, const T&... rest) {
  const DType dtype = first.dtype;
  const F f;
  if (is_float(dtype)) return round_floats(dtype, zip<double>(extents, f, first.floats(), rest.floats()...), context.rounding);
  if (storage_of(dtype) == Storage::uints) return wrap_uints(dtype, zip<std::uint64_t>(extents, f, first.uints(), rest.uints()...));
  bool in_range = true;
  const auto element = [&, low = int_min(dtype), high = int_max(dtype)](auto... x) {
    const Int128 exact = f(Int128{x}...);
    in_range &= exact >= low && exact <= high;
    return static_cast<std::int64_t>(exact);
  };
  Tensor::Ints result = zip<std::int64_t>(extents, element, first.ints(), rest.ints()...);
  if (!in_range && overflow_is_undefined(dtype))
    context.log.report(UndefinedRule::signed_overflow, "result outside " + std::string(dtype_name(dtype)));
  return wrap_ints(dtype, std::move(result));
}

}  // namespace passdiff
