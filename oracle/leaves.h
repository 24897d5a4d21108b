// The tensors inside of two values that are compared.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/tensor/value.h"

namespace passdiff {

// A tensor in a value.
struct Leaf {
  std::string path;           // through tuples, for people: "result[1]"
  std::vector<int> position;  // the same as indices
  const Tensor* tensor;

  double operator[](std::size_t element) const { return as_double(*tensor, element); }
};

// The tensors of both sides, in the same order; or the difference, where the values differ in kind, shape or dtype.
struct Leaves {
  std::vector<Leaf> source, target;
  std::string difference;
  bool other_dtype = false;  // the difference is one of dtypes
  std::string callable;  // the path to a function in the values, if there is one: functions cannot be compared
};
// The leaves point into the values.
Leaves leaves_of(const Value& source, const Value& target);
// `base`, with the tensor at this path ("result[1]"; empty: all of it) as it is in `other`; or `other`, where the tuples around it differ.
Value with_leaf(const Value& base, const Value& other, std::string_view path);

enum class NumberClass : std::uint8_t { finite, nan, plus_infinity, minus_infinity };
NumberClass class_of(double value);

// The largest magnitude of a finite element; 0 if there is none.
double magnitude(const Tensor& tensor);

}  // namespace passdiff
