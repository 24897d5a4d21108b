#include "core/tensor/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

template <class T>
const T& get(const Value& value, std::string_view kind) {
  const T* held = std::get_if<T>(&value.node);
  CHECK(held != nullptr) << "not a " << kind << ": " << to_string(value);
  return *held;
}

bool equal_scalars(const ScalarValue& a, const ScalarValue& b) {
  if (a.dtype != b.dtype || a.value.index() != b.value.index()) return false;
  const double* x = std::get_if<double>(&a.value);
  if (x != nullptr && std::isnan(*x)) return std::isnan(std::get<double>(b.value));
  return a.value == b.value;
}

std::string tuple_to_string(const TupleValue& tuple, std::size_t max_elements) {
  std::string text = "(";
  for (std::size_t i = 0; i < tuple.fields.size(); ++i) {
    text += (i == 0 ? "" : ", ") + to_string(tuple.fields[i], max_elements);
  }
  return text + (tuple.fields.size() == 1 ? ",)" : ")");
}

}  // namespace

Value::Value() = default;
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

const Tensor& Value::tensor() const {
  return *get<TensorPtr>(*this, "tensor");
}
const TupleValue& Value::tuple() const {
  return get<TupleValue>(*this, "tuple");
}
const ShapeValue& Value::shape() const {
  return get<ShapeValue>(*this, "shape");
}
const ScalarValue& Value::scalar() const {
  return get<ScalarValue>(*this, "scalar");
}

std::int64_t elements_of(const Value& value) {
  if (const TensorPtr* tensor = value.as_tensor()) return static_cast<std::int64_t>((*tensor)->size());
  std::int64_t sum = 0;
  if (const TupleValue* tuple = value.as_tuple()) {
    for (const Value& field : tuple->fields) sum += elements_of(field);
  }
  return sum;
}

bool bit_equal(const Value& a, const Value& b) {
  if (a.node.index() != b.node.index()) return false;
  if (const TensorPtr* tensor = a.as_tensor())
    return *tensor == *b.as_tensor() || bit_equal(**tensor, **b.as_tensor());
  if (const TupleValue* tuple = a.as_tuple()) {
    return std::equal(tuple->fields.begin(), tuple->fields.end(), b.as_tuple()->fields.begin(),
                      b.as_tuple()->fields.end(),
                      [](const Value& x, const Value& y) { return bit_equal(x, y); });
  }
  if (const auto* shape = std::get_if<ShapeValue>(&a.node)) return shape->dims == b.shape().dims;
  if (const auto* scalar = std::get_if<ScalarValue>(&a.node)) return equal_scalars(*scalar, b.scalar());
  if (const auto* text = std::get_if<std::string>(&a.node)) return *text == std::get<std::string>(b.node);
  if (const auto* dtype = std::get_if<DType>(&a.node)) return *dtype == std::get<DType>(b.node);
  using CallablePtr = std::shared_ptr<const Callable>;
  if (const auto* callable = std::get_if<CallablePtr>(&a.node))
    return *callable == std::get<CallablePtr>(b.node);
  return true;
}

bool identical(const Value& a, const Value& b) {
  if (const TensorPtr* tensor = a.as_tensor()) return b.as_tensor() != nullptr && *tensor == *b.as_tensor();
  if (const TupleValue* tuple = a.as_tuple()) return b.as_tuple() != nullptr && std::ranges::equal(tuple->fields, b.as_tuple()->fields, identical);
  if (const auto* scalar = std::get_if<ScalarValue>(&a.node)) {
    const double* number = std::get_if<double>(&scalar->value);
    if (number != nullptr && bit_equal(a, b)) return std::signbit(*number) == std::signbit(std::get<double>(b.scalar().value));
  }
  return bit_equal(a, b);
}

std::string to_string(const Value& value, std::size_t max_elements) {
  if (const TensorPtr* tensor = value.as_tensor()) return to_string(**tensor, max_elements);
  if (const TupleValue* tuple = value.as_tuple()) return tuple_to_string(*tuple, max_elements);
  if (const auto* shape = std::get_if<ShapeValue>(&value.node))
    return fmt::format("shape [{}]", fmt::join(shape->dims, ", "));
  if (const auto* scalar = std::get_if<ScalarValue>(&value.node)) {
    return std::visit([&](auto v) { return fmt::format("{} {}", dtype_name(scalar->dtype), v); },
                      scalar->value);
  }
  if (const auto* text = std::get_if<std::string>(&value.node)) return '"' + *text + '"';
  if (const auto* dtype = std::get_if<DType>(&value.node)) return std::string(dtype_name(*dtype));
  return std::holds_alternative<std::monostate>(value.node) ? "void" : "callable";
}

}  // namespace passdiff
