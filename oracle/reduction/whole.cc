// Steps that change the whole module at once: trusted passes run over it, or another function becomes the
// entry.
#include <algorithm>
#include <array>
#include <utility>

#include "core/tensor/tensor.h"
#include "oracle/reduction/parts.h"
#include "oracle/reduction/steps.h"
#include "passes/native/trusted.h"

namespace passdiff {
namespace {

// The last candidate is made by all passes, one after the other, the others by one pass each.
constexpr std::array<const char*, 5> kPasses = {
    "InlinePrivateFunctions", "FoldConstant", "EliminateCommonSubexpr", "DeadCodeElimination", "TirSimplify"};
std::size_t count_passes(const TestCase&) {
  return kPasses.size() + 1;
}
std::optional<TestCase> run_passes(const TestCase& test, std::size_t i) {
  Pipeline pipeline;
  for (std::size_t k = 0; k < kPasses.size(); ++k) {
    if (i == kPasses.size() || i == k) pipeline.push_back({kPasses[k], "{}"});
  }
  std::optional<Module> module = by_native_passes(test.module, pipeline);
  if (!module || module->find(test.entry) == nullptr) return std::nullopt;
  return TestCase{*std::move(module), test.entry, test.arguments};
}

// Arguments for a function that is not known to be called: sizes are 2 where they are symbolic, elements
// count.
std::optional<std::vector<Value>> arguments_for(const Function& function) {
  SymbolValues symbols;
  for (const Var& param : function.params)
    for_each_sym_var(param->type, [&](const SymVar& symbol) { symbols.emplace(symbol.get(), 2); });
  const auto counting = [](const TensorPtr& tensor) {
    if (!is_float(tensor->dtype)) return tensor;
    return filled(tensor->dtype, tensor->shape(), [](std::size_t k) { return static_cast<double>(k % 8); });
  };
  std::vector<Value> arguments;
  for (const Var& param : function.params) {
    const auto value = zero_value(param->type, symbols);
    if (!value) return std::nullopt;
    arguments.push_back(map_tensors(*value, counting));
  }
  return arguments;
}

// Makes another function the entry, in case that the bug is in it. What it does not reach is removed.
std::optional<TestCase> enter_other(const TestCase& test, std::size_t i) {
  const GlobalFunction& other = test.module.functions[i];
  if (other.name == test.entry) return std::nullopt;
  auto arguments = arguments_for(*other.function);
  if (!arguments) return std::nullopt;
  TestCase result{test.module, other.name, *std::move(arguments)};
  result.module.functions[i].is_public = true;
  drop_unreachable(result);
  return result;
}

}  // namespace

ReduceSteps whole_steps() {
  static constexpr std::array kSteps = {
      ReduceStep{"enter-other", count_functions, enter_other},
      ReduceStep{"passes", count_passes, run_passes},
  };
  return kSteps;
}

}  // namespace passdiff
