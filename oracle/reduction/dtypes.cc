// Steps that make dtypes float32 or int32.
#include <algorithm>
#include <array>
#include <utility>

#include "core/tensor/rounding.h"
#include "core/tensor/tensor.h"
#include "oracle/reduction/steps.h"
#include "oracle/reduction/types.h"

namespace passdiff {
namespace {

// What a dtype becomes.
struct DTypeChange {
  DType from;
  DType to;
};
constexpr DType kUnusualFloats[] = {DType::float16, DType::bfloat16, DType::float64, DType::float8_e4m3fn,
                                    DType::float8_e5m2};
constexpr DType kIntegers[] = {DType::int8,   DType::int16,  DType::int64, DType::uint8,
                               DType::uint16, DType::uint32, DType::uint64};

// The last ones are tried first.
std::vector<DTypeChange> dtype_changes() {
  std::vector<DTypeChange> changes;
  for (const DType dtype : all_dtypes()) {
    if (!is_drawn(dtype) && is_integer(dtype)) changes.push_back({dtype, DType::int32});
    if (!is_drawn(dtype)) changes.push_back({dtype, DType::float32});
  }
  for (DType dtype : kIntegers) changes.push_back({dtype, DType::int32});
  changes.push_back({DType::int32, DType::float32});
  for (DType dtype : kIntegers) changes.push_back({dtype, DType::float32});
  for (DType dtype : kUnusualFloats) changes.push_back({dtype, DType::float32});
  return changes;
}

Type with_dtype(const Type& type, const DTypeChange& change) {
  return replace_tensors(type, [&](TensorType tensor) {
    if (tensor.dtype == change.from) tensor.dtype = change.to;
    return tensor;
  });
}
// The element as one of the other dtype: float32, or int32, which wraps.
TensorPtr converted(const TensorPtr& tensor, const DTypeChange& change) {
  if (tensor->dtype != change.from) return tensor;
  return filled(change.to, tensor->shape(), [&](std::size_t k) {
    if (change.to == DType::float32) return round_to_float32(as_double(*tensor, k));
    return static_cast<double>(wrap_int(change.to, static_cast<std::uint64_t>(as_int(*tensor, k))));
  });
}

// Every tensor of one dtype gets another.
std::size_t count_dtype_changes(const TestCase&) {
  return dtype_changes().size();
}
bool has_dtype(const TestCase& test, DType dtype) {
  bool found = false;
  const auto look = [&](const TensorType& tensor) {
    found |= tensor.dtype == dtype;
    return tensor;
  };
  for_each_param(test, [&](const Var& param) { replace_tensors(param->type, look); });
  for (const GlobalFunction& f : test.module.functions) {
    for_each_expr(f.function->body, [&](const ExprPtr& expr) {
      replace_tensors(expr->type, look);
      const Call* call = as<Call>(expr);
      if (call != nullptr)
        found |= std::find(call->attrs.begin(), call->attrs.end(), AttrValue(dtype)) != call->attrs.end();
    });
  }
  return found;
}
std::optional<TestCase> usual_dtype(const TestCase& test, std::size_t i) {
  const DTypeChange change = dtype_changes()[i];
  if (!has_dtype(test, change.from)) return std::nullopt;
  const MapTensor map = [&](const TensorPtr& tensor) { return converted(tensor, change); };
  const Edits edits{.constant = map,
                    .param_type = [&](const Var& param) { return with_dtype(param->type, change); },
                    .cast = [&](const Type& type) { return with_dtype(type, change); },
                    .attrs = [&](const OpDef&, const Attrs& attrs) -> std::optional<Attrs> {
                      Attrs mapped = attrs;
                      std::replace(mapped.begin(), mapped.end(), AttrValue(change.from),
                                   AttrValue(change.to));
                      return mapped;
                    }};
  return rebuilt(test, edits, map);
}

// One parameter of the entry function gets another dtype.
std::size_t count_param_changes(const TestCase& test) {
  return entry_of(test).function->params.size() * dtype_changes().size();
}
std::optional<TestCase> usual_param(const TestCase& test, std::size_t i) {
  const std::size_t index = i / dtype_changes().size();
  const DTypeChange change = dtype_changes()[i % dtype_changes().size()];
  const Var param = entry_of(test).function->params[index];
  const Type type = with_dtype(param->type, change);
  if (equal(type, param->type)) return std::nullopt;
  auto result = rebuilt(test, {.param_type = [&](const Var& p) { return p == param ? type : p->type; }});
  if (!result) return std::nullopt;
  result->arguments[index] =
      map_tensors(test.arguments[index], [&](const TensorPtr& tensor) { return converted(tensor, change); });
  return result;
}

}  // namespace

ReduceSteps dtype_steps() {
  static constexpr std::array kSteps = {
      ReduceStep{"usual-dtype", count_dtype_changes, usual_dtype},
      ReduceStep{"usual-param", count_param_changes, usual_param},
  };
  return kSteps;
}

}  // namespace passdiff
