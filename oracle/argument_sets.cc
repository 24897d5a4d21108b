#include "oracle/argument_sets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <span>

#include "core/eval/symbols.h"
#include "core/ir/structural.h"
#include "core/ir/walk.h"
#include "core/tensor/rounding.h"
#include "core/tensor/tensor.h"
#include "oracle/leaves.h"

namespace passdiff {
namespace {

// Tensors of more elements are not made: sizes that grow together.
constexpr std::int64_t kMostElements = 4096;
// By how much large floats are larger than the case's own, how large they get, and for how many of the modules they are drawn.
constexpr double kLarger = 50;
constexpr double kLarge = 200;
constexpr std::uint64_t kLargeOneIn = 4;
constexpr std::size_t kSpecials = 8;

// Which integers a set holds: those of the case; numbers that use half of the bits of their dtype, so that products still fit;
// the least and the largest, beside those of the case.
enum class IntegerValues : std::uint8_t { own, wide, extreme };

// What a set does to the case's own arguments.
struct Change {
  FloatValues floats = FloatValues::full_mantissas;
  bool flips_bools = false;
  IntegerValues integers = IntegerValues::own;
  std::size_t first_special = 0;  // which special value comes first: small tensors have room for one or two
  // The size of the i-th symbolic variable; null: sizes stay as they are.
  std::function<std::int64_t(int)> size = nullptr;
};

double special_value(DType dtype, std::size_t i, double own, std::size_t first) {
  const double largest = largest_finite(dtype);
  const std::array<double, kSpecials> specials = {std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity(),
                               -0.0,
                               largest,
                               -std::numeric_limits<double>::infinity(),
                               0.0,
                               std::ldexp(1.0, row_of(dtype).min_exponent),
                               -largest};
  // Every other element stays as it is, so that ordinary numbers meet special ones.
  return i % 2 == 1 ? own : round_to(dtype, specials[(i / 2 + first) % specials.size()]);
}

// A number of up to half the bits of the dtype, of either sign if it has one.
std::int64_t wide_integer(DType dtype, std::size_t i) {
  const std::uint64_t hash = (i + 1) * 0x9e3779b97f4a7c15u;
  const int half = row_of(dtype).bits / 2;
  const auto magnitude = static_cast<std::int64_t>(hash >> (64 - half));
  return is_signed_int(dtype) && i % 2 == 1 ? -magnitude : magnitude;
}

void set_integer(Tensor& tensor, std::size_t i, std::int64_t value) {
  if (auto* ints = std::get_if<Tensor::Ints>(&tensor.values)) ints->data()[i] = value;
  if (auto* uints = std::get_if<Tensor::UInts>(&tensor.values)) uints->data()[i] = static_cast<std::uint64_t>(value);
}

// Every other integer becomes the least or the largest.
void make_extreme(Tensor& tensor) {
  for (std::size_t i = 0; i < tensor.size(); i += 2) {
    const bool least = i % 4 == 0 && is_signed_int(tensor.dtype);
    set_integer(tensor, i, least ? int_min(tensor.dtype) : static_cast<std::int64_t>(int_max(tensor.dtype)));
  }
}

// Up to an eighth nearer to zero, with all digits of the dtype; zeros stay.
double with_full_mantissa(DType dtype, std::size_t i, double own) {
  const double share = static_cast<double>((i + 1) * 2654435761u % 4294967296u) / 4294967296.0;
  Rounding nearest;
  return std::isfinite(own) ? round_float(dtype, own * (1 - share / 8), nearest) : own;
}

// The element many times over, up to kLarge, with all digits of the dtype.
double large_value(DType dtype, std::size_t i, double own) {
  const double large = std::fabs(own) < kLarge ? std::clamp(own * kLarger, -kLarge, kLarge) : own;
  return with_full_mantissa(dtype, i, large);
}

// A tensor of the shape with the elements of `given`, over and over.
Tensor resized(const Tensor& given, std::span<const std::int64_t> shape) {
  Tensor result = zeros(given.dtype, shape);
  std::visit(
      [&](auto& to) {
        const auto& from = std::get<std::decay_t<decltype(to)>>(given.values);
        for (std::size_t i = 0; from.size() > 0 && i < to.size(); ++i) to.data()[i] = from.data()[i % from.size()];
      },
      result.values);
  return result;
}

class Changed {
 public:
  Changed(const Change& change, const Symbols& symbols) : change_(change), symbols_(symbols) {}

  // The changed argument; nothing if the type does not say its sizes.
  std::optional<Value> argument(const Value& own, const Type& type) const {
    if (const TensorPtr* tensor = own.as_tensor()) return of_tensor(**tensor, type.as_tensor());
    if (const TupleValue* tuple = own.as_tuple()) return of_tuple(*tuple, type.as_tuple());
    if (const auto* shape = std::get_if<ShapeValue>(&own.node)) return of_shape(*shape, type.as_shape());
    return own;
  }

 private:
  std::optional<Value> of_tensor(const Tensor& own, const TensorType* type) const {
    std::vector<std::int64_t> shape = own.shape();
    if (change_.size != nullptr && type != nullptr && type->shape) {
      const auto dims = sizes(*type->shape);
      if (!dims) return std::nullopt;
      shape = *dims;
    }
    if (!is_small(shape)) return std::nullopt;
    Tensor tensor = resized(own, shape);
    change_elements(tensor);
    return make_tensor(std::move(tensor));
  }

  // Whether tensors of these sizes are made.
  static bool is_small(std::span<const std::int64_t> shape) {
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) {
      if (size < 0 || size > kMostElements) return false;
      elements = std::min(elements * size, kMostElements + 1);
    }
    return elements <= kMostElements;
  }

  void change_elements(Tensor& tensor) const {
    if (auto* floats = std::get_if<Tensor::Floats>(&tensor.values)) {
      for (std::size_t i = 0; i < floats->size(); ++i) floats->data()[i] = float_element(tensor.dtype, i, floats->data()[i]);
    } else if (tensor.dtype == DType::boolean && change_.flips_bools) {
      for (std::int64_t& value : std::get<Tensor::Ints>(tensor.values).storage()) value = 1 - value;
    } else if (is_integer(tensor.dtype) && change_.integers == IntegerValues::wide) {
      for (std::size_t i = 0; i < tensor.size(); ++i) set_integer(tensor, i, wide_integer(tensor.dtype, i));
    } else if (is_integer(tensor.dtype) && change_.integers == IntegerValues::extreme) {
      make_extreme(tensor);
    }
  }

  double float_element(DType dtype, std::size_t i, double own) const {
    if (change_.floats == FloatValues::special) return special_value(dtype, i, own, change_.first_special);
    return change_.floats == FloatValues::large ? large_value(dtype, i, own) : with_full_mantissa(dtype, i, own);
  }

  std::optional<Value> of_tuple(const TupleValue& own, const TupleType* type) const {
    if (type == nullptr || type->fields.size() != own.fields.size()) return std::nullopt;
    TupleValue tuple;
    for (std::size_t i = 0; i < own.fields.size(); ++i) {
      std::optional<Value> field = argument(own.fields[i], type->fields[i]);
      if (!field) return std::nullopt;
      tuple.fields.push_back(*std::move(field));
    }
    return Value(std::move(tuple));
  }

  std::optional<Value> of_shape(const ShapeValue& own, const ShapeType* type) const {
    if (change_.size == nullptr || type == nullptr || !type->values) return own;
    auto dims = sizes(*type->values);
    if (!dims) return std::nullopt;
    return Value(ShapeValue{*std::move(dims)});
  }

  std::optional<std::vector<std::int64_t>> sizes(const Shape& shape) const {
    std::vector<std::int64_t> result;
    for (const Dim& dim : shape) {
      const std::optional<std::int64_t> size = symbols_.evaluate(dim);
      if (!size) return std::nullopt;
      result.push_back(*size);
    }
    return result;
  }

  const Change& change_;
  const Symbols& symbols_;
};

// The symbolic variables in the types of the parameters, in order, each once.
std::vector<SymVar> symbols_of(const Function& function) {
  std::vector<SymVar> found;
  for (const Var& param : function.params) {
    for_each_sym_var(param->type, [&](const SymVar& var) {
      if (std::find(found.begin(), found.end(), var) == found.end()) found.push_back(var);
    });
  }
  return found;
}

bool has_branches(const Module& module) {
  return std::any_of(module.functions.begin(), module.functions.end(), [](const GlobalFunction& global) {
    return any_binding(global.function->body, [](const Binding& binding) { return as<If>(binding.value) != nullptr; });
  });
}

// Whether some tensor in the value has elements, and of such a dtype.
bool has_elements(const Value& value, bool (*of)(DType)) {
  if (const TensorPtr* tensor = value.as_tensor()) return of((*tensor)->dtype) && (*tensor)->size() > 0;
  const TupleValue* tuple = value.as_tuple();
  return tuple != nullptr && std::any_of(tuple->fields.begin(), tuple->fields.end(),
                                         [of](const Value& field) { return has_elements(field, of); });
}
bool has_elements(const TestCase& test, bool (*of)(DType)) {
  return std::any_of(test.arguments.begin(), test.arguments.end(),
                     [of](const Value& argument) { return has_elements(argument, of); });
}


std::vector<Change> changes_for(const TestCase& test, bool symbolic) {
  std::vector<Change> changes;
  if (symbolic) {
    for (const std::int64_t size : {0, 1, 3}) changes.push_back({.size = [size](int) { return size; }});
    changes.push_back({.size = [](int i) { return i + 2; }});
  }
  if (has_branches(test.module)) changes.push_back({.flips_bools = true});
  const bool floats = has_elements(test, [](DType dtype) { return is_float(dtype); });
  if (changes.empty() && floats) changes.push_back({});
  if (has_elements(test, is_integer)) {
    changes.push_back({.integers = IntegerValues::wide});
    changes.push_back({.integers = IntegerValues::extreme});
  }
  if (!floats) return changes;
  // What a module gets follows from its hash, so that a replay draws alike.
  const std::uint64_t hash = structural_hash(test.module);
  if (hash % kLargeOneIn == 0) changes.push_back({.floats = FloatValues::large});
  changes.push_back({.floats = FloatValues::special, .first_special = hash / kLargeOneIn % kSpecials});
  return changes;
}

}  // namespace

std::vector<ArgumentSet> more_arguments(const TestCase& test) {
  const GlobalFunction* entry = test.module.find(test.entry);
  if (entry == nullptr || entry->function->params.size() != test.arguments.size()) return {};
  const std::vector<SymVar> symbols = symbols_of(*entry->function);
  std::vector<ArgumentSet> sets;
  for (const Change& change : changes_for(test, !symbols.empty())) {
    Symbols bound;
    for (std::size_t i = 0; change.size != nullptr && i < symbols.size(); ++i)
      bound.bind(symbols[i], change.size(static_cast<int>(i)));
    const Changed changed(change, bound);
    ArgumentSet set{change.floats, {}};
    for (std::size_t i = 0; i < test.arguments.size(); ++i) {
      std::optional<Value> argument = changed.argument(test.arguments[i], entry->function->params[i]->type);
      if (!argument) break;
      set.arguments.push_back(*std::move(argument));
    }
    if (set.arguments.size() == test.arguments.size()) sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace passdiff
