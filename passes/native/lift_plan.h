// What LiftTransformParams moves: the analysis behind the pass, and the two functions that come of it.
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
  // Weights and liftable variables by slot: weight i has slot i, the bindings follow.
  PointerMap<std::size_t> slots;

  std::span<const Var> weights() const { return std::span(global->function->params).subspan(inputs); }
};

// Functions that share one transformation; mostly a single one. They agree in number and types of their
// weights.
struct LiftPlan {
  std::vector<LiftTarget> targets;
  std::size_t weights = 0;
  std::vector<const Binding*> bindings;  // of slot weights + i, as the first target has them
  std::vector<bool> needs_weight;        // by slot: depends on a weight
  std::vector<bool> required;            // by slot: used by what stays
  std::vector<std::size_t> outputs;      // slots that the transformation hands on, in order
  std::vector<SymVar> symbols;           // dims that only the weights define and that what stays mentions

  bool is_lifted(const LiftTarget& target, const Binding& binding) const;
};

// What of LiftTransformParams's faults is switched on.
struct LiftFaults {
  bool output_dropped = false;
  bool untransformed_argument = false;
};

// The dims that a target's weights define by themselves. A weight whose type mentions another dim, one of the
// inputs, loses its shape in the transformation, and defines nothing there.
std::vector<SymVar> weight_symbols(const LiftTarget& target);

LiftPlan plan_lifting(std::vector<LiftTarget> targets, const LiftFaults& faults);
FunctionPtr make_transformation(const LiftPlan& plan, const LiftFaults& faults);
FunctionPtr make_runtime_function(const LiftPlan& plan, const LiftTarget& target);

}  // namespace passdiff
