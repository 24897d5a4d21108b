// Element-by-element computation over carriers, with broadcasting.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "core/tensor/tensor.h"
#include "core/tensor/value.h"

namespace passdiff {

using Extents = Tensor::Floats::shape_type;

// The broadcast of two runtime shapes; nothing if some sizes differ and neither is 1.
std::optional<Extents> broadcast_extents(const Extents& a, const Extents& b);
const Extents& extents_of(const Tensor& tensor);

// What shapes that do not broadcast at run time come to. Types rule it out but for symbolic dims, whose
// kernels then read beyond the smaller operand.
void report_broadcast_mismatch(EvalContext& context);
// A tensor of zeros: what an op returns once it has reported undefined behaviour.
Value any_value(DType dtype);

// f of each element.
template <class Out, class In, class F>
xt::xarray<Out> map(const xt::xarray<In>& x, F f) {
  xt::xarray<Out> result(x.shape());
  const In* in = x.data();
  Out* out = result.data();
  const std::size_t count = x.size();
  for (std::size_t i = 0; i < count; ++i) out[i] = f(in[i]);
  return result;
}

// x repeated along the axes that it lacks or has size 1 in.
template <class T>
xt::xarray<T> expand(const xt::xarray<T>& x, const Extents& extents) {
  xt::xarray<T> result(extents);
  const std::size_t rank = extents.size();
  Extents strides(rank, 0);
  Extents index(rank, 0);
  std::size_t stride = 1;
  // Right-aligned: broadcasting compares trailing sizes first.
  for (std::size_t axis = x.dimension(), out = rank; axis-- > 0;) {
    --out;
    if (x.shape()[axis] != 1) strides[out] = stride;
    stride *= x.shape()[axis];
  }
  std::size_t offset = 0;
  const std::size_t count = result.size();
  for (std::size_t i = 0; i < count; ++i) {
    result.data()[i] = x.data()[offset];
    for (std::size_t axis = rank; axis-- > 0;) {
      offset += strides[axis];
      if (++index[axis] < extents[axis]) break;
      offset -= strides[axis] * extents[axis];
      index[axis] = 0;
    }
  }
  return result;
}

// f of each pair of elements; `extents` is the broadcast of both shapes.
template <class Out, class A, class B, class F>
xt::xarray<Out> zip(const xt::xarray<A>& a, const xt::xarray<B>& b, const Extents& extents, F f) {
  const bool b_full = b.shape() == extents;
  if (a.shape() != extents && (a.size() != 1 || !b_full)) return zip<Out>(expand(a, extents), b, extents, f);
  if (!b_full && b.size() != 1) return zip<Out>(a, expand(b, extents), extents, f);
  xt::xarray<Out> result(extents);
  const A* left = a.data();
  const B* right = b.data();
  Out* out = result.data();
  const std::size_t count = result.size();
  if (!b_full) {
    const B y = right[0];
    for (std::size_t i = 0; i < count; ++i) out[i] = f(left[i], y);
  } else if (a.shape() != extents) {
    const A x = left[0];
    for (std::size_t i = 0; i < count; ++i) out[i] = f(x, right[i]);
  } else {
    for (std::size_t i = 0; i < count; ++i) out[i] = f(left[i], right[i]);
  }
  return result;
}

// The elements as TVM casts them (CreateCast in codegen_llvm.cc): floats are truncated towards zero, ints
// wrap, anything but zero is true. Reports float_to_int.
Tensor convert(const Tensor& tensor, DType dtype, EvalContext& context);

}  // namespace passdiff
