#include "oracle/leaves.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace passdiff {
namespace {

// Where in both values the comparison is.
struct Place {
  std::string path = "result";
  std::vector<int> position;

  Place field(std::size_t index) const {
    Place inner{fmt::format("{}[{}]", path, index), position};
    inner.position.push_back(static_cast<int>(index));
    return inner;
  }
};

// A number that is no tensor has a kind (truth value, integer, float) at run time, and no width: that stands in types alone.
bool is_same_number(const Value& a, const Value& b) {
  const auto* x = std::get_if<ScalarValue>(&a.node);
  const auto* y = std::get_if<ScalarValue>(&b.node);
  return x != nullptr && y != nullptr && (x->dtype == DType::boolean) == (y->dtype == DType::boolean) && bit_equal(Value(ScalarValue{y->dtype, x->value}), b);
}

std::string difference_in_kind(const Value& a, const Value& b, const Place& place, Leaves& leaves) {
  if (a.node.index() != b.node.index()) return place.path + " is another kind of value";
  if (const TupleValue* tuple = a.as_tuple()) {
    const TupleValue& other = b.tuple();
    if (tuple->fields.size() != other.fields.size()) {
      return fmt::format("{} has {} fields against {}", place.path, tuple->fields.size(), other.fields.size());
    }
    for (std::size_t i = 0; i < tuple->fields.size(); ++i) {
      std::string found = difference_in_kind(tuple->fields[i], other.fields[i], place.field(i), leaves);
      if (!found.empty()) return found;
    }
    return {};
  }
  if (const TensorPtr* tensor = a.as_tensor()) {
    const Tensor& x = **tensor;
    const Tensor& y = b.tensor();
    leaves.other_dtype = x.dtype != y.dtype;
    if (x.dtype != y.dtype || x.shape() != y.shape()) {
      return fmt::format("{}: {} against {}", place.path, to_string(x, 0), to_string(y, 0));
    }
    leaves.source.push_back({place.path, place.position, &x});
    leaves.target.push_back({place.path, place.position, &y});
    return {};
  }
  if (std::holds_alternative<std::shared_ptr<const Callable>>(a.node)) {
    leaves.callable = place.path;
    return {};
  }
  if (!bit_equal(a, b) && !is_same_number(a, b)) return fmt::format("{}: {} against {}", place.path, to_string(a), to_string(b));
  return {};
}

Value with_leaf_at(const Value& base, const Value& other, std::string_view path, const Place& place) {
  if (path == place.path) return other;
  const TupleValue* tuple = base.as_tuple();
  if (tuple == nullptr || !path.starts_with(place.path)) return base;
  const TupleValue* others = other.as_tuple();
  if (others == nullptr || others->fields.size() != tuple->fields.size()) return other;
  TupleValue fields;
  for (std::size_t i = 0; i < tuple->fields.size(); ++i)
    fields.fields.push_back(with_leaf_at(tuple->fields[i], others->fields[i], path, place.field(i)));
  return fields;
}

}  // namespace

Leaves leaves_of(const Value& source, const Value& target) {
  Leaves leaves;
  leaves.difference = difference_in_kind(source, target, {}, leaves);
  return leaves;
}

Value with_leaf(const Value& base, const Value& other, std::string_view path) {
  return path.empty() ? other : with_leaf_at(base, other, path, {});
}

NumberClass class_of(double value) {
  if (std::isnan(value)) return NumberClass::nan;
  if (std::isinf(value)) return value > 0 ? NumberClass::plus_infinity : NumberClass::minus_infinity;
  return NumberClass::finite;
}

double magnitude(const Tensor& tensor) {
  double largest = 0;
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    const double value = std::abs(as_double(tensor, i));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

}  // namespace passdiff
