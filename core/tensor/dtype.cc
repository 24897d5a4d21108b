#include "core/tensor/dtype.h"

#include <algorithm>

#include "core/check.h"

namespace passdiff {

std::span<const DType> all_dtypes() {
  static constexpr std::array<DType, kDTypes.size()> kAll = [] {
    std::array<DType, kDTypes.size()> all{};
    std::ranges::transform(kDTypes, all.begin(), &DTypeRow::dtype);
    return all;
  }();
  return kAll;
}

std::span<const DType> drawn_dtypes() {
  static const auto kEnd = std::ranges::find_if_not(all_dtypes(), is_drawn);
  return {all_dtypes().begin(), kEnd};
}

std::optional<DType> dtype_from_name(std::string_view name) {
  const auto found = std::ranges::find(kDTypes, name, &DTypeRow::name);
  return found == kDTypes.end() ? std::nullopt : std::optional(found->dtype);
}

std::int64_t int_min(DType dtype) {
  CHECK(!is_float(dtype)) << dtype_name(dtype);
  return is_signed_int(dtype) ? INT64_MIN >> (64 - row_of(dtype).bits) : 0;
}

std::uint64_t int_max(DType dtype) {
  CHECK(!is_float(dtype)) << dtype_name(dtype);
  if (dtype == DType::boolean) return 1;
  const int bits = row_of(dtype).bits - (is_signed_int(dtype) ? 1 : 0);
  return UINT64_MAX >> (64 - bits);
}

std::int64_t scalar_max(DType dtype) {
  return static_cast<std::int64_t>(std::min<std::uint64_t>(int_max(dtype), INT64_MAX));
}

}  // namespace passdiff
