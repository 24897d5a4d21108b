#include "core/ops/elementwise.h"

#include <cmath>
#include <string>

namespace passdiff {
namespace {

// Would the truncated value fit? 2^63 is representable as a double, int64's maximum is not and becomes 2^63: hence the half-open
// bound.
bool truncates_into(double value, DType dtype) {
  const double low = static_cast<double>(int_min(dtype));
  const double high = static_cast<double>(int_max(dtype)) + 1;
  const double truncated = std::trunc(value);
  return truncated >= low && truncated < high;  // false for NaN
}

template <class Int>
Tensor floats_to_ints(const Tensor::Floats& floats, DType dtype, EvalContext& context) {
  const double* worst = nullptr;
  xt::xarray<Int> ints = map<Int>(floats, [&](const double& value) -> Int {
    if (truncates_into(value, dtype)) return static_cast<Int>(value);
    if (!worst) worst = &value;
    return 0;
  });
  if (worst) {
    context.log.report(UndefinedRule::float_to_int,
                       std::to_string(*worst) + " has no " + std::string(dtype_name(dtype)));
  }
  return Tensor{dtype, std::move(ints)};
}

// The elements as numbers of `dtype`. A cast is what the program asks for, and no rounding that could as well go the other way:
// it takes what its operand's dtype can hold to the nearest number, under any rounding.
Tensor cast_floats(const Tensor& tensor, DType dtype, const Rounding& rounding) {
  Rounding nearest = rounding;
  nearest.mode = RoundingMode::faithful;
  Tensor::Floats floats = tensor.floats();
  if (rounding.mode != RoundingMode::faithful) {
    for (double& value : floats.storage()) value = round_float(tensor.dtype, value, nearest);
  }
  return round_floats(dtype, std::move(floats), nearest);
}

Tensor from_floats(const Tensor& tensor, DType dtype, EvalContext& context) {
  if (is_float(dtype)) return cast_floats(tensor, dtype, context.rounding);
  const Tensor::Floats& floats = tensor.floats();
  if (is_unsigned_int(dtype)) return floats_to_ints<std::uint64_t>(floats, dtype, context);
  if (dtype != DType::boolean) return floats_to_ints<std::int64_t>(floats, dtype, context);
  return Tensor{dtype, map<std::int64_t>(floats, [](double v) -> std::int64_t { return v != 0 ? 1 : 0; })};
}

template <class T>
Tensor from_integers(const xt::xarray<T>& integers, DType dtype, EvalContext& context) {
  if (is_float(dtype)) {
    // Through double and then to float32 would round an int64 twice.
    const bool direct = kept_as(dtype, context.rounding) == DType::float32 && context.rounding.mode == RoundingMode::faithful;
    Tensor::Floats floats = map<double>(integers, [&](T v) {
      return direct ? static_cast<double>(static_cast<float>(v)) : static_cast<double>(v);
    });
    return round_floats(dtype, std::move(floats), context.rounding);
  }
  if (storage_of(dtype) == Storage::ints) {
    return wrap_ints(dtype, map<std::int64_t>(integers, [](T v) { return static_cast<std::int64_t>(v); }));
  }
  return wrap_uints(dtype, map<std::uint64_t>(integers, [](T v) { return static_cast<std::uint64_t>(v); }));
}

}  // namespace

std::optional<Extents> broadcast_extents(const Extents& a, const Extents& b) {
  const Extents& longer = a.size() > b.size() ? a : b;
  const Extents& shorter = a.size() > b.size() ? b : a;
  Extents result = longer;
  const std::size_t offset = longer.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    if (result[offset + i] == shorter[i] || shorter[i] == 1) continue;
    if (result[offset + i] != 1) return std::nullopt;
    result[offset + i] = shorter[i];
  }
  return result;
}

const Extents& extents_of(const Tensor& tensor) {
  return std::visit([](const auto& values) -> const Extents& { return values.shape(); }, tensor.values);
}

Extents broadcast_strides(const Extents& operand, const Extents& extents) {
  Extents strides(extents.size(), 0);
  std::size_t stride = 1;
  // Right-aligned: broadcasting compares trailing sizes first.
  for (std::size_t axis = operand.size(), out = extents.size(); axis-- > 0;) {
    --out;
    if (operand[axis] != 1) strides[out] = stride;
    stride *= operand[axis];
  }
  return strides;
}

Tensor convert(const Tensor& tensor, DType dtype, EvalContext& context) {
  if (tensor.dtype == dtype) return tensor;
  switch (storage_of(tensor.dtype)) {
    case Storage::floats:
      return from_floats(tensor, dtype, context);
    case Storage::ints:
      return from_integers(tensor.ints(), dtype, context);
    case Storage::uints:
      return from_integers(tensor.uints(), dtype, context);
  }
  return Tensor{};
}

Tensor convert(Tensor&& tensor, DType dtype, EvalContext& context) {
  if (tensor.dtype == dtype) return std::move(tensor);
  return convert(std::as_const(tensor), dtype, context);
}

Converted::Converted(const Tensor& given, DType dtype, EvalContext& context) : tensor_(&given) {
  if (given.dtype == dtype) return;
  const bool rounds = is_float(given.dtype) && is_float(dtype);
  made_ = make_tensor(rounds ? round_floats(dtype, given.floats(), context.rounding) : convert(given, dtype, context));
  tensor_ = made_.get();
}

std::optional<BroadcastPair> broadcast_pair(const Tensor& a, const Tensor& b, DType dtype,
                                            EvalContext& context) {
  std::optional<Extents> extents = broadcast_extents(extents_of(a), extents_of(b));
  if (!extents) return std::nullopt;
  return std::optional<BroadcastPair>(std::in_place, Converted(a, dtype, context),
                                      Converted(b, dtype, context), *std::move(extents));
}

}  // namespace passdiff
