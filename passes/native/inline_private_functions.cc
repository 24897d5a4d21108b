// InlinePrivateFunctions: replaces calls of private functions by their bodies, and removes functions that nothing mentions any
// more. Recursive ones stay.
//
// Where targets differ from TVM's:
// - Symbolic dims of the callee become the caller's everywhere; TVM leaves those in shapes and scalars unbound.
// - A parameter whose declared type differs from the argument's becomes a match_cast, which keeps the check that the call made;
//   TVM binds the argument as it is.
// - A private function that is still mentioned (as a value, or by a call whose inlined body does not type) stays; TVM removes it.
// - No other bindings are canonicalized or removed; TVM does both in every function that it inlines into.
#include <algorithm>

#include "core/form/builder.h"
#include "core/form/signature.h"
#include "core/ir/queries.h"
#include "passes/native/native_pass.h"
#include "passes/native/splice.h"

namespace passdiff {
namespace native::inline_private_functions {
namespace {

struct Faults : SpliceFaults {
  bool first_dim_for_all = false;
  bool arguments_reversed = false;
  bool recursive_removed = false;
  bool mentioned_removed = false;
};

constexpr FaultRow<Faults> kFaults[] = {
    {&Faults::share_vars, "inline-private-functions/variables-shared",
     "two calls of a function are given the same variables", "well-formed"},
    {&Faults::share_symbols, "inline-private-functions/match-cast-dims-shared",
     "two calls share the symbolic dims that a match_cast of the callee defines", "outputs-refine"},
    {&Faults::keep_types, "inline-private-functions/types-not-updated",
     "inlined variables are declared in the callee's symbolic dims", "well-formed"},
    {&Faults::keep_shapes, "inline-private-functions/shapes-not-updated",
     "shapes and scalars keep the callee's symbolic dims, as in TVM", "well-formed"},
    {&Faults::keep_dataflow, "inline-private-functions/dataflow-leak",
     "what a dataflow block of the callee binds is bound outside of dataflow blocks", "well-formed"},
    {&Faults::first_dim_for_all, "inline-private-functions/first-dim-for-all",
     "every symbolic dim of the callee becomes the argument's first", "outputs-refine"},
    {&Faults::arguments_reversed, "inline-private-functions/arguments-reversed",
     "arguments of one type are bound last to first", "outputs-refine"},
    {&Faults::recursive_removed, "inline-private-functions/recursive-removed",
     "recursive private functions go although their calls stay", "well-formed"},
    {&Faults::mentioned_removed, "inline-private-functions/mentioned-removed",
     "a private function goes although it is mentioned as a value, as in TVM", "well-formed"},
};

// The most bindings that inlining may write into one module: nested calls multiply.
constexpr int kMostCopied = 1 << 14;

using Names = std::set<std::string, std::less<>>;

bool is_recursive(const Module& module, const GlobalFunction& function) {
  std::vector<std::string> mentioned;
  for_each_global(function.function->body, [&](const std::string& name) { mentioned.push_back(name); });
  const std::vector<std::string> reached = reachable_functions(module, std::move(mentioned));
  return std::find(reached.begin(), reached.end(), function.name) != reached.end();
}

bool forces_purity(const Function& function) {
  return function.attrs.contains("relax.force_pure");
}

struct Candidates {
  Names inlinable;
  Names recursive;  // the recursive ones among the private functions
};

Candidates find_candidates(const Module& module) {
  Candidates result;
  for (const GlobalFunction& function : module.functions) {
    if (function.is_public) continue;
    (is_recursive(module, function) ? result.recursive : result.inlinable).insert(function.name);
  }
  return result;
}

class Inliner : public BodyCopier {
 public:
  Inliner(const Module& module, const Names& inlinable, const Faults& faults)
      : BodyCopier(module, faults), inlinable_(inlinable), faults_(faults) {}

  FunctionPtr inline_into(const FunctionPtr& function) {
    const auto is_inlined = [&](const Binding& binding) { return inlinable_callee(binding) != nullptr; };
    if (!any_binding(function->body, is_inlined)) return function;
    force_pure_ = forces_purity(*function);
    reserve_names(*function);
    FunctionPtr result = BodyCopier::function(function);
    return result == nullptr ? function : result;
  }

 protected:
  bool binding(const Binding& old, BlockSink& to) override {
    const Function* callee = known_callee(old);
    if (callee == nullptr || copied_ >= kMostCopied) return write(old, to);
    const CopyScope scope_before = scope();
    const BlockSink before = to;
    stack_.push_back(callee);
    const bool inlined = inline_call(*callee, old, to);
    stack_.pop_back();
    if (inlined) return true;
    scope() = scope_before;
    to = before;
    return write(old, to);
  }

  bool leaves_dataflow(const Binding& binding) const override {
    const Function* callee = inlinable_callee(binding);
    return callee != nullptr && needs_plain_block(*callee);
  }

 private:
  bool write(const Binding& binding, BlockSink& to) {
    ++copied_;
    return BodyCopier::binding(binding, to);
  }

  const Function* inlinable_callee(const Binding& binding) const {
    return inlinable(called_global(binding.value));
  }

  // The private function that a binding calls, or null. It may be called through a parameter that stands for it.
  const Function* known_callee(const Binding& binding) {
    const auto* call = as<Call>(binding.value);
    const auto* value = call == nullptr ? nullptr : std::get_if<ExprPtr>(&call->callee);
    if (value == nullptr) return inlinable_callee(binding);
    const ExprPtr known = expr(*value);
    return known == nullptr ? nullptr : inlinable(as<GlobalRef>(known));
  }

  const Function* inlinable(const GlobalRef* global) const {
    if (global == nullptr || !inlinable_.contains(global->name)) return nullptr;
    const Function* callee = module().find(global->name)->function.get();
    const bool active = std::find(stack_.begin(), stack_.end(), callee) != stack_.end();
    return active || (forces_purity(*callee) && !force_pure_) ? nullptr : callee;
  }

  // Whether the callee's body cannot become part of a dataflow block: branches must not stand in one, and local functions must not
  // use its variables.
  bool needs_plain_block(const Function& callee) const {
    return any_binding(callee.body, [&](const Binding& binding) {
      const auto* call = as<Call>(binding.value);
      return as<If>(binding.value) != nullptr || as<FunctionPtr>(binding.value) != nullptr ||
             (call != nullptr && std::holds_alternative<ExprPtr>(call->callee)) || leaves_dataflow(binding);
    });
  }

  bool inline_call(const Function& callee, const Binding& binding, BlockSink& to) {
    const Call& call = *as<Call>(binding.value);
    if (call.args.size() != callee.params.size()) return false;
    std::vector<ExprPtr> args;
    for (const ExprPtr& arg : call.args) {
      args.push_back(expr(arg));
      if (args.back() == nullptr) return false;
    }
    if (faults_.arguments_reversed) reverse_like_arguments(args);
    CopyScope inner;
    inner.flat = to.in_dataflow();
    if (!bind_parameters(callee, args, inner, to)) return false;
    const Var home = define(binding.var, type(binding.var->type));
    if (const Var* result = as<Var>(callee.body.result); result != nullptr && !binding.match_cast) {
      inner.result = result->get();
      inner.result_home = home;
    }
    if (!under(inner, [&] { return blocks(callee.body, to); })) return false;
    if (inner.result_placed) return true;
    return bind_result(under(inner, [&] { return expr(callee.body.result); }), home, binding, to);
  }

  bool bind_result(ExprPtr result, const Var& home, const Binding& binding, BlockSink& to) {
    if (result == nullptr) return false;
    std::optional<Type> cast;
    if (binding.match_cast) {
      cast = type(*binding.match_cast);
    } else if (!is_subtype(result->type, home->type)) {
      cast = home->type;
    }
    if (!cast || binding.match_cast || faults_.first_dim_for_all || compatible(*cast, result->type)) {
      to.add({home, std::move(result), std::move(cast)});
      return true;
    }
    return false;
  }

  static void reverse_like_arguments(std::vector<ExprPtr>& args) {
    if (args.size() < 2 || !equal(args.front()->type, args.back()->type)) return;
    std::swap(args.front(), args.back());
  }

  // Notes what each symbolic dim of a parameter is in the argument, if the argument's type says so.
  void bind_symbols(const Type& param, const Type& arg, CopyScope& inner) const {
    const auto bind = [&](const std::optional<Shape>& from, const std::optional<Shape>& to) {
      if (!from || !to || from->size() != to->size()) return;
      for (std::size_t i = 0; i < from->size(); ++i) {
        const SymVar* var = (*from)[i].as_var();
        if (var == nullptr || inner.by.symbols.find(var->get()) != nullptr) continue;
        inner.by.symbols.set(var->get(), (*to)[faults_.first_dim_for_all ? 0 : i]);
      }
    };
    if (param.kind() != arg.kind()) return;
    if (const TensorType* tensor = param.as_tensor()) bind(tensor->shape, arg.as_tensor()->shape);
    if (const ShapeType* shape = param.as_shape()) bind(shape->values, arg.as_shape()->values);
    if (const TupleType* tuple = param.as_tuple()) {
      const std::vector<Type>& fields = arg.as_tuple()->fields;
      for (std::size_t i = 0; i < std::min(fields.size(), tuple->fields.size()); ++i)
        bind_symbols(tuple->fields[i], fields[i], inner);
    }
  }

  // Binds the parameters to the arguments. Dims that no argument's type gives are new ones, which match_casts define.
  bool bind_parameters(const Function& callee, const std::vector<ExprPtr>& args, CopyScope& inner,
                       BlockSink& sink) {
    for (std::size_t i = 0; i < args.size(); ++i) bind_symbols(callee.params[i]->type, args[i]->type, inner);
    std::vector<SymVar> undefined;
    for (const Var& param : callee.params) {
      for_each_sym_var(param->type, [&](const SymVar& var) {
        if (inner.by.symbols.find(var.get()) != nullptr) return;
        undefined.push_back(make_sym_var(var->name));
        inner.by.symbols.set(var.get(), Dim(undefined.back()));
      });
    }
    const std::vector<std::size_t> order = definition_order(callee, inner, std::move(undefined));
    for (const std::size_t i : order) bind_parameter(callee.params[i], args[i], inner, sink);
    return order.size() == args.size();
  }

  // The order in which to bind parameters so that each symbolic dim is defined before it is used: (n + 1) may come before n.
  static std::vector<std::size_t> definition_order(const Function& callee, const CopyScope& inner,
                                                   std::vector<SymVar> undefined) {
    std::vector<std::size_t> order;
    std::vector<bool> placed(callee.params.size(), false);
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t i = 0; i < placed.size(); ++i) {
        std::vector<SymVar> defined;
        const Type type = inner.by.type(callee.params[i]->type);
        collect_defined(type, defined);
        if (placed[i] || needs_another(type, undefined, defined)) continue;
        std::erase_if(undefined, [&](const SymVar& var) { return contains(defined, var); });
        placed[i] = grown = true;
        order.push_back(i);
      }
    }
    return order;
  }

  static bool contains(const std::vector<SymVar>& vars, const SymVar& var) {
    return std::find(vars.begin(), vars.end(), var) != vars.end();
  }

  static bool needs_another(const Type& type, const std::vector<SymVar>& undefined,
                            const std::vector<SymVar>& defined) {
    bool needs = false;
    for_each_sym_var(type, [&](const SymVar& var) {
      needs = needs || (contains(undefined, var) && !contains(defined, var));
    });
    return needs;
  }

  void bind_parameter(const Var& param, const ExprPtr& arg, CopyScope& inner, BlockSink& sink) {
    const Type expected = inner.by.type(param->type);
    const bool same = equal(expected, arg->type) || expected.as_func() != nullptr;
    if (same && as<Tuple>(arg) == nullptr) {
      inner.by.vars.set(param.get(), arg);
      return;
    }
    const Var var = make_var(unique_name(param->name), same ? arg->type : expected, sink.in_dataflow());
    inner.by.vars.set(param.get(), var_expr(var));
    sink.add({var, arg, same ? std::nullopt : std::optional(expected)});
  }

  const Names& inlinable_;
  const Faults& faults_;
  std::vector<const Function*> stack_;
  bool force_pure_ = false;
  int copied_ = 0;
};

Result<Module> run(const Module& module, NativeRun& run) {
  if (run.options != "{}") return Error{"options.unknown", "InlinePrivateFunctions takes no options"};
  const Faults faults = switched_on(kFaults, run);
  const Candidates candidates = find_candidates(module);
  Module result = module;
  if (candidates.inlinable.empty() && !faults.recursive_removed) return result;
  std::vector<std::string> kept;
  for (GlobalFunction& function : result.functions) {
    if (!candidates.inlinable.contains(function.name)) kept.push_back(function.name);
    function.function = Inliner(module, candidates.inlinable, faults).inline_into(function.function);
  }
  const std::vector<std::string> reached = reachable_functions(result, std::move(kept));
  const Names mentioned(reached.begin(), reached.end());
  std::erase_if(result.functions, [&](const GlobalFunction& function) {
    if (candidates.recursive.contains(function.name)) return faults.recursive_removed;
    return candidates.inlinable.contains(function.name) &&
           (faults.mentioned_removed || !mentioned.contains(function.name));
  });
  return result;
}

}  // namespace
}  // namespace native::inline_private_functions

NativePass inline_private_functions() {
  using namespace native::inline_private_functions;
  return {.pass = {.name = "InlinePrivateFunctions",
                   .contract = {},
                   .source = "passes/native/inline_private_functions.cc"},
          .run = run,
          .faults = listed(kFaults)};
}

}  // namespace passdiff
