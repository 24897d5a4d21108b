#include "fuzz/cli/outcome_diff.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/tensor/tensor.h"
#include "oracle/leaves.h"

namespace passdiff {
namespace {

constexpr std::size_t kMaxElements = 8;  // of a tensor: enough to see a pattern, and few enough for one screen

bool same_element(const Tensor& a, const Tensor& b, std::size_t i) {
  if (!is_float(a.dtype)) return as_int(a, i) == as_int(b, i);
  const double x = as_double(a, i);
  const double y = as_double(b, i);
  return x == y ? std::signbit(x) == std::signbit(y) : std::isnan(x) && std::isnan(y);
}

// The index of element i (row-major) in each axis.
std::vector<std::int64_t> indices_of(std::size_t i, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> indices(shape.size());
  auto rest = static_cast<std::int64_t>(i);
  for (std::size_t axis = shape.size(); axis-- > 0; rest /= shape[axis]) indices[axis] = rest % shape[axis];
  return indices;
}

// Empty if the tensors are equal. Both have one shape and dtype.
std::string tensor_diff(const std::string& path, const Tensor& before, const Tensor& after) {
  const std::vector<std::int64_t> shape = before.shape();
  std::string lines;
  std::size_t differing = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (same_element(before, after, i) || ++differing > kMaxElements) continue;
    lines += fmt::format("\n    [{}]: {} -> {}", fmt::join(indices_of(i, shape), ", "), element_to_string(before, i),
                         element_to_string(after, i));
  }
  if (differing == 0) return {};
  if (differing > kMaxElements) lines += fmt::format("\n    ... and {} more", differing - kMaxElements);
  return fmt::format("{} ({}): {} of {} elements differ{}", path, to_string(before, 0), differing, before.size(), lines);
}

std::string value_diff(const Value& before, const Value& after) {
  const Leaves leaves = leaves_of(before, after);
  if (!leaves.difference.empty()) return leaves.difference;
  std::string text;
  for (std::size_t i = 0; i < leaves.source.size(); ++i) {
    const std::string one = tensor_diff(leaves.source[i].path, *leaves.source[i].tensor, *leaves.target[i].tensor);
    if (!one.empty()) text += (text.empty() ? "" : "\n") + one;
  }
  if (text.empty() && !bit_equal(before, after)) return leaves.callable + " is a function, and cannot be compared";
  return text;
}

}  // namespace

std::string outcome_diff(const Outcome& before, const Outcome& after) {
  const auto* from = std::get_if<Returned>(&before);
  const auto* to = std::get_if<Returned>(&after);
  if (from == nullptr || to == nullptr || from->overflows.empty() != to->overflows.empty()) {
    const std::string text = to_string(after);
    return text == to_string(before) ? "same result" : text;
  }
  const std::string text = value_diff(from->value, to->value);
  return text.empty() ? "same result" : text;
}

}  // namespace passdiff
