// Rewriting of single calls by what their operands were computed from, within straight stretches of bindings.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/ir/module.h"
#include "core/ir/pointer_map.h"
#include "core/ops/op.h"

namespace passdiff {

// An op call that a variable holds, and the variables that lead to it, the operand itself first.
struct FoundCall {
  const Call* call = nullptr;
  std::vector<Var> names;
};

// A binding that may be replaced: what is bound before it in its stretch, and the bindings that replace it.
class RewriteSite {
 public:
  RewriteSite(const Binding& binding, const PointerMap<ExprPtr>& known, bool dataflow)
      : binding_(binding), known_(known), dataflow_(dataflow) {}

  const Binding& binding() const { return binding_; }
  const Call* call(std::string_view op) const;  // the bound value as a call of the op, or null
  std::optional<FoundCall> find(const ExprPtr& operand, std::string_view op) const;

  // A new variable that holds the call; null if it does not type, or if an operand is null.
  ExprPtr emit(std::string_view op, std::vector<ExprPtr> args, Attrs attrs, std::string_view name);
  // The call becomes the value of the binding. False, and nothing is replaced, if it does not type or its
  // type cannot stand for that of the variable.
  bool finish(std::string_view op, std::vector<ExprPtr> args, Attrs attrs);
  bool finish_unchecked(std::string_view op, std::vector<ExprPtr> args, Attrs attrs);
  // Its variables are bound no longer if nothing else uses them.
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
  // True if the site's binding is to be replaced; called again for what replaces it.
  std::function<bool(RewriteSite&)> rewrite;
  // Faults: what was bound is known in other stretches too; freed variables go although they are used.
  bool known_everywhere = false;
  bool frees_used = false;
};

// The function itself if nothing is replaced. A stretch ends with its block, and where an If or an impure
// call stands in a plain block.
FunctionPtr rewrite_locally(const Module& module, const FunctionPtr& function, const LocalRewrite& by);

// Is a stretch over at this value?
bool ends_stretch(const Module& module, const ExprPtr& value);
// Tensors of the same rank, dtype and vdevice, with no size that contradicts.
bool can_stand_for(const Type& type, const Type& declared);

}  // namespace passdiff
