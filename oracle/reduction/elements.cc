// Steps that make the elements of arguments and constants plain numbers.
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "core/tensor/tensor.h"
#include "oracle/reduction/parts.h"
#include "oracle/reduction/steps.h"

namespace passdiff {
namespace {

// The tensors of the arguments and the constants, each once.
std::vector<TensorPtr> tensors_of(const TestCase& test) {
  std::vector<TensorPtr> tensors;
  std::unordered_set<const Tensor*> seen;
  const auto add = [&](const TensorPtr& tensor) {
    if (seen.insert(tensor.get()).second) tensors.push_back(tensor);
    return tensor;
  };
  for (const Value& argument : test.arguments) map_tensors(argument, add);
  for (const GlobalFunction& f : test.module.functions) {
    for_each_expr(f.function->body, [&](const ExprPtr& expr) {
      if (const Constant* constant = as<Constant>(expr)) add(constant->tensor);
    });
  }
  return tensors;
}

using Replacements = std::unordered_map<const Tensor*, TensorPtr>;

std::optional<TestCase> with_tensors(const TestCase& test, const Replacements& by) {
  if (by.empty()) return std::nullopt;
  const auto map = [&](const TensorPtr& tensor) {
    const auto found = by.find(tensor.get());
    return found == by.end() ? tensor : found->second;
  };
  auto result = rebuilt(test, {.constant = map});
  if (!result) return std::nullopt;
  for (Value& argument : result->arguments) argument = map_tensors(argument, map);
  return result;
}

// The tensor with other elements; null if they are equal.
TensorPtr mapped(const TensorPtr& tensor, const std::function<double(std::size_t)>& element) {
  TensorPtr fresh = filled(tensor->dtype, tensor->shape(), element);
  return bit_equal(*fresh, *tensor, /*distinguish_zeros=*/true) ? nullptr : fresh;
}

std::size_t count_tensors(const TestCase& test) {
  return tensors_of(test).size();
}
using PlainElement = double (*)(const Tensor& tensor, std::size_t i);
template <PlainElement kElement>
std::optional<TestCase> plain_tensors(const TestCase& test, std::size_t first, std::size_t last) {
  const std::vector<TensorPtr> tensors = tensors_of(test);
  Replacements by;
  for (std::size_t i = first; i < last; ++i) {
    const Tensor& tensor = *tensors[i];
    if (auto fresh = mapped(tensors[i], [&](std::size_t k) { return kElement(tensor, k); }))
      by.emplace(tensors[i].get(), std::move(fresh));
  }
  return with_tensors(test, by);
}

double zero(const Tensor&, std::size_t) {
  return 0;
}
double one(const Tensor&, std::size_t) {
  return 1;
}
double count(const Tensor& tensor, std::size_t i) {
  return static_cast<double>(tensor.dtype == DType::boolean ? i % 2 : i % 8);
}
// The nearest small integer; NaN and infinities stay.
double rounded(const Tensor& tensor, std::size_t i) {
  const double value = as_double(tensor, i);
  if (!std::isfinite(value)) return value;
  const double most = tensor.dtype == DType::boolean ? 1 : 8;
  const double least = row_of(tensor.dtype).kind == DTypeKind::unsigned_int ? 0 : -most;
  return std::clamp(std::round(value), least, most);
}

// Elements one by one, of tensors that do not have many.
constexpr std::size_t kFewElements = 64;

std::size_t count_elements(const TestCase& test) {
  std::size_t elements = 0;
  for (const TensorPtr& tensor : tensors_of(test))
    elements += tensor->size() <= kFewElements ? tensor->size() : 0;
  return elements;
}
template <PlainElement kElement>
std::optional<TestCase> plain_elements(const TestCase& test, std::size_t first, std::size_t last) {
  Replacements by;
  std::size_t begin = 0;
  for (const TensorPtr& tensor : tensors_of(test)) {
    if (tensor->size() > kFewElements) continue;
    const std::size_t end = begin + tensor->size();
    if (first < end && last > begin) {
      auto fresh = mapped(tensor, [&](std::size_t k) {
        return first <= begin + k && begin + k < last ? kElement(*tensor, k) : as_double(*tensor, k);
      });
      if (fresh != nullptr) by.emplace(tensor.get(), std::move(fresh));
    }
    begin = end;
  }
  return with_tensors(test, by);
}

}  // namespace

RangeSteps element_steps() {
  static constexpr std::array kSteps = {
      RangeStep{"zero-tensors", count_tensors, plain_tensors<zero>},
      RangeStep{"one-tensors", count_tensors, plain_tensors<one>},
      RangeStep{"count-tensors", count_tensors, plain_tensors<count>},
      RangeStep{"round-tensors", count_tensors, plain_tensors<rounded>},
      RangeStep{"zero-elements", count_elements, plain_elements<zero>},
      RangeStep{"one-elements", count_elements, plain_elements<one>},
      RangeStep{"round-elements", count_elements, plain_elements<rounded>},
  };
  return kSteps;
}

}  // namespace passdiff
