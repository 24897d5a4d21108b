// The interpreter: what a module means.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/eval/callable.h"
#include "core/eval/limits.h"
#include "core/eval/outcome.h"
#include "core/ir/module.h"

namespace passdiff {

class KnownRuns;

struct InterpretOptions {
  Rounding rounding;
  Limits limits;
  // Functions of the host by name (`get_item`, `set_item`). Calls of any other are effects, and return what unknown_function says;
  // those of the virtual machine (`vm.builtin.`) end the run as unsupported.
  std::map<std::string, Value, std::less<>> host_functions;
  // Whether each result is moved at random by as much as the library function that compiles its op may be off (OpDef::ulps), and
  // so are steps within an op (library_error).
  // Only runs under a stochastic rounding draw.
  bool library_errors = false;
  // Called after each call of an op with its arguments and its result, if set.
  std::function<void(std::span<const Value> args, const Value& result)> observe = nullptr;
  // Called before each call of a function of TensorIR with its arguments, if set; tensors for its results are among them, not written yet.
  std::function<void(const GlobalPrimFunc& function, std::span<const Value> args)> observe_prim_func = nullptr;
  // What functions of TensorIR are compiled to, and what they did in other runs, which may be those of other modules that share them. Null:
  // this run knows of no other.
  std::shared_ptr<KnownRuns> known_runs = nullptr;
};

// Executes `function` of the module on the arguments. Symbolic dims are bound from the arguments, left to
// right, per call; If executes one branch; every binding's value is checked against its declared type.
// vdevices change nothing. A function of TensorIR may write all tensors that it is given: it returns the tuple of what they hold
// afterwards, in the order of its parameters, and behind them its number, if it has one.
Outcome interpret(const Module& module, std::string_view function, std::span<const Value> arguments,
                  const InterpretOptions& options = {});

// Whether the value has the type. Symbolic dims for which `lookup` has no value fit any size.
bool has_type(const Value& value, const Type& type,
              const std::function<std::optional<std::int64_t>(const SymVar&)>& lookup);

}  // namespace passdiff
