// The family of reductions, and what its members share.
#include "core/ops/reduce.h"

#include <algorithm>

#include "core/ops/family.h"
#include "core/ops/infer.h"
#include "core/ops/strided.h"

namespace passdiff {
namespace {

std::vector<bool> reduced_axes(std::size_t rank, const std::vector<std::int64_t>* axes, bool& exist) {
  std::vector<bool> reduced(rank, axes == nullptr);
  exist = true;
  for (std::size_t i = 0; axes && i < axes->size(); ++i) {
    const int axis = runtime_axis((*axes)[i], rank);
    if (axis < 0) {
      exist = false;
    } else {
      reduced[static_cast<std::size_t>(axis)] = true;
    }
  }
  return reduced;
}

// Where in the result a step along each axis of the operand leads.
std::vector<WalkAxis> steps_of(std::span<const std::int64_t> dims, const std::vector<bool>& reduced) {
  std::vector<WalkAxis> steps(dims.size());
  std::int64_t stride = 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    steps[i] = {dims[i], reduced[i] ? 0 : stride};
    if (!reduced[i]) stride *= dims[i];
  }
  return steps;
}

std::vector<std::size_t> slots_of(std::span<const WalkAxis> steps, std::int64_t elements) {
  std::vector<std::size_t> slots;
  slots.reserve(static_cast<std::size_t>(elements));
  std::vector<std::int64_t> counter(steps.size(), 0);
  std::int64_t slot = 0;
  for (std::int64_t n = 0; n < elements; ++n) {
    slots.push_back(static_cast<std::size_t>(slot));
    for (std::size_t i = steps.size(); i-- > 0;) {
      slot += steps[i].stride;
      if (++counter[i] < steps[i].size) break;
      slot -= steps[i].stride * steps[i].size;
      counter[i] = 0;
    }
  }
  return slots;
}

}  // namespace

Result<Type> infer_reduction(const TensorType& data, const std::vector<std::int64_t>* axes, bool keepdims,
                             std::optional<DType> dtype) {
  if (data.rank == kUnknownRank) {
    if (axes || keepdims) return Type(make_tensor_type(std::nullopt, kUnknownRank, dtype, data.vdevice));
    return Type(make_tensor_type(Shape(), 0, dtype, data.vdevice));
  }
  std::vector<bool> reduced(static_cast<std::size_t>(data.rank), axes == nullptr);
  if (axes) {
    const Result<std::vector<int>> normal = normalise_axes(*axes, data.rank);
    if (!normal) return normal.error();
    for (const int axis : *normal) reduced[static_cast<std::size_t>(axis)] = true;
  }
  const auto gone = static_cast<int>(std::count(reduced.begin(), reduced.end(), true));
  const int rank = keepdims ? data.rank : data.rank - gone;
  if (!data.shape && (!axes ? rank > 0 && !keepdims : rank > 0)) {
    return Type(make_tensor_type(std::nullopt, rank, dtype, data.vdevice));
  }
  Shape shape;
  for (std::size_t i = 0; i < reduced.size(); ++i) {
    if (!reduced[i]) {
      shape.push_back((*data.shape)[i]);
    } else if (keepdims) {
      shape.push_back(1);
    }
  }
  return Type(make_tensor_type(std::move(shape), rank, dtype, data.vdevice));
}

std::optional<Reduction> reduction_of(std::span<const std::int64_t> dims,
                                      const std::vector<std::int64_t>* axes, bool keepdims) {
  bool exist = true;
  const std::vector<bool> reduced = reduced_axes(dims.size(), axes, exist);
  if (!exist) return std::nullopt;
  Reduction reduction;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (reduced[i]) reduction.count *= dims[i];
    if (!reduced[i] || keepdims) reduction.shape.push_back(reduced[i] ? 1 : dims[i]);
  }
  reduction.results = static_cast<std::size_t>(element_count(reduction.shape));
  reduction.slots = slots_of(steps_of(dims, reduced), element_count(dims));
  return reduction;
}

void report_empty(std::string_view op, EvalContext& context) {
  context.log.report(UndefinedRule::uninitialised_read, std::string(op) + " over no elements");
}

std::int64_t reduced_count(const Drawn& operand, const std::vector<std::int64_t>* axes) {
  bool exist = true;
  const std::vector<bool> reduced = reduced_axes(operand.dims.size(), axes, exist);
  std::int64_t count = 1;
  for (std::size_t i = 0; i < reduced.size(); ++i) {
    if (reduced[i]) count *= operand.dims[i];
  }
  return count;
}

std::span<const OpDef> reduce_ops() {
  static const std::vector<OpDef> rows = [] {
    std::vector<OpDef> all;
    for (const std::span<const OpDef> part : {fold_rows(), arg_rows(), scan_rows()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return rows;
}

}  // namespace passdiff
