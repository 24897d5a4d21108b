// Element-by-element computation: a function mapped over operands that broadcast.
#pragma once

#include <array>
#include <optional>
#include <utility>

#include "core/ir/type.h"
#include "core/tensor/tensor.h"
#include "core/tensor/value.h"

namespace passdiff {

using Extents = Tensor::Floats::shape_type;

// The broadcast of two runtime shapes; nothing if some sizes differ and neither is 1.
std::optional<Extents> broadcast_extents(const Extents& a, const Extents& b);
const Extents& extents_of(const Tensor& tensor);

// f of each element, as an array of `Out`.
template <class Out, class In, class F>
xt::xarray<Out> map(const xt::xarray<In>& x, F f) {
  xt::xarray<Out> result(x.shape());
  const In* in = x.data();
  Out* out = result.data();
  const std::size_t count = x.size();
  for (std::size_t i = 0; i < count; ++i) out[i] = f(in[i]);
  return result;
}

// f of each element of a tensor of integers, wrapped into its dtype; f takes an int64 or a uint64, as the elements are stored, and
// returns either's bits.
template <class F>
Tensor map_ints(const Tensor& x, F f) {
  if (storage_of(x.dtype) == Storage::ints) {
    return wrap_ints(x.dtype, map<std::int64_t>(
                                  x.ints(), [&](std::int64_t v) { return static_cast<std::int64_t>(f(v)); }));
  }
  return wrap_uints(x.dtype, map<std::uint64_t>(x.uints(), [&](std::uint64_t v) {
                      return static_cast<std::uint64_t>(f(v));
                    }));
}

// How far a step along each axis of `extents` leads in an operand: 0 along axes that it lacks or has size 1 in.
Extents broadcast_strides(const Extents& operand, const Extents& extents);

// Calls f(i, at) for each element i of an array of `extents`, in order; at[k] is where steps of strides[k] have led to.
template <std::size_t n, class F>
void for_each_place(const Extents& extents, const std::array<Extents, n>& strides, F f) {
  std::size_t count = 1;
  for (const std::size_t size : extents) count *= size;
  std::array<std::size_t, n> at{};
  Extents index(extents.size(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    f(i, at);
    for (std::size_t axis = extents.size(); axis-- > 0;) {
      for (std::size_t k = 0; k < n; ++k) at[k] += strides[k][axis];
      if (++index[axis] < extents[axis]) break;
      for (std::size_t k = 0; k < n; ++k) at[k] -= strides[k][axis] * extents[axis];
      index[axis] = 0;
    }
  }
}

// f of each tuple of elements of operands that broadcast to `extents`, as an array of `Out`.
template <class Out, class F, class... In>
xt::xarray<Out> zip(const Extents& extents, F f, const xt::xarray<In>&... x) {
  xt::xarray<Out> result(extents);
  Out* out = result.data();
  const std::size_t count = result.size();
  // Operands of full shape, and single elements, are stepped through without counting axes.
  if (((x.shape() == extents || x.size() == 1) && ...)) {
    const auto run = [&](auto... element) {
      for (std::size_t i = 0; i < count; ++i) out[i] = f(element(i)...);
    };
    run([data = x.data(), step = x.size() == 1 ? 0u : 1u](std::size_t i) { return data[i * step]; }...);
    return result;
  }
  const std::array<Extents, sizeof...(In)> strides{broadcast_strides(x.shape(), extents)...};
  const auto run = [&]<std::size_t... k>(std::index_sequence<k...>) {
    for_each_place(extents, strides, [&](std::size_t i, const auto& at) { out[i] = f(x.data()[at[k]]...); });
  };
  run(std::index_sequence_for<In...>());
  return result;
}

// A tensor of `dtype` with f of each tuple of elements of operands that broadcast to `extents` and are stored alike. What f
// returns is stored as it is: it must be an element of `dtype`.
template <class F, class... T>
Tensor map_elements(DType dtype, const Extents& extents, F f, const Tensor& first, const T&... rest) {
  return std::visit(
      [&](const auto& x) {
        using Array = std::decay_t<decltype(x)>;
        using Out = decltype(f(*x.data(), *std::get<Array>(rest.values).data()...));
        return Tensor{dtype, zip<Out>(extents, f, x, std::get<Array>(rest.values)...)};
      },
      first.values);
}

// The elements as TVM casts them (CreateCast in codegen_llvm.cc): floats are truncated towards zero, ints
// wrap, anything but zero is true. Reports float_to_int.
Tensor convert(const Tensor& tensor, DType dtype, EvalContext& context);
Tensor convert(Tensor&& tensor, DType dtype, EvalContext& context);  // moved if it is of `dtype`

// A tensor converted to `dtype`: the given one itself, uncopied, if it is of it. The given one must live as long. It is a step within an
// op: floats are rounded as the context's rounding says, and not as by a cast that the program asks for.
class Converted {
 public:
  Converted(const Tensor& given, DType dtype, EvalContext& context);
  const Tensor& operator*() const { return *tensor_; }
  const Tensor* operator->() const { return tensor_; }

 private:
  TensorPtr made_;  // null: no conversion was needed
  const Tensor* tensor_;
};

// Two operands in one dtype, and the extents that they broadcast to.
struct BroadcastPair {
  Converted a;
  Converted b;
  Extents extents;
};
// Nothing if they do not broadcast.
std::optional<BroadcastPair> broadcast_pair(const Tensor& a, const Tensor& b, DType dtype,
                                            EvalContext& context);

// The dtype that the declared type of a result says; `otherwise` where it says none, as R.Object and a tensor of unknown dtype do.
inline DType declared_dtype(const Type& result, DType otherwise) {
  const TensorType* tensor = result.as_tensor();
  return tensor == nullptr ? otherwise : tensor->dtype.value_or(otherwise);
}

// compute(a, b, extents), which gives a tensor of the dtype of a and b, converted to the dtype that the result's declared type says, if
// any. Inference accepts bool beside another dtype; topi computes in the other one. Null if the operands do not broadcast.
template <class Compute>
TensorPtr compute_pair(const Tensor& x1, const Tensor& x2, const Type& result, EvalContext& context, Compute compute) {
  const DType dtype = x1.dtype == DType::boolean ? x2.dtype : x1.dtype;
  const std::optional<BroadcastPair> pair = broadcast_pair(x1, x2, dtype, context);
  if (!pair) return nullptr;
  Tensor value = compute(*pair->a, *pair->b, pair->extents);
  return make_tensor(convert(std::move(value), declared_dtype(result, dtype), context));
}

}  // namespace passdiff
