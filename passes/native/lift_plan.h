// The analysis behind LiftTransformParams, which finds what can be moved, and the two functions that the pass makes.
#pragma once

#include <span>
#include <vector>

#include "core/ir/module.h"
#include "core/ir/pointer_map.h"

namespace passdiff {

// A function to be split into what needs its weights alone and what needs its inputs.
struct LiftTarget {
  const GlobalFunction* global = nullptr;
  std::size_t inputs = 0;
  // The slot of each weight and each liftable variable: weight i has slot i, liftable bindings follow.
  PointerMap<std::size_t> slots;

  std::span<const Var> weights() const { return std::span(global->function->params).subspan(inputs); }
};

// Functions that share one transformation; mostly just one. The number and the types of their weights are equal.
struct LiftPlan {
  std::vector<LiftTarget> targets;
  std::size_t weights = 0;
  std::vector<const Binding*> bindings;  // binding i of the first target has slot weights + i
  std::vector<bool> needs_weight;        // for each slot, whether it depends on a weight
  std::vector<bool> required;            // for each slot, whether bindings that stay use it
  std::vector<std::size_t> outputs;      // the slots that the transformation returns, in order
  std::vector<SymVar> symbols;           // dims that only weights define and that bindings which stay mention

  bool is_lifted(const LiftTarget& target, const Binding& binding) const;
};

// The faults of LiftTransformParams that can be switched on.
struct LiftFaults {
  bool output_dropped = false;
  bool untransformed_argument = false;
};

// The dims that the weights of a target define by themselves. In the transformation, the shape of a weight whose type mentions
// another dim, one of the inputs, is unknown: it defines nothing there.
std::vector<SymVar> weight_symbols(const LiftTarget& target);

LiftPlan plan_lifting(std::vector<LiftTarget> targets, const LiftFaults& faults);
FunctionPtr make_transformation(const LiftPlan& plan, const LiftFaults& faults);
FunctionPtr make_runtime_function(const LiftPlan& plan, const LiftTarget& target);

}  // namespace passdiff
