#include "core/ops/numeric.h"

#include <string>

namespace passdiff {
std::span<const double> doubles_of(const Tensor& tensor, std::vector<double>& storage) {
  if (const auto* floats = std::get_if<Tensor::Floats>(&tensor.values))
    return {floats->data(), floats->size()};
  storage.reserve(tensor.size());
  std::visit(
      [&](const auto& from) {
        for (std::size_t i = 0; i < from.size(); ++i) storage.push_back(static_cast<double>(from.data()[i]));
      },
      tensor.values);
  return storage;
}

std::span<const std::int64_t> ints_of(const Tensor& tensor, std::vector<std::int64_t>& storage) {
  CHECK(!is_float(tensor.dtype)) << "integers of a tensor of " << dtype_name(tensor.dtype);
  if (const auto* ints = std::get_if<Tensor::Ints>(&tensor.values)) return {ints->data(), ints->size()};
  const Tensor::UInts& uints = tensor.uints();
  storage.reserve(uints.size());
  for (std::size_t i = 0; i < uints.size(); ++i)
    storage.push_back(static_cast<std::int64_t>(uints.data()[i]));
  return storage;
}

bool overflow_is_undefined(DType dtype) {
  return dtype == DType::int32 || dtype == DType::int64;
}

void IntResult::set(std::size_t i, const ExactInt& exact) {
  const DType dtype = tensor_.dtype;
  if (overflow_is_undefined(dtype)) {
    overflowed_ = overflowed_ || exact.lost || exact.value < int_min(dtype) || exact.value > int_max(dtype);
  }
  const auto low = static_cast<std::uint64_t>(exact.value);
  // A bool is set by any bit of the exact value, not of its low half alone.
  const std::uint64_t bits = dtype == DType::boolean ? (exact.value != 0 ? 1u : 0u) : low;
  const std::int64_t wrapped = wrap_int(dtype, bits);
  if (auto* ints = std::get_if<Tensor::Ints>(&tensor_.values)) {
    ints->data()[i] = wrapped;
  } else {
    std::get<Tensor::UInts>(tensor_.values).data()[i] = static_cast<std::uint64_t>(wrapped);
  }
}

Tensor IntResult::finish(std::string_view op, UndefinedLog& log) && {
  if (overflowed_) {
    log.report(UndefinedRule::signed_overflow,
               std::string(op) + " leaves the range of " + std::string(dtype_name(tensor_.dtype)));
  }
  return std::move(tensor_);
}

Tensor::Floats float_array(std::span<const std::int64_t> shape) {
  return std::get<Tensor::Floats>(std::move(zeros(DType::float64, shape).values));
}

std::optional<Tensor::Floats> floats_along(const Tensor& tensor, std::span<const std::int64_t> shape, int axis) {
  const auto size = static_cast<std::int64_t>(tensor.size());
  if (size != 1 && (tensor.rank() != 1 || size != shape[static_cast<std::size_t>(axis)])) return std::nullopt;
  std::vector<std::int64_t> sizes(shape.size(), 1);
  sizes[static_cast<std::size_t>(axis)] = size;
  Tensor::Floats values = float_array(sizes);
  for (std::size_t i = 0; i < tensor.size(); ++i) values.data()[i] = as_double(tensor, i);
  return values;
}

}  // namespace passdiff
