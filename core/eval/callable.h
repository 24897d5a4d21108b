// Callables as values: closures of the module, and functions of the host (callbacks of lazy loading).
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "core/eval/outcome.h"

namespace passdiff {

class Callable {
 public:
  using Function = std::function<Outcome(std::span<const Value>)>;
  explicit Callable(Function function) : function_(std::move(function)) {}
  Outcome call(std::span<const Value> arguments) const { return function_(arguments); }

 private:
  Function function_;
};

Value host_function(Callable::Function function);

}  // namespace passdiff
