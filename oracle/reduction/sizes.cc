// Steps that make sizes small and ranks low.
#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

#include "core/form/builder.h"
#include "core/ir/rewriter.h"
#include "core/tensor/tensor.h"
#include "oracle/reduction/prim_funcs.h"
#include "oracle/reduction/steps.h"
#include "oracle/reduction/types.h"

namespace passdiff {
namespace {

using MapSize = std::function<std::int64_t(std::int64_t)>;

// The sizes other than 1 of parameters, constants and arguments, the largest first.
std::vector<std::int64_t> sizes_of(const TestCase& test) {
  std::set<std::int64_t, std::greater<>> sizes;
  const auto add_shape = [&](const TensorType& type) {
    for (const Dim& dim : type.shape.value_or(Shape{})) {
      if (dim.is_static() && dim.value() != 1) sizes.insert(dim.value());
    }
    return type;
  };
  for_each_param(test, [&](const Var& param) { replace_tensors(param->type, add_shape); });
  const auto add = [&](const TensorPtr& tensor) {
    for (std::int64_t size : tensor->shape()) {
      if (size != 1) sizes.insert(size);
    }
    return tensor;
  };
  for (const Value& argument : test.arguments) map_tensors(argument, add);
  for (const GlobalFunction& f : test.module.functions) {
    for_each_expr(f.function->body, [&](const ExprPtr& expr) {
      if (const Constant* constant = as<Constant>(expr)) add(constant->tensor);
    });
  }
  return {sizes.begin(), sizes.end()};
}

// Sizes change in parameters, constants, shapes and arguments alike.
std::optional<TestCase> with_sizes(const TestCase& test, const MapSize& map, Attributes attributes) {
  TestCase mapped = test;
  for (GlobalPrimFunc& f : mapped.module.prim_funcs) f.function = passdiff::with_sizes(f.function, map);
  const auto dim = [&](const Dim& d) { return d.is_static() ? Dim(map(d.value())) : d; };
  const auto constant = [&](const TensorPtr& tensor) {
    std::vector<std::int64_t> shape = tensor->shape();
    std::transform(shape.begin(), shape.end(), shape.begin(), map);
    return with_shape(tensor, shape);
  };
  auto result = with_dims(mapped, dim, constant, attributes);
  if (result) fit_arguments(*result, symbol_values(test));
  return result;
}

// The sizes that are tried: all at once, and of all dims that have the same size.
constexpr std::array<std::int64_t, 3> kPlainSizes = {1, 2, 3};
std::size_t count_all_sizes(const TestCase&) {
  return kAttributeForms * kPlainSizes.size();
}
// Of a candidate's number: how it treats attributes, the size that it tries, and the rest.
struct SizeChoice {
  Attributes attributes;
  std::int64_t size;
  std::size_t rest;
};
SizeChoice size_choice(std::size_t i) {
  const Attributes attributes = i % kAttributeForms == 0 ? Attributes::defaults : Attributes::kept;
  i /= kAttributeForms;
  return {attributes, kPlainSizes[kPlainSizes.size() - 1 - i % kPlainSizes.size()], i / kPlainSizes.size()};
}
std::optional<TestCase> shrink_all_sizes(const TestCase& test, std::size_t i) {
  const SizeChoice choice = size_choice(i);
  return with_sizes(test, [&](std::int64_t size) { return std::min(size, choice.size); }, choice.attributes);
}
std::size_t count_sizes(const TestCase& test) {
  return count_all_sizes(test) * sizes_of(test).size();
}
std::optional<TestCase> shrink_size(const TestCase& test, std::size_t i) {
  const SizeChoice choice = size_choice(i);
  const std::int64_t from = sizes_of(test)[choice.rest];
  if (from != 0 && choice.size >= from) return std::nullopt;
  return with_sizes(
      test, [&](std::int64_t size) { return size == from ? choice.size : size; }, choice.attributes);
}

// An axis of a parameter of the entry function, or of a constant.
struct Axis {
  std::size_t param;
  TensorPtr constant;  // null for a parameter
  std::size_t axis;
};
std::vector<Axis> axes_of(const TestCase& test) {
  std::vector<Axis> axes;
  const auto& params = entry_of(test).function->params;
  for (std::size_t i = 0; i < params.size(); ++i) {
    const TensorType* tensor = params[i]->type.as_tensor();
    if (tensor == nullptr || !tensor->shape || test.arguments[i].as_tensor() == nullptr) continue;
    for (std::size_t k = 0; k < tensor->shape->size(); ++k) axes.push_back({i, nullptr, k});
  }
  for (const GlobalFunction& f : test.module.functions) {
    for_each_expr(f.function->body, [&](const ExprPtr& expr) {
      const Constant* constant = as<Constant>(expr);
      for (std::size_t k = 0; constant != nullptr && k < constant->tensor->rank(); ++k)
        axes.push_back({0, constant->tensor, k});
    });
  }
  return axes;
}

// Edits one parameter with its argument, or one constant.
std::optional<TestCase> with_axis(const TestCase& test, const Axis& axis,
                                  const std::function<void(Shape&)>& edit_shape, const MapTensor& edit_tensor,
                                  Attributes attributes) {
  Edits edits{.attrs = edit_of(attributes)};
  if (axis.constant != nullptr) {
    edits.constant = [&](const TensorPtr& tensor) {
      return tensor == axis.constant ? edit_tensor(tensor) : tensor;
    };
    return rebuilt(test, edits);
  }
  const Var param = entry_of(test).function->params[axis.param];
  TensorType type = *param->type.as_tensor();
  edit_shape(*type.shape);
  type.rank = static_cast<int>(type.shape->size());
  edits.param_type = [&](const Var& p) { return p == param ? Type(type) : p->type; };
  auto result = rebuilt(test, edits);
  if (result) result->arguments[axis.param] = edit_tensor(*test.arguments[axis.param].as_tensor());
  return result;
}

std::size_t count_axes(const TestCase& test) {
  return kAttributeForms * axes_of(test).size();
}
// Makes one axis of one tensor 1.
std::optional<TestCase> shrink_axis(const TestCase& test, std::size_t i) {
  const Axis axis = axes_of(test)[i / kAttributeForms];
  return with_axis(
      test, axis, [&](Shape& shape) { shape[axis.axis] = Dim(1); },
      [&](const TensorPtr& tensor) { return with_one(tensor, axis.axis); },
      i % kAttributeForms == 0 ? Attributes::defaults : Attributes::kept);
}

// Takes one axis away from one tensor.
std::optional<TestCase> drop_axis(const TestCase& test, std::size_t i) {
  const Axis axis = axes_of(test)[i / kAttributeForms];
  return with_axis(
      test, axis, [&](Shape& shape) { shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis.axis)); },
      [&](const TensorPtr& tensor) { return without_axis(tensor, axis.axis); },
      i % kAttributeForms == 0 ? Attributes::defaults : Attributes::kept);
}

constexpr std::size_t kMostRank = 6;

// Shapes of one rank lose an axis wherever they are written out, in the types that calls declare, too.
class ShapeShortener : public Rewriter {
 public:
  ShapeShortener(std::size_t rank, std::size_t axis) : rank_(rank), axis_(axis) {}
  Type type(const Type& old) override {
    return replace_tensors(old, [&](TensorType tensor) {
      if (!tensor.shape || tensor.shape->size() != rank_) return tensor;
      tensor.shape->erase(tensor.shape->begin() + static_cast<std::ptrdiff_t>(axis_));
      --tensor.rank;
      return tensor;
    });
  }
  ExprPtr expr(const ExprPtr& old) override {
    const ShapeExpr* shape = as<ShapeExpr>(old);
    if (shape == nullptr || shape->values.size() != rank_) return parts(old);
    Shape values = shape->values;
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(axis_));
    return make_shape(std::move(values));
  }

 private:
  std::size_t rank_;
  std::size_t axis_;
};

// All parameters and constants of one rank lose their first axis in candidate 2 (rank - 1), their last one in
// the next.
std::size_t count_ranks(const TestCase&) {
  return 2 * kMostRank;
}
std::optional<TestCase> drop_axis_of_all(const TestCase& test, std::size_t i) {
  const std::size_t rank = i / 2 + 1;
  const std::size_t axis = i % 2 == 0 ? 0 : rank - 1;
  const MapTensor map = [&](const TensorPtr& tensor) {
    return tensor->rank() == rank ? without_axis(tensor, axis) : tensor;
  };
  TestCase shortened = test;
  ShapeShortener shortener(rank, axis);
  for (GlobalFunction& f : shortened.module.functions) f.function = shortener.function(f.function);
  const auto of_rank = [&](const tir::Buffer& buffer) { return buffer->shape.size() == rank; };
  for (GlobalPrimFunc& f : shortened.module.prim_funcs)
    f.function = mapped(f.function, AxisDropper(of_rank, axis));
  const auto param_type = [&](const Var& param) { return shortener.type(param->type); };
  return rebuilt(shortened, {.constant = map, .param_type = param_type}, map);
}

}  // namespace

std::optional<TestCase> with_all_sizes(const TestCase& test, std::int64_t size, Sizes which) {
  const auto map = [&](std::int64_t old) {
    switch (which) {
      case Sizes::larger:
        return std::min(old, size);
      case Sizes::all:
        return old > 0 ? size : old;
      case Sizes::ones:
        return old == 1 ? size : old;
    }
    return old;
  };
  if (which != Sizes::ones) return with_sizes(test, map, Attributes::kept);
  TestCase larger = test;
  for (GlobalPrimFunc& f : larger.module.prim_funcs) f.function = with_larger_ones(f.function, size);
  return with_sizes(larger, map, Attributes::kept);
}

std::optional<TestCase> with_an_axis_more(const TestCase& test, std::int64_t size) {
  const auto is_condition = [](DType dtype, std::size_t rank) { return dtype == DType::boolean && rank == 0; };
  const auto raised = [&](const TensorPtr& tensor) {
    std::vector<std::int64_t> shape = tensor->shape();
    if (is_condition(tensor->dtype, shape.size())) return tensor;
    shape.insert(shape.begin(), size);
    return filled(tensor->dtype, shape, [&](std::size_t k) { return as_double(*tensor, k % tensor->size()); });
  };
  const auto param_type = [&](const Var& param) {
    return replace_tensors(param->type, [&](TensorType tensor) {
      if (!tensor.shape || (tensor.dtype && is_condition(*tensor.dtype, tensor.shape->size()))) return tensor;
      tensor.shape->insert(tensor.shape->begin(), Dim(size));
      tensor.rank = static_cast<int>(tensor.shape->size());
      return tensor;
    });
  };
  return rebuilt(test, {.constant = raised, .param_type = param_type}, raised);
}

ReduceSteps size_steps() {
  static constexpr std::array kSteps = {
      ReduceStep{"shrink-all-sizes", count_all_sizes, shrink_all_sizes},
      ReduceStep{"shrink-size", count_sizes, shrink_size},
      ReduceStep{"drop-axis-of-all", count_ranks, drop_axis_of_all},
      ReduceStep{"drop-axis", count_axes, drop_axis},
      ReduceStep{"shrink-axis", count_axes, shrink_axis},
  };
  return kSteps;
}

}  // namespace passdiff
