// Closures: functions of a module as values.
#pragma once

#include <memory>
#include <vector>

#include "core/eval/interpret.h"
#include "core/eval/symbols.h"
#include "core/ir/pointer_map.h"

namespace passdiff {

// What a function call knows: variables and symbolic dims, by identity. Branches of an If share their
// function's frame.
struct Frame {
  PointerMap<Value> variables;
  Symbols symbols;
};

// The module that a closure belongs to, kept alive for closures that outlive the run that made them.
struct ClosureHome {
  Module module;
  InterpretOptions options;
};

struct Closure {
  FunctionPtr function;
  Frame captured;  // by value, when the closure is made
  Var self;  // the variable that a local function is bound to, so that it can call itself; null for globals
  std::shared_ptr<const ClosureHome> home;
};

}  // namespace passdiff
