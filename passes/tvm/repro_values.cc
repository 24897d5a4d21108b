#include "passes/tvm/repro_values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/match.h"
#include "core/tensor/tensor.h"
#include "core/text/text.h"

namespace passdiff {
namespace {

// From so many elements on, arange is shorter than the elements themselves.
constexpr std::size_t kFewElements = 4;

std::string dtype_string(DType dtype) {
  return python_string(dtype_name(dtype));
}

template <class Number>
std::vector<std::string> digits(const std::vector<Number>& numbers) {
  std::vector<std::string> items;
  for (const Number number : numbers) items.push_back(std::to_string(number));
  return items;
}

std::string element(const Tensor& tensor, std::size_t i) {
  if (tensor.dtype == DType::boolean) return as_int(tensor, i) != 0 ? "True" : "False";
  return is_float(tensor.dtype) ? python_number(as_double(tensor, i), tensor.dtype)
                                : integer_digits(tensor, i);
}

std::vector<std::string> elements(const Tensor& tensor) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < tensor.size(); ++i) items.push_back(element(tensor, i));
  return items;
}

// Nested lists of the elements from `next` on, for the axes from `axis` on.
std::string nested(const std::vector<std::string>& items, const std::vector<std::int64_t>& shape,
                   std::size_t axis, std::size_t& next) {
  if (axis == shape.size()) return items[next++];
  std::vector<std::string> rows;
  for (std::int64_t i = 0; i < shape[axis]; ++i) rows.push_back(nested(items, shape, axis + 1, next));
  return fmt::format("[{}]", fmt::join(rows, ", "));
}

bool counts_up(const Tensor& tensor) {
  if (tensor.dtype == DType::boolean || is_float(tensor.dtype) || tensor.size() < kFewElements) return false;
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    if (as_int(tensor, i) != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

// ".reshape(2, 3)", for arrays of one axis nothing.
std::string reshape(const std::vector<std::int64_t>& shape) {
  return shape.size() == 1 ? "" : fmt::format(".reshape({})", fmt::join(shape, ", "));
}

}  // namespace

std::string python_number(double value, DType dtype) {
  if (std::isnan(value)) return "np.nan";
  if (std::isinf(value)) return value > 0 ? "np.inf" : "-np.inf";
  // The digits of a float32 tell the values of narrower floats apart, too.
  std::string text =
      dtype == DType::float64 ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string numpy_array(const Tensor& tensor) {
  const std::vector<std::int64_t> shape = tensor.shape();
  const std::vector<std::string> items = elements(tensor);
  const std::string dtype = dtype_string(tensor.dtype);
  const bool alike =
      std::ranges::all_of(items, [&](const std::string& item) { return item == items.front(); });
  const bool zero =
      items.empty() || items.front() == "0.0" || items.front() == "0" || items.front() == "False";
  if (alike && (zero || items.size() > 1 || shape.size() > 1)) {
    const std::string dims = python_tuple(digits(shape));
    return zero ? fmt::format("np.zeros({}, {})", dims, dtype)
                : fmt::format("np.full({}, {}, {})", dims, items.front(), dtype);
  }
  if (counts_up(tensor)) return fmt::format("np.arange({}, dtype={}){}", items.size(), dtype, reshape(shape));
  std::size_t next = 0;
  const std::string line = fmt::format("np.array({}, {})", nested(items, shape, 0, next), dtype);
  if (line.size() <= kPythonColumns) return line;
  return filled_list("np.array([", items, fmt::format("], {}){}", dtype, reshape(shape)));
}

std::string machine_value(const Value& value) {
  return match(
      value.node, [](const std::monostate&) { return std::string("None"); },
      [](const TensorPtr& tensor) {
        return is_packed(tensor->dtype) ? packed_tensor(*tensor) : "tvm.runtime.tensor(" + numpy_array(*tensor) + ")";
      },
      [](const TupleValue& tuple) {
        std::vector<std::string> fields;
        for (const Value& field : tuple.fields) fields.push_back(machine_value(field));
        return python_tuple(fields);
      },
      [](const ShapeValue& shape) { return "tvm_ffi.Shape(" + python_tuple(digits(shape.dims)) + ")"; },
      [](const ScalarValue& scalar) {
        if (const auto* number = std::get_if<double>(&scalar.value))
          return python_number(*number, scalar.dtype);
        const std::int64_t integer = std::get<std::int64_t>(scalar.value);
        if (scalar.dtype == DType::boolean) return std::string(integer != 0 ? "True" : "False");
        return std::to_string(integer);
      },
      [](const std::string& text) { return python_string(text); },
      [](const std::same_as<DType> auto& dtype) { return "tvm_ffi.dtype(" + dtype_string(dtype) + ")"; },
      // No document holds a function, so that no test case has one for an argument.
      [](const std::shared_ptr<const Callable>&) { return std::string("None"); });
}

bool needs_ml_dtypes(const Value& value) {
  if (const TupleValue* tuple = value.as_tuple()) return std::ranges::any_of(tuple->fields, needs_ml_dtypes);
  const TensorPtr* tensor = value.as_tensor();
  return tensor != nullptr && !is_packed((*tensor)->dtype) &&
         ((*tensor)->dtype == DType::bfloat16 || is_minifloat((*tensor)->dtype));
}

PythonLines bind_arguments(const std::vector<Value>& arguments) {
  const bool tensors = std::ranges::all_of(arguments, [](const Value& value) {
    return value.as_tensor() != nullptr && !is_packed(value.tensor().dtype);
  });
  std::vector<std::string> items;
  for (const Value& argument : arguments)
    items.push_back(tensors ? numpy_array(argument.tensor()) : machine_value(argument));
  if (!tensors || items.empty()) return {python_list("args = [", items, "]")};
  std::string line = items.size() == 1 ? fmt::format("args = [tvm.runtime.tensor({})]", items.front())
                                       : fmt::format("args = [tvm.runtime.tensor(value) for value in {}]",
                                                     python_tuple(items));
  if (fits_in_line(line)) return {std::move(line)};
  return {filled_list("values = [", items, "]"), "args = [tvm.runtime.tensor(value) for value in values]"};
}

}  // namespace passdiff
