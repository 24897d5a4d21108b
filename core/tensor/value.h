// Values at run time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/tensor/dtype.h"
#include "core/tensor/rounding.h"
#include "core/tensor/tensor_ptr.h"
#include "core/tensor/undefined.h"

namespace passdiff {

struct Value;

struct TupleValue {
  std::vector<Value> fields;
};
struct ShapeValue {
  std::vector<std::int64_t> dims;
};
// A scalar of a PrimType.
struct ScalarValue {
  DType dtype = DType::int64;
  std::variant<std::int64_t, double> value;
};
// A value that can be called: a closure of the module or a function of the host (core/eval/callable.h).
class Callable;

// A value of any kind. monostate is the value of an op without result. It is copied, moved and destroyed out of line (value.cc): each file that
// includes this would compile that for all kinds.
struct Value {
  std::variant<std::monostate, TensorPtr, TupleValue, ShapeValue, ScalarValue, std::string, DType,
               std::shared_ptr<const Callable>>
      node;

  Value();
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();
  template <class T>
    requires std::is_constructible_v<decltype(node), T&&> && (!std::is_same_v<std::decay_t<T>, Value>)
  Value(T&& alternative) : node(std::forward<T>(alternative)) {}  // NOLINT: implicit by design

  // The value as one of its kind; each CHECKs that it is.
  const Tensor& tensor() const;
  const TupleValue& tuple() const;
  const ShapeValue& shape() const;
  const ScalarValue& scalar() const;
  const TensorPtr* as_tensor() const { return std::get_if<TensorPtr>(&node); }
  const TupleValue* as_tuple() const { return std::get_if<TupleValue>(&node); }
};

// What the evaluation of an op may use besides its operands.
struct EvalContext {
  Rounding rounding;
  UndefinedLog log;
};

// How many elements the tensors of a value have together.
std::int64_t elements_of(const Value& value);
// Whether two values are equal: tensors bit by bit, tuples field by field, callables by identity.
bool bit_equal(const Value& a, const Value& b);
// Whether two values are one: tensors by identity, too. Takes no look at their elements.
bool identical(const Value& a, const Value& b);
std::string to_string(const Value& value, std::size_t max_elements = 16);

}  // namespace passdiff
