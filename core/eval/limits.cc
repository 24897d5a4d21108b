#include "core/eval/limits.h"

#include <algorithm>

#include "core/ir/walk.h"
#include "core/tensor/tensor.h"

namespace passdiff {
namespace {

constexpr std::int64_t kMostTotalElements = 2 * kMostTensorElements;
constexpr std::int64_t kMostStatements = 600'000'000;  // half a minute
// Results of symbolic shapes may be larger than the arguments that give their sizes.
constexpr std::int64_t kResultsPerArgument = 4, kTotalPerArgument = 64;

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? INT64_MAX : result;
}
std::int64_t product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? INT64_MAX : result;
}

struct Sizes {
  std::int64_t largest = 0;
  std::int64_t total = 0;

  void add(std::int64_t elements) {
    largest = std::max(largest, elements);
    total = sum(total, elements);
  }
  // The tensors of static shape in a type.
  void add(const Type& type) {
    if (const TupleType* tuple = type.as_tuple()) {
      for (const Type& field : tuple->fields) add(field);
    }
    const TensorType* tensor = type.as_tensor();
    if (tensor == nullptr || !tensor->shape || !is_static(*tensor->shape)) return;
    std::int64_t elements = 1;
    for (const Dim& dim : *tensor->shape) elements = product(elements, dim.value());
    add(elements);
  }
  void add(const Value& value) {
    if (const TupleValue* tuple = value.as_tuple()) {
      for (const Value& field : tuple->fields) add(field);
    }
    if (const TensorPtr* tensor = value.as_tensor()) add(static_cast<std::int64_t>((*tensor)->size()));
  }
};

// How many statements a statement runs, if each loop of constant extent runs that often, and others once.
std::int64_t statements_of(const tir::Stmt& stmt) {
  std::int64_t inside = 0;
  tir::for_each_child(stmt, [&](const tir::Stmt& child) { inside = sum(inside, statements_of(child)); });
  const auto* loop = tir::as<tir::For>(stmt);
  const auto* extent = loop != nullptr ? tir::as<tir::IntImm>(loop->extent) : nullptr;
  return extent != nullptr ? product(std::max<std::int64_t>(extent->value, 1), sum(inside, 1)) : sum(inside, 1);
}

// What is needed, if it is more than is usual and no more than is allowed; else what is usual.
std::int64_t widened(std::int64_t usual, std::int64_t needed, std::int64_t most) {
  return needed > usual && needed <= most ? needed : usual;
}

}  // namespace

Limits limits_of(const Module& module, std::span<const Value> arguments) {
  Sizes declared, given;
  for (const GlobalFunction& global : module.functions) {
    for_each_binding(global.function->body, [&](const Binding& binding) { declared.add(binding.var->type); });
  }
  for (const Value& argument : arguments) given.add(argument);
  std::int64_t statements = 0;
  for (const GlobalPrimFunc& global : module.prim_funcs) statements = sum(statements, statements_of(global.function->body));

  Limits limits;
  // What is declared counts twice: a function may be called more than once, and kernels allocate memory of their own.
  limits.elements = widened(limits.elements, declared.largest, kMostTensorElements);
  limits.elements = std::max(limits.elements, std::min(product(kResultsPerArgument, given.largest), kMostTensorElements));
  limits.total_elements = widened(limits.total_elements, product(2, declared.total), kMostTotalElements);
  limits.total_elements = std::max(limits.total_elements, std::min(product(kTotalPerArgument, given.total), kMostTotalElements));
  limits.steps = widened(limits.steps * kStatementsPerStep, sum(statements, statements / 8), kMostStatements) / kStatementsPerStep;
  return limits;
}

}  // namespace passdiff
