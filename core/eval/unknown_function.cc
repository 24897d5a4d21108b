#include "core/eval/unknown_function.h"

#include <algorithm>

#include "core/splitmix.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

// Collects what the result depends on: `state` of all that is discrete, and the elements of float tensors and scalars.
class Arguments {
 public:
  Arguments(std::string_view name, std::span<const Value> values) {
    text(name);
    for (const Value& value : values) add(value);
  }

  std::uint64_t state() const { return state_; }
  const std::vector<double>& floats() const { return floats_; }
  // The first tensor among the arguments; null if there is none.
  const Tensor* first() const { return first_; }

 private:
  void word(std::uint64_t bits) { state_ = splitmix64_mix(state_, bits); }
  void text(std::string_view text) {
    word(text.size());
    for (const char c : text) word(static_cast<unsigned char>(c));
  }
  void add(const Value& value) {
    word(value.node.index());
    if (const TensorPtr* held = value.as_tensor()) return tensor(**held);
    if (const TupleValue* tuple = value.as_tuple()) {
      for (const Value& field : tuple->fields) add(field);
    } else if (const auto* shape = std::get_if<ShapeValue>(&value.node)) {
      for (const std::int64_t dim : shape->dims) word(static_cast<std::uint64_t>(dim));
    } else if (const auto* scalar = std::get_if<ScalarValue>(&value.node)) {
      if (const double* number = std::get_if<double>(&scalar->value)) return floats_.push_back(*number);
      word(static_cast<std::uint64_t>(std::get<std::int64_t>(scalar->value)));
    } else if (const auto* string = std::get_if<std::string>(&value.node)) {
      text(*string);
    } else if (const auto* dtype = std::get_if<DType>(&value.node)) {
      word(static_cast<std::uint64_t>(*dtype));
    }
  }
  void tensor(const Tensor& held) {
    if (first_ == nullptr) first_ = &held;
    word(static_cast<std::uint64_t>(held.dtype));
    for (const std::int64_t extent : held.shape()) word(static_cast<std::uint64_t>(extent));
    std::visit(
        [this](const auto& array) {
          for (const auto element : array.storage()) {
            if constexpr (std::is_same_v<std::decay_t<decltype(element)>, double>) {
              floats_.push_back(element);
            } else {
              word(static_cast<std::uint64_t>(element));
            }
          }
        },
        held.values);
  }

  std::uint64_t state_ = 0;
  std::vector<double> floats_;
  const Tensor* first_ = nullptr;
};

// Makes the parts of one result, which differ though their types are alike.
class Results {
 public:
  Results(const Arguments& arguments, const Symbols& symbols) : arguments_(arguments), symbols_(symbols) {}

  std::optional<Value> make(const Type& type) {
    const std::uint64_t seed = splitmix64_mix(arguments_.state(), ++parts_);
    if (const TensorType* tensor = type.as_tensor()) return make_tensor(*tensor, seed);
    if (const TupleType* tuple = type.as_tuple()) return make_tuple(*tuple);
    if (const ShapeType* shape = type.as_shape()) {
      auto dims = extents(shape->values, shape->rank, seed);
      if (!dims) return std::nullopt;
      return ShapeValue{*std::move(dims)};
    }
    if (const PrimType* prim = type.as_prim()) {
      if (is_float(prim->dtype)) return ScalarValue{prim->dtype, noise(seed)};
      return ScalarValue{prim->dtype,
                         static_cast<std::int64_t>(seed % (prim->dtype == DType::boolean ? 2 : 4))};
    }
    if (type.as_func() != nullptr) return std::nullopt;
    return std::string("object ") + std::to_string(seed);
  }

 private:
  // A small number with few digits, so that sums of it are exact.
  static double noise(std::uint64_t seed) { return static_cast<double>(seed % 33) / 4 - 4; }

  std::optional<Value> make_tuple(const TupleType& type) {
    TupleValue tuple;
    for (const Type& field : type.fields) {
      std::optional<Value> value = make(field);
      if (!value) return std::nullopt;
      tuple.fields.push_back(*std::move(value));
    }
    return tuple;
  }

  // Of an unknown rank: the first argument's. Of unknown sizes: the first argument's if it has that rank, else small ones.
  std::optional<std::vector<std::int64_t>> extents(const std::optional<Shape>& shape, int rank,
                                                   std::uint64_t seed) {
    std::vector<std::int64_t> sizes;
    if (shape) {
      for (const Dim& dim : *shape) {
        const std::optional<std::int64_t> size = symbols_.evaluate(dim);
        if (!size || *size < 0) return std::nullopt;
        sizes.push_back(*size);
      }
      return sizes;
    }
    const Tensor* like = arguments_.first();
    const bool fits =
        like != nullptr && (rank == kUnknownRank || like->rank() == static_cast<std::size_t>(rank));
    if (fits) return like->shape();
    for (int i = 0; i < rank; ++i) sizes.push_back(1 + static_cast<std::int64_t>(splitmix64_mix(seed, static_cast<unsigned>(i)) % 3));
    return sizes;
  }

  std::optional<Value> make_tensor(const TensorType& type, std::uint64_t seed) {
    constexpr std::int64_t kMostElements = 1 << 22;
    const auto sizes = extents(type.shape, type.rank, seed);
    if (!sizes) return std::nullopt;
    std::int64_t elements = 1;
    for (const std::int64_t size : *sizes) {
      if (__builtin_mul_overflow(elements, size, &elements) || elements > kMostElements) return std::nullopt;
    }
    const DType known = arguments_.first() == nullptr ? DType::float32 : arguments_.first()->dtype;
    Tensor tensor = zeros(type.dtype.value_or(known), *sizes);
    std::visit([&](auto& array) { fill(array.storage(), tensor.dtype, seed); }, tensor.values);
    return passdiff::make_tensor(std::move(tensor));
  }

  template <class Storage>
  void fill(Storage& elements, DType dtype, std::uint64_t seed) const {
    using Element = std::decay_t<decltype(elements[0])>;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const std::uint64_t drawn = splitmix64_mix(seed, i);
      if constexpr (std::is_same_v<Element, double>) {
        elements[i] = noise(drawn);
      } else {
        elements[i] = static_cast<Element>(drawn % (dtype == DType::boolean ? 2 : 4));
      }
    }
    if constexpr (std::is_same_v<Element, double>) {
      if (elements.size() == 0) return;
      const std::vector<double>& floats = arguments_.floats();
      for (std::size_t j = 0; j < floats.size(); ++j) {
        const double weight = splitmix64_mix(seed ^ 1, j) % 2 == 0 ? 1 : -0.5;
        elements[j % elements.size()] += weight * floats[j];
      }
      Rounding rounding;
      for (double& element : elements) element = round_float(dtype, element, rounding);
    }
  }

  const Arguments& arguments_;
  const Symbols& symbols_;
  std::uint64_t parts_ = 0;
};

}  // namespace

std::optional<Value> unknown_function(std::string_view name, std::span<const Value> arguments,
                                      const Type& result, const Symbols& symbols) {
  const Arguments collected(name, arguments);
  return Results(collected, symbols).make(result);
}

}  // namespace passdiff
