// Values that can be called: closures of the module, and functions of the host (the callbacks of LazyGetInput, for example).
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "core/eval/outcome.h"

namespace passdiff {

struct Closure;  // core/eval/interpreter.h

class Callable {
 public:
  using Function = std::function<Outcome(std::span<const Value>)>;
  explicit Callable(Function function) : function_(std::move(function)) {}
  // A function of a module. A call from outside of the run that made it starts a run of its own, with the same limits.
  explicit Callable(std::shared_ptr<const Closure> closure) : closure_(std::move(closure)) {}

  Outcome call(std::span<const Value> arguments) const;
  const Closure* closure() const { return closure_.get(); }  // null for functions of the host

 private:
  Function function_;
  std::shared_ptr<const Closure> closure_;
};

Value host_function(Callable::Function function);

}  // namespace passdiff
