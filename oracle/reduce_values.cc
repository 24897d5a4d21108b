// Steps that make the values smaller: dims, dtypes, elements.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "core/form/builder.h"
#include "core/form/rebuild.h"
#include "core/tensor/tensor.h"
#include "oracle/reduce_parts.h"
#include "oracle/reduce_steps.h"

namespace passdiff {
namespace {

using MapTensor = std::function<TensorPtr(const TensorPtr&)>;

Value map_value(const Value& value, const MapTensor& map) {
  if (const TensorPtr* tensor = value.as_tensor()) return map(*tensor);
  if (const TupleValue* tuple = value.as_tuple()) {
    TupleValue mapped;
    for (const Value& field : tuple->fields) mapped.fields.push_back(map_value(field, map));
    return Value(std::move(mapped));
  }
  return value;
}

// A tensor whose elements are element(index), a double that must be representable in the dtype.
TensorPtr filled(DType dtype, const std::vector<std::int64_t>& shape,
                 const std::function<double(std::size_t)>& element) {
  Tensor tensor = zeros(dtype, shape);
  std::visit(
      [&](auto& values) {
        using Element = typename std::decay_t<decltype(values)>::value_type;
        for (std::size_t i = 0; i < values.size(); ++i) values.data()[i] = static_cast<Element>(element(i));
      },
      tensor.values);
  return make_tensor(std::move(tensor));
}

// The leading part of a tensor after every dim of size `from` has become `to`.
TensorPtr resized(const TensorPtr& tensor, std::int64_t from, std::int64_t to) {
  const std::vector<std::int64_t> old_shape = tensor->shape();
  std::vector<std::int64_t> shape = old_shape;
  for (std::int64_t& dim : shape) dim = dim == from ? to : dim;
  if (shape == old_shape) return tensor;
  return filled(tensor->dtype, shape, [&](std::size_t flat) {
    std::size_t offset = 0;
    std::size_t stride = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      const auto size = static_cast<std::size_t>(shape[axis]);
      offset += (flat % size) * stride;
      flat /= size;
      stride *= static_cast<std::size_t>(old_shape[axis]);
    }
    return as_double(*tensor, offset);
  });
}

std::optional<TestCase> rebuilt(const TestCase& test, const Edits& edits, const MapTensor& map_argument) {
  auto result = rebuilt(test, edits);
  if (!result) return std::nullopt;
  for (Value& argument : result->arguments) argument = map_value(argument, map_argument);
  return result;
}

void collect_sizes(const Value& value, std::set<std::int64_t>& sizes) {
  if (const TensorPtr* tensor = value.as_tensor()) {
    for (std::int64_t dim : (*tensor)->shape()) {
      if (dim > 1) sizes.insert(dim);
    }
  } else if (const TupleValue* tuple = value.as_tuple()) {
    for (const Value& field : tuple->fields) collect_sizes(field, sizes);
  }
}
std::vector<std::int64_t> sizes_of(const TestCase& test) {
  std::set<std::int64_t> sizes;
  for (const Value& argument : test.arguments) collect_sizes(argument, sizes);
  return {sizes.begin(), sizes.end()};
}

// All dims of one size change at once, in parameters, constants, shapes and arguments: candidate 2k makes them 2, candidate
// 2k + 1 makes them 1.
std::size_t count_sizes(const TestCase& test) {
  return 2 * sizes_of(test).size();
}
std::optional<TestCase> shrink_size(const TestCase& test, std::size_t i) {
  const std::int64_t from = sizes_of(test)[i / 2];
  const std::int64_t to = i % 2 == 1 ? 1 : 2;
  if (to >= from) return std::nullopt;
  const MapTensor map = [&](const TensorPtr& tensor) { return resized(tensor, from, to); };
  const Edits edits{.constant = map, .dim = [&](const Dim& dim) {
                      return dim.is_static() && dim.value() == from ? Dim(to) : dim;
                    }};
  return rebuilt(test, edits, map);
}

// One candidate: all symbolic dims become the sizes that the arguments give them.
std::size_t count_one(const TestCase&) {
  return 1;
}
void bind_symbols(const Type& type, const Value& value, std::map<const SymVarNode*, std::int64_t>& bound) {
  if (const TupleType* tuple = type.as_tuple(); tuple != nullptr && value.as_tuple() != nullptr) {
    for (std::size_t i = 0; i < tuple->fields.size(); ++i)
      bind_symbols(tuple->fields[i], value.as_tuple()->fields[i], bound);
    return;
  }
  const TensorType* tensor = type.as_tensor();
  if (tensor == nullptr || !tensor->shape || value.as_tensor() == nullptr) return;
  const auto shape = (*value.as_tensor())->shape();
  for (std::size_t i = 0; i < shape.size() && i < tensor->shape->size(); ++i) {
    if (const SymVar* var = (*tensor->shape)[i].as_var()) bound.emplace(var->get(), shape[i]);
  }
}
std::optional<TestCase> make_static(const TestCase& test, std::size_t) {
  std::map<const SymVarNode*, std::int64_t> bound;
  const auto& params = entry_of(test).function->params;
  for (std::size_t i = 0; i < params.size() && i < test.arguments.size(); ++i) {
    bind_symbols(params[i]->type, test.arguments[i], bound);
  }
  if (bound.empty()) return std::nullopt;
  const Edits edits{.dim = [&](const Dim& dim) {
    return substitute(dim, [&](const SymVar& var) -> std::optional<Dim> {
      const auto found = bound.find(var.get());
      return found == bound.end() ? std::nullopt : std::optional(Dim(found->second));
    });
  }};
  return rebuilt(test, edits, [](const TensorPtr& tensor) { return tensor; });
}

// Every tensor of one dtype becomes float32 (int64 for integers): one candidate per dtype.
constexpr DType kUnusual[] = {DType::float16, DType::bfloat16, DType::float64,       DType::int8,
                              DType::uint8,   DType::int32,    DType::int16,         DType::uint16,
                              DType::uint32,  DType::uint64,   DType::float8_e4m3fn, DType::float8_e5m2};
std::size_t count_unusual(const TestCase&) {
  return std::size(kUnusual);
}
Type with_dtype(const Type& type, DType from, DType to) {
  return replace_tensors(type, [&](TensorType tensor) {
    if (tensor.dtype == from) tensor.dtype = to;
    return tensor;
  });
}
std::optional<TestCase> usual_dtype(const TestCase& test, std::size_t i) {
  const DType from = kUnusual[i];
  const DType to = is_float(from) ? DType::float32 : DType::int64;
  const MapTensor map = [&](const TensorPtr& tensor) {
    if (tensor->dtype != from) return tensor;
    return filled(to, tensor->shape(), [&](std::size_t k) {
      return is_float(from) ? as_double(*tensor, k) : static_cast<double>(as_int(*tensor, k));
    });
  };
  if (from == DType::float64) {  // not every double is a float32
    for (const Value& argument : test.arguments) {
      if (argument.as_tensor() == nullptr) return std::nullopt;
      const Tensor& tensor = **argument.as_tensor();
      for (std::size_t k = 0; tensor.dtype == from && k < tensor.size(); ++k) {
        if (round_to_float32(as_double(tensor, k)) != as_double(tensor, k)) return std::nullopt;
      }
    }
  }
  const Edits edits{.constant = map,
                    .param_type = [&](const Var& param) { return with_dtype(param->type, from, to); },
                    .cast = [&](const Type& type) { return with_dtype(type, from, to); },
                    .attrs = [&](const OpDef&, const Attrs& attrs) -> std::optional<Attrs> {
                      Attrs mapped = attrs;
                      for (AttrValue& attr : mapped) {
                        if (attr == AttrValue(from)) attr = to;
                      }
                      return mapped;
                    }};
  return rebuilt(test, edits, map);
}

// An argument gets simple elements: zeros in candidate 3k, ones in 3k + 1, counting numbers in 3k + 2.
std::size_t count_arguments(const TestCase& test) {
  return 3 * test.arguments.size();
}
TensorPtr simple(const TensorPtr& tensor, std::size_t kind) {
  const bool boolean = tensor->dtype == DType::boolean;
  return filled(tensor->dtype, tensor->shape(), [&](std::size_t k) {
    if (kind == 0) return 0.0;
    if (kind == 1) return 1.0;
    return static_cast<double>(boolean ? k % 2 : k % 8);
  });
}
std::optional<TestCase> simple_argument(const TestCase& test, std::size_t i) {
  TestCase result = test;
  result.arguments[i / 3] =
      map_value(test.arguments[i / 3], [&](const TensorPtr& t) { return simple(t, i % 3); });
  return result;
}

std::size_t count_kinds(const TestCase&) {
  return 3;
}
std::optional<TestCase> simple_constants(const TestCase& test, std::size_t i) {
  const Edits edits{.constant = [&](const TensorPtr& tensor) { return simple(tensor, i); }};
  return rebuilt(test, edits, [](const TensorPtr& tensor) { return tensor; });
}

constexpr std::array kSteps = {
    ReduceStep{"make-static", count_one, make_static},
    ReduceStep{"shrink-size", count_sizes, shrink_size},
    ReduceStep{"usual-dtype", count_unusual, usual_dtype},
    ReduceStep{"simple-argument", count_arguments, simple_argument},
    ReduceStep{"simple-constants", count_kinds, simple_constants},
};

}  // namespace

std::span<const ReduceStep> value_steps() {
  return kSteps;
}

}  // namespace passdiff
