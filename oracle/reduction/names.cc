// Plain names: main, f; x, w; lv, gv; n, m. Passes may look at names, so that renaming is judged as any other
// step.
#include <algorithm>
#include <map>
#include <utility>

#include "core/ir/rewriter.h"
#include "oracle/reduction/parts.h"
#include "oracle/reduction/prim_funcs.h"
#include "oracle/reduction/steps.h"

namespace passdiff {
namespace {

// Hands out names: x, x1, x2.
class Names {
 public:
  std::string next(const std::string& base) {
    const int count = counts_[base]++;
    return count == 0 ? base : base + std::to_string(count);
  }
  // Of a symbolic dim: n, m, k, l, n1.
  std::string next_symbol() {
    constexpr std::string_view kLetters = "nmkl";
    return next(std::string(1, kLetters[static_cast<std::size_t>(symbols_++) % kLetters.size()]));
  }

 private:
  std::map<std::string, int> counts_;
  int symbols_ = 0;
};

using FunctionNames = std::map<std::string, std::string>;

FunctionNames plain_function_names(const TestCase& test) {
  Names names;
  FunctionNames plain{{test.entry, "main"}};
  for (const GlobalFunction& f : test.module.functions) {
    if (f.name != test.entry) plain.emplace(f.name, names.next("f"));
  }
  for (const GlobalPrimFunc& f : test.module.prim_funcs) plain.emplace(f.name, names.next("kernel"));
  return plain;
}

// Renames what one global function defines and mentions.
class Renamer : public Rewriter {
 public:
  Renamer(std::span<const NameGroup> groups, const FunctionNames& functions)
      : groups_(groups), functions_(functions) {}

  FunctionPtr global(const FunctionPtr& old) {
    inputs_ = static_cast<std::size_t>(inputs_of(*old));
    return function(old);
  }

  ExprPtr expr(const ExprPtr& old) override {
    if (const Var* var = as<Var>(old)) {
      const ExprPtr* found = by_.vars.find(var->get());
      return found == nullptr ? old : *found;
    }
    if (const auto* mentioned = as<GlobalRef>(old))
      return make_expr(GlobalRef{renamed(mentioned->name)}, old->type);
    const Call* call = as<Call>(old);
    const auto* callee = call == nullptr ? nullptr : std::get_if<GlobalRef>(&call->callee);
    if (callee == nullptr) return parts(old);
    Call fresh = *call;
    fresh.callee = GlobalRef{renamed(callee->name)};
    return parts(make_expr(std::move(fresh), old->type));
  }

  FunctionPtr function(const FunctionPtr& old) override {
    Function fresh = *old;
    for (std::size_t i = 0; i < fresh.params.size(); ++i) {
      for_each_sym_var(fresh.params[i]->type, [&](const SymVar& symbol) { define(symbol); });
      fresh.params[i] = define(old->params[i], NameGroup::params, i < inputs_ ? "x" : "w");
    }
    inputs_ = static_cast<std::size_t>(-1);  // local functions have no weights
    if (!seq(old->body, fresh.body)) return nullptr;
    fresh.result_type = type(old->result_type);
    return std::make_shared<const Function>(std::move(fresh));
  }

 protected:
  bool binding(const Binding& old, BlockSink& to) override {
    if (old.match_cast) for_each_sym_var(*old.match_cast, [&](const SymVar& symbol) { define(symbol); });
    ExprPtr value = expr(old.value);
    if (value == nullptr) return false;
    const bool local = as<FunctionPtr>(old.value) != nullptr;
    Var var = define(old.var, NameGroup::bindings, local ? "inner" : old.var->dataflow ? "lv" : "gv");
    to.add({std::move(var), std::move(value),
            old.match_cast ? std::optional(type(*old.match_cast)) : std::nullopt});
    return true;
  }
  Dim dim(const Dim& old) override { return by_.dim(old); }
  Type type(const Type& old) override { return by_.type(old); }

 private:
  bool has(NameGroup group) const {
    return std::find(groups_.begin(), groups_.end(), group) != groups_.end();
  }
  std::string renamed(const std::string& global) const {
    const auto found = functions_.find(global);
    return found == functions_.end() || !has(NameGroup::functions) ? global : found->second;
  }
  Var define(const Var& old, NameGroup group, const std::string& base) {
    Var fresh = make_var(has(group) ? names_.next(base) : old->name, type(old->type), old->dataflow);
    by_.vars.set(old.get(), var_expr(fresh));
    return fresh;
  }
  void define(const SymVar& symbol) {
    if (!has(NameGroup::symbols) || by_.symbols.find(symbol.get()) != nullptr) return;
    by_.symbols.set(symbol.get(), Dim(make_sym_var(names_.next_symbol())));
  }

  std::span<const NameGroup> groups_;
  const FunctionNames& functions_;
  std::size_t inputs_ = 0;
  Substitution by_;
  Names names_;
};

}  // namespace

TestCase with_plain_names(const TestCase& test, std::span<const NameGroup> groups) {
  const FunctionNames functions = plain_function_names(test);
  const auto has = [&](NameGroup group) {
    return std::find(groups.begin(), groups.end(), group) != groups.end();
  };
  TestCase result = test;
  for (GlobalFunction& f : result.module.functions) {
    f.function = Renamer(groups, functions).global(f.function);
    if (has(NameGroup::functions)) f.name = functions.at(f.name);
  }
  for (GlobalPrimFunc& f : result.module.prim_funcs) {
    if (has(NameGroup::loops)) f.function = with_plain_names(f.function);
    if (has(NameGroup::functions)) f.name = functions.at(f.name);
  }
  if (has(NameGroup::functions)) result.entry = "main";
  return result;
}

}  // namespace passdiff
