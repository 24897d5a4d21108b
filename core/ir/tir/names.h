// Names of the values of an enum, by value.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace passdiff::tir::detail {

template <class E, std::size_t n>
std::optional<E> value_named(const std::array<std::string_view, n>& names, std::string_view name) {
  for (std::size_t i = 0; i < n; ++i) {
    if (names[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

}  // namespace passdiff::tir::detail
