// Functions whose signature is about to change, and the functions of the module that call them.
#include <algorithm>

#include "core/form/builder.h"
#include "core/ir/queries.h"
#include "core/ir/rewriter.h"
#include "passes/native/moved_params.h"

namespace passdiff {
namespace {

using Replace = std::function<std::optional<ExprPtr>(const ExprPtr&)>;

class PartReplacer : public Rewriter {
 public:
  explicit PartReplacer(const Replace& replace) : replace_(replace) {}
  ExprPtr expr(const ExprPtr& old) override {
    auto replaced = replace_(old);
    return replaced ? *std::move(replaced) : parts(old);
  }

 private:
  const Replace& replace_;
};

// Redirects calls and mentions of one global function to another one of the same type.
class Redirecter : public Rewriter {
 public:
  Redirecter(const std::string& from, const std::string& to) : from_(from), to_(to) {}
  ExprPtr expr(const ExprPtr& old) override {
    const auto* global = as<GlobalRef>(old);
    if (global != nullptr && global->name == from_) return make_expr(GlobalRef{to_}, old->type);
    const auto* called = called_global(old);
    if (called == nullptr || called->name != from_) return parts(old);
    Call call = *as<Call>(old);
    call.callee = GlobalRef{to_};
    return parts(make_expr(std::move(call), old->type));
  }

 private:
  const std::string& from_;
  const std::string& to_;
};

std::string fresh_name(const Module& module, const std::string& wanted) {
  std::string name = wanted;
  for (int i = 1; module.find(name) != nullptr; ++i) name = wanted + std::to_string(i);
  return name;
}

// New parameters with new symbolic dims, of the same names: no two functions may share variables or symbolic dims.
std::vector<Var> fresh_params(const Function& function, Substitution& by) {
  std::vector<Var> params;
  for (const Var& param : function.params) {
    for_each_sym_var(param->type, [&](const SymVar& symbol) {
      if (by.symbols.find(symbol.get()) == nullptr)
        by.symbols.set(symbol.get(), Dim(make_sym_var(symbol->name)));
    });
  }
  for (const Var& param : function.params) params.push_back(make_var(param->name, by.type(param->type)));
  return params;
}

// A function with the same signature that calls the function `to` with its own arguments. Its result is a tuple written out if
// the function's is.
FunctionPtr forwarder(const Function& function, const std::string& to) {
  Substitution by;
  auto result = std::make_shared<Function>();
  result->params = fresh_params(function, by);
  std::vector<ExprPtr> args;
  for (const Var& param : result->params) args.push_back(var_expr(param));
  auto call = call_global(to, type_of(function), std::move(args));
  CHECK(call.ok()) << call.error().message;
  SeqBuilder seq;
  seq.begin_block(false);
  ExprPtr value = var_expr(seq.emit(*std::move(call)));
  const auto* fields = as<Tuple>(function.body.result);
  if (fields != nullptr && value->type.as_tuple() != nullptr) {
    std::vector<ExprPtr> items;
    for (std::size_t i = 0; i < fields->fields.size(); ++i) {
      auto item = make_tuple_get_item(value, static_cast<int>(i));
      CHECK(item.ok()) << item.error().message;
      items.push_back(var_expr(seq.emit(*std::move(item))));
    }
    value = make_tuple(std::move(items));
  }
  result->body = seq.finish(std::move(value));
  result->result_type = by.type(function.result_type);
  result->pure = function.pure;
  result->attrs = function.attrs;
  return result;
}

}  // namespace

ExprPtr replace_parts(const ExprPtr& expr, const Replace& replace) {
  return PartReplacer(replace).expr(expr);
}

Module keep_callers(const Module& module, const std::function<bool(const GlobalFunction&)>& changes) {
  Module result = module;
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const GlobalFunction global = result.functions[i];
    if (!global.is_public || !changes(global) || !is_referenced(result, global.name)) continue;
    const std::string inner = fresh_name(result, global.name + "_unchanged");
    result.functions[i].function = forwarder(*global.function, inner);
    result.functions.push_back({inner, global.function, false});
    for (GlobalFunction& function : result.functions) {
      if (function.name == global.name) continue;
      function.function = Redirecter(global.name, inner).function(function.function);
    }
  }
  return result;
}

}  // namespace passdiff
