// Rewriting single calls, depending on how their operands were computed. Only operands of the same segment are looked at: bindings
// that follow each other in one block, where a plain block is divided at each If and each impure call.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/ir/module.h"
#include "core/ir/pointer_map.h"
#include "core/ops/op.h"

namespace passdiff {

// An op call, and the variables through which an operand refers to it, the operand first.
struct FoundCall {
  const Call* call = nullptr;
  std::vector<Var> names;
};

// A binding that may be replaced, with what its segment binds before it, and the bindings that replace it.
class RewriteSite {
 public:
  RewriteSite(const Binding& binding, const PointerMap<ExprPtr>& known, bool dataflow)
      : binding_(binding), known_(known), dataflow_(dataflow) {}

  const Binding& binding() const { return binding_; }
  const Call* call(std::string_view op) const;  // the bound value as a call of the op, or null
  std::optional<FoundCall> find(const ExprPtr& operand, std::string_view op) const;

  // Binds a new variable to the call and returns it; null if the call does not type, or if an operand is null.
  ExprPtr emit(std::string_view op, std::vector<ExprPtr> args, Attrs attrs, std::string_view name);
  // Makes the call the value of the binding. False, and nothing is replaced, if it does not type or if its type cannot replace that
  // of the variable.
  bool finish(std::string_view op, std::vector<ExprPtr> args, Attrs attrs);
  bool finish_unchecked(std::string_view op, std::vector<ExprPtr> args, Attrs attrs);
  // Removes the bindings of these variables if nothing else uses them.
  void free(const FoundCall& found);

  const std::vector<Binding>& replacement() const { return replacement_; }
  const std::vector<Var>& freed() const { return freed_; }

 private:
  const Binding& binding_;
  const PointerMap<ExprPtr>& known_;
  bool dataflow_;
  std::vector<Binding> replacement_;
  std::vector<Var> freed_;
};

struct LocalRewrite {
  // Rewrites the binding of a site; true if it is to be replaced. It is called again for the bindings that replace it.
  std::function<bool(RewriteSite&)> rewrite;
  // Faults: bindings of other segments are looked at, too; freed variables are removed although they are used.
  bool known_everywhere = false;
  bool frees_used = false;
};

// Rewrites a function; the function itself if nothing is replaced.
FunctionPtr rewrite_locally(const Module& module, const FunctionPtr& function, const LocalRewrite& by);

// Whether a binding of this value, in a plain block, is the last of its segment: an If or an impure call is.
bool ends_segment(const Module& module, const ExprPtr& value);
// Whether a value of one type may replace one of another: tensors of the same rank, dtype and vdevice, without different sizes.
bool can_stand_for(const Type& type, const Type& declared);

}  // namespace passdiff
