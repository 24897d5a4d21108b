// Attributes of a call by position among the attribute parameters. make_call has checked that their kinds are
// right.
#pragma once

#include <string>
#include <vector>

#include "core/check.h"
#include "core/ir/expr.h"

namespace passdiff {

// The attribute as T, or null if it is None.
template <class T>
const T* optional_attr(const Attrs& attrs, std::size_t i) {
  CHECK(i < attrs.size()) << "attribute " << i << " of " << attrs.size();
  return std::get_if<T>(&attrs[i]);
}
template <class T>
const T& attr(const Attrs& attrs, std::size_t i) {
  const T* value = optional_attr<T>(attrs, i);
  CHECK(value) << "attribute " << i << " is of another kind";
  return *value;
}

using Ints = std::vector<std::int64_t>;

}  // namespace passdiff
