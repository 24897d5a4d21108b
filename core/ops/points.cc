#include "core/ops/points.h"

#include <algorithm>
#include <string>

#include "core/ops/infer.h"
#include "core/ops/numeric.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

// Calls f(element of x, element of the updates), by number and in order.
template <class F>
void for_each_update(const Points& points, F f) {
  const auto block = static_cast<std::size_t>(points.block);
  for (std::size_t i = 0; i < points.places.size(); ++i) {
    if (points.places[i] < 0) continue;
    for (std::size_t k = 0; k < block; ++k) f(static_cast<std::size_t>(points.places[i]) + k, i * block + k);
  }
}

// TVM's max and min keep the element that is there only if it is strictly beyond the other.
template <class T>
T chosen(Combine combine, T there, T other) {
  if (combine == Combine::max) return there > other ? there : other;
  if (combine == Combine::min) return there < other ? there : other;
  return other;
}

// Each step is rounded: the kernels keep the running value in the tensor.
Tensor accumulate_floats(const Tensor& x, const Points& points, const Tensor& updates, Combine combine,
                         Rounding& rounding) {
  Tensor result = x;
  double* to = std::get<Tensor::Floats>(result.values).data();
  const double* from = updates.floats().data();
  for_each_update(points, [&](std::size_t i, std::size_t k) {
    const double value = combine == Combine::mul ? to[i] * from[k] : to[i] + from[k];
    to[i] = round_float(x.dtype, value, rounding);
    if (combine == Combine::mean) to[i] = round_float(x.dtype, to[i] / 2, rounding);
  });
  return result;
}

Tensor accumulate_ints(const Tensor& x, const Points& points, const Tensor& updates, Combine combine,
                       UndefinedLog& log) {
  std::vector<ExactInt> exact;
  for (const std::int64_t value : index_values(x)) exact.push_back({value});
  const Ints from = index_values(updates);
  for_each_update(points, [&](std::size_t i, std::size_t k) {
    combine == Combine::mul ? exact[i].multiply(from[k]) : exact[i].add(from[k]);
  });
  IntResult result(x.dtype, x.shape());
  for (std::size_t i = 0; i < exact.size(); ++i) result.set(i, exact[i]);
  return std::move(result).finish("a scatter", log);
}

// Which of two updates of one element is last is left open (topi/scatter_elements.py, ONNX's ScatterElements
// and ScatterND).
void check_distinct(const Points& points, EvalContext& context) {
  Ints places = points.places;
  std::sort(places.begin(), places.end());
  const auto first = std::lower_bound(places.begin(), places.end(), 0);
  if (points.block == 0 || std::adjacent_find(first, places.end()) == places.end()) return;
  context.log.report(UndefinedRule::repeated_index, "several updates of one element");
}

}  // namespace

Ints index_values(const Tensor& indices) {
  Ints storage;
  const std::span<const std::int64_t> values = ints_of(indices, storage);
  return {values.begin(), values.end()};
}

std::optional<BroadcastIndices> broadcast_indices(std::span<const Tensor* const> indices) {
  std::optional<Extents> extents = Extents();
  for (const Tensor* index : indices) {
    if (extents) extents = broadcast_extents(*extents, extents_of(*index));
  }
  if (!extents) return std::nullopt;
  BroadcastIndices result{Ints(extents->begin(), extents->end()), {}};
  const auto unchanged = [](auto value) { return value; };
  for (const Tensor* index : indices)
    result.coordinates.push_back(index_values(map_elements(index->dtype, *extents, unchanged, *index)));
  return result;
}

std::vector<Ints> positions_in(std::span<const std::int64_t> shape, std::size_t axes) {
  std::vector<Ints> positions(axes);
  for (std::size_t k = 0; k < axes; ++k) {
    const AxisSplit split = split_at(shape, static_cast<int>(k));
    for (std::int64_t i = 0; i < element_count(shape); ++i) positions[k].push_back(i / split.inner % split.size);
  }
  return positions;
}

Points points_at(std::span<const std::int64_t> dims, const std::vector<Ints>& coordinates, bool from_end,
                 EvalContext& context) {
  const std::vector<WalkAxis> axes = row_major(dims);
  Points points{Ints(coordinates.empty() ? 1 : coordinates[0].size(), 0),
                element_count(dims.subspan(coordinates.size()))};
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    for (std::size_t i = 0; i < points.places.size(); ++i) {
      std::int64_t& place = points.places[i];
      const std::int64_t given = coordinates[k][i];
      const std::int64_t index = from_end && given < 0 ? given + dims[k] : given;
      const bool exists = index >= 0 && index < dims[k];
      if (!exists && !context.log.must_stop()) report_index(given, static_cast<int>(k), dims[k], context);
      place = place < 0 || !exists ? -1 : place + index * axes[k].stride;
    }
  }
  return points;
}

std::optional<Tensor> gathered(const Tensor& x, const Points& points, std::span<const std::int64_t> shape) {
  if (!is_affordable(shape) || element_count(shape) != std::ssize(points.places) * points.block)
    return std::nullopt;
  return from_places(x, shape, 0, [&](std::int64_t i, std::span<const std::int64_t>) {
    const std::int64_t place = points.places[static_cast<std::size_t>(i / points.block)];
    return place < 0 ? place : place + i % points.block;
  });
}

std::optional<Tensor> scattered(const Tensor& x, const Points& points, const Tensor& updates, Combine combine,
                                EvalContext& context) {
  if (x.dtype != updates.dtype ||
      static_cast<std::int64_t>(updates.size()) != std::ssize(points.places) * points.block)
    return std::nullopt;
  const bool chooses = combine == Combine::update || combine == Combine::max || combine == Combine::min;
  if (!chooses && is_float(x.dtype)) return accumulate_floats(x, points, updates, combine, context.rounding);
  if (!chooses) return accumulate_ints(x, points, updates, combine, context.log);
  if (combine == Combine::update) check_distinct(points, context);
  Tensor result = x;
  const auto choose = [&](auto& to) {
    const auto& from = std::get<std::decay_t<decltype(to)>>(updates.values);
    for_each_update(points, [&](std::size_t i, std::size_t k) {
      to.data()[i] = chosen(combine, to.data()[i], from.data()[k]);
    });
  };
  std::visit(choose, result.values);
  return result;
}

void report_index(std::int64_t index, int axis, std::int64_t size, EvalContext& context) {
  context.log.report(UndefinedRule::index_out_of_bounds, "index " + std::to_string(index) +
                                                             " is outside axis " + std::to_string(axis) +
                                                             " of size " + std::to_string(size));
}

ExprPtr index_constant(Scope& scope, DType dtype, std::span<const std::int64_t> shape, const Ints& values) {
  Tensor tensor = zeros(dtype, shape);
  const auto fill = [&]<class T>(xt::xarray<T>& elements) {
    CHECK(elements.size() == values.size()) << values.size() << " indices";
    std::transform(values.begin(), values.end(), elements.data(),
                   [](std::int64_t v) { return static_cast<T>(v); });
  };
  std::visit(fill, tensor.values);
  return scope.constant(std::move(tensor));
}

}  // namespace passdiff
